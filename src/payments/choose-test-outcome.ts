import type { AccountScope } from '../access/scopes.ts'
import { NotFound, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { type Payments, isMethodOffered } from './payments.ts'
import { findPayment, recordTestOutcome } from './records.ts'
import type { Payment, TestOutcome } from './rules.ts'
import { settlePayment } from './settle-payment.ts'

/** A payment of the test method, as long as the account may use that. */
export const requireTestPayment = async ({ app, account, rows }: AccountScope, publicId: string): Promise<Payment> => {
  const payment = requireFound(await findPayment(rows, { publicId }))
  if (payment.method !== 'test' || !isMethodOffered(app.settings, account, 'test')) throw new NotFound()
  return payment
}

/** The buyer says how it shall end; saying the same again changes nothing. */
export const chooseTestOutcome = async (
  payments: Payments,
  scope: AccountScope,
  publicId: string,
  outcome: TestOutcome,
): Promise<Payment> => {
  const { id, testOutcome } = await requireTestPayment(scope, publicId)
  if (testOutcome !== outcome) {
    const isChosen = await scope.transaction((tx) => recordTestOutcome(tx, id, outcome))
    refuseUnless(isChosen, 'This payment is over')
  }
  return settlePayment(payments, scope, { id }, { by: 'buyer' })
}
