import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { StandingAreas } from '../../database/table-types.ts'
import { insertRows } from '../../loading/records.ts'
import { standingAreaDefinition } from '../definitions.ts'
import { type StoredEventPart, storedPartOf } from '../parts/part.ts'

export interface StandingArea extends StoredEventPart<typeof standingAreaDefinition, AreaRow> {
  claimedCount: number
}

type AreaRow = Selectable<StandingAreas> & { ticket_ids: number[]; expired_count: number }

const areaOf = (row: AreaRow): StandingArea => ({
  ...storedPartOf(standingAreaDefinition, row),
  claimedCount: row.claimed_count - row.expired_count,
})

/** A hold whose time is over claims nothing any more, though its row is still there. */
const areasWhere = ({ accountId }: Rows, eventId: number, condition: RawBuilder<unknown>) => sql<AreaRow>`
  select a.*,
    array(
      select o.ticket_id from standing_area_tickets o
      join tickets t on t.account_id = o.account_id and t.id = o.ticket_id
      where o.account_id = a.account_id and o.standing_area_id = a.id
      order by t.position, t.id
    ) as ticket_ids,
    (
      select coalesce(sum(h.quantity), 0)::int from holds h
      where h.account_id = a.account_id and h.event_id = a.event_id and h.standing_area_id = a.id
        and h.expires_at <= foyer_now()
    ) as expired_count
  from standing_areas a
  where a.account_id = ${accountId} and a.event_id = ${eventId} and ${condition}
  order by a.position, a.id`

export const findStandingAreas = async (rows: Rows, eventId: number): Promise<StandingArea[]> =>
  (await areasWhere(rows, eventId, sql`true`).execute(rows.db)).rows.map(areaOf)

export const findStandingArea = async (rows: Rows, eventId: number, id: number): Promise<StandingArea | null> => {
  const [row] = (await areasWhere(rows, eventId, sql`a.id = ${id}`).execute(rows.db)).rows
  return row ? areaOf(row) : null
}

/** The event is locked already; this keeps away who would begin to refer to the area. */
export const lockStandingArea = async (tx: Tx, eventId: number, id: number): Promise<StandingArea | null> => {
  await sql`
    select from standing_areas
    where account_id = ${tx.accountId} and event_id = ${eventId} and id = ${id} for update`.execute(tx.db)
  return findStandingArea(tx, eventId, id)
}

export const replaceTicketsOfArea = async (
  tx: Tx,
  eventId: number,
  areaId: number,
  ticketIds: readonly number[],
): Promise<void> => {
  await sql`
    delete from standing_area_tickets where account_id = ${tx.accountId} and standing_area_id = ${areaId}`.execute(
    tx.db,
  )
  const rows = ticketIds.map((ticketId) => ({
    event_id: eventId,
    standing_area_id: areaId,
    ticket_id: ticketId,
  }))
  await insertRows(tx, 'standing_area_tickets', rows)
}

/** By what an area is in use. */
export interface AreaUses {
  isIssued: boolean
  isHeld: boolean
  /** The tickets that signup links issue into it. */
  linkedTicketIds: number[]
}

export const findAreaUses = async (tx: Tx, eventId: number, areaId: number): Promise<AreaUses> => {
  const of = (alias: string) =>
    sql`${sql.ref(`${alias}.account_id`)} = ${tx.accountId} and ${sql.ref(`${alias}.event_id`)} = ${eventId}
      and ${sql.ref(`${alias}.standing_area_id`)} = ${areaId}`
  const { rows } = await sql<AreaUses>`
    select
      exists (select from admissions a where ${of('a')}) as "isIssued",
      exists (select from holds h where ${of('h')}) as "isHeld",
      array(select distinct l.ticket_id from signup_links l where ${of('l')}) as "linkedTicketIds"`.execute(tx.db)
  return rows[0]!
}
