import { sql } from 'kysely'
import type { Role } from '../access/callers.ts'
import { IS_LIVE_CREDENTIAL } from '../access/directory.ts'
import type { Rows, Tx } from '../access/scopes.ts'
import type { Member } from './rules.ts'

const selectMembers = ({ accountId }: Rows) => sql<Member>`
  select m.id, m.role, m.deactivated_at as "deactivatedAt", m.created_at as "createdAt",
    p.id as "personId", p.name, p.email,
    array(
      select s.event_id from assignments s
      where s.account_id = m.account_id and s.membership_id = m.id order by s.event_id
    ) as "eventIds"
  from memberships m join people p on p.id = m.person_id
  where m.account_id = ${accountId}`

export const findMembers = async (rows: Rows): Promise<Member[]> => {
  const found = await sql<Member>`${selectMembers(rows)} order by lower(p.name), m.id`.execute(rows.db)
  return found.rows
}

export const findMember = async (rows: Rows, id: number): Promise<Member | undefined> => {
  const found = await sql<Member>`${selectMembers(rows)} and m.id = ${id}`.execute(rows.db)
  return found.rows[0]
}

/**
 * Changes of the team come one after the other. Two statements: what the second one reads includes what the holder
 * of the lock has committed meanwhile.
 */
export const lockTeam = async (tx: Tx): Promise<void> => {
  await sql`select 1 from accounts where id = ${tx.accountId} for no key update`.execute(tx.db)
}

export const countActiveOwners = async (rows: Rows): Promise<number> => {
  const found = await sql<{ count: number }>`
    select count(*) as count from memberships
    where account_id = ${rows.accountId} and role = 'owner' and deactivated_at is null`.execute(rows.db)
  return found.rows[0]!.count
}

/** Which of these events are the account's. */
export const filterEventsOfAccount = async (rows: Rows, ids: number[]): Promise<Set<number>> => {
  if (ids.length === 0) return new Set()
  const found = await sql<{ id: number }>`
    select id from events where account_id = ${rows.accountId} and id = any(${ids}::bigint[])`.execute(rows.db)
  return new Set(found.rows.map(({ id }) => id))
}

/** A new role ends every credential that was issued for the old one; the same role again ends none. */
export const recordRole = async (tx: Tx, id: number, role: Role, eventIds: number[]): Promise<void> => {
  await sql`
    update memberships set role = ${role}, credential_epoch = credential_epoch + (role <> ${role})::int
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
  await revokeStaleCredentials(tx, id)
  await sql`
    delete from assignments
    where account_id = ${tx.accountId} and membership_id = ${id} and event_id <> all(${eventIds}::bigint[])`.execute(
    tx.db,
  )
  await insertMissingAssignments(tx, id, eventIds)
}

export const insertMissingAssignments = async (tx: Tx, id: number, eventIds: number[]): Promise<void> => {
  if (eventIds.length === 0) return
  await sql`
    insert into assignments (account_id, membership_id, event_id)
    select ${tx.accountId}, ${id}, event_id from unnest(${eventIds}::bigint[]) as event_id
    on conflict do nothing`.execute(tx.db)
}

export const recordDeactivation = async (tx: Tx, id: number): Promise<void> => {
  await sql`
    update memberships set deactivated_at = foyer_now(), credential_epoch = credential_epoch + 1
    where account_id = ${tx.accountId} and id = ${id} and deactivated_at is null`.execute(tx.db)
  await revokeStaleCredentials(tx, id)
}

/**
 * The epoch alone ends them; the lists of tokens and sessions tell since when. Rows are locked in the order of their
 * IDs, as by whoever writes down when credentials were used.
 */
const revokeStaleCredentials = async (tx: Tx, id: number): Promise<void> => {
  await sql`
    with stale as (
      select c.account_id, c.id from memberships m
      join credentials c on c.account_id = m.account_id and c.membership_id = m.id
      where m.account_id = ${tx.accountId} and m.id = ${id}
        and c.membership_epoch <> m.credential_epoch and c.revoked_at is null
      order by c.id
      for no key update of c
    )
    update credentials c set revoked_at = foyer_now()
    from stale where c.account_id = stale.account_id and c.id = stale.id`.execute(tx.db)
}

/** With the same role and assignments, and without the old credentials: their epoch is over. */
export const recordReactivation = async (tx: Tx, id: number): Promise<void> => {
  await sql`
    update memberships set deactivated_at = null
    where account_id = ${tx.accountId} and id = ${id} and deactivated_at is not null`.execute(tx.db)
}

/**
 * The credential that asks, held as it is until the transaction ends: a key that was taken back a moment ago, or
 * whose member was, changes nothing any more. The member is locked before the credential, as by whoever ends both.
 */
export const lockCaller = async (tx: Tx, credentialId: number): Promise<{ epoch: number | null } | undefined> => {
  await sql`
    select 1 from memberships where account_id = ${tx.accountId} and id = (
      select membership_id from credentials where account_id = ${tx.accountId} and id = ${credentialId}
    ) for share`.execute(tx.db)
  const { rows } = await sql<{ epoch: number | null }>`
    select c.membership_epoch as epoch from credentials c
    left join memberships m on m.account_id = c.account_id and m.id = c.membership_id
    where c.account_id = ${tx.accountId} and c.id = ${credentialId} and ${sql.raw(IS_LIVE_CREDENTIAL)}
    for share of c`.execute(tx.db)
  return rows[0]
}
