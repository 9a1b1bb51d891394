import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { parseForm } from '../../../src/http/forms.ts'

/** How the far end behaves, until it is told otherwise. */
export type Manners =
  | 'well'
  /** Does what it was asked, and breaks off before it has answered. */
  | 'deaf'
  | 'reset'
  | 'error'
  | 'garbage'
  | 'html'
  | 'nonsense'
  | 'endless'
  | 'silent'
  | 'dripping'
  | 'redirect'
  | 'busy'
  | 'unauthorized'

interface StripeSession {
  object: 'checkout.session'
  id: string
  url: string | null
  status: 'open' | 'complete' | 'expired'
  payment_status: 'paid' | 'unpaid'
  amount_total: number
  currency: string
  client_reference_id: string
  payment_intent: string | null
}

interface StripeRefund {
  object: 'refund'
  id: string
  amount: number
  status: string
  payment_intent: string
  metadata: Record<string, string>
}

interface Heard {
  method: string
  path: string
  key: string | undefined
  authorization: string | undefined
}

/** As Stripe writes them: whose ID it is, and chance. */
const newId = (kind: string) => `${kind}_${randomBytes(12).toString('hex')}`

/**
 * Somebody who speaks like Stripe as far as Foyer listens, keeps idempotency keys as Stripe does (faults of its own
 * too), and misbehaves when it is told to.
 */
export const openStripeListener = async () => {
  const sessions = new Map<string, StripeSession>()
  const intents = new Map<string, { id: string; status: string; amount: number }>()
  const refunds = new Map<string, StripeRefund>()
  const kept = new Map<string, { status: number; body: unknown }>()
  const heard: Heard[] = []

  const refuse = (code: string, status = 400) => ({
    status,
    body: {
      error: { type: 'invalid_request_error', code, message: `${code}, says Stripe, and quotes sk_test_secret` },
    },
  })

  const create = (form: any) => {
    const [item] = Object.values<any>(form.line_items)
    const session: StripeSession = {
      object: 'checkout.session',
      id: newId('cs_test'),
      url: `https://checkout.stripe.example/${newId('pay')}`,
      status: 'open',
      payment_status: 'unpaid',
      amount_total: Number(item.price_data.unit_amount) * Number(item.quantity),
      currency: item.price_data.currency,
      client_reference_id: form.client_reference_id,
      payment_intent: null,
    }
    sessions.set(session.id, session)
    return { status: 200, body: session }
  }

  const expire = (id: string) => {
    const session = sessions.get(id)
    if (!session) return refuse('resource_missing', 404)
    if (session.status !== 'open') return refuse('session_not_open')
    session.status = 'expired'
    return { status: 200, body: session }
  }

  const giveBack = (form: any) => {
    const intent = intents.get(form.payment_intent)
    const given = [...refunds.values()].filter(({ payment_intent: of }) => of === form.payment_intent)
    const sum = given.reduce((total, { amount }) => total + amount, 0)
    if (!intent) return refuse('resource_missing', 404)
    if (sum + Number(form.amount) > intent.amount) return refuse('charge_already_refunded')
    const refund: StripeRefund = {
      object: 'refund',
      id: newId('re'),
      amount: Number(form.amount),
      status: listener.refundsEndAs,
      payment_intent: intent.id,
      metadata: form.metadata ?? {},
    }
    refunds.set(refund.id, refund)
    return { status: 200, body: refund }
  }

  const show = (id: string) => {
    const session = sessions.get(id)
    if (!session) return refuse('resource_missing', 404)
    return { status: 200, body: { ...session, payment_intent: intents.get(session.payment_intent ?? '') ?? null } }
  }

  const answer = (method: string, url: URL, form: any) => {
    const [, , , id, verb] = url.pathname.slice(1).split('/')
    if (url.pathname === '/v1/checkout/sessions' && method === 'POST') return create(form)
    if (url.pathname.startsWith('/v1/checkout/sessions/')) return verb === 'expire' ? expire(id!) : show(id!)
    if (url.pathname === '/v1/refunds' && method === 'POST') return giveBack(form)
    const of = url.searchParams.get('payment_intent')
    const data = [...refunds.values()].filter((each) => each.payment_intent === of)
    return { status: 200, body: { object: 'list', data, has_more: false, url: '/v1/refunds' } }
  }

  const once_ = (key: string | undefined, act: () => { status: number; body: unknown }) => {
    const known = key === undefined ? undefined : kept.get(key)
    if (known) return known
    // Stripe keeps what it has begun to carry out, and a fault of its own is an answer like any other.
    const said = listener.manners === 'error' ? { status: 500, body: { error: { type: 'api_error' } } } : act()
    if (key !== undefined && said.status !== 404) kept.set(key, structuredClone(said))
    return said
  }

  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const url = new URL(request.url!, 'http://stripe.example')
      const key = request.headers['idempotency-key'] as string | undefined
      heard.push({ method: request.method!, path: url.pathname, key, authorization: request.headers.authorization })
      const act = () => once_(key, () => answer(request.method!, url, parseForm(Buffer.concat(pieces))))
      misbehave(listener.manners, request, response, act)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const listener = {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    manners: 'well' as Manners,
    refundsEndAs: 'succeeded',
    heard,
    sessions,
    refunds,
    sessionOf: (publicId: string) => [...sessions.values()].find((each) => each.client_reference_id === publicId)!,
    /** The buyer pays at Stripe's own page. */
    pay: (id: string, paid: Partial<StripeSession> = {}) => {
      const session = sessions.get(id)!
      if (session.status !== 'open') throw new Error('This session has ended')
      const intent = { id: newId('pi'), status: 'succeeded', amount: session.amount_total }
      intents.set(intent.id, intent)
      return Object.assign(session, { status: 'complete', payment_status: 'paid', payment_intent: intent.id }, paid)
    },
    /** The buyer is done, and the money takes days. */
    payLater: (id: string, status: 'processing' | 'requires_payment_method') => {
      const session = sessions.get(id)!
      const intent = { id: newId('pi'), status, amount: session.amount_total }
      intents.set(intent.id, intent)
      return Object.assign(session, { status: 'complete', payment_intent: intent.id })
    },
    /** What Stripe would post, as text and headers. */
    message: (type: string, object: object, secret: string, seconds = Math.floor(Date.now() / 1000)) => {
      const payload = JSON.stringify({ id: newId('evt'), object: 'event', type, data: { object } })
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: seconds })
      return { raw: payload, headers: { 'stripe-signature': signature } }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return listener
}

