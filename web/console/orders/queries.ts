import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { api } from '../../api/api.ts'
import { dataOrThrow } from '../../api/client.ts'
import type { Order, StatusFilter } from './rules.ts'

const ofEvent = (slug: string) => ({ path: { event_slug: slug } })

export const eventQuery = (slug: string) =>
  queryOptions({
    queryKey: ['events', slug],
    queryFn: ({ signal }) => dataOrThrow(api.GET('/admin/events/{event_slug}', { params: ofEvent(slug), signal })),
  })

/** Vouchers that are bought alone are of no event. */
export const eventOfOrderQuery = ({ event }: Order) => ({ ...eventQuery(event?.slug ?? ''), enabled: event !== null })

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
  })

export const orderQuery = (publicId: string) =>
  queryOptions({
    queryKey: ['orders', publicId],
    queryFn: ({ signal }) =>
      dataOrThrow(api.GET('/admin/orders/{public_id}', { params: { path: { public_id: publicId } }, signal })),
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

const ofRefund = (publicId: string, refundId: string) => ({ path: { public_id: publicId, refund_id: refundId } })

export const postRefundAttempt = (publicId: string, refundId: string) =>
  dataOrThrow(
    api.POST('/admin/orders/{public_id}/payment_refunds/{refund_id}/attempt', { params: ofRefund(publicId, refundId) }),
  )

export const postRefundPayout = (publicId: string, refundId: string) =>
  dataOrThrow(
    api.POST('/admin/orders/{public_id}/payment_refunds/{refund_id}/payout', { params: ofRefund(publicId, refundId) }),
  )

export const postDelivery = (publicId: string) =>
  dataOrThrow(api.POST('/admin/orders/{public_id}/delivery', { params: ofOrder(publicId) }))

export const exportPath = (slug: string) => `/admin/events/${encodeURIComponent(slug)}/orders.csv`
