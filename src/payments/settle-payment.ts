import { batchTransactions, limitPerAccount } from '../access/batches.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { requireFound } from '../kernel/refusals.ts'
import type { CheckReason, ProviderStatus } from './payment-method.ts'
import { type Payments, loadMethodForAccount } from './payments.ts'
import {
  type PaymentKey,
  findPayment,
  lockPaymentsOfPayable,
  lockPaymentsOfPayables,
  postponeCheck,
  recordSettlements,
} from './records.ts'
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
): Promise<Payment> => settleFoundPayment(payments, scope, requireFound(await findPayment(scope.rows, key)), claim)

/** The same for whoever has just found it. */
export const settleFoundPayment = async (
  payments: Payments,
  scope: AccountScope,
  payment: Payment,
  claim: CheckReason,
): Promise<Payment> => {
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
  const cancelled = payments.filter(isUnderWay).map(({ id }) => ({
    id,
    status: 'cancelled' as const,
    captureReference: null,
    isSurplus: false,
    isCheckedAgain: false,
  }))
  if (cancelled.length > 0) await recordSettlements(tx, cancelled)
}

const settleAs = async (
  payments: Payments,
  scope: AccountScope,
  payment: Payment,
  said: ProviderStatus,
): Promise<Payment> => {
  const paid = said.status === 'paid' ? await paidTogether({ payments, scope, payment, said }) : null
  return paid ?? takeTurns(scope, () => settleAlone(payments, scope, payment, said))
}

/**
 * All who are paid wait for the account's next receipt in the end. More than a few of them would wait with connections in
 * their hands that others need.
 */
const ALONE_MAX = 4
const takeTurns = limitPerAccount(ALONE_MAX)

interface Paying {
  payments: Payments
  scope: AccountScope
  payment: Payment
  said: Extract<ProviderStatus, { status: 'paid' }>
}

/**
 * Money that was waited for, which is what nearly all payments come to: what comes together is settled together. Null for
 * whatever needs a closer look; nothing has changed for it.
 */
const settlePaid = async (tx: Tx, asked: readonly Paying[]): Promise<(Payment | null)[]> => {
  const { payments, scope } = asked[0]!
  const inside = scope.within(tx)
  const payableIds = asked.map(({ payment }) => payment.payableId)
  await payments.handlers.lock(inside, payableIds)
  const all = await lockPaymentsOfPayables(tx, payableIds)
  const waitedFor = asked.flatMap(({ payment: { id, payableId } }) => {
    const others = all.filter((each) => each.payableId === payableId && each.id !== id)
    const payment = all.find((each) => each.id === id)
    return payment && isUnderWay(payment) && !others.some(isEffectivePayment) ? [payment] : []
  })
  const prepared = waitedFor.length > 0 ? await payments.handlers.prepareSettlement(inside, waitedFor) : null
  const settlements = asked.flatMap(({ payment: { id }, said: { status, captureReference } }) =>
    prepared?.ready.has(id) ? [{ id, status, captureReference, isSurplus: false, isCheckedAgain: false }] : [],
  )
  if (!prepared || settlements.length === 0) return asked.map(() => null)

  const paid = await recordSettlements(tx, settlements)
  if (paid.length < settlements.length) throw new Error('A payment has moved on although it was locked')
  await prepared.settle()
  return asked.map(({ payment }) => paid.find(({ id }) => id === payment.id) ?? null)
}

const paidTogether = batchTransactions(
  ({ scope, payment: { payableId } }: Paying) => ({ scope, subject: payableId }),
  settlePaid,
)

const settleAlone = (
  payments: Payments,
  scope: AccountScope,
  { id, payableId, status: seen }: Payment,
  said: ProviderStatus,
): Promise<Payment> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    await payments.handlers.lock(inside, [payableId])
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
  const [settled] = await recordSettlements(tx, [
    {
      id: payment.id,
      status: said.status,
      captureReference: said.status === 'paid' ? said.captureReference : null,
      isSurplus,
      isCheckedAgain: said.status === 'cancelled' && (said.mayStillBePaid ?? false),
    },
  ])
  if (!settled) return requireFound(await findPayment(tx, { id: payment.id }))
  if (isSurplus) {
    const amountCents = refundableCents(settled)
    await refundPayment(payments, inside, { publicId: settled.publicId, amountCents, key: 'surplus', reason: null })
  }
  await payments.handlers.settled(inside, { ...settled, status: said.status, previousStatus: payment.status })
  return requireFound(await findPayment(tx, { id: payment.id }))
}
