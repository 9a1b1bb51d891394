import { z } from 'zod'
import { ProviderUnavailable, type ProviderStatus } from '../../payment-method.ts'
import type { Payment } from '../../rules.ts'
import { stripeAmount } from './amounts.ts'

/** What of Stripe's answers is believed; whatever else comes is nonsense. */
const Intent = z.object({ id: z.string().min(1), status: z.string() })

const Session = z.object({
  object: z.literal('checkout.session'),
  id: z.string().min(1).max(255),
  url: z.url({ protocol: /^https?$/ }).nullish(),
  status: z.enum(['open', 'complete', 'expired']).nullish(),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  amount_total: z.int().nullish(),
  currency: z.string().nullish(),
  payment_intent: z.union([z.string(), Intent]).nullish(),
})
export type Session = z.output<typeof Session>

const Refund = z.object({
  object: z.literal('refund'),
  id: z.string().min(1).max(255),
  amount: z.int(),
  status: z.enum(['pending', 'requires_action', 'succeeded', 'failed', 'canceled']),
  metadata: z.record(z.string(), z.string()).nullish(),
})
export type Refund = z.output<typeof Refund>

const Refunds = z.object({ data: z.array(Refund) })

const nonsense = () => new ProviderUnavailable('Stripe has said something that makes no sense')

const read = <T>(schema: z.ZodType<T>, answer: unknown): T => {
  const parsed = schema.safeParse(answer)
  if (!parsed.success) throw nonsense()
  return parsed.data
}

export const readSession = (answer: unknown): Session => read(Session, answer)
export const readRefund = (answer: unknown): Refund => read(Refund, answer)
export const readRefunds = (answer: unknown): Refund[] => read(Refunds, answer).data

/** The session of a payment, as Stripe says it stands: about this payment, and about all of its money. */
export const providerStatusOfSession = (session: Session, payment: Payment): ProviderStatus => {
  if (session.id !== payment.providerReference) throw nonsense()
  if (session.payment_status === 'paid') {
    const isWhole =
      session.amount_total === stripeAmount(payment.amountCents, payment.currency) &&
      session.currency?.toUpperCase() === payment.currency
    if (!isWhole) throw nonsense()
    return { status: 'paid', captureReference: paymentIntentIdOf(session) }
  }
  if (session.payment_status !== 'unpaid') throw nonsense()
  if (session.status === 'expired') return { status: 'cancelled' }
  if (session.status === 'complete') return { status: isUnderWay(session) ? 'pending' : 'declined' }
  return { status: 'pending' }
}

export const paymentIntentIdOf = ({ payment_intent: intent }: Session): string | null =>
  typeof intent === 'string' ? intent : (intent?.id ?? null)

/** Some ways to pay take days after the buyer is done. */
const isUnderWay = ({ payment_intent: intent }: Session) =>
  typeof intent !== 'object' || intent === null || !['canceled', 'requires_payment_method'].includes(intent.status)
