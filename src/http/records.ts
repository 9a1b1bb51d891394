import { sql } from 'kysely'
import type { Tx } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import { requireFound } from '../kernel/refusals.ts'

export interface IdempotencyKey {
  credentialId: number
  method: string
  path: string
  key: string
}

export interface StoredAnswer {
  fingerprint: Buffer
  status: number
  body: Buffer
  location: string | null
}

/**
 * Takes the key for this transaction, or tells that another one is at it. Its holder sees what the key
 * already stands for, if anything.
 */
export const claimIdempotencyKey = async (
  tx: Tx,
  key: IdempotencyKey,
): Promise<{ taken: boolean; remembered: StoredAnswer | null }> => {
  const name = JSON.stringify([tx.accountId, key.credentialId, key.method, key.path, key.key])
  const lock = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${name}, 0)) as taken`.execute(tx.db)
  if (!requireFound(lock.rows[0]).taken) return { taken: false, remembered: null }

  const { rows } = await sql<StoredAnswer>`
    select fingerprint, status, body, location from idempotency_keys
    where account_id = ${tx.accountId} and credential_id = ${key.credentialId}
      and method = ${key.method} and path = ${key.path} and key = ${key.key}
      and expires_at > foyer_now()`.execute(tx.db)
  return { taken: true, remembered: rows[0] ?? null }
}

export const storeAnswer = async (tx: Tx, key: IdempotencyKey, answer: StoredAnswer): Promise<void> => {
  await sql`
    insert into idempotency_keys
      (account_id, credential_id, method, path, key, fingerprint, status, body, location, expires_at)
    values (${tx.accountId}, ${key.credentialId}, ${key.method}, ${key.path}, ${key.key}, ${answer.fingerprint},
      ${answer.status}, ${answer.body}, ${answer.location}, foyer_now() + interval '24 hours')
    on conflict (account_id, credential_id, method, path, key) do update set
      fingerprint = excluded.fingerprint, status = excluded.status, body = excluded.body,
      location = excluded.location, created_at = foyer_now(), expires_at = excluded.expires_at`.execute(tx.db)
}

export const deleteExpiredKeys = async (database: Database): Promise<void> => {
  await sql`delete from idempotency_keys where expires_at <= foyer_now()`.execute(database.kysely)
}
