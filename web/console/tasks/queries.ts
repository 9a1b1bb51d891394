import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'

/**
 * All tasks of the board at once: whatever is searched and filtered then is found without asking anybody. The number of
 * the last change is read before them, so that the stream can tell everything that came after.
 */
export const boardQuery = queryOptions({
  queryKey: ['tasks', 'board'],
  queryFn: async ({ signal }) => {
    const { last_event_id: lastEventId } = await dataOrThrow(api.GET('/admin/tasks/stream', { signal }))
    const { tasks } = await dataOrThrow(api.GET('/admin/tasks', { signal }))
    return { tasks, lastEventId }
  },
  // Comparing thousands of tasks with the ones before costs more than it saves.
  structuralSharing: false,
})

export const archiveQuery = queryOptions({
  queryKey: ['tasks', 'archive'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/tasks', { params: { query: { archived: true } }, signal })),
  structuralSharing: false,
})

export const readTask = (id: string, signal?: AbortSignal) =>
  dataOrThrow(api.GET('/admin/tasks/{id}', { params: { path: { id } }, ...(signal && { signal }) }))

export const taskQuery = (id: string) =>
  queryOptions({ queryKey: ['tasks', 'task', id], queryFn: ({ signal }) => readTask(id, signal) })

export const entriesQuery = (id: string) =>
  queryOptions({
    queryKey: ['tasks', 'entries', id],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/tasks/{task_id}/comments', { params: { path: { task_id: id } }, signal })),
    select: ({ entries }) => entries,
  })

const ASSIGNEES_FRESH_MS = 60_000

/** Who can be given a task: with an event its co-organizers, too. */
export const assigneesQuery = (slug: string | null) =>
  queryOptions({
    queryKey: ['tasks', 'assignees', slug],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/admin/task_assignees', { params: { query: slug === null ? {} : { event_slug: slug } }, signal }),
      ),
    select: ({ people }) => people,
    staleTime: ASSIGNEES_FRESH_MS,
  })

export const eventsQuery = queryOptions({
  queryKey: ['events', { archived: false }],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events', { params: { query: { archived: false } }, signal })),
})
