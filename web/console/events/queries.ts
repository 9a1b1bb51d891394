import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'

/** What is not told as it changes is asked for again and again. */
const TONIGHT_MS = 10_000

export const eventsQuery = (archived: boolean) =>
  queryOptions({
    queryKey: ['events', { archived }],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events', { params: { query: { archived } }, signal })),
    select: ({ events }) => events,
  })

const ofEvent = (slug: string) => ({ path: { event_slug: slug } })

export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events/{event_slug}', { params: ofEvent(slug), signal })),
  })

export const doorStatsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'door stats'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/scanner/events/{event_slug}/stats', { params: ofEvent(slug), signal })),
    refetchInterval: TONIGHT_MS,
  })

export const ticketOptionsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'ticket options'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/ticket_options', { params: ofEvent(slug), signal })),
    select: ({ ticket_options }) => ticket_options,
    refetchInterval: TONIGHT_MS,
  })
