import { sql } from 'kysely'
import { passwordVersionOf } from '../access/passwords.ts'
import type { PeopleDb, PeopleTx } from '../access/scopes.ts'
import type { Language } from '../languages/rules.ts'
import type { Database } from '../database/database.ts'

export interface Person {
  id: number
  name: string
  email: string
  passwordDigest: string | null
}

export const findPersonByEmail = async ({ db }: PeopleDb, email: string): Promise<Person | null> => {
  const { rows } = await sql<Person>`
    select id, name, email, password_digest as "passwordDigest" from people where email = ${email}`.execute(db)
  return rows[0] ?? null
}

export type LinkPurpose = 'sign_in' | 'password'

export interface NewLink {
  email: string
  purpose: LinkPurpose
  digest: Buffer
  sealedToken: Buffer
  returnTo: string
  language: Language
  /** The person's own, in which they have signed in before. */
  browser: string | null
  minutes: number
}

/** For any address: whether somebody has it is asked later, where nobody waits for the answer. */
export const insertLink = async ({ db }: PeopleTx, link: NewLink): Promise<number> => {
  const { rows } = await sql<{ id: number }>`
    insert into sign_in_links (email, purpose, digest, sealed_token, return_to, language, browser, expires_at)
    values (${link.email}, ${link.purpose}, ${link.digest}, ${link.sealedToken}, ${link.returnTo},
      ${link.language}, ${link.browser}, foyer_now() + make_interval(mins => ${link.minutes}))
    returning id`.execute(db)
  return rows[0]!.id
}

export interface MailableLink {
  email: string
  purpose: LinkPurpose
  sealedToken: Buffer
  /** What the browser reads that asked for it. */
  language: Language | null
  name: string
}

/** Null when nobody who may sign in has the address, or the link is over already. */
export const findMailableLink = async (database: Database, id: number): Promise<MailableLink | null> => {
  const { rows } = await sql<MailableLink>`
    select l.email, l.purpose, l.sealed_token as "sealedToken", l.language, p.name
    from sign_in_links l
    join people p on p.email = l.email
    where l.id = ${id} and l.used_at is null and l.expires_at > foyer_now()
      and (
        exists (select 1 from memberships m where m.person_id = p.id and m.deactivated_at is null)
        or exists (select 1 from directory_entries d where d.kind = 'person' and d.key = int8send(p.id))
      )`.execute(database.kysely)
  return rows[0] ?? null
}

/**
 * Whether a link may be mailed, which is noted with the answer; null allows any number an hour. Only mails count: what was
 * refused would otherwise prolong the refusal for as long as somebody asks. A link that was allowed stays so, for a mail
 * that is tried again. The person is locked, so that links that are mailed at once count each other.
 *
 * A browser in which the person has signed in before has mails of its own: others cannot use them up. All such browsers
 * together are bounded too, and all others together count as one.
 */
export const claimMail = (
  database: Database,
  { id, email }: { id: number; email: string },
  most: { ofBrowser: number; ofKnownBrowsers: number } | null,
): Promise<boolean> =>
  database.kysely.transaction().execute(async (db) => {
    await sql`select from people where email = ${email} for no key update`.execute(db)
    const { rows } = await sql`
      update sign_in_links l set mailed_at = coalesce(l.mailed_at, foyer_now())
      where l.id = ${id} and (l.mailed_at is not null or ${most === null} or (
        select count(*) filter (where o.browser is not distinct from l.browser) < ${most?.ofBrowser ?? null}::bigint
          and (l.browser is null or count(o.browser) < ${most?.ofKnownBrowsers ?? null}::bigint)
        from sign_in_links o
        where o.email = l.email and o.purpose = l.purpose and o.mailed_at > foyer_now() - interval '1 hour'
      ))
      returning l.id`.execute(db)
    return rows.length > 0
  })

export interface UnusedLink {
  personId: number
  email: string
  name: string
  returnTo: string | null
}

