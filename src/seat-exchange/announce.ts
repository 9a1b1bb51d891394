import { z } from 'zod'
import type { CallerScope, Tx } from '../access/scopes.ts'
import { exampleOf, named } from '../http/wire.ts'
import { opaqueIdOf } from '../webhooks/opaque-id.ts'
import { webhookMessageAboutEvent, publishWebhooksOfCaller } from '../webhooks/publish.ts'
import { EventInWebhook, defineWebhook } from '../webhooks/webhook.ts'
import type { AdmissionWithOrder } from './records.ts'
import type { CompletedExchange } from './wire.ts'

const MovedAdmission = named(
  'WebhookMovedAdmission',
  z.object({ id: z.string(), place_label: z.string(), previous_place_label: z.string() }),
  {
    id: '3f8a1c5e7b9d2046a8c0e2f4b6d81357',
    place_label: 'Row A Seat 2',
    previous_place_label: 'Row A Seat 1',
  },
)

const SeatMovedMessage = named(
  'SeatMovedMessage',
  z.object({ event: EventInWebhook, admission: MovedAdmission, order_id: z.string() }),
  {
    event: exampleOf(EventInWebhook)!,
    admission: exampleOf(MovedAdmission)!,
    order_id: 'Qm4Zr8uVtYp2LkNs6HdWcE',
  },
)

export const seatExchangeWebhooks = [
  defineWebhook('admission.seat_moved', 'An admission moved to another seat.', SeatMovedMessage),
]

/** Tells the account's webhooks that somebody sits elsewhere now. */
export const announceExchange = (
  tx: Tx,
  scope: CallerScope,
  item: AdmissionWithOrder,
  exchange: CompletedExchange,
): Promise<void> =>
  publishWebhooksOfCaller(scope, tx, () => [
    webhookMessageAboutEvent<z.output<typeof SeatMovedMessage>>(
      'admission.seat_moved',
      { id: item.eventId, slug: item.eventSlug },
      { admission: showExchangeTold(exchange), order_id: item.orderPublicId },
    ),
  ])

const showExchangeTold = ({ publicId, label, previousLabel }: CompletedExchange): z.output<typeof MovedAdmission> => ({
  id: opaqueIdOf(publicId),
  place_label: label,
  previous_place_label: previousLabel,
})
