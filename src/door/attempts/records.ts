import { sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../../access/scopes.ts'
import { useGenericPlans } from '../../database/prepared.ts'
import { withinReach } from '../records.ts'

/** One device's batches come one after the other, also when the same one is sent twice at once. */
export const lockAttemptsOf = async (tx: Tx, credentialId: number) => {
  await useGenericPlans(tx.db)
  await sql`select lock_attempts_of(${credentialId})`.execute(tx.db)
}

/** Comes back when the device is not syncing; by then it may be syncing again. */
export const waitForAttemptsOf = async ({ db }: Rows, credentialId: number) => {
  await sql`select wait_for_attempts_of(${credentialId})`.execute(db)
}

/** The events of these slugs that the caller may see. */
export const findEventIds = async (scope: CallerScope, slugs: readonly string[]): Promise<Map<string, number>> => {
  const { accountId, db } = scope.rows
  const { rows } = await sql<{ id: number; slug: string }>`
    select e.id, e.slug from events e
    where e.account_id = ${accountId} and e.slug = any (${slugs}::text[]) and ${withinReach(scope, sql`e.id`)}
  `.execute(db)
  return new Map(rows.map(({ slug, id }) => [slug, id]))
}
