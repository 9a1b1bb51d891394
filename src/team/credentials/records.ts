import { sql } from 'kysely'
import { claimKeys } from '../../access/directory-keys.ts'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { CredentialKind } from '../../access/tokens.ts'
import type { CredentialRow, HeartbeatRow, PairingRow } from './wire.ts'

/** Whose credentials: everybody's, or one member's. */
export interface CredentialFilter {
  kinds: CredentialKind[]
  membershipId: number | null
}

const selectCredentials = ({ accountId }: Rows, { kinds, membershipId }: CredentialFilter) => sql`
  select c.id, c.kind, c.permission, c.description, c.membership_id as "membershipId", p.name as "personName",
    c.last_used_at as "lastUsedAt", c.expires_at as "expiresAt", c.revoked_at as "revokedAt",
    c.created_at as "createdAt"
  from credentials c
  left join memberships m on m.account_id = c.account_id and m.id = c.membership_id
  left join people p on p.id = m.person_id
  where c.account_id = ${accountId} and c.kind = any(${kinds}::text[])
    and (${membershipId}::bigint is null or c.membership_id = ${membershipId}::bigint)`

/** Newest first, the revoked ones too: a list of keys is also about those that were taken back. */
export const findCredentials = async (rows: Rows, whose: CredentialFilter): Promise<CredentialRow[]> => {
  const found = await sql<CredentialRow>`
    ${selectCredentials(rows, whose)} order by c.id desc limit 1000`.execute(rows.db)
  return found.rows
}

/** What the devices of the account last said of themselves. */
export const findHeartbeats = async ({ accountId, db }: Rows): Promise<HeartbeatRow[]> => {
  const { rows } = await sql<HeartbeatRow>`
    select credential_id as "credentialId", seen_at as "seenAt", queue, snapshot_at as "snapshotAt",
      app_version as "appVersion"
    from device_heartbeats where account_id = ${accountId}`.execute(db)
  return rows
}

export const findLiveSessions = async (rows: Rows, membershipId: number | null): Promise<CredentialRow[]> => {
  const found = await sql<CredentialRow>`
    ${selectCredentials(rows, { kinds: ['session'], membershipId })}
      and c.revoked_at is null and c.expires_at > foyer_now() and m.credential_epoch = c.membership_epoch
    order by c.id desc limit 1000`.execute(rows.db)
  return found.rows
}

export const findCredential = async (
  rows: Rows,
  whose: CredentialFilter,
  id: number,
): Promise<CredentialRow | undefined> => {
  const found = await sql<CredentialRow>`${selectCredentials(rows, whose)} and c.id = ${id}`.execute(rows.db)
  return found.rows[0]
}

/** By its digest, because issuing credentials tells no IDs. */
export const findCredentialByDigest = async (tx: Tx, digest: Buffer): Promise<CredentialRow | undefined> => {
  const { rows } = await sql<{ id: number; kind: CredentialKind }>`
    select c.id, c.kind from credential_digests d
    join credentials c on c.account_id = d.account_id and c.id = d.credential_id
    where d.account_id = ${tx.accountId} and d.digest = ${digest}`.execute(tx.db)
  const issued = rows[0]
  return issued && findCredential(tx, { kinds: [issued.kind], membershipId: null }, issued.id)
}

/** False when there is nothing like it to revoke; what is revoked already stays as it was. */
export const recordRevocation = async (tx: Tx, whose: CredentialFilter, id: number): Promise<boolean> => {
  if (!(await findCredential(tx, whose, id))) return false
  await sql`
    update credentials set revoked_at = foyer_now()
    where account_id = ${tx.accountId} and id = ${id} and revoked_at is null`.execute(tx.db)
  return true
}

export const isDeviceNameTaken = async (rows: Rows, name: string): Promise<boolean> => {
  const found = await sql`
    select 1 from credentials
    where account_id = ${rows.accountId} and kind = 'scanner_device' and description = ${name}
      and revoked_at is null`.execute(rows.db)
  return found.rows.length > 0
}

/** NAME with the first number from this one on that no live device has. */
export const findFreeNumberedName = async (rows: Rows, name: string, from: number): Promise<string> => {
  const found = await sql<{ name: string }>`
    with taken as (
      select description from credentials
      where account_id = ${rows.accountId} and kind = 'scanner_device' and revoked_at is null
        and starts_with(description, ${name} || ' ')
    )
    select numbered.name
    from generate_series(${from}::bigint, ${from}::bigint + (select count(*) from taken)) as n,
      lateral (select concat(${name}::text, ' ', n) as name) numbered
    where numbered.name not in (select description from taken)
    order by n limit 1`.execute(rows.db)
  return found.rows[0]!.name
}

const PAIRING_MINUTES = 15

const PAIRING = sql`
  id, name, uses, used_count as "usedCount", expires_at as "expiresAt", used_at as "usedAt", credential_id as "credentialId"`

export const insertPairing = async (
  tx: Tx,
  { name, uses, digest }: { name: string; uses: number; digest: Buffer },
): Promise<PairingRow> => {
  await claimKeys(tx, 'pairing', [digest])
  const { rows } = await sql<PairingRow>`
    with pairing as (
      insert into device_pairings (account_id, name, uses, expires_at)
      values (${tx.accountId}, ${name}, ${uses}, foyer_now() + make_interval(mins => ${PAIRING_MINUTES}))
      returning *
    ), known as (
      insert into pairing_digests (digest, account_id, pairing_id) select ${digest}, account_id, id from pairing
    )
    select ${PAIRING} from pairing`.execute(tx.db)
  return rows[0]!
}

export const findPairingById = async (rows: Rows, id: number): Promise<PairingRow | undefined> => {
  const found = await sql<PairingRow>`
    select ${PAIRING} from device_pairings where account_id = ${rows.accountId} and id = ${id}`.execute(rows.db)
  return found.rows[0]
}

/** Held until the transaction ends: only one device at a time gets it. Undefined when it was used up or has run out. */
export const lockOpenPairing = async (tx: Tx, id: number): Promise<PairingRow | undefined> => {
  const { rows } = await sql<PairingRow>`
    select ${PAIRING} from device_pairings
    where account_id = ${tx.accountId} and id = ${id} and used_count < uses and expires_at > foyer_now()
    for update`.execute(tx.db)
  return rows[0]
}

export const recordPairingUse = async (tx: Tx, id: number, credentialId: number): Promise<void> => {
  await sql`
    update device_pairings set used_at = foyer_now(), used_count = used_count + 1, credential_id = ${credentialId}
    where account_id = ${tx.accountId} and id = ${id}`.execute(tx.db)
}

/** Those that a member has started and that could still be used: who did is in the log. Tells their IDs. */
export const endPairingsStartedBy = async (tx: Tx, membershipId: number): Promise<number[]> => {
  const { rows } = await sql<{ id: number }>`
    update device_pairings p set expires_at = foyer_now()
    where p.account_id = ${tx.accountId} and p.used_count < p.uses and p.expires_at > foyer_now() and p.id in (
      select (e.subject ->> 'pairing_id')::bigint from audit_entries e
      where e.account_id = ${tx.accountId} and e.membership_id = ${membershipId}
        and e.action = 'POST /admin/device_pairings'
        and e.created_at > foyer_now() - make_interval(mins => ${2 * PAIRING_MINUTES})
    )
    returning p.id`.execute(tx.db)
  return rows.map(({ id }) => id)
}
