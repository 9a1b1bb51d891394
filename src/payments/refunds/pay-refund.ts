import type { AccountScope, Tx } from '../../access/scopes.ts'
import { DAY_MS } from '../../kernel/durations.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { ProviderRefused, ProviderUnavailable } from '../payment-method.ts'
import { type Payments, loadMethodForAccount } from '../payments.ts'
import { findPayment, lockPaymentsOfPayable } from '../records.ts'
import type { Payment, Refund } from '../rules.ts'
import { findRefundById, recordPaidRefund, recordRefundFailure } from './records.ts'
import { queueRefund } from './refund-payment.ts'

/** The money is on its way: that has not failed, however long it takes. */
class RefundUnderWay extends ProviderUnavailable {}

/**
 * Has the provider pay a refund out. What cannot be done now is written down and thrown, so that whoever called comes
 * back; a refusal, and the last attempt, are final until somebody asks again. What is still under way after the last
 * attempt is asked about again after a day.
 */
export const payRefund = async (
  payments: Payments,
  scope: AccountScope,
  refundId: number,
  isLastAttempt: boolean,
): Promise<void> => {
  const refund = await findRefundById(scope.rows, refundId)
  if (refund?.status !== 'pending') return
  const payment = requireFound(await findPayment(scope.rows, { id: refund.paymentId }))
  try {
    const { method, call } = await loadMethodForAccount(payments, scope, { id: payment.methodId })
    const paid = await method.refund(call, payment, refund)
    if (paid.status === 'pending') throw new RefundUnderWay('The provider is paying it out')
    await record(payments, scope, payment, refund, (tx) => recordPaidRefund(tx, refund.id, paid.providerReference))
  } catch (error) {
    const isPostponed = isLastAttempt && error instanceof RefundUnderWay
    const isFinal = !isPostponed && (isLastAttempt || error instanceof ProviderRefused)
    const isKeySpent = error instanceof ProviderUnavailable && error.isKeySpent
    const message = isOfProvider(error) ? error.message : 'Something went wrong'
    await record(payments, scope, payment, refund, async (tx) => {
      await recordRefundFailure(tx, refund.id, { message, isFinal, isKeySpent })
      if (isPostponed) await queueRefund(tx, refund, new Date(Date.now() + DAY_MS))
      return isFinal
    })
    if (!isPostponed && (!isFinal || !isOfProvider(error))) throw error
  }
}

const isOfProvider = (error: unknown): error is Error =>
  error instanceof ProviderRefused || error instanceof ProviderUnavailable

/** Whoever sells is told in the same transaction, if there is something to tell. */
const record = (
  { handlers }: Payments,
  scope: AccountScope,
  { id, payableId }: Payment,
  refund: Refund,
  write: (tx: Tx) => Promise<boolean>,
): Promise<void> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    await handlers.lock(inside, [payableId])
    const payment = requireFound((await lockPaymentsOfPayable(tx, payableId)).find((each) => each.id === id))
    if (await write(tx)) await handlers.refunded(inside, requireFound(await findRefundById(tx, refund.id)), payment)
  })
