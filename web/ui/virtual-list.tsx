import { useWindowVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  memo,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
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
  /** All rows from the one picked last to this one: `X`, and `J` and `K` while walking. */
  onPickRange?: (keys: string[]) => void
  /** The last rows are about to be seen: time to read more. */
  onNearEnd?: () => void
  handle?: Ref<VirtualListHandle>
  /** Rows keep nothing of their own and are filled anew, which is faster than new ones while somebody searches. */
  recyclesRows?: boolean
}

export interface VirtualListHandle {
  /** Where the keyboard stands, in sight or not; null before it went anywhere. */
  activeKey: () => string | null
  focus: (key: string) => void
}

const rowOf = (element: Element | null) => element?.closest<HTMLElement>('[data-index]') ?? null

/** So many rows before the end more are read. */
const NEAR_END = 30

/** A list of any length: only rows in sight exist, `j` and `k` walk through all of them, `x` picks. */
const WholeList = <T,>({
  items,
  keyOf,
  label,
  estimate,
  renderRow,
  picked,
  onPick,
  onPickRange,
  onNearEnd,
  handle,
  recyclesRows = false,
}: VirtualListProps<T>) => {
  const words = useWords(commonWords)
  const list = useRef<HTMLUListElement>(null)
  const [top, setTop] = useState(0)
  const last = useRef(-1)
  const wanted = useRef<number | null>(null)

  useLayoutEffect(() => {
    const { current: shown } = list
    if (!shown) return undefined
    const readTop = () => setTop(Math.round(shown.getBoundingClientRect().top + window.scrollY))
    readTop()
    // A form that opens above moves the list down. Read in the next frame, since this one is being laid out.
    let frame = 0
    const observer = new ResizeObserver(() => {
      cancelAnimationFrame(frame)
      frame = requestAnimationFrame(readTop)
    })
    if (shown.parentElement) observer.observe(shown.parentElement)
    return () => {
      observer.disconnect()
      cancelAnimationFrame(frame)
    }
  }, [])

  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: useCallback(() => estimate, [estimate]),
    // As long as it stays the same function, only rows that are new are measured.
    getItemKey: useCallback((at: number) => keyOf(items[at]!), [items, keyOf]),
    overscan: 4,
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

  /** Whoever stands on a row stays with what it showed, wherever that has gone. */
  const before = useRef(items)
  useLayoutEffect(() => {
    const row = rowOf(document.activeElement)
    const shown = row && list.current?.contains(row) ? before.current[Number(row.dataset['index'])] : undefined
    before.current = items
    if (!recyclesRows || shown === undefined) return
    const index = items.findIndex((item) => keyOf(item) === keyOf(shown))
    if (index < 0 || index === Number(row!.dataset['index'])) return
    last.current = index
    wanted.current = index
  }, [items, keyOf, recyclesRows])

  /** The row that has the focus, else the one that had it last. */
  const activeIndex = () => {
    const row = rowOf(document.activeElement)
    if (row && list.current?.contains(row)) last.current = Number(row.dataset['index'])
    return last.current
  }

  const goTo = (index: number) => {
    last.current = index
    wanted.current = index
    virtualizer.scrollToIndex(index, { align: 'auto' })
    focusWanted()
  }

  const walk = (step: number) => {
    if (items.length > 0) goTo(Math.max(0, Math.min(items.length - 1, activeIndex() + step)))
  }

  useImperativeHandle(handle, () => ({
    activeKey: () => {
      const item = items[activeIndex()]
      return item === undefined ? null : keyOf(item)
    },
    focus: (key) => {
      const index = items.findIndex((item) => keyOf(item) === key)
      if (index >= 0) goTo(index)
    },
  }))

  const lastShown = virtualizer.getVirtualItems().at(-1)?.index ?? -1
  const isNearEnd = lastShown >= items.length - NEAR_END
  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, onNearEnd, items.length])

  /** Where a range begins: the row that was picked last. */
  const anchor = useRef<string | null>(null)
  const pickRange = () => {
    const here = activeIndex()
    const from = items.findIndex((item) => keyOf(item) === anchor.current)
    if (here < 0) return
    const [first, end] = from < 0 ? [here, here] : [Math.min(from, here), Math.max(from, here)]
    if (from < 0) anchor.current = keyOf(items[here]!)
    onPickRange?.(items.slice(first, end + 1).map(keyOf))
  }

  const shortcuts: Shortcut[] = [
    { keys: 'j', label: words.keys.next, run: () => walk(1) },
    { keys: 'k', label: words.keys.previous, run: () => walk(-1) },
    { keys: 'Enter', label: words.keys.open, run: () => linkOf(activeIndex())?.click() },
  ]
  if (onPick) {
    const pick = () => {
      const item = items[activeIndex()]
      if (item === undefined) return
      anchor.current = keyOf(item)
      onPick(keyOf(item))
    }
    shortcuts.push({ keys: 'x', label: words.keys.pick, run: pick })
  }
  if (onPickRange) {
    const pickWalking = (step: number) => () => {
      if (activeIndex() >= 0 && (anchor.current === null || !picked?.has(anchor.current))) {
        anchor.current = keyOf(items[activeIndex()]!)
      }
      walk(step)
      pickRange()
    }
    shortcuts.push(
      { keys: 'X', label: words.keys.pickRange, run: pickRange },
      { keys: 'J', label: words.keys.pickNext, run: pickWalking(1) },
      { keys: 'K', label: words.keys.pickPrevious, run: pickWalking(-1) },
    )
  }
  useShortcuts(shortcuts)

  const { resizeItem } = virtualizer
  const resize = useCallback(
    (row: HTMLElement, height: number) => resizeItem(Number(row.dataset['index']), height),
    [resizeItem],
  )

  return (
    <ul ref={list} className={classes.list} aria-label={label} style={{ height: virtualizer.getTotalSize() }}>
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const item = items[index]!
        const key = keyOf(item)
        const isPicked = picked?.has(key) ?? false
        return (
          <Row
            key={recyclesRows ? index : key}
            itemKey={key}
            index={index}
            count={items.length}
            isPicked={isPicked}
            offset={start - top}
            resize={resize}
          >
            {renderRow(item, { isPicked })}
          </Row>
        )
      })}
    </ul>
  )
}

interface RowProps {
  itemKey: string
  index: number
  count: number
  isPicked: boolean
  offset: number
  resize: (row: HTMLElement, height: number) => void
  children: ReactNode
}

const Row = ({ itemKey, index, count, isPicked, offset, resize, children }: RowProps) => {
  const row = useRef<HTMLLIElement>(null)
  const measured = useRef<string | null>(null)
  useLayoutEffect(() => {
    if (measured.current === itemKey) return
    measured.current = itemKey
    resize(row.current!, row.current!.offsetHeight)
  })
  useEffect(() => {
    const shown = row.current!
    const observer = new ResizeObserver(([entry]) => {
      // A row that has just gone is told of once more.
      if (shown.isConnected) resize(shown, Math.round(entry!.borderBoxSize[0]!.blockSize))
    })
    observer.observe(shown)
    return () => observer.disconnect()
  }, [resize])
  return (
    <li
      ref={row}
      data-index={index}
      data-picked={isPicked || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      className={classes.row}
      style={{ transform: `translateY(${offset}px)` }}
    >
      {children}
    </li>
  )
}

/** Drawn anew only when it is given something else: typing in a field above leaves it alone until more is found. */
export const VirtualList = memo(WholeList) as typeof WholeList
