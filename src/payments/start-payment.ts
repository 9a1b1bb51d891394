import { batchTransactions } from '../access/batches.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { requireFound, refuseUnless } from '../kernel/refusals.ts'
import { NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { type ConfiguredMethod, findConfiguredMethod } from './configuration/records.ts'
import { ProviderUnavailable } from './payment-method.ts'
import { type Payments, findUsableMethods, loadMethodForAccount, openMethod } from './payments.ts'
import {
  type PaymentStartResult,
  findPayment,
  insertPaymentByHand,
  insertPayments,
  lockPaymentsOfPayable,
  recordFailedStart,
  recordStarts,
} from './records.ts'
import {
  type Payment,
  type PaymentMethodName,
  isEffectivePayment,
  isUnderWay,
  secondsBeforeNextCheck,
} from './rules.ts'

export interface PaymentRequest {
  /** What is paid for, as the room that sells it knows it. */
  payableId: number
  method: string
  amountCents: number
  /** What the buyer reads at the provider. */
  description: string
  /** Where the buyer goes on afterwards. */
  returnUrl: string | null
  /** When it is given up by itself, its provider first; a bank transfer sets its own days. */
  expiresAt: Date | null
}

/**
 * Writes down what shall be paid, and how: nothing leaves Foyer yet. Where a payment for the same thing is under
 * way already it is answered again if it is the same, and refused if not: that one has to be cancelled first.
 */
export const createPayment = (scope: AccountScope, input: PaymentRequest): Promise<Payment> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    const usable = (await findUsableMethods(inside)).find(({ name }) => name === input.method)
    refuseUnless(usable, { payment_method: [NOT_INCLUDED_MESSAGE] })

    const known = await findUnderWay(tx, input)
    if (known) return known
    const publicId = newPublicId()
    const { currency } = scope.account
    const [made] = await insertPayments(tx, [{ ...input, publicId, methodId: usable.id, currency }])
    return made ?? requireFound(await findUnderWay(tx, input))
  })

const findUnderWay = async (
  tx: Tx,
  { payableId, method, amountCents }: PaymentRequest,
): Promise<Payment | undefined> => {
  const all = await lockPaymentsOfPayable(tx, payableId)
  refuseUnless(!all.some(isEffectivePayment), 'This has been paid already')
  const underWay = all.find(isUnderWay)
  const isSame = underWay?.method === method && underWay.amountCents === amountCents
  refuseUnless(!underWay || isSame, 'Another payment is under way')
  return underWay
}

/**
 * Has the provider open what the buyer is sent to. Starting again changes nothing. Throws ProviderUnavailable or
 * ProviderRefused; the payment then waits to be started once more, or to be cancelled. It is given as it was just created
 * or found, and its method by whoever has it at hand.
 */
export const startPayment = async (
  payments: Payments,
  scope: AccountScope,
  payment: Payment,
  configured?: ConfiguredMethod,
): Promise<Payment> => {
  if (payment.status !== 'none') return payment

  const { method, call } = configured
    ? openMethod(payments, scope, configured)
    : await loadMethodForAccount(payments, scope, { id: payment.methodId })
  const started = await method.start(call, payment).catch(async (error: Error) => {
    const isKeySpent = error instanceof ProviderUnavailable && error.isKeySpent
    await scope.transaction((tx) => recordFailedStart(tx, payment.id, error.message, isKeySpent))
    throw error
  })
  return startedTogether({
    scope,
    start: {
      ...started,
      id: payment.id,
      instructions: started.instructions ?? null,
      expiresAt: started.expiresAt ?? null,
      checkAfter: method.hasProvider ? secondsBeforeNextCheck(0) : null,
    },
  })
}

interface Started {
  scope: AccountScope
  start: PaymentStartResult
}

const recordAllStarts = async (tx: Tx, started: readonly Started[]): Promise<Payment[]> => {
  const pending = await recordStarts(
    tx,
    started.map(({ start }) => start),
  )
  const found: Payment[] = []
  for (const { start } of started) {
    const mine = pending.find(({ id }) => id === start.id)
    found.push(mine ?? requireFound(await findPayment(tx, { id: start.id })))
  }
  return found
}

const startedTogether = batchTransactions(
  ({ scope, start }: Started) => ({ scope, subject: start.id }),
  recordAllStarts,
)

export interface PaymentByHandInput {
  payableId: number
  method: Extract<PaymentMethodName, 'bank_transfer' | 'at_the_door'>
  amountCents: number
  /** Where the money is found in the books. */
  reference: string
}

/** Money that somebody has counted, all of it or a part: how much it may be in all is for whoever sells to say. */
export const recordPaymentByHand = (scope: AccountScope, money: PaymentByHandInput): Promise<Payment> =>
  scope.transaction(async (tx) => {
    const { id: methodId } = requireFound(await findConfiguredMethod(tx, { name: money.method }))
    const publicId = newPublicId()
    const { currency } = scope.account
    await insertPaymentByHand(tx, { ...money, publicId, methodId, currency, description: money.reference })
    return requireFound(await findPayment(tx, { publicId }))
  })
