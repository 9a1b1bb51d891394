import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'

const ofEvent = (slug: string) => ({ path: { event_slug: slug } })

export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events/{event_slug}', { params: ofEvent(slug), signal })),
  })

export const ticketOptionsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'ticket options'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/ticket_options', { params: ofEvent(slug), signal })),
    select: ({ ticket_options }) => ticket_options,
  })

/** All numbered places, for those who may see how an event is set up. */
export const placesQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'places'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/places', { params: ofEvent(slug), signal })),
    select: ({ places }) => places,
  })

export const ticketsPath = (slug: string, publicId: string) =>
  `/admin/events/${encodeURIComponent(slug)}/guest_parties/${encodeURIComponent(publicId)}/tickets`

/** These parties with everything that is known of them, for paper and spreadsheets. */
export const readParties = async (slug: string, publicIds: ReadonlySet<string>) => {
  const list = await dataOrThrow(api.GET('/admin/events/{event_slug}/guest_list', { params: ofEvent(slug) }))
  return list.guest_parties.filter(({ public_id }) => publicIds.has(public_id))
}

export const partyQuery = (slug: string, publicId: string) =>
  queryOptions({
    queryKey: ['events', slug, 'guest party', publicId],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/admin/events/{event_slug}/guest_parties/{public_id}', {
          params: { path: { event_slug: slug, public_id: publicId } },
          signal,
        }),
      ),
  })

export const historyQuery = (slug: string, publicId: string) =>
  queryOptions({
    queryKey: ['events', slug, 'guest party', publicId, 'history'],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/admin/events/{event_slug}/guest_parties/{public_id}/history', {
          params: { path: { event_slug: slug, public_id: publicId } },
          signal,
        }),
      ),
    select: ({ entries }) => entries,
  })

export const questionsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'questions'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/questions', { params: ofEvent(slug), signal })),
    select: ({ questions }) => questions,
  })

export const freeSeatsQuery = (admissionId: string) =>
  queryOptions({
    queryKey: ['free seats', admissionId],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/admin/order_items/{public_id}/seat_exchange', {
          params: { path: { public_id: admissionId } },
          signal,
        }),
      ),
    staleTime: 0,
  })

export const importsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'guest imports'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/guest_imports', { params: ofEvent(slug), signal })),
    select: ({ guest_imports }) => guest_imports,
  })

const APPLYING_MS = 500

export const importQuery = (slug: string, id: string) =>
  queryOptions({
    queryKey: ['events', slug, 'guest imports', id],
    queryFn: ({ signal }) =>
      dataOrThrow(
        api.GET('/admin/events/{event_slug}/guest_imports/{id}', {
          params: { path: { event_slug: slug, id } },
          signal,
        }),
      ),
    refetchInterval: ({ state }) => (state.data?.status === 'applying' ? APPLYING_MS : false),
  })
