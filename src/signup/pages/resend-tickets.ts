import type { ShopScope } from '../../access/access.ts'
import type { Tx } from '../../access/scopes.ts'
import { digestOf } from '../../access/tokens.ts'
import { found } from '../../kernel/refusals.ts'
import { queueTickets } from '../../tickets-by-mail/queue-tickets.ts'
import { type LockedSignupRequest, lockSignupRequestByPage } from '../requests/reviews/records.ts'
import { type OwnPage, findOwnPage } from './records.ts'
import { findLiveOrders, takeResend } from './signups/records.ts'

export interface ResendOutcome {
  kind: 'sent' | 'too early' | 'nothing to send'
  /** As it was when that was decided. */
  page: OwnPage
}

/** Sends every live ticket of a guest once more; asked again within a minute, it sends nothing. */
export const resendTickets = (shop: ShopScope, token: string): Promise<ResendOutcome> =>
  shop.transaction(async (tx) => {
    const digest = digestOf(token)
    const review = found(await lockSignupRequestByPage(tx, digest))
    const kind = await resend(tx, review, shop.app.settings.rateLimits)
    return { kind, page: found(await findOwnPage(tx, digest)) }
  })

const resend = async (
  tx: Tx,
  { eventId, request }: LockedSignupRequest,
  isThrottled: boolean,
): Promise<ResendOutcome['kind']> => {
  const orderIds = [request, ...request.additions].flatMap(({ orderId }) => orderId ?? [])
  const live = await findLiveOrders(tx, eventId, orderIds)
  if (live.length === 0) return 'nothing to send'
  if (!(await takeResend(tx, request.id, isThrottled))) return 'too early'
  await queueTickets(tx, live, 'delivered_again')
  return 'sent'
}
