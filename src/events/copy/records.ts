import { type RawBuilder, sql } from 'kysely'
import type { Tx } from '../../access/scopes.ts'
import { type FieldList, columnsOf } from '../../definitions/define.ts'
import { drawIds } from '../../loading/records.ts'
import { placeDefinition, questionDefinition, standingAreaDefinition, ticketDefinition } from '../definitions.ts'

type CopiedTable = 'tickets' | 'standing_areas' | 'questions' | 'places'

interface CopiedRows {
  /** Rows of the original as `source`, joined with what their copies name. */
  from: RawBuilder<unknown>
  /** What a copy has in place of the original's. */
  instead?: Record<string, RawBuilder<unknown>>
}

/** Copies what the definition knows of, so that a new field is copied too; counters and claims begin anew. */
const copyRows = (
  tx: Tx,
  table: CopiedTable,
  definition: FieldList,
  toEventId: number,
  { from, instead = {} }: CopiedRows,
) => {
  const copied: Record<string, RawBuilder<unknown>> = {
    account_id: sql`${tx.accountId}::bigint`,
    event_id: sql`${toEventId}::bigint`,
    position: sql`source.position`,
    ...Object.fromEntries(columnsOf(definition).map((column) => [column, sql.ref(`source.${column}`)])),
    ...instead,
  }
  const columns = sql.join(Object.keys(copied).map((column) => sql.ref(column)))
  return sql`
    insert into ${sql.table(table)} (${columns})
    select ${sql.join(Object.values(copied))} from ${from} order by source.position, source.id`.execute(tx.db)
}

/**
 * Everything that people are sold and asked at an event, with nobody's claims on it. Whatever names something else of
 * the event names what has the same key at the copy. Each is one statement, however many rows it copies.
 */
export const copyParts = async (tx: Tx, fromEventId: number, toEventId: number): Promise<void> => {
  const { accountId } = tx
  const original = (table: CopiedTable, isKept: RawBuilder<unknown>) =>
    sql`(select * from ${sql.table(table)} where account_id = ${accountId} and event_id = ${fromEventId} and ${isKept}) source`
  const notArchived = sql`archived_at is null`

  await copyRows(tx, 'tickets', ticketDefinition, toEventId, { from: original('tickets', notArchived) })
  await sql`
    insert into ticket_access_codes (account_id, event_id, ticket_id, code)
    select copy.account_id, copy.event_id, copy.id, code.code
    from ticket_access_codes code
    join tickets source on source.account_id = code.account_id and source.id = code.ticket_id
    join tickets copy on copy.account_id = source.account_id and copy.event_id = ${toEventId} and copy.key = source.key
    where code.account_id = ${accountId} and code.event_id = ${fromEventId}`.execute(tx.db)

  await copyRows(tx, 'standing_areas', standingAreaDefinition, toEventId, {
    from: original('standing_areas', sql`true`),
  })
  await sql`
    insert into standing_area_tickets (account_id, event_id, standing_area_id, ticket_id)
    select area.account_id, area.event_id, area.id, ticket.id
    from standing_area_tickets opening
    join standing_areas source on source.account_id = opening.account_id and source.id = opening.standing_area_id
    join tickets opener on opener.account_id = opening.account_id and opener.id = opening.ticket_id
    join standing_areas area
      on area.account_id = opening.account_id and area.event_id = ${toEventId} and area.key = source.key
    join tickets ticket
      on ticket.account_id = opening.account_id and ticket.event_id = ${toEventId} and ticket.key = opener.key
    where opening.account_id = ${accountId} and opening.event_id = ${fromEventId}`.execute(tx.db)

  await copyRows(tx, 'questions', questionDefinition, toEventId, { from: original('questions', notArchived) })
  await copyPlaces(tx, fromEventId, toEventId)
}

/** IDs are drawn first, so that pairs name each other from the beginning. */
const copyPlaces = async (tx: Tx, fromEventId: number, toEventId: number): Promise<void> => {
  const { rows: places } = await sql<{ id: number; pairId: number | null }>`
    select id, pair_place_id as "pairId" from places
    where account_id = ${tx.accountId} and event_id = ${fromEventId} order by position, id`.execute(tx.db)
  const ids = await drawIds(tx, 'places', places.length)
  const copies = new Map(places.map(({ id }, n) => [id, ids[n]!]))
  const pairs = places.map(({ pairId }) => (pairId === null ? null : copies.get(pairId)))

  await copyRows(tx, 'places', placeDefinition, toEventId, {
    from: sql`
      unnest(${[...copies.keys()]}::bigint[], ${ids}::bigint[], ${pairs}::bigint[]) as drawn (id, copy_id, copied_pair_id)
      join places source on source.account_id = ${tx.accountId} and source.id = drawn.id
      join tickets original on original.account_id = ${tx.accountId} and original.id = source.ticket_id
      join tickets ticket
        on ticket.account_id = ${tx.accountId} and ticket.event_id = ${toEventId} and ticket.key = original.key`,
    instead: { id: sql`drawn.copy_id`, ticket_id: sql`ticket.id`, pair_place_id: sql`drawn.copied_pair_id` },
  })
}
