import type { AccountScope, Tx } from '../access/scopes.ts'
import { setExpiryOfHolds, turnHoldsIntoClaims } from '../inventory/holds/records.ts'
import { requireFound } from '../kernel/refusals.ts'
import { followUpPaidOrders } from '../orders/announce-sale.ts'
import { cancelUnpaidOrder } from '../orders/cancel-order.ts'
import { queueCheckoutMail } from '../orders/mails/queue-mail.ts'
import { recordOrderPaid } from '../orders/records.ts'
import type { PaymentHandlers, Payments, PreparedSettlement, SettledPayment } from '../payments/payments.ts'
import { lockPaymentsOfPayable } from '../payments/records.ts'
import { refundPayment } from '../payments/refunds/refund-payment.ts'
import { type Payment, refundableCents } from '../payments/rules.ts'
import { cancelPaymentsWithoutProvider } from '../payments/settle-payment.ts'
import { setExpiryOfReservations } from '../vouchers/reservations/records.ts'
import { buyerOf } from './buyer.ts'
import { type OrderableCheckout, completeCheckout, orderPaidCheckouts } from './complete-checkout.ts'
import { endCheckout } from './end-checkout.ts'
import { findCheckout, findCheckouts, lockCheckoutsToOrder, recordStatus } from './records.ts'
import { type Checkout, HOLD_AFTER_FAILED_PAYMENT_MS, effectiveStatusOf, holdIdsOf, totalOf } from './rules.ts'

/** What payments mean to a shop. They are told in the transaction that settles the payment. */
export const checkoutPaymentHandlers = (payments: () => Payments): PaymentHandlers => ({
  lock: (scope, checkoutIds) => scope.transaction((tx) => lockCheckoutsToOrder(tx, checkoutIds)),

  isStillDue: (scope, payment) =>
    scope.transaction(async (tx) => {
      const checkout = requireFound(await findCheckout(tx, payment.payableId))
      // Whether what has ended can be had once more is found out by taking it.
      if (effectiveStatusOf(checkout) === 'expired' || effectiveStatusOf(checkout) === 'cancelled') return true
      if (checkout.order && checkout.order.status !== 'unpaid') return false
      const counted = (await lockPaymentsOfPayable(tx, checkout.id)).filter(({ isByHand }) => isByHand)
      return payment.amountCents === counted.reduce((due, { amountCents }) => due - amountCents, totalOf(checkout))
    }),

  settled: (scope, payment) =>
    scope.transaction(async (tx) => {
      if (payment.isSurplus) {
        const { payableId, amountCents } = payment
        await queueCheckoutMail(tx, payableId, { kind: 'surplus_paid_back', amountCents })
        return
      }
      const checkout = requireFound(await findCheckout(tx, payment.payableId))
      if (payment.status === 'paid') await settlePaid(payments(), scope, tx, checkout, payment)
      else await settleUnpaid(payments(), scope, tx, checkout, payment.status)
    }),

  prepareSettlement: (scope, waitedFor) => scope.transaction((tx) => prepareSettlement(scope, tx, waitedFor)),

  refunded: async () => {},
})

/**
 * Tickets for which no voucher pays and which are all held still: that is how nearly all purchases end. Everything else is
 * looked at one by one.
 */
const prepareSettlement = async (
  inside: AccountScope,
  tx: Tx,
  waitedFor: readonly Payment[],
): Promise<PreparedSettlement> => {
  const checkouts = await findCheckouts(
    tx,
    waitedFor.map(({ payableId }) => payableId),
  )
  const usual = waitedFor.flatMap((payment) => {
    const orderable = orderableBy(checkouts.get(payment.payableId), payment)
    return orderable ? [orderable] : []
  })
  const kept = await turnHoldsIntoClaims(
    tx,
    usual.map(({ checkout }) => holdIdsOf(checkout.items)),
  )
  const ready = usual.filter((_, n) => kept[n])
  return {
    ready: new Set(ready.map(({ paymentId }) => paymentId)),
    settle: () => orderPaidCheckouts(inside, tx, ready),
  }
}

const orderableBy = (
  checkout: Checkout | undefined,
  { id: paymentId, amountCents }: Payment,
): (OrderableCheckout & { paymentId: number }) | null => {
  if (!checkout?.event || checkout.event.isCalledOff || checkout.order || checkout.status !== 'pending') return null
  const { vouchers, items } = checkout
  if (vouchers.length > 0 || holdIdsOf(items).length < items.length || totalOf(checkout) !== amountCents) return null
  const buyer = buyerOf(checkout)
  return buyer && { paymentId, checkout, buyer, eventId: checkout.event.id }
}

const settlePaid = async (
  payments: Payments,
  inside: AccountScope,
  tx: Tx,
  checkout: Checkout,
  payment: SettledPayment,
): Promise<void> => {
  const { order } = checkout
  if (order?.status === 'unpaid') {
    await cancelPaymentsWithoutProvider(tx, await lockPaymentsOfPayable(tx, checkout.id))
    await recordOrderPaid(tx, order.id)
    await followUpPaidOrders(inside, tx, [{ orderId: order.id, checkoutId: checkout.id }])
    return
  }
  const paid = { status: 'paid', paidCents: payment.amountCents, provider: payment.method } as const
  if (!order && (await completeCheckout(inside, tx, checkout, paid)) === 'ordered') return

  // The money came when what it was for was somebody else's, or called off: it goes back by itself.
  const amountCents = refundableCents(payment)
  await refundPayment(payments, inside, { publicId: payment.publicId, amountCents, key: 'too late', reason: null })
  await queueCheckoutMail(tx, checkout.id, { kind: 'paid_back', amountCents })
  if (!order) await endCheckout(inside, tx, checkout, 'expired')
}

/** Declined or given up: the buyer may try again while there is time, and what was held is anybody's when there is none. */
const settleUnpaid = async (
  payments: Payments,
  inside: AccountScope,
  tx: Tx,
  checkout: Checkout,
  status: 'declined' | 'cancelled',
): Promise<void> => {
  if (checkout.order) {
    if (checkout.order.status === 'unpaid')
      await cancelUnpaidOrder(payments, inside, tx, checkout.order.id, 'Not paid in time')
    return
  }
  if (checkout.status !== 'pending') return
  const { now } = checkout
  if (status === 'cancelled' && checkout.isOver) {
    await endCheckout(inside, tx, checkout, 'expired')
    return
  }
  const expiresAt = new Date(Math.max(checkout.expiresAt.getTime(), now.getTime() + HOLD_AFTER_FAILED_PAYMENT_MS))
  await setExpiryOfHolds(tx, [holdIdsOf(checkout.items)], expiresAt)
  await setExpiryOfReservations(tx, checkout.publicId, expiresAt)
  await recordStatus(tx, checkout.id, { status: 'open', expiresAt })
}
