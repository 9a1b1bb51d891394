import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'

/** The inbox of whoever is signed in. */
export const inboxQuery = queryOptions({
  queryKey: ['notifications'],
  queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/notifications', { signal })),
  staleTime: 30_000,
})
