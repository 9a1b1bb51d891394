import type { AccountScope, CallerScope, Tx } from '../access/scopes.ts'
import { cancelUnredeemedAdmissions } from '../admissions/records.ts'
import { Invalid, requireFound } from '../kernel/refusals.ts'
import type { Payments } from '../payments/payments.ts'
import { lockPaymentsOfPayable } from '../payments/records.ts'
import { refundPayment } from '../payments/refunds/refund-payment.ts'
import { refundableCents } from '../payments/rules.ts'
import { cancelPaymentsWithoutProvider } from '../payments/settle-payment.ts'
import { refundRedemption } from '../vouchers/reservations/reserve.ts'
import { announceOrderCancelled } from './announce.ts'
import { queueCheckoutMail } from './mails/queue-mail.ts'
import { findSpentVouchers, lockCheckout, lockOrder, recordOrderCancelled } from './records.ts'
import { requireUnpaidSale } from './require-sale.ts'

/** An organizer gives up an order that nobody has paid. */
export const cancelOrder = (payments: Payments, scope: CallerScope, publicId: string): Promise<void> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    const { checkoutId, orderId } = await requireUnpaidSale(inside, tx, publicId)
    await lockCheckout(tx, checkoutId)
    await cancelPaymentsWithoutProvider(tx, await lockPaymentsOfPayable(tx, checkoutId))
    if (orderId === null || !(await cancelUnpaidOrder(payments, inside, tx, orderId, 'Cancelled'))) {
      throw new Invalid('Only an order that is not paid can be cancelled')
    }
  })

/**
 * An order that was never paid gives back what it held, its vouchers get their money, and what was paid of it in parts
 * is paid back. The checkout is locked.
 */
export const cancelUnpaidOrder = async (
  payments: Payments,
  inside: AccountScope,
  tx: Tx,
  orderId: number,
  reason: string,
): Promise<boolean> => {
  const order = requireFound(await lockOrder(tx, orderId))
  if (order.status !== 'unpaid') return false
  await recordOrderCancelled(tx, orderId)
  await cancelUnredeemedAdmissions(tx, order)
  for (const { voucherId, amountCents } of await findSpentVouchers(tx, orderId)) {
    await refundRedemption(inside, { voucherId, orderId, amountCents, actor: null, reason })
  }
  if (order.checkoutId !== null) {
    for (const payment of await lockPaymentsOfPayable(tx, order.checkoutId)) {
      const amountCents = refundableCents(payment)
      if (amountCents === 0) continue
      await refundPayment(payments, inside, { publicId: payment.publicId, amountCents, key: 'cancelled', reason })
    }
    await queueCheckoutMail(tx, order.checkoutId, { kind: 'cancelled' })
  }
  await announceOrderCancelled(inside, tx, orderId)
  return true
}
