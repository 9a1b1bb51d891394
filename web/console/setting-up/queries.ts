import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { type Schemas, dataOrThrow } from '../../api/client.ts'

export type EventDetails = Schemas['EventDetails']
export type Ticket = Schemas['Ticket']
export type StandingArea = Schemas['StandingArea']
export type Question = Schemas['EventQuestion']
export type Place = Schemas['Place']
export type Venue = Schemas['Venue']

export const eventPathParams = (slug: string) => ({ path: { event_slug: slug } })

/** The same thing that the home of the event shows, so both are fresh at once. */
export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}', { params: eventPathParams(slug), signal })),
  })

export const eventsQuery = () =>
  queryOptions({
    queryKey: ['events', { archived: false }],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events', { params: { query: { archived: false } }, signal })),
  })

export const venuesQuery = () =>
  queryOptions({
    queryKey: ['venues'],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/venues', { signal })),
    select: ({ venues }) => venues,
  })

export const accountQuery = () =>
  queryOptions({
    queryKey: ['account'],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/account', { signal })),
  })

export const ticketsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'tickets'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/tickets', { params: eventPathParams(slug), signal })),
    select: ({ tickets }) => tickets,
  })

export const areasQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'standing areas'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/standing_areas', { params: eventPathParams(slug), signal })),
    select: ({ standing_areas }) => standing_areas,
  })

export const questionsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'questions'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/questions', { params: eventPathParams(slug), signal })),
    select: ({ questions }) => questions,
  })

export const placesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'places'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/places', { params: eventPathParams(slug), signal })),
    select: ({ places }) => places,
  })

/** Everything about an event is asked for anew, the lists that it stands in too. */
export const invalidateEventQueries = async (queries: QueryClient): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['events'] })
