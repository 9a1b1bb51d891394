import type { CallerScope, Tx } from '../access/scopes.ts'
import { atEvent, publishFor } from '../webhooks/publish.ts'
import type { OrderItem } from './records.ts'
import { type Exchange, showExchange } from './wire.ts'

/** Tells the account's webhooks that somebody sits elsewhere now. */
export const announceExchange = (tx: Tx, scope: CallerScope, item: OrderItem, exchange: Exchange): Promise<void> =>
  publishFor(scope, tx, () => [
    atEvent(
      'admission.seat_moved',
      { id: item.eventId, slug: item.eventSlug },
      { admission: showExchange(exchange), order_id: item.orderPublicId },
    ),
  ])
