import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readCookie, serializeCookie } from '../access/cookies.ts'
import type { VisitorScope } from '../access/scopes.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { joinedCookieHeader } from './headers.ts'

/** A browser in which somebody has signed in before: whose, and which of theirs. */
export interface KnownBrowser {
  personId: number
  id: string
}

const COOKIE = 'foyer_known'
const COOKIE_DAYS = 180
const SIGNED_BROWSER = 'known browser'

/**
 * Whoever signs in leaves this with the browser. It opens nothing; but passwords that are tried with it are counted by
 * themselves, so nobody can use up from elsewhere, or from the same network, what its owner may try.
 */
export const knownBrowserCookie = ({ app }: VisitorScope, personId: number, headers: RequestHeaders): string => {
  const before = readKnownBrowser({ app }, headers)
  const id = before?.personId === personId ? before.id : randomBytes(12).toString('base64url')
  const claim = `${personId}.${id}`
  return serializeCookie(app.settings, COOKIE, `${claim}.${signatureOf(app, claim)}`, COOKIE_DAYS * 24 * 60 * 60)
}

export const readKnownBrowser = ({ app }: Pick<VisitorScope, 'app'>, headers: RequestHeaders): KnownBrowser | null => {
  const text = readCookie(app.settings, COOKIE, joinedCookieHeader(headers)) ?? ''
  const [, personId, id, signature] = /^(\d{1,15})\.([\w-]{16})\.([\w-]{43})$/.exec(text) ?? []
  if (!personId || !id || !signature) return null
  const expected = signatureOf(app, `${personId}.${id}`)
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? { personId: Number(personId), id } : null
}

const signatureOf = ({ secrets }: VisitorScope['app'], claim: string) =>
  secrets.sign(SIGNED_BROWSER, claim).toString('base64url')
