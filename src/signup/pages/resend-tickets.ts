import type { ShopScope } from '../../access/access.ts'
import { digestOf } from '../../access/tokens.ts'
import { found } from '../../kernel/refusals.ts'
import { queueTickets } from '../../tickets-by-mail/queue-tickets.ts'
import { lockReviewByPage } from '../requests/records.ts'
import { findLiveOrders, takeResend } from './records.ts'

/** Sends every live ticket of a guest once more; asked again within a minute, it sends nothing. */
export const resendTickets = (shop: ShopScope, token: string): Promise<'sent' | 'too early' | 'nothing to send'> =>
  shop.transaction(async (tx) => {
    const { eventId, request } = found(await lockReviewByPage(tx, digestOf(token)))
    const orderIds = [request, ...request.additions].flatMap(({ orderId }) => orderId ?? [])
    const live = await findLiveOrders(tx, eventId, orderIds)
    if (live.length === 0) return 'nothing to send'
    if (!(await takeResend(tx, request.id, shop.house.settings.rateLimits))) return 'too early'
    await queueTickets(tx, live, 'delivered_again')
    return 'sent'
  })
