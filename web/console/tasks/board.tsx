import { useRouter } from '@tanstack/react-router'
import { type RefObject, Suspense, lazy, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { commonWords } from '../../ui/common-words.ts'
import { useShortcuts } from '../../ui/keyboard.tsx'
import { useSession } from '../../ui/session.tsx'
import { useWords } from '../../ui/words.ts'
import { BulkBar } from './bulk-bar.tsx'
import { type BoardColumn, Column } from './column.tsx'
import { useBoardMoves } from './moves.ts'
import { STATUSES, type Status, type Task, columnsOf } from './rules.ts'
import classes from './tasks.module.css'
import { useBoardDrag } from './use-board-drag.ts'
import { taskWords } from './words.ts'

const MoveDialog = lazy(() => import('./move-dialog.tsx'))

interface BoardProps {
  /** All of them, and those that fit the filters. */
  tasks: readonly Task[]
  shown: readonly Task[]
  today: string
  /** The event that the board is narrowed to; new tasks are about it. */
  eventSlug: string | null
  /** The column in which a new task is being written. */
  adding: Status | null
  onAdding: (status: Status | null) => void
}

const statusOfFocus = (): { status: Status; id: string } | null => {
  const card = document.activeElement?.closest<HTMLElement>('[data-task]')
  const status = card?.closest<HTMLElement>('[data-status]')?.dataset['status'] as Status | undefined
  return card && status ? { status, id: card.dataset['task']! } : null
}

export const Board = ({ tasks, shown, today, eventSlug, adding, onAdding }: BoardProps) => {
  const words = useWords(taskWords)
  const { membership_id: me } = useSession()
  const { move } = useBoardMoves()
  const board = useRef<HTMLDivElement>(null)
  const open = useRef<BoardColumn>(null)
  const inProgress = useRef<BoardColumn>(null)
  const done = useRef<BoardColumn>(null)
  const handles = useMemo(() => ({ open, in_progress: inProgress, done }), [])
  const all = useMemo(() => columnsOf(tasks), [tasks])
  const columns = useMemo(() => columnsOf(shown), [shown])
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [menuId, setMenuId] = useState<string | null>(null)
  const pick = useCallback((id: string) => setPicked((before) => before.symmetricDifference(new Set([id]))), [])

  const follow = useFollowedCard(handles, tasks)
  const { heldId, said, lift } = useBoardDrag({ board, handles, all, columns, move, follow })
  useBoardKeys({ handles, columns, pick, setMenuId, lift, onAdding })

  const menuTask = menuId === null ? undefined : tasks.find(({ id }) => id === menuId)
  const closeMenu = (card: FollowedCard) => {
    setMenuId(null)
    follow({ status: card.status, id: card.id })
  }
  return (
    <>
      <p className={classes.heard}>{words.drag.instructions}</p>
      <div ref={board} className={classes.board} onDragStart={(event) => event.preventDefault()}>
        {STATUSES.map((status) => (
          <Column
            key={status}
            status={status}
            tasks={columns[status]}
            total={all[status].length}
            today={today}
            me={me}
            picked={picked}
            heldId={heldId}
            handle={handles[status]}
            isAdding={adding === status}
            eventSlug={eventSlug}
            onAdding={onAdding}
            onPick={pick}
            onMenu={setMenuId}
          />
        ))}
      </div>
      <div className={classes.heard} role="status" aria-live="assertive">
        {said}
      </div>
      {picked.size > 0 && <BulkBar tasks={tasks} picked={picked} onPicked={setPicked} />}
      <Suspense>
        {menuTask && (
          <MoveDialog
            task={menuTask}
            columns={all}
            onClose={() => closeMenu(menuTask)}
            onMove={(place) => {
              closeMenu({ status: place.status, id: menuTask.id })
              void move(menuTask, place)
            }}
          />
        )}
      </Suspense>
    </>
  )
}

interface FollowedCard {
  status: Status
  id: string
}

/**
 * Brings the keyboard to a card, and on to where it has gone as soon as the board is drawn with that, however long it
 * takes. Whoever has gone elsewhere by then is not called back.
 */
const useFollowedCard = (handles: Readonly<Record<Status, RefObject<BoardColumn | null>>>, tasks: readonly Task[]) => {
  const followed = useRef<{ card: FollowedCard; since: readonly Task[] } | null>(null)
  const shown = useRef(tasks)
  useEffect(() => {
    shown.current = tasks
    if (!followed.current) return
    const { card, since } = followed.current
    const column = handles[card.status].current
    const index = column?.indexOf(card.id) ?? -1
    const isElsewhere = document.activeElement !== document.body && statusOfFocus()?.id !== card.id
    if (isElsewhere || (index >= 0 && tasks !== since)) followed.current = null
    if (!isElsewhere && index >= 0) column!.focus(index)
  })
  return useCallback((card: FollowedCard) => {
    followed.current = { card, since: shown.current }
  }, [])
}

interface BoardKeys {
  handles: Record<Status, RefObject<BoardColumn | null>>
  columns: Readonly<Record<Status, readonly Task[]>>
  pick: (id: string) => void
  setMenuId: (id: string) => void
  lift: (id: string) => void
  onAdding: (status: Status) => void
}

/** The cards are walked like any list, and from column to column. */
const useBoardKeys = ({ handles, columns, pick, setMenuId, lift, onAdding }: BoardKeys) => {
  const words = useWords(taskWords)
  const common = useWords(commonWords)
  const router = useRouter()
  const last = useRef<{ status: Status; index: number } | null>(null)

  const here = () => {
    const focused = statusOfFocus()
    if (focused) {
      last.current = { status: focused.status, index: columns[focused.status].findIndex(({ id }) => id === focused.id) }
    }
    return last.current
  }
  const goTo = (status: Status, index: number) => {
    const count = columns[status].length
    if (count === 0) return
    last.current = { status, index: Math.max(0, Math.min(index, count - 1)) }
    handles[status].current?.focus(last.current.index)
  }
  const walk = (step: number) => {
    const at = here()
    if (at) goTo(at.status, at.index + step)
    else goTo(STATUSES.find((status) => columns[status].length > 0) ?? 'open', 0)
  }
  const cross = (step: 1 | -1) => {
    const at = here()
    if (!at) return walk(0)
    for (let n = STATUSES.indexOf(at.status) + step; n >= 0 && n < STATUSES.length; n += step) {
      if (columns[STATUSES[n]!].length > 0) return goTo(STATUSES[n]!, at.index)
    }
  }
  const withTask = (run: (id: string) => void) => () => {
    const at = here()
    const task = at && columns[at.status][at.index]
    if (task) run(task.id)
  }

  useEffect(() => {
    /** Space on a card is not a key of the whole view: anywhere else it scrolls. */
    const hear = (event: KeyboardEvent) => {
      const focused = statusOfFocus()
      if (event.key !== ' ' || !focused || document.activeElement?.tagName !== 'A' || event.defaultPrevented) return
      event.preventDefault()
      lift(focused.id)
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [lift])

  useShortcuts([
    { keys: 'j', label: words.keys.next, run: () => walk(1) },
    { keys: 'k', label: words.keys.previous, run: () => walk(-1) },
    { keys: 'h', label: words.keys.left, run: () => cross(-1) },
    { keys: 'l', label: words.keys.right, run: () => cross(1) },
    { keys: 'x', label: words.keys.pick, run: withTask(pick) },
    { keys: 'm', label: words.keys.move, run: withTask(setMenuId) },
    { keys: 'n', label: words.keys.add, run: () => onAdding(here()?.status ?? 'open') },
    { keys: 'Space', label: words.keys.lift, run: withTask(lift) },
    {
      keys: 'Enter',
      label: common.keys.open,
      run: withTask((id) => void router.navigate({ to: '/tasks/$id', params: { id } })),
    },
  ])
}
