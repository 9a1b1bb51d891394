import { sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../../access/scopes.ts'
import { eventWithinReach } from '../records.ts'

/** One device's batches come one after the other, also when the same one is sent twice at once. */
export const lockAttemptsOfDevice = async (tx: Tx, credentialId: number) => {
  await sql`select lock_attempts_of(${credentialId})`.execute(tx.db)
}

/** Comes back when the device is not syncing; by then it may be syncing again. */
export const waitForSyncOfDevice = async ({ db }: Rows, credentialId: number) => {
  await sql`select wait_for_attempts_of(${credentialId})`.execute(db)
}

/** The events that have these slugs, or had them when the scans were made, as far as the caller may see them. */
export const findVisibleEventIds = async (
  scope: CallerScope,
  slugs: readonly string[],
): Promise<Map<string, number>> => {
  const { accountId, db } = scope.rows
  const { rows } = await sql<{ id: number; slug: string }>`
    select k.event_id as id, k.slug from event_slugs k
    where k.account_id = ${accountId} and k.slug = any (${slugs}::text[]) and ${eventWithinReach(scope, sql`k.event_id`)}
  `.execute(db)
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}

/** Scans of guests whom somebody else had let in, for a supervisor to see; also those that were told so online and unheard. */
export const recordConflicts = async (tx: Tx, credentialId: number, clientIds: readonly string[]) => {
  await sql`
    insert into sync_conflicts (account_id, attempt_id, event_id)
    select account_id, id, event_id from redemption_attempts
    where account_id = ${tx.accountId} and credential_id = ${credentialId} and client_id = any (${clientIds}::text[])
    order by id
    on conflict do nothing`.execute(tx.db)
}
