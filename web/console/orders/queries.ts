import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import type { StatusFilter } from './rules.ts'

const ofEvent = (slug: string) => ({ path: { event_slug: slug } })

/** A payment is not told by the night of its event, so what is shown is asked for again now and then. */
const LOOK_AGAIN_MS = 5_000

export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events/{event_slug}', { params: ofEvent(slug), signal })),
  })

export interface OrderFilter {
  text: string
  status: StatusFilter
}

export const ordersQuery = (slug: string, { text, status }: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: ['events', slug, 'orders', { text, status }],
    queryFn: ({ signal, pageParam }) =>
      dataOrThrow(
        api.GET('/admin/events/{event_slug}/orders', {
          params: { ...ofEvent(slug), query: { query: text, status, page: pageParam } },
          signal,
        }),
      ),
    initialPageParam: 1,
    getNextPageParam: ({ next_page }) => next_page,
    // Whoever has read far down is not sent for all of it again.
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 2 ? false : LOOK_AGAIN_MS),
  })

export const orderQuery = (publicId: string) =>
  queryOptions({
    queryKey: ['orders', publicId],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/orders/{public_id}', { params: { path: { public_id: publicId } }, signal })),
    refetchInterval: LOOK_AGAIN_MS,
  })

const ofOrder = (publicId: string) => ({ path: { public_id: publicId } })

export interface RefundBody {
  admission_public_ids?: string[]
  amount?: string
  reason?: string
}

export const postRefund = (publicId: string, body: RefundBody) =>
  dataOrThrow(api.POST('/admin/orders/{public_id}/refunds', { params: ofOrder(publicId), body }))

export const postPayment = (publicId: string, body: { amount: string; reference: string }) =>
  dataOrThrow(api.POST('/admin/orders/{public_id}/payments', { params: ofOrder(publicId), body }))

export const postCancellation = (publicId: string) =>
  dataOrThrow(api.POST('/admin/orders/{public_id}/cancellation', { params: ofOrder(publicId) }))

export const postDelivery = (publicId: string) =>
  dataOrThrow(api.POST('/admin/orders/{public_id}/delivery', { params: ofOrder(publicId) }))

export const exportPath = (slug: string) => `/admin/events/${encodeURIComponent(slug)}/orders.csv`
