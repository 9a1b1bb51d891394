import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { isRefusal } from '../../api/client.ts'
import type { LiveMessage } from '../../api/live.ts'
import { followWhileVisible } from '../../ui/visible-stream.ts'
import { isManager, useSession } from '../../ui/session.tsx'
import { type TaskViewers, viewersQuery } from './presence.ts'
import { archiveQuery, boardQuery, entriesQuery, readTask, taskQuery } from './queries.ts'
import { type Task, withTasks } from './rules.ts'

const STREAM = '/admin/tasks/stream?with=viewers'
/** What comes together is shown together. */
const GATHER_MS = 40
/** More than this at once is read as a whole. */
const ONE_BY_ONE_MAX = 20
/** After several changes at once the order is read again, when it is quiet. */
const SETTLE_MS = 3_000

interface TaskChange {
  kind: string
  task_id: string
}

/** A task as it is now; null where it is gone, or out of one's sight. */
const readOrNull = async (id: string): Promise<Task | null> => {
  try {
    return await readTask(id)
  } catch (refusal) {
    if (isRefusal(refusal, 'not_found')) return null
    throw refusal
  }
}

/** Takes changes of the board to what is shown of it. */
class BoardFollower {
  readonly #queries: QueryClient
  /** Whoever sees only some of the tasks does not know by a number where one of them stands. */
  readonly #seesAll: boolean
  #kinds = new Map<string, Set<string>>()
  #timer: ReturnType<typeof setTimeout> | null = null
  #settling: ReturnType<typeof setTimeout> | null = null
  #isReading = false

  constructor(queries: QueryClient, seesAll: boolean) {
    this.#queries = queries
    this.#seesAll = seesAll
  }

  readonly hear = ({ kind, task_id: id }: TaskChange) => {
    this.#kinds.set(id, (this.#kinds.get(id) ?? new Set()).add(kind))
    if (!this.#isReading) this.#timer ??= setTimeout(() => void this.#read(), GATHER_MS)
  }

  readonly reload = () => void this.#queries.invalidateQueries({ queryKey: ['tasks'] })

  readonly stop = () => {
    if (this.#timer) clearTimeout(this.#timer)
    if (this.#settling) clearTimeout(this.#settling)
  }

  async #read() {
    this.#timer = null
    this.#isReading = true
    const kinds = this.#kinds
    this.#kinds = new Map()
    try {
      await this.#apply(kinds)
    } catch {
      // What could not be read one by one is read as a whole when the line is back.
      this.reload()
    }
    this.#isReading = false
    if (this.#kinds.size === 0) return
    this.#settle()
    this.#timer = setTimeout(() => void this.#read(), GATHER_MS)
  }

  async #apply(kinds: ReadonlyMap<string, ReadonlySet<string>>) {
    const queries = this.#queries
    for (const id of kinds.keys()) void queries.invalidateQueries({ queryKey: entriesQuery(id).queryKey })
    const changed = Array.from(kinds).filter(([, told]) => told.size > 1 || !told.has('commented'))
    if (changed.length === 0) return
    void queries.invalidateQueries({ queryKey: archiveQuery.queryKey })
    // A task may have been given to whoever looks.
    void queries.invalidateQueries({ queryKey: ['notifications'] })
    if (!this.#seesAll || changed.length > ONE_BY_ONE_MAX) {
      for (const [id] of changed) void queries.invalidateQueries({ queryKey: taskQuery(id).queryKey })
      await queries.invalidateQueries({ queryKey: boardQuery.queryKey })
      return
    }
    const read = new Map(
      await Promise.all(
        changed.map(async ([id, told]) => [id, told.has('deleted') ? null : await readOrNull(id)] as const),
      ),
    )
    for (const [id, task] of read) {
      if (task) queries.setQueryData(taskQuery(id).queryKey, task)
      else void queries.invalidateQueries({ queryKey: taskQuery(id).queryKey })
    }
    queries.setQueryData(boardQuery.queryKey, (board) => board && { ...board, tasks: withTasks(board.tasks, read) })
    if (changed.length > 1) this.#settle()
  }

  #settle() {
    if (this.#settling) clearTimeout(this.#settling)
    this.#settling = setTimeout(
      () => void this.#queries.invalidateQueries({ queryKey: boardQuery.queryKey }),
      SETTLE_MS,
    )
  }
}

/** Follows the board while the page is seen, and catches up when it is seen again. */
const followBoard = (queries: QueryClient, { seesAll, after }: { seesAll: boolean; after: string | null }) => {
  const follower = new BoardFollower(queries, seesAll)
  let lastId = after
  const onMessage = ({ event, id, data }: LiveMessage) => {
    // A page that has not asked for the board knows of nothing that it may have missed.
    if (event === 'reload' || (event === 'ready' && lastId === null)) follower.reload()
    else if (event === 'task') follower.hear(data as TaskChange)
    else if (event === 'viewers') queries.setQueryData(viewersQuery.queryKey, data as TaskViewers)
    lastId = id
  }
  const leave = followWhileVisible(STREAM, { onMessage, after: () => lastId })
  return () => {
    leave()
    follower.stop()
  }
}

/** What others do to the tasks is shown as they do it. `isReady`: what is shown has been read, up to the change `after`. */
export const useLiveTasks = (isReady: boolean, after: string | null = null) => {
  const queries = useQueryClient()
  const { role } = useSession()
  const seesAll = isManager(role)
  // The stream goes on by itself from where it began.
  const begin = useEffectEvent(() => followBoard(queries, { seesAll, after }))
  useEffect(() => (isReady ? begin() : undefined), [isReady])
}
