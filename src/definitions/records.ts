import { type Kysely, sql } from 'kysely'
import type { Tx } from '../access/scopes.ts'
import type { Tables } from '../database/table-types.ts'
import { allocateIds, insertRows } from '../loading/records.ts'
import { type FieldList, toRow } from './define.ts'

type ThingTable = Parameters<typeof allocateIds>[1]

/** Inserts things by their definition, all with one statement; answers with their IDs, in the given order. */
export const insertThings = async <Thing extends object>(
  tx: Tx,
  table: ThingTable,
  definition: FieldList,
  things: readonly Thing[],
  {
    now,
    beside = () => ({}),
  }: { now: Date; beside?: (thing: Thing, n: number, ids: readonly number[]) => Record<string, unknown> },
): Promise<number[]> => {
  const ids = await allocateIds(tx, table, things.length)
  const rows = things.map((thing, n) => ({
    id: ids[n]!,
    ...toRow(definition, thing as Record<string, unknown>, now),
    ...beside(thing, n, ids),
  }))
  await insertRows(tx, table, rows as never)
  return ids
}

type VersionedTable = {
  [Name in ThingTable]: Tables[Name] extends { lock_version: unknown } ? Name : never
}[ThingTable]

/** Changes columns of a thing and counts the change. */
export const updateThing = async (
  tx: Tx,
  table: VersionedTable,
  id: number,
  columns: Readonly<Record<string, unknown>>,
): Promise<void> => {
  const db = tx.db as unknown as Kysely<{ thing: { account_id: number; id: number; lock_version: number } }>
  await db
    .updateTable(table as 'thing')
    .set((thing) => ({ ...columns, lock_version: thing('lock_version', '+', 1) }))
    .where('account_id', '=', tx.accountId)
    .where('id', '=', id)
    .execute()
}

/** The time of this transaction, which is what foyer_now() says throughout it. */
export const readTransactionTime = async (tx: Tx): Promise<Date> => {
  const { rows } = await sql<{ now: Date }>`select foyer_now() as now`.execute(tx.db)
  return rows[0]!.now
}
