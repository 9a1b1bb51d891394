import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { Stripe } from 'stripe'
import { parseForm } from '../../../src/http/forms.ts'
import { type StripeAnswer, newStripeId, openStripeState } from './stripe-state.ts'

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
  /** Answers as it should, after so long that whoever asked may have given up. */
  | 'slow'
  | 'dripping'
  | 'redirect'
  | 'busy'
  | 'unauthorized'

const SLOW_MS = 1_500

interface Heard {
  method: string
  path: string
  key: string | undefined
  authorization: string | undefined
}

/**
 * Somebody who speaks like Stripe as far as Foyer listens, keeps idempotency keys as Stripe does (faults of its own
 * too), and misbehaves when it is told to.
 */
export const openStripeListener = async () => {
  const state = openStripeState()
  const kept = new Map<string, StripeAnswer>()

  /** Stripe keeps what it has begun to carry out, and a fault of its own is an answer like any other. */
  const answerOnce = (key: string | undefined, act: () => StripeAnswer): StripeAnswer => {
    const known = key === undefined ? undefined : kept.get(key)
    if (known) return known
    const said = listener.manners === 'error' ? { status: 500, body: { error: { type: 'api_error' } } } : act()
    if (key !== undefined && said.status !== 404) kept.set(key, structuredClone(said))
    return said
  }

  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      const url = new URL(request.url!, 'http://stripe.example')
      const { 'idempotency-key': key, authorization } = request.headers as Record<string, string | undefined>
      listener.heard.push({ method: request.method!, path: url.pathname, key, authorization })
      const form = parseForm(Buffer.concat(pieces))
      misbehave(listener.manners, request, response, () =>
        answerOnce(key, () => state.answer(request.method!, url, form)),
      )
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const behaviour: { manners: Manners; heard: Heard[] } = { manners: 'well', heard: [] }
  const listener = Object.assign(state, behaviour, {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** What Stripe would post, as text and headers. */
    message: (type: string, object: object, secret: string, seconds = Math.floor(Date.now() / 1000)) => {
      const payload = JSON.stringify({ id: newStripeId('evt'), object: 'event', type, data: { object } })
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: seconds })
      return { raw: payload, headers: { 'stripe-signature': signature } }
    },
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  })
  return listener
}

const misbehave = (
  manners: Manners,
  request: http.IncomingMessage,
  response: http.ServerResponse,
  act: () => StripeAnswer,
) => {
  const json = (status: number, text: string) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(text)
  switch (manners) {
    case 'well':
    case 'error': {
      const { status, body } = act()
      return json(status, JSON.stringify(body))
    }
    case 'slow': {
      const { status, body } = act()
      const answering = setTimeout(() => json(status, JSON.stringify(body)), SLOW_MS)
      return response.on('close', () => clearTimeout(answering))
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
