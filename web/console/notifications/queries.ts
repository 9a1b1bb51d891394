import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'

const FRESH_MS = 30_000

/** The inbox of whoever is signed in; it is asked for again as long as the page is seen. */
export const inboxQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/notifications', { signal })),
  staleTime: FRESH_MS,
  refetchInterval: FRESH_MS,
})
