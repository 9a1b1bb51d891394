import { queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import type { Status } from './rules.ts'

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

export interface RequestListFilter {
  slug: string
  /** Empty: all links. */
  linkId: string
  status: Status
}

export const fetchRequestPage = ({ slug, linkId, status }: RequestListFilter, page: number, perPage: number) =>
  dataOrThrow(
    api.GET('/admin/events/{event_slug}/guest_requests', {
      params: { ...ofEvent(slug), query: { form_id: linkId, status, page, per_page: perPage } },
    }),
  )

const ofRequest = (slug: string, publicId: string) => ({
  params: { path: { event_slug: slug, public_id: publicId } },
})

export const postApproval = (slug: string, publicId: string) =>
  dataOrThrow(api.POST('/admin/events/{event_slug}/guest_requests/{public_id}/approval', ofRequest(slug, publicId)))

export const postRejection = (slug: string, publicId: string) =>
  dataOrThrow(api.POST('/admin/events/{event_slug}/guest_requests/{public_id}/rejection', ofRequest(slug, publicId)))

export const postApprovals = (slug: string, publicIds: string[]) =>
  dataOrThrow(
    api.POST('/admin/events/{event_slug}/guest_requests/approvals', {
      params: ofEvent(slug),
      body: { public_ids: publicIds },
    }),
  )
