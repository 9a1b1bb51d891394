import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { useLatest } from '../../ui/latest.ts'
import { useWords } from '../../ui/words.ts'
import type { BoardColumn } from './column.tsx'
import { type DropTarget, PointerDrag } from './drag.ts'
import { KeyboardDrag } from './keyboard-drag.ts'
import type { BoardMoves } from './moves.ts'
import { type Columns, STATUSES, type Status, type Task, placeAmongShown } from './rules.ts'
import { taskWords } from './words.ts'

interface BoardDragOptions {
  board: RefObject<HTMLElement | null>
  handles: Readonly<Record<Status, RefObject<BoardColumn | null>>>
  all: Columns
  columns: Columns
  move: BoardMoves['move']
  /** The keyboard stays with the card, wherever it has gone. */
  follow: (card: { status: Status; id: string }) => void
}

/** Dragging by pointer and by keyboard, and what is told of it. */
export const useBoardDrag = (options: BoardDragOptions) => {
  const words = useWords(taskWords)
  const [heldId, setHeldId] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  // What is dropped lands among what can be seen.
  const current = useLatest({ ...options, words })

  const keyboard = useRef<KeyboardDrag | null>(null)

  useEffect(() => {
    const now = () => current.current
    const find = (id: string) => STATUSES.flatMap((status) => now().all[status]).find((task) => task.id === id)
    const titleOf = (id: string) => find(id)?.title ?? ''
    const columns = () => STATUSES.map((status) => now().handles[status].current).filter((column) => column !== null)
    const onLift = (id: string) => {
      setHeldId(id)
      setSaid(now().words.drag.lifted(titleOf(id)))
    }
    const onCancel = (id: string) => {
      setHeldId(null)
      setSaid(now().words.drag.cancelled(titleOf(id)))
    }
    const drop = (id: string, target: DropTarget): Task | undefined => {
      setHeldId(null)
      const task = find(id)
      if (!task) return undefined
      const { all, columns: shown, move, words: spoken } = now()
      void move(task, placeAmongShown(all[target.status], shown[target.status], task, target))
      setSaid(spoken.drag.dropped(task.title, spoken.statuses[target.status]))
      return task
    }
    const dropAndStay = (id: string, target: DropTarget) => {
      if (drop(id, target)) now().follow({ status: target.status, id })
    }
    const element = now().board.current!
    const pointer = new PointerDrag({
      columns,
      board: () => now().board.current,
      onLift,
      onCancel,
      onDrop: (id, to) => void drop(id, to),
    })
    keyboard.current = new KeyboardDrag({
      columns,
      onLift,
      onCancel,
      onDrop: dropAndStay,
      onMove: ({ status, index, count }) =>
        setSaid(now().words.drag.over(now().words.statuses[status], index + 1, count)),
    })
    element.addEventListener('pointerdown', pointer.press)
    return () => {
      element.removeEventListener('pointerdown', pointer.press)
      pointer.cancel()
      keyboard.current?.cancel()
    }
  }, [current])

  return { heldId, said, lift: useCallback((id: string) => keyboard.current?.lift(id), []) }
}
