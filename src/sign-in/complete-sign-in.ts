import {
  SESSION_COOKIE,
  serializeClearedCookie,
  readCookie,
  serializeSessionCookie,
  serializeCookie,
} from '../access/cookies.ts'
import type { KeyHolder } from '../access/directory-keys.ts'
import type { VisitorScope } from '../access/scopes.ts'
import { type ActiveMembership, endSession, findActiveMemberships, startSession } from '../access/sessions.ts'
import { type RawAnswer } from '../http/answers.ts'
import { seeOther } from '../pages/console-page.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { joinedCookieHeader } from './headers.ts'
import { knownBrowserCookie } from './known-browser.ts'
import { findPasswordVersion, lockPerson } from './records.ts'
import { safeReturnPath } from './rules.ts'

const CHOICE_COOKIE = 'foyer_choice'
const CHOICE_MINUTES = 10
const SEALED_CHOICE = 'account choice'

/** Someone who has shown who they are, and with what. */
export interface ProvenIdentity {
  personId: number
  by: string
  returnTo: string
  /** Which password the person had when they showed it: under another one it proves nothing. */
  passwordVersion: string
}

/** Signs a person in to their only account, or lets them choose one. Null when they are no active member anywhere. */
export const completeSignIn = async (
  visitor: VisitorScope,
  proof: ProvenIdentity,
  headers: RequestHeaders,
): Promise<RawAnswer | null> => {
  const memberships = await findActiveMemberships(visitor, proof.personId)
  if (memberships.length === 0) return null
  if (memberships.length === 1) return signInToAccount(visitor, proof, memberships[0]!, headers)

  const sealed = visitor.app.secrets.seal(SEALED_CHOICE, JSON.stringify({ ...proof, until: inMinutes(visitor) }))
  const cookie = serializeCookie(visitor.app.settings, CHOICE_COOKIE, sealed.toString('base64url'), CHOICE_MINUTES * 60)
  return seeOther('/sign_in/account', [cookie])
}

const inMinutes = ({ app }: VisitorScope) => app.clock.now().getTime() + CHOICE_MINUTES * 60_000

/**
 * A new session each time; the one the browser had before ends. Null when the membership is not theirs any more, or the
 * password is another than when they showed who they are.
 */
export const signInToAccount = async (
  visitor: VisitorScope,
  { personId, by, returnTo, passwordVersion }: ProvenIdentity,
  { accountId, membershipId }: Pick<ActiveMembership, 'accountId' | 'membershipId'>,
  headers: RequestHeaders,
): Promise<RawAnswer | null> => {
  const { settings } = visitor.app
  const browser = String(headers['user-agent'] ?? '')
  const before = readCookie(settings, SESSION_COOKIE, joinedCookieHeader(headers))
  const earlier = before ? await visitor.atCredential(before) : visitor
  const start = async (tx: Pick<KeyHolder, 'db' | 'link'>) => {
    const started = await startSession(tx, { personId, accountId, membershipId, browser, by })
    if (started && before) await endSession(tx, before)
    return started
  }
  const token = await visitor.transaction(async (people) => {
    // A new password ends the sessions there are; none is added behind its back.
    await lockPerson(people, personId)
    if ((await findPasswordVersion(people, personId)) !== passwordVersion) return null
    if (visitor.isHomeOf(accountId)) return start(people)
    return visitor
      .at(accountId)
      .transaction(({ db, link }) => start({ db, link: link && { ...link, within: people.db } }))
  })
  if (token !== null && before && !earlier.isHomeOf(accountId)) {
    await earlier.transaction((tx) => endSession(tx, before))
  }
  return token === null
    ? null
    : seeOther(safeReturnPath(returnTo), [
        serializeSessionCookie(settings, token),
        knownBrowserCookie(visitor, { personId, passwordVersion }, headers),
        serializeClearedCookie(settings, CHOICE_COOKIE),
      ])
}

/** Who is choosing an account, as the cookie says that enter() made. */
export const readIdentityChoosingAccount = (visitor: VisitorScope, headers: RequestHeaders): ProvenIdentity | null => {
  const cookie = readCookie(visitor.app.settings, CHOICE_COOKIE, joinedCookieHeader(headers))
  if (!cookie) return null
  try {
    const text = visitor.app.secrets.open(SEALED_CHOICE, Buffer.from(cookie, 'base64url'))
    const { until, ...proof } = JSON.parse(text) as ProvenIdentity & { until: number }
    return until > visitor.app.clock.now().getTime() ? proof : null
  } catch {
    // Nothing that this installation has sealed.
    return null
  }
}
