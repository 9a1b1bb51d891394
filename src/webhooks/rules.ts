import type { LaneJob } from '../jobs/lane.ts'

/** What Foyer tells. Further kinds may come; an endpoint without a list gets them too. */
export const WEBHOOK_KINDS = [
  'voucher.issued',
  'voucher.redeemed',
  'voucher.refunded',
  'voucher.adjusted',
  'voucher.blocked',
  'voucher.unblocked',
  'voucher.expired',
  'voucher.delivered',
  'voucher.delivery_failed',
  'event.created',
  'event.updated',
  'event.published',
  'event.cancelled',
  'guest_party.created',
  'guest_party.updated',
  'guest_party.cancelled',
  'admission.cancelled',
  'admission.seat_moved',
  'order.paid',
  'order.refunded',
  'order.cancelled',
  'guest_signup.requested',
  'guest_signup.approved',
  'guest_signup.rejected',
  'task.created',
  'task.updated',
  'task.archived',
  'task.restored',
  'task.commented',
  'task.deleted',
] as const
export type WebhookKind = (typeof WEBHOOK_KINDS)[number]

export const ENDPOINTS_MAX = 20
export const URL_MAX = 2000

const MINUTE = 60
const HOUR = 60 * MINUTE

/** Seconds after each failed attempt until the next: three days in all. */
const PAUSES = [5, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR]

/** Until when to wait after so many attempts; null when it is time to give up. A little chance spreads a crowd. */
export const retryDelaySecondsAfter = (attempts: number, chance = Math.random()): number | null => {
  const pause = PAUSES[attempts - 1]
  return pause === undefined ? null : Math.round(pause * (0.9 + 0.2 * chance))
}

interface DeliverPayload {
  accountId: number
  endpointId: number
  deliveryId: number
}

/** An endpoint is never called twice at once. */
export const DELIVER_WEBHOOK_JOB: LaneJob<DeliverPayload> = {
  name: 'webhooks.deliver',
  lane: 'webhooks',
  serialKey: ({ endpointId }) => String(endpointId),
}
