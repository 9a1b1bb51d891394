import type { CallerScope, Tx } from '../access/scopes.ts'
import { opaqueIdOf } from '../webhooks/opaque-id.ts'
import { atEvent, publishFor } from '../webhooks/publish.ts'
import type { OrderItem } from './records.ts'
import { type Exchange, showExchange } from './wire.ts'

/** Tells the account's webhooks that somebody sits elsewhere now. */
export const announceExchange = (tx: Tx, scope: CallerScope, item: OrderItem, exchange: Exchange): Promise<void> =>
  publishFor(scope, tx, () => [
    atEvent(
      'admission.seat_moved',
      { id: item.eventId, slug: item.eventSlug },
      { admission: showExchangeTold(exchange), order_id: item.orderPublicId },
    ),
  ])

const showExchangeTold = (exchange: Exchange) => {
  const { public_id, ...seats } = showExchange(exchange)
  return { id: opaqueIdOf(public_id), ...seats }
}
