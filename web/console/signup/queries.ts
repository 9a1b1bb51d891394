import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import type { LinkSettings } from './rules.ts'

const ofEvent = (slug: string) => ({ path: { event_slug: slug } })

export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events/{event_slug}', { params: ofEvent(slug), signal })),
  })

export const linksQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'signup links'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/guest_list_forms', { params: ofEvent(slug), signal })),
    select: ({ forms }) => forms,
  })

export const ticketsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug, 'ticket options'],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/events/{event_slug}/ticket_options', { params: ofEvent(slug), signal })),
    select: ({ ticket_options }) => ticket_options,
  })

/** The page of a link that has these settings, as the server draws it. */
export const previewQuery = (slug: string, settings: Partial<LinkSettings>, language: 'en' | 'de') =>
  queryOptions({
    queryKey: ['events', slug, 'signup preview', settings, language],
    queryFn: ({ signal }) =>
      dataOrThrow<string>(
        api.POST('/admin/events/{event_slug}/guest_list_forms/preview', {
          params: ofEvent(slug),
          body: { guest_list_form: settings as never, language },
          parseAs: 'text',
          signal,
        }),
      ),
    retry: false,
  })

/** Null clears a field; the description of the API does not say so of every one. */
export const createLink = (slug: string, settings: LinkSettings) =>
  dataOrThrow(
    api.POST('/admin/events/{event_slug}/guest_list_forms', {
      params: ofEvent(slug),
      body: { guest_list_form: settings as never },
    }),
  )

export const changeLink = (slug: string, publicId: string, changes: Partial<LinkSettings>) =>
  dataOrThrow(
    api.PATCH('/admin/events/{event_slug}/guest_list_forms/{public_id}', {
      params: { path: { event_slug: slug, public_id: publicId } },
      body: { guest_list_form: changes as never },
    }),
  )

export const rotateLink = (slug: string, publicId: string) =>
  dataOrThrow(
    api.POST('/admin/events/{event_slug}/guest_list_forms/{public_id}/rotation', {
      params: { path: { event_slug: slug, public_id: publicId } },
    }),
  )

/** A sheet to hang up; the browser shows or keeps it. */
export const posterPath = (slug: string, publicId: string) =>
  `/admin/events/${encodeURIComponent(slug)}/guest_list_forms/${encodeURIComponent(publicId)}/poster`
