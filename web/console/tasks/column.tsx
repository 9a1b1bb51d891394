import { ActionIcon } from '@mantine/core'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type RefObject, memo, useCallback, useEffect, useId, useImperativeHandle, useRef } from 'react'
import { useFormat } from '../../ui/format.ts'
import { PlusIcon } from '../../ui/icons.tsx'
import { useWords } from '../../ui/words.ts'
import { Card } from './card.tsx'
import type { ColumnHandle } from './drag.ts'
import { NewTask } from './new-task.tsx'
import type { Status, Task } from './rules.ts'
import classes from './tasks.module.css'
import { taskWords } from './words.ts'

/** What the board asks of a column beside what those who drag do. */
export interface BoardColumn extends ColumnHandle {
  focus: (index: number) => void
}

interface ColumnProps {
  status: Status
  /** Those that fit the filters, out of so many. */
  tasks: readonly Task[]
  total: number
  today: string
  me: number
  picked: ReadonlySet<string>
  /** The card that is in the hand stays, even where it is scrolled out of sight. */
  heldId: string | null
  handle: RefObject<BoardColumn | null>
  isAdding: boolean
  eventSlug: string | null
  onAdding: (status: Status | null) => void
  onPick: (id: string) => void
  onMenu: (id: string) => void
}

const ESTIMATE = 86
const GAP = 8

/** One column: only the cards in sight exist. */
export const Column = memo((props: ColumnProps) => {
  const { status, tasks, total, today, me, picked, heldId, handle, isAdding, eventSlug, onAdding, onPick, onMenu } =
    props
  const words = useWords(taskWords)
  const { number } = useFormat()
  const headingId = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const line = useRef<HTMLLIElement>(null)
  const wanted = useRef<string | null>(null)

  const heldIndex = heldId === null ? -1 : tasks.findIndex(({ id }) => id === heldId)
  const virtualizer = useVirtualizer({
    count: tasks.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ESTIMATE,
    getItemKey: useCallback((at: number) => tasks[at]!.id, [tasks]),
    gap: GAP,
    overscan: 4,
    rangeExtractor: useCallback(
      (range: Parameters<typeof defaultRangeExtractor>[0]) => {
        const shown = defaultRangeExtractor(range)
        return heldIndex < 0 || shown.includes(heldIndex) ? shown : [...shown, heldIndex]
      },
      [heldIndex],
    ),
  })

  const focusWanted = () => {
    const card = wanted.current && scroller.current?.querySelector(`[data-task="${CSS.escape(wanted.current)}"] a`)
    if (!card) return
    // Whoever has begun to type elsewhere while it was being brought into sight goes on there.
    const isTyping = document.activeElement?.matches('input, textarea, select, [contenteditable]') ?? false
    if (!isTyping) (card as HTMLElement).focus({ preventScroll: true })
    wanted.current = null
  }
  useEffect(focusWanted)

  useImperativeHandle(handle, () => {
    const indexAt = (clientY: number) => {
      const element = scroller.current!
      const offset = clientY - element.getBoundingClientRect().top + element.scrollTop
      if (tasks.length === 0 || offset <= 0) return 0
      const item = virtualizer.getVirtualItemForOffset(offset)
      if (!item) return tasks.length
      return offset > item.start + item.size / 2 ? item.index + 1 : item.index
    }
    return {
      status,
      scroller: scroller.current!,
      count: () => tasks.length,
      indexOf: (id) => tasks.findIndex((task) => task.id === id),
      indexAt,
      showLine: (index) => {
        const shown = line.current!
        shown.hidden = index === null
        if (index === null) return
        const before = index > 0 ? virtualizer.measurementsCache[index - 1] : undefined
        shown.style.transform = `translateY(${before ? before.end + GAP / 2 : 0}px)`
      },
      scrollTo: (index) => {
        if (tasks.length > 0) virtualizer.scrollToIndex(Math.max(0, Math.min(index, tasks.length - 1)))
      },
      focus: (index) => {
        const task = tasks[Math.max(0, Math.min(index, tasks.length - 1))]
        if (!task) return
        wanted.current = task.id
        virtualizer.scrollToIndex(tasks.indexOf(task))
        scroller.current!.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        focusWanted()
      },
    }
  })

  const name = words.statuses[status]
  return (
    <section className={classes.column} aria-labelledby={headingId} data-status={status}>
      <header className={classes.columnHead}>
        <h2 id={headingId}>
          {name}{' '}
          <span className={classes.columnCount}>
            {tasks.length === total ? number(total) : words.count(number(tasks.length), number(total))}
          </span>
        </h2>
        <ActionIcon variant="subtle" color="gray" aria-label={words.addTo(name)} onClick={() => onAdding(status)}>
          <PlusIcon size={16} />
        </ActionIcon>
      </header>
      {isAdding && <NewTask status={status} eventSlug={eventSlug} onClose={() => onAdding(null)} />}
      <div ref={scroller} className={classes.scroller}>
        {tasks.length === 0 && (
          <p className={classes.quiet}>{total === 0 ? words.emptyColumn[status] : words.noneShown}</p>
        )}
        <ul className={classes.cards} aria-labelledby={headingId} style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start, key }) => {
            const task = tasks[index]!
            return (
              <li
                key={key}
                ref={virtualizer.measureElement}
                data-index={index}
                aria-setsize={tasks.length}
                aria-posinset={index + 1}
                className={classes.cardRow}
                style={{ transform: `translateY(${start}px)` }}
              >
                <Card
                  task={task}
                  today={today}
                  isPicked={picked.has(task.id)}
                  isMe={task.assignee?.id === me}
                  onPick={onPick}
                  onMenu={onMenu}
                />
              </li>
            )
          })}
          <li ref={line} className={classes.line} aria-hidden="true" hidden />
        </ul>
      </div>
    </section>
  )
})
Column.displayName = 'Column'
