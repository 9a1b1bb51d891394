import type { AccountScope, Tx } from '../../access/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { LaneJob } from '../../jobs/lane.ts'
import { atMostMessage } from '../../kernel/messages.ts'
import { showAmount } from '../../kernel/money.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Conflict, requireFound, refuseUnless } from '../../kernel/refusals.ts'
import type { Payments } from '../payments.ts'
import { findPayment, lockPaymentsOfPayable } from '../records.ts'
import { type Payment, type Refund, refundableCents } from '../rules.ts'
import { findRefund, findRefundByKey, insertRefund, recordPaidRefund, reopenRefund } from './records.ts'

/** Refunds of one payment are paid out one after the other. */
export const PAY_REFUND_JOB: LaneJob<{ accountId: number; paymentId: number; refundId: number }> = {
  name: 'payments.pay-refund',
  lane: 'payments',
  serialKey: ({ paymentId }) => `refunds of ${paymentId}`,
}

export interface PaymentRefundRequest {
  /** The payment's. */
  publicId: string
  amountCents: number
  /** How whoever asks calls it: asking again with the same key answers with the same refund. */
  key: string
  reason: string | null
}

/**
 * Gives money of a payment back, at most what is left of it. It is promised in this transaction and paid out after it:
 * by the provider, or by hand where there is none.
 */
export const refundPayment = (
  { methods }: Payments,
  scope: AccountScope,
  input: PaymentRefundRequest,
): Promise<Refund> =>
  scope.transaction(async (tx) => {
    const payment = await lockPayment(tx, input.publicId)
    const known = await findRefundByKey(tx, payment.id, input.key)
    if (known && known.amountCents !== input.amountCents) throw new Conflict('This key was used for another amount')
    if (known) return known

    refuseUnless(payment.status === 'paid', 'This payment is not paid')
    refuseUnless(input.amountCents > 0, { amount: ['must be greater than 0'] })
    const most = refundableCents(payment)
    refuseUnless(input.amountCents <= most, { amount: [atMostMessage(showAmount(most, payment.currency))] })

    const isByHand = payment.isByHand || methods[payment.method].refundsByHand
    const publicId = newPublicId()
    await insertRefund(tx, { ...input, publicId, paymentId: payment.id, status: isByHand ? 'by_hand' : 'pending' })
    const refund = requireFound(await findRefund(tx, publicId))
    if (!isByHand) await queueRefund(tx, refund)
    return refund
  })

/** Somebody has paid it out: one that waits for that, or one that the provider would not pay. */
export const recordRefundByHand = (payments: Payments, scope: AccountScope, publicId: string): Promise<Refund> =>
  scope.transaction(async (tx) => {
    const { id, paymentId } = requireFound(await findRefund(tx, publicId))
    const { payableId, publicId: paymentPublicId } = requireFound(await findPayment(tx, { id: paymentId }))
    await payments.handlers.lock(scope.within(tx), [payableId])
    const payment = await lockPayment(tx, paymentPublicId)
    const { status } = requireFound(await findRefund(tx, publicId))
    refuseUnless(status !== 'pending', 'The provider is still trying to pay this refund')
    if (await recordPaidRefund(tx, id, null)) {
      await payments.handlers.refunded(scope.within(tx), requireFound(await findRefund(tx, publicId)), payment)
    }
    return requireFound(await findRefund(tx, publicId))
  })

/** Asks the provider once more for a refund that has failed. */
export const retryRefund = (scope: AccountScope, publicId: string): Promise<Refund> =>
  scope.transaction(async (tx) => {
    const { id, paymentId } = requireFound(await findRefund(tx, publicId))
    await lockPayment(tx, requireFound(await findPayment(tx, { id: paymentId })).publicId)
    refuseUnless(await reopenRefund(tx, id), 'This refund has not failed')
    const refund = requireFound(await findRefund(tx, publicId))
    await queueRefund(tx, refund)
    return refund
  })

export const queueRefund = (tx: Tx, { id, paymentId }: Refund, runAt?: Date): Promise<void> =>
  enqueue(tx.db, PAY_REFUND_JOB, { accountId: tx.accountId, paymentId, refundId: id }, runAt && { runAt })

const lockPayment = async (tx: Tx, publicId: string): Promise<Payment> => {
  const { id, payableId } = requireFound(await findPayment(tx, { publicId }))
  return requireFound((await lockPaymentsOfPayable(tx, payableId)).find((each) => each.id === id))
}
