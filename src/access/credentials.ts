import { sql } from 'kysely'
import type { Permission } from './callers.ts'
import { claimKeys } from './directory-keys.ts'
import type { Tx } from './scopes.ts'
import { type CredentialKind, digestOf } from './tokens.ts'

export interface NewCredential {
  kind: CredentialKind
  permission: Permission
  description: string
  token: string
  /** The member it acts as, at the epoch of now: it dies when the member's role changes. */
  membership: { id: number; epoch: number } | null
  revokedAt: Date | null
}

/**
 * Stores credentials, of their tokens only the digests. Tells the positions of those whose token someone
 * else uses already; they cannot work, so the caller has to give up its transaction.
 */
export const insertCredentials = async (tx: Tx, credentials: NewCredential[]): Promise<{ taken: number[] }> => {
  if (credentials.length === 0) return { taken: [] }

  const { rows } = await sql<{ n: number }>`
    with wanted as materialized (
      select nextval(pg_get_serial_sequence('credentials', 'id')) as id, given.*
      from unnest(
        ${credentials.map((each) => each.kind)}::text[],
        ${credentials.map((each) => each.permission)}::text[],
        ${credentials.map((each) => each.description)}::text[],
        ${credentials.map((each) => each.membership?.id ?? null)}::bigint[],
        ${credentials.map((each) => each.membership?.epoch ?? null)}::integer[],
        ${credentials.map((each) => each.revokedAt)}::timestamptz[],
        ${credentials.map((each) => digestOf(each.token))}::bytea[]
      ) with ordinality as given (kind, permission, description, membership_id, membership_epoch, revoked_at, digest, n)
    ), issued as (
      insert into credentials
        (account_id, id, kind, permission, description, membership_id, membership_epoch, revoked_at)
      select ${tx.accountId}, id, kind, permission, description, membership_id, membership_epoch, revoked_at from wanted
    ), known as (
      insert into credential_digests (digest, account_id, credential_id)
      select digest, ${tx.accountId}, id from wanted order by digest, n
      on conflict (digest) do nothing
      returning credential_id
    )
    select n::int as n from wanted where id not in (select credential_id from known) order by n`.execute(tx.db)
  const digests = credentials.map((each) => digestOf(each.token))
  const elsewhere = await claimKeys(tx, 'credential', digests)
  return { taken: [...new Set([...rows.map(({ n }) => n - 1), ...elsewhere])].toSorted((a, b) => a - b) }
}
