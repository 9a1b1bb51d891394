import type { ShopScope } from '../../access/access.ts'
import type { Tx } from '../../access/scopes.ts'
import { digestOf } from '../../access/tokens.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { queueTicketMails } from '../../tickets-by-mail/queue-tickets.ts'
import { type LockedSignupRequest, lockSignupRequestByPage } from '../requests/reviews/records.ts'
import { orderIdsOf } from '../requests/rules.ts'
import { type GuestRequestPage, findGuestRequestPage } from './records.ts'
import { filterLiveOrders, tryClaimResend } from './signups/records.ts'

export interface ResendOutcome {
  kind: 'sent' | 'too early' | 'nothing to send'
  /** As it was when that was decided. */
  page: GuestRequestPage
}

/** Sends every live ticket of a guest once more; asked again within a minute, it sends nothing. */
export const resendTickets = (shop: ShopScope, token: string): Promise<ResendOutcome> =>
  shop.transaction(async (tx) => {
    const digest = digestOf(token)
    const review = requireFound(await lockSignupRequestByPage(tx, digest))
    const kind = await resend(tx, review, shop.app.settings.rateLimits)
    return { kind, page: requireFound(await findGuestRequestPage(tx, digest)) }
  })

const resend = async (
  tx: Tx,
  { eventId, request }: LockedSignupRequest,
  isThrottled: boolean,
): Promise<ResendOutcome['kind']> => {
  const live = await filterLiveOrders(tx, eventId, orderIdsOf(request), { haveAddress: true })
  if (live.length === 0) return 'nothing to send'
  if (!(await tryClaimResend(tx, request.id, isThrottled))) return 'too early'
  await queueTicketMails(tx, live, 'delivered_again')
  return 'sent'
}
