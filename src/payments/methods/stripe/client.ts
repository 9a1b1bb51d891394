import type { Stripe } from 'stripe'
import { openCircuitBreaker } from '../../../outgoing/circuit-breaker.ts'
import { VERSION } from '../../../kernel/version.ts'
import { type PaymentMethodContext, ProviderRefused, ProviderUnavailable } from '../../payment-method.ts'

/** A buyer waits for it. */
const TIMEOUT_MS = 10_000
const ANSWER_MAX = 1024 * 1024

type StripeLibrary = typeof Stripe

/** Some two hundred modules, so only where somebody is paid by it. */
export const loadStripe = async (): Promise<StripeLibrary> => (await import('stripe')).Stripe

export type AskStripe = <T>(call: PaymentMethodContext, ask: (stripe: Stripe) => Promise<T>) => Promise<T>

/** Calls to Stripe: with a time limit, an end to what is read, and a circuit breaker for each address it may have. */
export const openStripeClient = (): AskStripe => {
  const breakers = new Map<string, ReturnType<typeof openCircuitBreaker>>()

  return async (call, ask) => {
    const { stripeApiBase } = call.app.settings
    const breaker = breakers.get(stripeApiBase) ?? openCircuitBreaker()
    breakers.set(stripeApiBase, breaker)
    const library = await loadStripe()
    const stripe = clientOf(library, call)
    try {
      return await breaker(() => ask(stripe))
    } catch (error) {
      throw explain(library, error)
    }
  }
}

const clientOf = (library: StripeLibrary, { app, configuration }: PaymentMethodContext): Stripe => {
  const secretKey = configuration.secrets.secret_key
  if (!secretKey) throw new ProviderUnavailable('There is no secret key for Stripe')
  const { protocol, hostname, port } = new URL(app.settings.stripeApiBase)
  return new library(secretKey, {
    protocol: protocol === 'http:' ? 'http' : 'https',
    host: hostname,
    port: port || (protocol === 'http:' ? 80 : 443),
    timeout: TIMEOUT_MS,
    // Whoever asks comes back by themselves, with the same idempotency key.
    maxNetworkRetries: 0,
    telemetry: false,
    appInfo: { name: 'Foyer', version: VERSION },
    httpClient: library.createFetchHttpClient(boundedFetch),
  })
}

/** Follows no redirect, which would take the secret key along, and reads no answer without an end. */
const boundedFetch: typeof fetch = async (address, init) => {
  const response = await fetch(address, { ...init, redirect: 'error' })
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of response.body ?? []) {
    length += piece.length
    if (length > ANSWER_MAX) throw new Error('The answer has no end')
    pieces.push(piece)
  }
  return new Response(Buffer.concat(pieces), { status: response.status, headers: response.headers })
}

/** Whoever reads these words may be anybody: what Stripe itself says may quote what it was sent, so it stays the cause. */
const explain = ({ errors }: StripeLibrary, cause: unknown): Error => {
  if (cause instanceof ProviderUnavailable || cause instanceof ProviderRefused) return cause
  if (cause instanceof errors.StripeAuthenticationError || cause instanceof errors.StripePermissionError) {
    return new ProviderUnavailable('Stripe does not accept the secret key', { cause })
  }
  if (cause instanceof errors.StripeIdempotencyError) {
    return new ProviderUnavailable('Stripe was asked for something else before', { cause, isKeySpent: true })
  }
  if (cause instanceof errors.StripeInvalidRequestError || cause instanceof errors.StripeCardError) {
    return new ProviderRefused(`Stripe refused (${plain(cause.code ?? cause.type)})`, { cause })
  }
  const status = cause instanceof errors.StripeError ? cause.statusCode : undefined
  if (status !== undefined) {
    return new ProviderUnavailable(`Stripe answered with ${status}`, { cause, isKeySpent: status >= 500 })
  }
  return new ProviderUnavailable('Stripe could not be reached', { cause })
}

const plain = (code: string) => code.replace(/[^\w-]/g, '').slice(0, 60)
