import type { AccountScope, Tx } from '../access/scopes.ts'
import { requireFound } from '../kernel/refusals.ts'
import type { CheckReason, ProviderStatus } from './payment-method.ts'
import { type Payments, loadMethodForAccount } from './payments.ts'
import { type PaymentKey, findPayment, lockPaymentsOfPayable, postponeCheck, recordSettlement } from './records.ts'
import { refundPayment } from './refunds/refund-payment.ts'
import {
  type Payment,
  canStatusBecome,
  isEffectivePayment,
  isUnderWay,
  secondsBeforeNextCheck,
  refundableCents,
} from './rules.ts'

/**
 * The one way in which a payment comes to its end: webhooks, buyers who come back, organizers and the clock all call
 * it, as often as they like. Asks the provider where the claim alone is no proof; throws ProviderUnavailable and
 * ProviderRefused, and then nothing has changed.
 */
export const settlePayment = async (
  payments: Payments,
  scope: AccountScope,
  key: PaymentKey,
  claim: CheckReason,
): Promise<Payment> => {
  const payment = requireFound(await findPayment(scope.rows, key))
  // Nothing can be said any more about money that is here, nor about a payment that nobody was sent to yet.
  if (payment.status === 'paid' || payment.status === 'none') return payment
  const { method, call } = await loadMethodForAccount(payments, scope, { id: payment.methodId })
  return settleAs(payments, scope, payment, await method.confirm(call, payment, claim))
}

/**
 * Gives a payment up. The provider's session is ended first, and only then is it marked and what it held set free; who
 * has paid meanwhile is `paid`, and whose money is on its way stays `pending`. Where the provider cannot be told, it
 * throws and everything stays held.
 */
export const cancelPayment = async (payments: Payments, scope: AccountScope, key: PaymentKey): Promise<Payment> => {
  const payment = requireFound(await findPayment(scope.rows, key))
  if (!isUnderWay(payment)) return payment
  // Nobody was ever sent to a session that was not written down, so nobody can pay there.
  if (payment.status === 'none') return settleAs(payments, scope, payment, { status: 'cancelled' })
  const { method, call } = await loadMethodForAccount(payments, scope, { id: payment.methodId })
  return settleAs(payments, scope, payment, await method.cancel(call, payment))
}

/** For a payment whose provider has not answered for so long that its session must have ended by itself. */
export const abandonPayment = (payments: Payments, scope: AccountScope, payment: Payment): Promise<Payment> =>
  settleAs(payments, scope, payment, { status: 'cancelled', mayStillBePaid: true })

/**
 * Ends payments under way that have no provider, because what they are for was paid otherwise or is given up. Whoever
 * sells has locked all of them, and knows.
 */
export const cancelPaymentsWithoutProvider = async (tx: Tx, payments: readonly Payment[]): Promise<void> => {
  for (const { id } of payments.filter(isUnderWay)) {
    await recordSettlement(tx, id, {
      status: 'cancelled',
      captureReference: null,
      isSurplus: false,
      isCheckedAgain: false,
    })
  }
}

const settleAs = (
  payments: Payments,
  scope: AccountScope,
  { id, payableId, status: seen }: Payment,
  said: ProviderStatus,
): Promise<Payment> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    await payments.handlers.lock(inside, payableId)
    const all = await lockPaymentsOfPayable(tx, payableId)
    const payment = requireFound(all.find((each) => each.id === id))
    // It has been started while it was given up as one that never was: the buyer may be on the way.
    const isOutdated = said.status === 'cancelled' && seen === 'none' && payment.status !== 'none'
    if (said.status === 'pending' || isOutdated) {
      await postponeCheck(tx, id, { seconds: secondsBeforeNextCheck(payment.checksCount), failure: null })
      return requireFound(await findPayment(tx, { id }))
    }
    if (!canStatusBecome(payment.status, said.status)) return payment
    return settleLocked(payments, inside, tx, { payment, said, others: all })
  })

interface Settling {
  payment: Payment
  said: Exclude<ProviderStatus, { status: 'pending' }>
  others: Payment[]
}

const settleLocked = async (
  payments: Payments,
  inside: AccountScope,
  tx: Tx,
  { payment, said, others }: Settling,
): Promise<Payment> => {
  // What is paid for stays as it is while its payment is under way.
  const isDue = isUnderWay(payment) || (await payments.handlers.isStillDue(inside, payment))
  const isSurplus = said.status === 'paid' && (others.some(isEffectivePayment) || !isDue)
  const settled = await recordSettlement(tx, payment.id, {
    status: said.status,
    captureReference: said.status === 'paid' ? said.captureReference : null,
    isSurplus,
    isCheckedAgain: said.status === 'cancelled' && (said.mayStillBePaid ?? false),
  })
  if (!settled) return requireFound(await findPayment(tx, { id: payment.id }))
  if (isSurplus) {
    const amountCents = refundableCents(settled)
    await refundPayment(payments, inside, { publicId: settled.publicId, amountCents, key: 'surplus', reason: null })
  }
  await payments.handlers.settled(inside, { ...settled, status: said.status, previousStatus: payment.status })
  return requireFound(await findPayment(tx, { id: payment.id }))
}
