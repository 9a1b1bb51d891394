import type { Stripe } from 'stripe'
import { signLink } from '../../../access/signed-links.ts'
import {
  InvalidMessageSignature,
  type PaymentMethodContext,
  type RefundPayoutResult,
  type PaymentMethod,
  ProviderRefused,
  ProviderUnavailable,
  type ProviderMessage,
  type ProviderStatus,
  type RefundToPayOut,
  type IncomingProviderMessage,
  type StartedPayment,
} from '../../payment-method.ts'
import { RETURN_LINK_PURPOSE } from '../../return-link.ts'
import type { Payment } from '../../rules.ts'
import { stripeAmount } from './amounts.ts'
import {
  type Refund,
  paymentIntentIdOf,
  readRefund,
  readRefunds,
  readSession,
  providerStatusOfSession,
} from './answers.ts'
import { type AskStripe, loadStripe, openStripeClient } from './client.ts'

/** Stripe keeps a session for 30 minutes at least; Foyer ends it earlier by itself. */
const SESSION_MS = 60 * 60 * 1000

/** Checkout Sessions: the buyer pays at Stripe's, so that no card number ever reaches Foyer. */
export const openStripe = (ask: AskStripe = openStripeClient()): PaymentMethod => {
  const status = (call: PaymentMethodContext, payment: Payment): Promise<ProviderStatus> =>
    ask(call, async (stripe) => providerStatusOfSession(await findSession(stripe, payment), payment))

  return {
    name: 'stripe',
    settings: [],
    secrets: ['secret_key', 'webhook_secret'],
    hasProvider: true,
    refundsByHand: false,
    start: (call, payment) => ask(call, (stripe) => startSession(stripe, call, payment)),
    // A session that was paid stays paid, so that a message of it is proof; of any other the moment has passed.
    confirm: (call, payment, claim) =>
      claim.by === 'provider' && claim.says.status === 'paid' ? Promise.resolve(claim.says) : status(call, payment),
    cancel: (call, payment) => ask(call, (stripe) => endSession(stripe, payment)),
    refund: (call, payment, refund) => ask(call, (stripe) => payRefund(stripe, payment, refund)),
    status,
    readMessage,
  }
}

const startSession = async (stripe: Stripe, call: PaymentMethodContext, payment: Payment): Promise<StartedPayment> => {
  const back = addressOfReturn(call, payment)
  const session = readSession(
    await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: payment.currency.toLowerCase(),
              unit_amount: stripeAmount(payment.amountCents, payment.currency),
              product_data: { name: payment.description || call.account.name },
            },
          },
        ],
        client_reference_id: payment.publicId,
        metadata: { foyer_payment: payment.publicId },
        payment_intent_data: { metadata: { foyer_payment: payment.publicId } },
        success_url: back,
        cancel_url: `${back}?cancelled=1`,
        // Counted from the payment and not from now: the same key must always say the same.
        expires_at: Math.floor((payment.createdAt.getTime() + SESSION_MS) / 1000),
      },
      { idempotencyKey: `foyer-start-${payment.publicId}-${payment.keyNumber}` },
    ),
  )
  if (!session.url) throw new ProviderUnavailable('Stripe has said nothing about where to pay')
  return { providerReference: session.id, redirectUrl: session.url }
}

const addressOfReturn = ({ app, account }: PaymentMethodContext, { publicId }: Payment) => {
  const link = signLink(app.secrets, RETURN_LINK_PURPOSE, { accountId: account.id, id: publicId, expiresAt: null })
  return `${app.settings.baseUrl}/payments/returns/${link}`
}

const findSession = async (stripe: Stripe, { providerReference }: Payment) =>
  readSession(await stripe.checkout.sessions.retrieve(providerReference!, { expand: ['payment_intent'] }))

/** Only an open session can be ended: when Stripe refuses, it has ended by itself, one way or the other. */
const endSession = async (stripe: Stripe, payment: Payment): Promise<ProviderStatus> => {
  try {
    const ended = await stripe.checkout.sessions.expire(
      payment.providerReference!,
      {},
      { idempotencyKey: `foyer-cancel-${payment.publicId}-${payment.keyNumber}-${payment.checksCount}` },
    )
    return providerStatusOfSession(readSession(ended), payment)
  } catch (error) {
    const { errors } = await loadStripe()
    if (!(error instanceof errors.StripeInvalidRequestError)) throw error
    return providerStatusOfSession(await findSession(stripe, payment), payment)
  }
}

/** Before it is asked for once more, it is looked for: an answer that got lost may have paid it out. */
const payRefund = async (stripe: Stripe, payment: Payment, refund: RefundToPayOut): Promise<RefundPayoutResult> => {
  const intent = payment.captureReference ?? paymentIntentIdOf(await findSession(stripe, payment))
  if (!intent) throw new ProviderRefused('Stripe knows of no money to give back')
  const known = refund.attemptsCount > 0 ? await findRefund(stripe, intent, refund) : undefined
  const amount = stripeAmount(refund.amountCents, payment.currency)
  const paid =
    known ??
    readRefund(
      await stripe.refunds.create(
        {
          payment_intent: intent,
          amount,
          metadata: { foyer_refund: refund.publicId, foyer_key: String(refund.keyNumber) },
        },
        { idempotencyKey: `foyer-refund-${refund.publicId}-${refund.keyNumber}` },
      ),
    )
  if (paid.amount !== amount) throw new ProviderUnavailable('Stripe has said something that makes no sense')
  return outcomeOf(paid)
}

/** One that came to nothing answers only the request that it was made for: somebody who asks once more wants another. */
const findRefund = async (
  stripe: Stripe,
  intent: string,
  { publicId, keyNumber }: RefundToPayOut,
): Promise<Refund | undefined> => {
  const refunds = readRefunds(await stripe.refunds.list({ payment_intent: intent, limit: 100 }))
  const own = refunds.filter(({ metadata }) => metadata?.['foyer_refund'] === publicId)
  const alive = own.find(({ status }) => status !== 'failed' && status !== 'canceled')
  return alive ?? own.find(({ metadata }) => metadata?.['foyer_key'] === String(keyNumber))
}

const outcomeOf = ({ id, status }: Refund): RefundPayoutResult => {
  if (status === 'succeeded') return { status: 'paid', providerReference: id }
  if (status === 'pending' || status === 'requires_action') return { status: 'pending' }
  throw new ProviderRefused('Stripe could not give the money back')
}

const readMessage = async (
  call: PaymentMethodContext,
  { body, headers }: IncomingProviderMessage,
): Promise<ProviderMessage | null> => {
  const secret = call.configuration.secrets.webhook_secret
  const signature = headers['stripe-signature']
  if (!secret || typeof signature !== 'string') throw new InvalidMessageSignature('The message is not signed')
  const event = await verify(body, signature, secret)
  if (!event.type.startsWith('checkout.session.')) return null
  const session = readSession(event.data.object)
  // About which payment it is, and whether about all of its money, is for whoever has found it to compare.
  return { providerReference: session.id, says: (payment) => providerStatusOfSession(session, payment) }
}

const verify = async (body: Buffer, signature: string, secret: string): Promise<Stripe.Event> => {
  const { webhooks } = await loadStripe()
  try {
    return webhooks.constructEvent(body, signature, secret)
  } catch (cause) {
    throw new InvalidMessageSignature('The signature does not fit the message', { cause })
  }
}
