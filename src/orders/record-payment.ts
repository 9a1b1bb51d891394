import type { CallerScope } from '../access/scopes.ts'
import { atMostMessage } from '../kernel/messages.ts'
import { showAmount } from '../kernel/money.ts'
import { Invalid, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { lockPaymentsOfPayable } from '../payments/records.ts'
import { cancelPaymentsWithoutProvider } from '../payments/settle-payment.ts'
import { isUnderWay } from '../payments/rules.ts'
import { recordPaymentByHand } from '../payments/start-payment.ts'
import { followUpPaidOrders } from './announce-sale.ts'
import { lockCheckout, lockOrder, recordOrderPaid } from './records.ts'
import { requireUnpaidSale } from './require-sale.ts'

export interface ReceivedMoney {
  amountCents: number
  reference: string
}

/** Somebody has seen the money, or a part of it. With the last part the order is paid, and its tickets leave. */
export const recordOrderPayment = (scope: CallerScope, publicId: string, money: ReceivedMoney): Promise<void> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    const { checkoutId, orderId } = await requireUnpaidSale(inside, tx, publicId)
    await lockCheckout(tx, checkoutId)
    const payments = await lockPaymentsOfPayable(tx, checkoutId)
    const order = orderId === null ? null : requireFound(await lockOrder(tx, orderId))
    if (order?.status === 'cancelled') throw new Invalid('This order was cancelled')
    if (order?.status !== 'unpaid') throw new Invalid('This order has been paid already')

    const counted = payments.filter(({ status, isSurplus }) => status === 'paid' && !isSurplus)
    const due = counted.reduce((left, { amountCents }) => left - amountCents, order.totalCents - order.voucherCents)
    refuseUnless(money.amountCents <= due, { amount: [atMostMessage(showAmount(due, scope.account.currency))] })
    const isAtTheDoor = payments.some((payment) => isUnderWay(payment) && payment.method === 'at_the_door')
    const method = isAtTheDoor ? 'at_the_door' : 'bank_transfer'
    await recordPaymentByHand(inside, { payableId: checkoutId, method, ...money })
    if (money.amountCents < due) return

    await cancelPaymentsWithoutProvider(tx, payments)
    await recordOrderPaid(tx, order.id)
    await followUpPaidOrders(inside, tx, [{ orderId: order.id, checkoutId }])
  })
