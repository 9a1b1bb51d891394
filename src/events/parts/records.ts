import { sql } from 'kysely'
import type { Tx } from '../../access/scopes.ts'

/** What changes within an event changes the event. */
export const touchEvent = async (tx: Tx, eventId: number): Promise<void> => {
  await sql`
    update events set updated_at = foyer_now() where account_id = ${tx.accountId} and id = ${eventId}`.execute(tx.db)
}

/** Things of an event that have an order of their own. */
export type OrderedTable = 'tickets' | 'standing_areas' | 'questions'

const ofEvent = (tx: Tx, table: OrderedTable, eventId: number) =>
  tx.db.selectFrom(table).where('account_id', '=', tx.accountId).where('event_id', '=', eventId)

/** The keys that are taken, and where the next thing goes. */
export const findTakenKeysAndNextPosition = async (
  tx: Tx,
  table: OrderedTable,
  eventId: number,
): Promise<{ keys: Set<string>; next: number }> => {
  const rows = await ofEvent(tx, table, eventId).select(['key', 'position']).execute()
  return {
    keys: new Set(rows.map(({ key }) => key)),
    next: rows.reduce((most, { position }) => Math.max(most, position + 1), 0),
  }
}

/** Rows count from 0. The others close up and make room; a position past the end is the end. */
export const movePart = async (tx: Tx, table: OrderedTable, eventId: number, id: number, position: number) => {
  const rows = await ofEvent(tx, table, eventId).select(['id', 'position']).orderBy('position').orderBy('id').execute()
  const others = rows.filter((row) => row.id !== id)
  const at = Math.max(0, Math.min(position, others.length))
  const ordered = [...others.slice(0, at), ...rows.filter((row) => row.id === id), ...others.slice(at)]
  await renumber(tx, table, ordered)
}

/** Closes the gaps that deleted things have left. */
export const renumberPositions = async (tx: Tx, table: OrderedTable, eventId: number): Promise<void> => {
  const rows = await ofEvent(tx, table, eventId).select(['id', 'position']).orderBy('position').orderBy('id').execute()
  await renumber(tx, table, rows)
}

const renumber = async (tx: Tx, table: OrderedTable, ordered: readonly { id: number; position: number }[]) => {
  const moved = ordered.flatMap(({ id, position }, n) => (position === n ? [] : [{ id, position: n }]))
  if (moved.length === 0) return
  await sql`
    update ${sql.table(table)} thing set position = given.position
    from json_to_recordset(${JSON.stringify(moved)}::json) as given (id bigint, position int)
    where thing.account_id = ${tx.accountId} and thing.id = given.id`.execute(tx.db)
}

export const deletePart = async (tx: Tx, table: OrderedTable, eventId: number, id: number): Promise<void> => {
  await tx.db.deleteFrom(table).where('account_id', '=', tx.accountId).where('id', '=', id).execute()
  await renumberPositions(tx, table, eventId)
}
