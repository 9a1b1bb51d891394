import type { AccountScope } from '../access/scopes.ts'
import { requireFound } from '../kernel/refusals.ts'
import { ProviderRefused, ProviderUnavailable } from './payment-method.ts'
import type { Payments } from './payments.ts'
import { findPayment } from './records.ts'
import { cancelPayment, settlePayment } from './settle-payment.ts'

/**
 * The buyer is back, has paid or given up, and is told where to go on. A provider that cannot be asked just now holds
 * nobody up: the payment settles by itself.
 */
export const returnFromProvider = async (
  payments: Payments,
  scope: AccountScope,
  publicId: string,
  isGivenUp: boolean,
): Promise<string | null> => {
  const { returnUrl } = requireFound(await findPayment(scope.rows, { publicId }))
  try {
    if (isGivenUp) await cancelPayment(payments, scope, { publicId })
    else await settlePayment(payments, scope, { publicId }, { by: 'buyer' })
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error
    scope.app.log.warn({ payment: publicId, reason: error.message }, 'A payment waits')
  }
  return returnUrl
}
