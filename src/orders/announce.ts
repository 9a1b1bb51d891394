import { z } from 'zod'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { Money, exampleOf, named } from '../http/wire.ts'
import { showMoney } from '../kernel/money.ts'
import { type WebhookKindOf, hasListeners, publishWebhooks } from '../webhooks/publish.ts'
import { EventInWebhook, defineWebhook } from '../webhooks/webhook.ts'
import { findOrdersForWebhooks } from './records.ts'

const ToldOrder = named(
  'WebhookOrder',
  z.object({
    id: z.string(),
    status: z.string(),
    admissions_count: z.int(),
    // Not told to co-organizers.
    total: Money.optional(),
    refunded: Money.optional(),
  }),
  {
    id: 'Hd9Kx4pTz6VmW2rQn8BsLc',
    status: 'paid',
    admissions_count: 2,
    total: { amount: '50.00', currency: 'EUR' },
    refunded: { amount: '0.00', currency: 'EUR' },
  },
)

const OrderMessage = named('OrderMessage', z.object({ event: EventInWebhook, order: ToldOrder }), {
  event: exampleOf(EventInWebhook)!,
  order: exampleOf(ToldOrder)!,
})

export const orderWebhooks = [
  defineWebhook('order.paid', 'A shop order is paid.', OrderMessage),
  defineWebhook('order.refunded', 'Money of a shop order is given back.', OrderMessage),
  defineWebhook('order.cancelled', 'A shop order was not paid in time, or was cancelled before.', OrderMessage),
]

/** Co-organizers of the event learn of the orders, and nothing of the money. */
const announce = async (
  { account: { currency } }: AccountScope,
  tx: Tx,
  kind: WebhookKindOf<'order'>,
  orderIds: readonly number[],
): Promise<void> => {
  if (!(await hasListeners(tx, kind))) return
  const orders = await findOrdersForWebhooks(tx, orderIds)
  await publishWebhooks(
    tx,
    orders.map((order) => {
      const told = {
        id: order.publicId,
        status: order.status,
        admissions_count: order.admissionsCount,
      }
      const event = { id: order.eventId, slug: order.eventSlug }
      const personalPayload: z.output<typeof OrderMessage> = { event, order: told }
      const payload: z.output<typeof OrderMessage> = {
        event,
        order: {
          ...told,
          total: showMoney(order.totalCents, currency),
          refunded: showMoney(order.refundedCents, currency),
        },
      }
      return { kind, eventId: order.eventId, payload, personalPayload }
    }),
  )
}

export const announceOrdersPaid = (scope: AccountScope, tx: Tx, orderIds: readonly number[]) =>
  announce(scope, tx, 'order.paid', orderIds)

export const announceOrderRefunded = (scope: AccountScope, tx: Tx, orderId: number) =>
  announce(scope, tx, 'order.refunded', [orderId])

export const announceOrderCancelled = (scope: AccountScope, tx: Tx, orderId: number) =>
  announce(scope, tx, 'order.cancelled', [orderId])
