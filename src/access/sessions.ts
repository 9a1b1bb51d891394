import { type Kysely, sql } from 'kysely'
import type { Tables } from '../database/table-types.ts'
import type { Role } from './callers.ts'
import { recordAudit } from './audit.ts'
import { type KeyHolder, claimKeys } from './directory-keys.ts'
import type { PeopleDb, VisitorScope } from './scopes.ts'
import { digestOf, newToken } from './tokens.ts'

/** How long a browser stays signed in when nobody ends its session. */
export const SESSION_DAYS = 30

const BROWSER_MAX = 255

type Connection = { db: Kysely<Tables> }

export interface ActiveMembership {
  membershipId: number
  accountId: number
  accountName: string
  subdomain: string
  role: Role
}

/** Where a person may work, in every account of one server; a look-up made before the account is known. */
const findMembershipsHere = async ({ db }: Connection, personId: number): Promise<ActiveMembership[]> => {
  const { rows } = await sql<ActiveMembership>`
    select m.id as "membershipId", a.id as "accountId", a.name as "accountName", a.subdomain, m.role
    from memberships m join accounts a on a.id = m.account_id
    where m.person_id = ${personId} and m.deactivated_at is null
    order by lower(a.name), a.id`.execute(db)
  return rows
}

/** The same in every account of Foyer. A server that is away keeps nobody from the others. */
export const findActiveMemberships = async (
  visitor: VisitorScope,
  personId: number,
  rowsAt: (there: VisitorScope) => PeopleDb = ({ rows }) => rows,
): Promise<ActiveMembership[]> => {
  const servers = await visitor.everywhere(personId)
  if (servers.length === 1) return findMembershipsHere(rowsAt(servers[0]!), personId)
  const asked = await Promise.allSettled(
    servers.map(async (there) => {
      const memberships = await findMembershipsHere(rowsAt(there), personId)
      return memberships.filter(({ accountId }) => there.isHomeOf(accountId))
    }),
  )
  const found = asked.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  const failed = asked.find((each) => each.status === 'rejected')
  if (found.length === 0 && failed) throw failed.reason
  return found.toSorted((a, b) => compareNames(a.accountName, b.accountName) || a.accountId - b.accountId)
}

const compareNames = (one: string, other: string) => one.toLowerCase().localeCompare(other.toLowerCase())

export interface NewSession {
  personId: number
  accountId: number
  membershipId: number
  browser: string
  /** How the person proved to be that person, for the audit log. */
  by: string
}

/** Signs a person in to one account. Null when the membership is not theirs, or not active any more. */
export const startSession = async (
  { db, link }: Pick<KeyHolder, 'db' | 'link'>,
  input: NewSession,
): Promise<string | null> => {
  const token = newToken('session')
  const { rows } = await sql<{ id: number; name: string }>`
    with member as (
      select m.account_id, m.id, m.credential_epoch, p.name
      from memberships m join people p on p.id = m.person_id
      where m.account_id = ${input.accountId} and m.id = ${input.membershipId} and m.person_id = ${input.personId}
        and m.deactivated_at is null
      for share of m
    ), session as (
      insert into credentials
        (account_id, kind, permission, description, membership_id, membership_epoch, last_used_at, expires_at)
      select account_id, 'session', 'write', ${describeBrowser(input.browser)}, id, credential_epoch,
        foyer_now(), foyer_now() + make_interval(days => ${SESSION_DAYS})
      from member
      returning account_id, id
    ), known as (
      insert into credential_digests (digest, account_id, credential_id)
      select ${digestOf(token)}, account_id, id from session
    )
    select session.id, member.name from session, member`.execute(db)

  const session = rows[0]
  if (!session) return null
  await claimKeys({ accountId: input.accountId, db, link }, 'credential', [digestOf(token)])
  await recordAudit(
    { accountId: input.accountId, db },
    {
      action: 'sign in',
      subject: { by: input.by, session_id: session.id },
      by: { actor: { membershipId: input.membershipId, name: session.name } },
    },
  )
  return token
}

/** Ends the session of a cookie, wherever it belongs. */
export const endSession = async ({ db }: Connection, token: string): Promise<void> => {
  await sql`
    update credentials c set revoked_at = foyer_now()
    from credential_digests d
    where d.digest = ${digestOf(token)} and c.account_id = d.account_id and c.id = d.credential_id
      and c.kind = 'session' and c.revoked_at is null`.execute(db)
}

/**
 * Ends every session of a person in every account: their password is another now. Rows are locked in the order of
 * their IDs, as by whoever writes down when credentials were used.
 */
export const endSessionsOfPerson = async ({ db }: Connection, personId: number): Promise<void> => {
  await sql`
    with ending as (
      select c.account_id, c.id from memberships m
      join credentials c on c.account_id = m.account_id and c.membership_id = m.id
      where m.person_id = ${personId} and c.kind = 'session' and c.revoked_at is null
      order by c.account_id, c.id
      for no key update of c
    )
    update credentials c set revoked_at = foyer_now()
    from ending where c.account_id = ending.account_id and c.id = ending.id`.execute(db)
}

/** "Firefox on Linux": enough for a person to tell their own browsers apart. */
export const describeBrowser = (userAgent: string): string => {
  const browser = BROWSERS.find(([, sign]) => sign.test(userAgent))?.[0]
  const system = SYSTEMS.find(([, sign]) => sign.test(userAgent))?.[0]
  if (!browser && !system) return oneLine(userAgent).slice(0, BROWSER_MAX) || 'Unknown browser'
  return [browser ?? 'Browser', system].filter(Boolean).join(' on ')
}

const BROWSERS: [string, RegExp][] = [
  ['Edge', /\bEdg(e|A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(Firefox|FxiOS)\//],
  ['Chrome', /\b(Chrome|Chromium|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
]

const SYSTEMS: [string, RegExp][] = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
]

const oneLine = (text: string) => text.replace(/[^\x20-\x7e]+/g, ' ').trim()
