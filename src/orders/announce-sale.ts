import type { AccountScope, Tx } from '../access/scopes.ts'
import { announceOrderPaid } from './announce.ts'
import { queueCheckoutMail, queueOrderMail } from './mails/queue-mail.ts'
import { issueSaleReceipt } from './receipts/issue-receipt.ts'

/** Everything that follows from an order being paid, whenever that is. */
export const followUpPaidOrder = async (inside: AccountScope, tx: Tx, orderId: number): Promise<void> => {
  await queueOrderMail(tx, orderId, 'tickets')
  await announceOrderPaid(inside, tx, orderId)
  await issueSaleReceipt(inside, tx, { orderId })
}

/** The same for vouchers, which are mailed by themselves. */
export const followUpPaidVouchers = async (inside: AccountScope, tx: Tx, checkoutId: number): Promise<void> => {
  await queueCheckoutMail(tx, checkoutId, { kind: 'vouchers_sold' })
  await issueSaleReceipt(inside, tx, { checkoutId })
}
