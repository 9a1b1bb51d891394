import type { AppServices } from '../../access/app.ts'
import { type CircuitBreaker, openCircuitBreaker } from '../../outgoing/circuit-breaker.ts'
import { CALL_TIMEOUT_MS } from '../../outgoing/time-limits.ts'
import type { GoogleIssuer } from '../configuration/issuers.ts'
import { RemoteServiceFailed, RemoteServiceBusy, readRetryAfter } from '../remote-service-errors.ts'
import type { GoogleClass, GoogleObject } from './pass-objects.ts'
import { signJwt } from './save-link.ts'

const SCOPE = 'https://www.googleapis.com/auth/wallet_object.issuer'
const TOKEN_SECONDS = 3_600
/** It is asked for anew a little before it ends. */
const TOKEN_KEPT_MS = (TOKEN_SECONDS - 300) * 1000
const ANSWER_MAX = 64 * 1024

interface AccessToken {
  token: string
  until: number
}

const tokens = new Map<string, AccessToken>()
const breakers = new Map<string, CircuitBreaker>()

const breakerOf = (base: string): CircuitBreaker => {
  const breaker = breakers.get(base) ?? openCircuitBreaker()
  breakers.set(base, breaker)
  return breaker
}

interface Answer {
  status: number
  body: string
}

type App = Pick<AppServices, 'settings' | 'clock'>

const call = (base: string, path: string, init: RequestInit): Promise<Answer> =>
  breakerOf(base)(async () => {
    const answer = await fetch(`${base}${path}`, {
      ...init,
      redirect: 'error',
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    const body = await readSome(answer)
    if (answer.status === 429 || answer.status === 503) {
      throw new RemoteServiceBusy(`Google answered ${answer.status}`, readRetryAfter(answer.headers.get('retry-after')))
    }
    return { status: answer.status, body }
  })

const readSome = async (answer: Response): Promise<string> => {
  const pieces: Uint8Array[] = []
  let length = 0
  for await (const piece of answer.body ?? []) {
    pieces.push(piece)
    length += piece.length
    if (length > ANSWER_MAX) throw new RemoteServiceFailed('Google answered with too much', false)
  }
  return Buffer.concat(pieces).toString()
}

/** A token for the API, asked for with a signed claim and kept for most of its hour. */
const accessToken = async ({ settings, clock }: App, issuer: GoogleIssuer): Promise<string> => {
  const { googleOauthBase } = settings
  const key = `${googleOauthBase} ${issuer.clientEmail} ${issuer.keyId ?? ''}`
  const known = tokens.get(key)
  if (known && known.until > performance.now()) return known.token

  const now = Math.floor(clock.now().getTime() / 1000)
  const assertion = signJwt(issuer, {
    iss: issuer.clientEmail,
    scope: SCOPE,
    aud: `${googleOauthBase}/token`,
    iat: now,
    exp: now + TOKEN_SECONDS,
  })
  const form = new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion })
  const { status, body } = await call(googleOauthBase, '/token', { method: 'POST', body: form })
  const token = status === 200 ? readToken(body) : null
  if (!token)
    throw new RemoteServiceFailed(`Google gave no access and answered ${status}`, status >= 400 && status < 500)
  if (tokens.size > 1_000) tokens.clear()
  tokens.set(key, { token, until: performance.now() + TOKEN_KEPT_MS })
  return token
}

const readToken = (body: string): string | null => {
  try {
    const { access_token: token } = JSON.parse(body) as { access_token?: unknown }
    return typeof token === 'string' && /^[\x21-\x7e]{1,4096}$/.test(token) ? token : null
  } catch {
    return null
  }
}

const KINDS = { class: 'eventTicketClass', object: 'eventTicketObject' } as const

const write = async (
  app: App,
  issuer: GoogleIssuer,
  method: 'POST' | 'PATCH',
  kind: keyof typeof KINDS,
  thing: GoogleClass | GoogleObject,
): Promise<number> => {
  const path = `/walletobjects/v1/${KINDS[kind]}${method === 'PATCH' ? `/${encodeURIComponent(thing.id)}` : ''}`
  const token = await accessToken(app, issuer)
  const { status } = await call(app.settings.googleWalletBase, path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(thing),
  })
  return status
}

const requireDone = (status: number, ...also: number[]): void => {
  if (status < 300 || also.includes(status)) return
  // A token may have been taken back; it is asked for anew at the next try.
  if (status === 401) tokens.clear()
  throw new RemoteServiceFailed(
    `Google answered ${status}`,
    status >= 400 && status < 500 && status !== 401 && status !== 408,
  )
}

/** Makes it known to Google; what it knows already is left as it is. */
export const insertAtGoogle = async (
  app: App,
  issuer: GoogleIssuer,
  kind: keyof typeof KINDS,
  thing: GoogleClass | GoogleObject,
): Promise<void> => requireDone(await write(app, issuer, 'POST', kind, thing), 409)

/** Tells Google what it is like now, and of itself where Google does not know it yet. */
export const updateAtGoogle = async (
  app: App,
  issuer: GoogleIssuer,
  kind: keyof typeof KINDS,
  thing: GoogleClass | GoogleObject,
): Promise<void> => {
  const status = await write(app, issuer, 'PATCH', kind, thing)
  if (status === 404) return insertAtGoogle(app, issuer, kind, thing)
  requireDone(status)
}
