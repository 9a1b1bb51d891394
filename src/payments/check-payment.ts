import type { AccountScope } from '../access/scopes.ts'
import { ProviderRefused, ProviderUnavailable } from './payment-method.ts'
import type { Payments } from './payments.ts'
import { findPayment, postponeCheck } from './records.ts'
import { type Payment, isUnderWay, secondsBeforeNextCheck } from './rules.ts'
import { abandonPayment, cancelPayment, settlePayment } from './settle-payment.ts'

/**
 * Looks at a payment because it is time to: one that has expired is given up, its provider first; about any other the
 * provider is asked. Answers whether to look again at once.
 */
export const checkDuePayment = async (payments: Payments, scope: AccountScope, id: number): Promise<boolean> => {
  const payment = await findPayment(scope.rows, { id })
  if (!payment || payment.nextCheckAt === null) return false
  try {
    const { status } = await move(payments, scope, payment)
    // What was given up just now may be paid late by itself, which only the test method does.
    return status === 'cancelled' && isUnderWay(payment) && payment.testOutcome === 'late'
  } catch (error) {
    const isOfProvider = error instanceof ProviderUnavailable || error instanceof ProviderRefused
    if (isOfProvider && isUnderWay(payment) && payment.isLongExpired) {
      await abandonPayment(payments, scope, payment)
      return false
    }
    const failure = isOfProvider ? error.message : 'Something went wrong'
    const seconds = secondsBeforeNextCheck(payment.checksCount)
    await scope.transaction((tx) => postponeCheck(tx, id, { seconds, failure }))
    if (!isOfProvider) throw error
    scope.app.log.warn({ payment: payment.publicId, method: payment.method, reason: failure }, 'A payment waits')
    return false
  }
}

const move = (payments: Payments, scope: AccountScope, payment: Payment): Promise<Payment> => {
  const { id } = payment
  const isOver = payment.status === 'none' || (payment.status === 'pending' && payment.isExpired)
  return isOver ? cancelPayment(payments, scope, { id }) : settlePayment(payments, scope, { id }, { by: 'clock' })
}
