import { batchTransactions } from '../access/batches.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { NotFound, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { type Payments, isMethodOffered } from './payments.ts'
import { findPayment, recordTestOutcomes } from './records.ts'
import type { Payment, TestOutcome } from './rules.ts'
import { settleFoundPayment } from './settle-payment.ts'

/** A payment of the test method, as long as the account may use that. */
export const requireTestPayment = async (scope: AccountScope, publicId: string): Promise<Payment> => {
  const payment = requireFound(await findPayment(scope.rows, { publicId }))
  if (payment.method !== 'test' || !isTestOffered(scope)) throw new NotFound()
  return payment
}

/** The buyer says how it shall end; saying the same again changes nothing. */
export const chooseTestOutcome = async (
  payments: Payments,
  scope: AccountScope,
  publicId: string,
  outcome: TestOutcome,
): Promise<Payment> => {
  const chosen = isTestOffered(scope) ? await chosenTogether({ scope, publicId, outcome }) : null
  const payment = chosen ?? (await requireTestPayment(scope, publicId))
  refuseUnless(payment.testOutcome === outcome, 'This payment is over')
  return settleFoundPayment(payments, scope, payment, { by: 'buyer' })
}

const isTestOffered = ({ app, account }: AccountScope) => isMethodOffered(app.settings, account, 'test')

interface Choice {
  scope: AccountScope
  publicId: string
  outcome: TestOutcome
}

/** Null where it does not count: the payment is over, or something else was chosen before, or it is none of ours. */
const chooseAll = async (tx: Tx, choices: readonly Choice[]): Promise<(Payment | null)[]> => {
  const chosen = await recordTestOutcomes(
    tx,
    choices.map(({ publicId, outcome }) => ({ publicId, outcome })),
  )
  return choices.map(({ publicId }) => chosen.find((each) => each.publicId === publicId) ?? null)
}

const chosenTogether = batchTransactions(({ scope, publicId }: Choice) => ({ scope, subject: publicId }), chooseAll)
