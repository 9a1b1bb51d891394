import type { AccountScope } from '../access/scopes.ts'
import { MalformedRequest } from '../http/body.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { NotFound } from '../kernel/refusals.ts'
import { InvalidMessageSignature, ProviderUnavailable, type IncomingProviderMessage } from './payment-method.ts'
import { type Payments, loadMethodForAccount } from './payments.ts'
import { findPayment } from './records.ts'
import { CHECK_PAYMENT_JOB, type Payment } from './rules.ts'
import { settlePayment } from './settle-payment.ts'

/**
 * What a provider says by itself. That something is paid is believed at once; about anything else the provider is asked
 * in a job, so that it never waits for us to call it back.
 */
export const handleProviderMessage = async (
  payments: Payments,
  scope: AccountScope,
  { methodId, methodName }: { methodId: number; methodName: string },
  message: IncomingProviderMessage,
): Promise<void> => {
  const { method, call } = await loadMethodForAccount(payments, scope, { id: methodId })
  if (method.name !== methodName || !method.readMessage) throw new NotFound()
  const read = await orRefuse(() => method.readMessage!(call, message))
  if (!read) return
  // Sessions of other programs on the same account at the provider are none of our business.
  const payment = await findPayment(scope.rows, { methodId, providerReference: read.providerReference })
  if (!payment || payment.status === 'paid') return

  const says = await orRefuse(async () => read.says(payment))
  if (says.status === 'paid') {
    await settlePayment(payments, scope, { id: payment.id }, { by: 'provider', says })
  } else {
    await queueCheck(scope, payment)
  }
}

const orRefuse = async <T>(read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (error instanceof InvalidMessageSignature) throw new MalformedRequest(error.message)
    if (error instanceof ProviderUnavailable) throw new MalformedRequest('The message makes no sense')
    throw error
  }
}

/** One for each payment, however often the provider repeats itself. */
const queueCheck = (scope: AccountScope, { id }: Payment) =>
  scope.transaction((tx) =>
    enqueue(
      tx.db,
      CHECK_PAYMENT_JOB,
      { accountId: tx.accountId, paymentId: id },
      { jobKey: `${CHECK_PAYMENT_JOB.name}/${id}` },
    ),
  )
