import { useWindowVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { commonWords } from './common-words.ts'
import { useShortcuts } from './keyboard.tsx'
import type { Shortcut } from './shortcuts.ts'
import classes from './virtual-list.module.css'
import { useWords } from './words.ts'

interface VirtualListProps<T> {
  items: readonly T[]
  keyOf: (item: T) => string
  /** What the list is of, for those who hear it. */
  label: string
  /** The height of a row before it has been measured. */
  estimate: number
  /** A row; its first link is what the keyboard stands on and what Enter opens. */
  renderRow: (item: T, row: { isPicked: boolean }) => ReactNode
  picked?: ReadonlySet<string>
  onPick?: (key: string) => void
}

/** A list of any length: only rows in sight exist, `j` and `k` walk through all of them, `x` picks. */
export const VirtualList = <T,>({ items, keyOf, label, estimate, renderRow, picked, onPick }: VirtualListProps<T>) => {
  const words = useWords(commonWords)
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const last = useRef(-1)
  const wanted = useRef<number | null>(null)

  useLayoutEffect(() => {
    setTop(list.current?.offsetTop ?? 0)
  }, [])

  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => estimate,
    getItemKey: (at) => keyOf(items[at]!),
    overscan: 8,
    scrollMargin: top,
  })

  const linkOf = (at: number) => list.current?.querySelector<HTMLElement>(`[data-index="${at}"] :is(a, button)`)

  /** A row that is out of sight exists only after the scroll that brings it in. */
  const focusWanted = () => {
    const link = wanted.current === null ? null : linkOf(wanted.current)
    if (!link) return
    link.focus({ preventScroll: true })
    wanted.current = null
  }
  useEffect(focusWanted)

  /** The row that has the focus, else the one that had it last. */
  const activeIndex = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-index]')
    if (row && list.current?.contains(row)) last.current = Number(row.dataset['index'])
    return last.current
  }

  const walk = (step: number) => {
    if (items.length === 0) return
    const next = Math.max(0, Math.min(items.length - 1, activeIndex() + step))
    last.current = next
    wanted.current = next
    virtualizer.scrollToIndex(next, { align: 'auto' })
    focusWanted()
  }

  const shortcuts: Shortcut[] = [
    { keys: 'j', label: words.keys.next, run: () => walk(1) },
    { keys: 'k', label: words.keys.previous, run: () => walk(-1) },
    { keys: 'Enter', label: words.keys.open, run: () => linkOf(activeIndex())?.click() },
  ]
  if (onPick) {
    const pick = () => {
      const item = items[activeIndex()]
      if (item !== undefined) onPick(keyOf(item))
    }
    shortcuts.push({ keys: 'x', label: words.keys.pick, run: pick })
  }
  useShortcuts(shortcuts)

  return (
    <ul ref={list} className={classes.list} aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, key, start }) => {
        const item = items[index]!
        const isPicked = picked?.has(keyOf(item)) ?? false
        return (
          <li
            key={key}
            ref={virtualizer.measureElement}
            data-index={index}
            data-picked={isPicked || undefined}
            aria-setsize={items.length}
            aria-posinset={index + 1}
            className={classes.row}
            style={{ transform: `translateY(${start - top}px)` }}
          >
            {renderRow(item, { isPicked })}
          </li>
        )
      })}
    </ul>
  )
}