export type StripeListener = Awaited<ReturnType<typeof openStripeListener>>

const misbehave = (
  manners: Manners,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  act: () => { status: number; body: unknown },
) => {
  const json = (status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  switch (manners) {
    case 'well':
    case 'error': {
      const { status, body } = act()
      return json(status, JSON.stringify(body))
    }
    case 'deaf':
      act()
      return request.socket.resetAndDestroy()
    case 'reset':
      return request.socket.resetAndDestroy()
    case 'garbage':
      return json(200, '{"object": "checkout.ses')
    case 'html':
      return response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome to nginx</h1>')
    case 'nonsense':
      return json(200, JSON.stringify({ object: 'checkout.session', id: 7, payment_status: 'paid' }))
    case 'busy':
      return json(429, JSON.stringify({ error: { type: 'rate_limit_error', message: 'slow down' } }))
    case 'unauthorized':
      return json(
        401,
        JSON.stringify({ error: { type: 'invalid_request_error', message: 'no such key sk_test_secret' } }),
      )
    case 'redirect':
      return response.writeHead(302, { location: 'http://127.0.0.1:9/elsewhere' }).end()
    case 'silent':
      return
    case 'dripping': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const drip = setInterval(() => response.write(' '), 200)
      return response.on('close', () => clearInterval(drip))
    }
    case 'endless': {
      response.writeHead(200, { 'content-type': 'application/json' })
      const pour = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536))) continue
      }
      response.on('drain', pour).on('error', () => {})
      return pour()
    }
  }
}
