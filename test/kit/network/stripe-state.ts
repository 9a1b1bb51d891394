import { randomBytes } from 'node:crypto'

export interface StripeSession {
  object: 'checkout.session'
  id: string
  url: string | null
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  amount_total: number
  currency: string
  client_reference_id: string
  payment_intent: string | null
  /** Where Stripe sends buyers who are done, and those who press back. */
  success_url: string
  cancel_url: string
}

interface StripeRefund {
  object: 'refund'
  id: string
  amount: number
  status: string
  payment_intent: string
  metadata: Record<string, string>
}

interface StripeIntent {
  id: string
  status: string
  amount: number
}

export interface StripeAnswer {
  status: number
  body: unknown
}

/** The fields that Foyer sends, as far as they matter here. */
export interface StripeForm {
  line_items?: Record<string, { quantity: string; price_data: { currency: string; unit_amount: string } }>
  client_reference_id?: string
  success_url?: string
  cancel_url?: string
  payment_intent?: string
  amount?: string
  metadata?: Record<string, string>
}

/** As Stripe writes them: what it names, and chance. */
export const newStripeId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`

const refuse = (code: string, status = 400): StripeAnswer => ({
  status,
  body: { error: { type: 'invalid_request_error', code, message: `${code}, says Stripe, and quotes sk_test_secret` } },
})

/** What Stripe would know, as far as Foyer asks for it. */
export const openStripeState = () => {
  const sessions = new Map<string, StripeSession>()
  const intents = new Map<string, StripeIntent>()
  const refunds = new Map<string, StripeRefund>()

  const create = (form: StripeForm): StripeAnswer => {
    const { quantity, price_data: price } = Object.values(form.line_items!)[0]!
    const session: StripeSession = {
      object: 'checkout.session',
      id: newStripeId('cs_test'),
      url: `https://checkout.stripe.example/${newStripeId('pay')}`,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(price.unit_amount) * Number(quantity),
      currency: price.currency,
      client_reference_id: form.client_reference_id!,
      payment_intent: null,
      success_url: form.success_url ?? '',
      cancel_url: form.cancel_url ?? '',
    }
    sessions.set(session.id, session)
    return { status: 200, body: session }
  }

  const expire = (id: string): StripeAnswer => {
    const session = sessions.get(id)
    if (!session) return refuse('resource_missing', 404)
    if (session.status !== 'open') return refuse('session_not_open')
    session.status = 'expired'
    return { status: 200, body: session }
  }

  const show = (id: string): StripeAnswer => {
    const session = sessions.get(id)
    if (!session) return refuse('resource_missing', 404)
    return { status: 200, body: { ...session, payment_intent: intents.get(session.payment_intent ?? '') ?? null } }
  }

  const refundsOf = (intent: string | null | undefined) =>
    [...refunds.values()].filter((each) => each.payment_intent === intent)

  const giveBack = (form: StripeForm): StripeAnswer => {
    const intent = intents.get(form.payment_intent ?? '')
    if (!intent) return refuse('resource_missing', 404)
    const alive = refundsOf(intent.id).filter(({ status }) => status !== 'failed' && status !== 'canceled')
    const sum = alive.reduce((total, { amount }) => total + amount, 0)
    if (sum + Number(form.amount) > intent.amount) return refuse('charge_already_refunded')
    const refund: StripeRefund = {
      object: 'refund',
      id: newStripeId('re'),
      amount: Number(form.amount),
      status: state.refundsEndAs,
      payment_intent: intent.id,
      metadata: form.metadata ?? {},
    }
    refunds.set(refund.id, refund)
    return { status: 200, body: refund }
  }

  const addIntent = (session: StripeSession, status: string): string => {
    const intent = { id: newStripeId('pi'), status, amount: session.amount_total }
    intents.set(intent.id, intent)
    return intent.id
  }

  const state = {
    sessions,
    refunds,
    refundsEndAs: 'succeeded',
    sessionOf: (publicId: string) => [...sessions.values()].find((each) => each.client_reference_id === publicId)!,
    /** The buyer pays at Stripe's own page. */
    pay: (id: string): StripeSession => {
      const session = sessions.get(id)!
      if (session.status !== 'open') throw new Error('This session has ended')
      const paid = { status: 'complete', payment_status: 'paid', payment_intent: addIntent(session, 'succeeded') }
      return Object.assign(session, paid)
    },
    /** The buyer is done, and the money takes days. */
    payLater: (id: string, status: 'processing' | 'requires_payment_method'): StripeSession => {
      const session = sessions.get(id)!
      return Object.assign(session, { status: 'complete', payment_intent: addIntent(session, status) })
    },
    /** What took days has come, or it never will. */
    finish: (id: string, outcome: 'succeeded' | 'requires_payment_method'): StripeSession => {
      const session = sessions.get(id)!
      intents.get(session.payment_intent!)!.status = outcome
      return outcome === 'succeeded' ? Object.assign(session, { payment_status: 'paid' }) : session
    },
    /** The money has come after all, although the session was ended before. */
    payLate: (id: string): StripeSession => {
      const session = sessions.get(id)!
      const paid = { status: 'complete', payment_status: 'paid', payment_intent: addIntent(session, 'succeeded') }
      return Object.assign(session, paid)
    },
    answer: (method: string, url: URL, form: StripeForm): StripeAnswer => {
      const [, , , id, verb] = url.pathname.slice(1).split('/')
      if (url.pathname === '/v1/checkout/sessions' && method === 'POST') return create(form)
      if (url.pathname.startsWith('/v1/checkout/sessions/')) return verb === 'expire' ? expire(id!) : show(id!)
      if (url.pathname === '/v1/refunds' && method === 'POST') return giveBack(form)
      const data = refundsOf(url.searchParams.get('payment_intent'))
      return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/refunds' } }
    },
  }
  return state
}
