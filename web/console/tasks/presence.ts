import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api } from '../../api/api.ts'
import { type Schemas, dataOrThrow } from '../../api/client.ts'
import { useSession } from '../../ui/session.tsx'

export type TaskViewers = Schemas['TaskViewers']

/** Who looks at the board; the stream of the board keeps it fresh. */
export const viewersQuery = queryOptions({
  queryKey: ['task viewers'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/task_viewers', { signal })),
  staleTime: Number.POSITIVE_INFINITY,
})

const ADDRESS = '/admin/task_viewers'
/** The server forgets a page that has been silent for twice as long. */
const SAY_AGAIN_MS = 10_000
/** Going from one task to the next is no leaving. */
const LEAVE_MS = 500

/** How this page calls itself; nobody else needs to know it. */
const page = crypto.randomUUID()

/** Whether the server has been told of this page, and not yet that it is gone. */
let isTold = false
let shown: { taskId: string | null } | null = null
let timer: ReturnType<typeof setInterval> | null = null
let leaving: ReturnType<typeof setTimeout> | null = null
/** One after the other: the last word is the one that counts. */
let saying: Promise<unknown> = Promise.resolve()

/** Not repeated and not remembered, as the rest of what a page sends is: the next word comes soon enough. */
const send = (method: 'POST' | 'DELETE', path: string, body?: object) => {
  const ask = () =>
    fetch(path, {
      method,
      keepalive: true,
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
  saying = saying.then(ask).catch(() => 'the line is down, and the banner says so')
}

const say = () => {
  if (!shown || document.visibilityState !== 'visible') return
  isTold = true
  send('POST', ADDRESS, { task_viewer: { page, task_id: shown.taskId } })
}

const sayGone = () => {
  if (isTold) send('DELETE', `${ADDRESS}/${page}`)
  isTold = false
}

const heed = () => (document.visibilityState === 'visible' ? say() : sayGone())

const enter = (taskId: string | null) => {
  if (leaving) clearTimeout(leaving)
  leaving = null
  shown = { taskId }
  say()
  if (timer) return
  timer = setInterval(say, SAY_AGAIN_MS)
  document.addEventListener('visibilitychange', heed)
  addEventListener('pagehide', sayGone)
}

const leave = () => {
  leaving = setTimeout(() => {
    shown = null
    if (timer) clearInterval(timer)
    timer = null
    document.removeEventListener('visibilitychange', heed)
    removeEventListener('pagehide', sayGone)
    sayGone()
  }, LEAVE_MS)
}

/** Says that this page shows the board, or one task of it, as long as somebody can see it. */
export const usePresence = (taskId: string | null) => {
  useEffect(() => {
    enter(taskId)
    return leave
  }, [taskId])
}

export interface OtherViewer {
  id: number
  name: string
}

/** Who else is there: on the board as a whole, or at one task. Each person once. */
export const useOtherViewers = (taskId: string | null): readonly OtherViewer[] => {
  const { membership_id: me } = useSession()
  const { data } = useQuery({
    ...viewersQuery,
    select: ({ task_viewers: viewers }) => {
      const others = viewers.filter(
        ({ person, task_id }) => person.id !== me && (taskId === null || task_id === taskId),
      )
      return Array.from(new Map(others.map(({ person }) => [person.id, person])).values())
    },
  })
  return data ?? NOBODY
}

const NOBODY: readonly OtherViewer[] = []
