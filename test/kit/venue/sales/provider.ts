import { Stripe } from 'stripe'
import type { StripeSession } from '../../network/stripe-state.ts'
import { pickBy } from '../../seed.ts'
import { WEBHOOK_SECRET } from '../payments.ts'
import type { SalesFloor } from './house.ts'

interface Message {
  raw: string
  headers: Record<string, string>
}

/** What Stripe does beside its answers: it posts messages, late, twice, in any order, and others forge them. */
export const openProvider = (
  sales: Pick<SalesFloor, 'stripe' | 'origins' | 'askAt' | 'webhookPath' | 'faults'>,
  random: () => number,
) => {
  const { stripe } = sales
  const post: Message[] = []

  const send = async (message: Message, origin = pickBy(random, sales.origins)) =>
    sales.askAt(origin, 'POST', sales.webhookPath, message)

  /** Whatever was not taken comes again, as often as it needs. */
  const deliver = async (message: Message) => {
    const reply = await send(message)
    if (reply?.status === 200) return
    if (reply) sales.faults.push(`A message of the provider was answered ${reply.status}: ${reply.text}`)
    else post.push(message)
  }

  const messageOf = (session: StripeSession, type = 'checkout.session.completed') =>
    stripe.message(type, session, WEBHOOK_SECRET)

  /** Some at once and some when nobody waits for them any more. */
  const announce = async (session: StripeSession, type?: string) => {
    for (let copies = 1 + Math.floor(random() * 3); copies > 0; copies--) post.push(messageOf(session, type))
    if (random() < 0.5) await Promise.all([deliver(messageOf(session, type)), deliver(messageOf(session, type))])
  }

  /** Says that it is paid, although nobody has paid. None of them may be believed. */
  const forge = async (session: StripeSession) => {
    const paid = { ...session, status: 'complete', payment_status: 'paid', payment_intent: 'pi_forged' }
    const forged = [
      stripe.message('checkout.session.completed', paid, 'whsec_somebodyelse'),
      stripe.message('checkout.session.completed', paid, WEBHOOK_SECRET, Math.floor(Date.now() / 1000) - 3_600),
      { ...messageOf(session), raw: messageOf(paid as StripeSession).raw },
      stripe.message('checkout.session.completed', { ...paid, amount_total: 1 }, WEBHOOK_SECRET),
      stripe.message('checkout.session.completed', { ...paid, currency: 'jpy' }, WEBHOOK_SECRET),
      { raw: JSON.stringify(paid), headers: {} },
    ]
    const reply = await send(pickBy(random, forged))
    if (reply && reply.status !== 400) sales.faults.push(`A forged message was answered ${reply.status}`)
  }

  /** What came too late for everybody, in any order. */
  const deliverSome = async (most: number) => {
    for (let n = 0; n < most && post.length > 0; n++) {
      const [message] = post.splice(Math.floor(random() * post.length), 1)
      // Its signature may have become old; the provider signs anew whenever it sends.
      await deliver(signAnew(message!))
    }
  }

  /** Money under way has come, or never will; and everything that was said is heard. */
  const finishAll = async () => {
    for (const session of stripe.sessions.values()) {
      if (session.status !== 'complete' || session.payment_status === 'paid') continue
      const hasCome = random() < 0.5
      stripe.finish(session.id, hasCome ? 'succeeded' : 'requires_payment_method')
      post.push(messageOf(session, `checkout.session.async_payment_${hasCome ? 'succeeded' : 'failed'}`))
    }
    while (post.length > 0) await deliverSome(post.length)
  }

  return { announce, forge, deliverSome, finishAll }
}

export type Provider = ReturnType<typeof openProvider>

const signAnew = ({ raw }: Message): Message => ({
  raw,
  headers: {
    'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload: raw, secret: WEBHOOK_SECRET }),
  },
})