const selectOpen = (digest: Buffer, purpose: LinkPurpose) => sql`
  select p.id as "personId", p.email, p.name, l.return_to as "returnTo"
  from sign_in_links l join people p on p.email = l.email
  where l.digest = ${digest} and l.purpose = ${purpose} and l.used_at is null and l.expires_at > foyer_now()`

export const findUnusedLink = async (
  rows: PeopleDb,
  digest: Buffer,
  purpose: LinkPurpose,
): Promise<UnusedLink | null> => {
  const found = await sql<UnusedLink>`${selectOpen(digest, purpose)}`.execute(rows.db)
  return found.rows[0] ?? null
}

/** Uses a link up; only the first who tries gets it. */
export const consumeLink = async (tx: PeopleTx, digest: Buffer, purpose: LinkPurpose): Promise<UnusedLink | null> => {
  const { rows } = await sql<UnusedLink>`
    with used as (
      update sign_in_links set used_at = foyer_now()
      where digest = ${digest} and purpose = ${purpose} and used_at is null and expires_at > foyer_now()
      returning email, return_to
    )
    select p.id as "personId", p.email, p.name, used.return_to as "returnTo"
    from used join people p on p.email = used.email`.execute(tx.db)
  return rows[0] ?? null
}

/** Comes before links and sessions: whoever else changes what the person signs in with waits here, and not halfway. */
export const lockPerson = async ({ db }: PeopleTx, personId: number): Promise<void> => {
  await sql`select from people where id = ${personId} for no key update`.execute(db)
}

/** Which password the person has now: only the directory knows. */
export const findPasswordVersion = async ({ db }: PeopleDb, personId: number): Promise<string> => {
  const { rows } = await sql<{ passwordDigest: string | null }>`
    select password_digest as "passwordDigest" from people where id = ${personId}`.execute(db)
  return passwordVersionOf(rows[0]?.passwordDigest ?? null)
}

export const recordPassword = async ({ db }: PeopleTx, personId: number, digest: string): Promise<void> => {
  await sql`update people set password_digest = ${digest} where id = ${personId}`.execute(db)
}

/** Other links of the person are worth nothing once the password is another. */
export const endLinksOfEmail = async ({ db }: PeopleTx, email: string): Promise<void> => {
  await sql`update sign_in_links set used_at = foyer_now() where email = ${email} and used_at is null`.execute(db)
}

/** Held before the credentials: whoever makes another key for the person waits here, or is waited for. */
export const lockMembershipsOfPerson = async ({ db }: PeopleTx, personId: number): Promise<void> => {
  await sql`
    select from memberships where person_id = ${personId} order by account_id, id for no key update`.execute(db)
}

export interface PersonalTokens {
  count: number
  /** The newest of them. */
  latest: { description: string; accountName: string; lastUsedAt: Date | null }[]
}

const LISTED_TOKENS_MAX = 50

/** The personal tokens that act as a person, in every account. */
export const findPersonalTokens = async ({ db }: PeopleDb, personId: number): Promise<PersonalTokens> => {
  const { rows } = await sql<PersonalTokens['latest'][number] & { count: number }>`
    select c.description, a.name as "accountName", c.last_used_at as "lastUsedAt", count(*) over () as count
    from memberships m
    join credentials c on c.account_id = m.account_id and c.membership_id = m.id
    join accounts a on a.id = m.account_id
    where m.person_id = ${personId} and m.deactivated_at is null and c.kind = 'personal_token'
      and c.revoked_at is null and c.membership_epoch = m.credential_epoch
    order by c.id desc limit ${LISTED_TOKENS_MAX}`.execute(db)
  return {
    count: rows[0]?.count ?? 0,
    latest: rows.map(({ description, accountName, lastUsedAt }) => ({ description, accountName, lastUsedAt })),
  }
}

