import { randomBytes, timingSafeEqual } from 'node:crypto'
import { readCookie, serializeCookie } from '../access/cookies.ts'
import type { VisitorScope } from '../access/scopes.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { joinedCookieHeader } from './headers.ts'

/** Who has signed in there, and with which password. */
interface BrowserOwner {
  personId: number
  passwordVersion: string
}

const COOKIE = 'foyer_known'
const COOKIE_DAYS = 180
const COOKIE_SECONDS = COOKIE_DAYS * 24 * 60 * 60
const SIGNED_BROWSER = 'known browser'

/**
 * Whoever signs in leaves this with the browser. It opens nothing; but passwords that are tried with it are counted by
 * themselves, so nobody can use up from elsewhere, or from the same network, what its owner may try. Under another
 * password the browser is unknown: whoever had the old one may have kept many such cookies.
 */
export const knownBrowserCookie = ({ app }: VisitorScope, owner: BrowserOwner, headers: RequestHeaders): string => {
  const id = readKnownBrowser({ app }, owner, headers) ?? randomBytes(12).toString('base64url')
  const claim = `${owner.personId}.${id}.${secondsNow(app) + COOKIE_SECONDS}`
  return serializeCookie(app.settings, COOKIE, `${claim}.${signatureOf(app, claim, owner)}`, COOKIE_SECONDS)
}

/** Which of this person's browsers it is; null for one in which they have not signed in with the password they have now. */
export const readKnownBrowser = (
  { app }: Pick<VisitorScope, 'app'>,
  owner: BrowserOwner,
  headers: RequestHeaders,
): string | null => {
  const text = readCookie(app.settings, COOKIE, joinedCookieHeader(headers)) ?? ''
  const [, personId, id, until, signature] = /^(\d{1,15})\.([\w-]{16})\.(\d{1,12})\.([\w-]{43})$/.exec(text) ?? []
  if (!id || !signature || Number(personId) !== owner.personId || Number(until) <= secondsNow(app)) return null
  const expected = signatureOf(app, `${personId}.${id}.${until}`, owner)
  return timingSafeEqual(Buffer.from(signature), Buffer.from(expected)) ? id : null
}

const secondsNow = ({ clock }: VisitorScope['app']) => Math.floor(clock.now().getTime() / 1000)

/** The version of the password is signed with the rest, and does not stand in the cookie. */
const signatureOf = ({ secrets }: VisitorScope['app'], claim: string, { passwordVersion }: BrowserOwner) =>
  secrets.sign(SIGNED_BROWSER, `${claim}.${passwordVersion}`).toString('base64url')
