import type { AccountScope, Tx } from '../access/scopes.ts'
import { announceOrdersPaid } from './announce.ts'
import { queueCheckoutMail, queueOrderMails } from './mails/queue-mail.ts'
import { issueSaleReceipts } from './receipts/issue-receipt.ts'

export interface PaidOrder {
  orderId: number
  checkoutId: number
}

/** Everything that follows from orders being paid, whenever that is. */
export const followUpPaidOrders = async (inside: AccountScope, tx: Tx, orders: readonly PaidOrder[]): Promise<void> => {
  const orderIds = orders.map(({ orderId }) => orderId)
  await queueOrderMails(tx, orderIds, 'tickets')
  await announceOrdersPaid(inside, tx, orderIds)
  await issueSaleReceipts(
    inside,
    tx,
    orders.map(({ checkoutId }) => checkoutId),
  )
}

/** The same for vouchers, which are mailed by themselves. */
export const followUpPaidVouchers = async (inside: AccountScope, tx: Tx, checkoutId: number): Promise<void> => {
  await queueCheckoutMail(tx, checkoutId, { kind: 'vouchers_sold' })
  await issueSaleReceipts(inside, tx, [checkoutId])
}