/** Tells which tokens ended, account by account. */
export const endPersonalTokens = async (
  { db }: PeopleTx,
  personId: number,
): Promise<{ accountId: number; membershipId: number; tokenIds: number[] }[]> => {
  const { rows } = await sql<{ accountId: number; membershipId: number; tokenIds: number[] }>`
    with ending as (
      select c.account_id, c.id, m.id as membership_id from memberships m
      join credentials c on c.account_id = m.account_id and c.membership_id = m.id
      where m.person_id = ${personId} and c.kind = 'personal_token' and c.revoked_at is null
      order by c.account_id, c.id
      for no key update of c
    ), ended as (
      update credentials c set revoked_at = foyer_now()
      from ending where c.account_id = ending.account_id and c.id = ending.id
      returning c.account_id, ending.membership_id, c.id
    )
    select account_id as "accountId", membership_id as "membershipId", array_agg(id order by id) as "tokenIds"
    from ended group by account_id, membership_id order by account_id`.execute(db)
  return rows
}

/** Whether nobody has ended a session meanwhile. */
export const isSessionLive = async (
  { db }: PeopleDb,
  { accountId, id }: { accountId: number; id: number },
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from credentials where account_id = ${accountId} and id = ${id} and revoked_at is null`.execute(db)
  return rows.length > 0
}

export interface Session {
  id: number
  browser: string
  lastUsedAt: Date | null
  createdAt: Date
}

export const findSessions = async (
  { db }: PeopleDb,
  { accountId, membershipId }: { accountId: number; membershipId: number },
): Promise<Session[]> => {
  const { rows } = await sql<Session>`
    select c.id, c.description as browser, c.last_used_at as "lastUsedAt", c.created_at as "createdAt"
    from credentials c
    join memberships m on m.account_id = c.account_id and m.id = c.membership_id
    where c.account_id = ${accountId} and c.membership_id = ${membershipId} and c.kind = 'session'
      and c.revoked_at is null and c.expires_at > foyer_now() and c.membership_epoch = m.credential_epoch
    order by c.id desc`.execute(db)
  return rows
}

export const endOwnSession = async (
  { db }: PeopleTx,
  { accountId, membershipId }: { accountId: number; membershipId: number },
  id: number,
): Promise<void> => {
  await sql`
    update credentials set revoked_at = foyer_now()
    where account_id = ${accountId} and membership_id = ${membershipId} and id = ${id} and kind = 'session'
      and revoked_at is null`.execute(db)
}

/** What a member works on, as their own page shows it: the next events first. */
export const findEventsOfMember = async (
  { db }: PeopleDb,
  { accountId, membershipId, isAssigned }: { accountId: number; membershipId: number; isAssigned: boolean },
): Promise<{ title: string; startsAt: Date }[]> => {
  const { rows } = await sql<{ title: string; startsAt: Date }>`
    select e.title, e.starts_at as "startsAt" from events e
    where e.account_id = ${accountId} and e.archived_at is null and e.ends_at > foyer_now()
      and (not ${isAssigned} or exists (
        select 1 from assignments s
        where s.account_id = e.account_id and s.membership_id = ${membershipId} and s.event_id = e.id
      ))
    order by e.starts_at, e.id limit 20`.execute(db)
  return rows
}

/** Links are kept for the hour in which they count, and a day for whoever asks what happened. */
export const deleteOldLinks = async (database: Database): Promise<void> => {
  await sql`delete from sign_in_links where expires_at < foyer_now() - interval '1 day'`.execute(database.kysely)
  await sql`delete from passkey_challenges where expires_at < foyer_now()`.execute(database.kysely)
}

/**
 * Sessions that ended, by themselves or by someone, are kept a day for whoever asks what happened; the audit log
 * remembers them in its own words. Rows are locked in the order of their IDs, as everywhere; what somebody holds waits
 * for the next night. Tells how many there were.
 */
export const deleteOldSessions = async (database: Database, most: number): Promise<number> => {
  const { rows } = await sql`
    with old as (
      select account_id, id from credentials
      where kind = 'session' and least(expires_at, revoked_at) < foyer_now() - interval '1 day'
      order by account_id, id limit ${most}
      for update skip locked
    )
    delete from credentials c using old
    where c.account_id = old.account_id and c.id = old.id
    returning c.id`.execute(database.kysely)
  return rows.length
}
