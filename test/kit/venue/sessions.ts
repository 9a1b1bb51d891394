import { SESSION_COOKIE } from '../../../src/access/cookies.ts'
import { VisitorScope } from '../../../src/access/scopes.ts'
import { startSession } from '../../../src/access/sessions.ts'
import { bodyOf } from '../network/read-eml.ts'
import type { Client } from './client.ts'
import { loadVenue } from '../../../src/venue-file/load-venue.ts'
import { type OpenApp, type Venue, openTestApp } from './venue.ts'
import { type VenueFile, neueHalle } from './neue-halle.ts'
import { mailsTo } from './outbox.ts'

/** The same client with these headers on every request. */
export const withHeaders = (client: Client, always: Record<string, string>): Client => {
  const ask: Client['ask'] = (method, path, options = {}) =>
    client.ask(method, path, { ...options, headers: { ...always, ...options.headers } })
  return {
    ask,
    get: (path, options) => ask('GET', path, options),
    post: (path, body, options) => ask('POST', path, { ...options, body }),
    patch: (path, body, options) => ask('PATCH', path, { ...options, body }),
    delete: (path, options) => ask('DELETE', path, options),
  }
}

/** The secret of a new session of this member. */
export const sessionToken = async (venue: Venue, email: string): Promise<string> => {
  const { user_id: personId, membership_id: membershipId } = venue.report.people[email]!
  const accountId = venue.report.account.id
  const session = { personId, accountId, membershipId, browser: 'Firefox/1 Linux', by: 'test' }
  const token = await new VisitorScope(venue.app).transaction((tx) => startSession(tx, session))
  if (token === null) throw new Error(`${email} is no active member`)
  return token
}

/** A member of the venue who is signed in to it: their cookie is all this client has. */
export const signedIn = async (venue: Venue, email: string): Promise<Client> =>
  withHeaders(venue.stranger, { cookie: `${SESSION_COOKIE}=${await sessionToken(venue, email)}` })

/** A form as a browser sends it. */
export const form = (fields: Record<string, string>, headers: Record<string, string> = {}) => ({
  raw: new URLSearchParams(fields).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
})

/** The cookies of an answer as the next request would send them. */
export const cookiesOf = (reply: { headers: Headers }): string =>
  reply.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0]!)
    .filter((pair) => !pair.endsWith('='))
    .join('; ')

/** The path of the link in the latest mail to this address. */
export const linkTo = async (venue: { dataFolder: string }, address: string): Promise<string> => {
  const mail = (await mailsTo(venue, address)).at(-1)
  const url = mail && /https?:\/\/\S+/.exec(bodyOf(mail, 'text/plain')!)?.[0]
  if (!url) throw new Error(`There is no mail with a link to ${address}`)
  return new URL(url).pathname
}

/** An installation of its own in which the limits on guessing count, with Neue Halle in it. */
export const openStrictApp = async (change: (file: VenueFile) => void): Promise<OpenApp> => {
  const strict = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on' } })
  const file = neueHalle('neue-halle')
  change(file)
  await loadVenue(strict.app, JSON.stringify(file))
  return strict
}
