import type { QueryClient } from '@tanstack/react-query'
import { api } from '../api/api.ts'
import { dataOrThrow } from '../api/client.ts'

const EVENTS_MAX = 3

/** The slugs of the events where somebody is probably looking: the next ones that are not over. */
export const findNextEvents = async (queries: QueryClient): Promise<string[]> => {
  const { events } = await queries.ensureQueryData({
    queryKey: ['events', { archived: false }],
    queryFn: () => dataOrThrow(api.GET('/admin/events', { params: { query: { archived: false } } })),
  })
  const now = Date.now()
  return events
    .filter(({ ends_at }) => Date.parse(ends_at) > now)
    .slice(0, EVENTS_MAX)
    .map(({ slug }) => slug)
}
