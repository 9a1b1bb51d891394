import type { CallerScope, Tx } from '../access/scopes.ts'
import { NotFound, requireFound } from '../kernel/refusals.ts'
import type { Payments } from '../payments/payments.ts'
import { findPayableOfRefund } from '../payments/refunds/records.ts'
import { recordRefundByHand, retryRefund } from '../payments/refunds/refund-payment.ts'
import { findSaleIds, lockCheckout } from './records.ts'

/** A refund of one of the order's payments, as the path names it. */
export interface RefundOfOrder {
  orderPublicId: string
  refundPublicId: string
}

/** Asks the provider once more for money of an order that it would not give back. */
export const retryRefundOfOrder = (scope: CallerScope, refund: RefundOfOrder): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockOrderOfRefund(tx, refund)
    await retryRefund(scope.within(tx), refund.refundPublicId)
  })

/** Somebody has paid money of an order back by hand. */
export const recordRefundOfOrderByHand = (
  payments: Payments,
  scope: CallerScope,
  refund: RefundOfOrder,
): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockOrderOfRefund(tx, refund)
    await recordRefundByHand(payments, scope.within(tx), refund.refundPublicId)
  })

/** What goes back for another order is not found here. */
const lockOrderOfRefund = async (tx: Tx, { orderPublicId, refundPublicId }: RefundOfOrder): Promise<void> => {
  const { checkoutId } = requireFound(await findSaleIds(tx, orderPublicId))
  const payableId = requireFound(await findPayableOfRefund(tx, refundPublicId))
  if (payableId !== checkoutId) throw new NotFound()
  await lockCheckout(tx, payableId)
}
