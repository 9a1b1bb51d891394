import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Rows, Tx } from '../../access/scopes.ts'
import type { Tickets } from '../../database/table-types.ts'
import { insertRows } from '../../loading/records.ts'
import { ticketDefinition } from '../definitions.ts'
import { type StoredEventPart, storedPartOf } from '../parts/part.ts'

export interface Ticket extends StoredEventPart<typeof ticketDefinition, TicketRow> {
  claimedCount: number
}

type TicketRow = Selectable<Tickets> & { access_codes: string[]; expired_count: number }

const ticketOf = (row: TicketRow): Ticket => ({
  ...storedPartOf(ticketDefinition, row),
  claimedCount: row.claimed_count - row.expired_count,
})

/** A hold whose time is over claims nothing any more, though its row is still there. */
const ticketsWhere = ({ accountId }: Rows, eventId: number, condition: RawBuilder<unknown>) => sql<TicketRow>`
  select t.*,
    array(
      select code from ticket_access_codes c where c.account_id = t.account_id and c.ticket_id = t.id order by code
    ) as access_codes,
    (
      select coalesce(sum(h.stock_quantity), 0)::int from holds h
      where h.account_id = t.account_id and h.event_id = t.event_id and h.ticket_id = t.id
        and h.expires_at <= foyer_now()
    ) as expired_count
  from tickets t
  where t.account_id = ${accountId} and t.event_id = ${eventId} and t.archived_at is null and ${condition}
  order by t.position, t.id`

export const findTickets = async (rows: Rows, eventId: number): Promise<Ticket[]> =>
  (await ticketsWhere(rows, eventId, sql`true`).execute(rows.db)).rows.map(ticketOf)

export const findTicket = async (rows: Rows, eventId: number, id: number): Promise<Ticket | null> => {
  const [row] = (await ticketsWhere(rows, eventId, sql`t.id = ${id}`).execute(rows.db)).rows
  return row ? ticketOf(row) : null
}

/** The event is locked already; this keeps away who would begin to refer to the ticket. */
export const lockTicket = async (tx: Tx, eventId: number, id: number): Promise<Ticket | null> => {
  await sql`
    select from tickets where account_id = ${tx.accountId} and event_id = ${eventId} and id = ${id} for update`.execute(
    tx.db,
  )
  return findTicket(tx, eventId, id)
}

export const replaceAccessCodes = async (
  tx: Tx,
  eventId: number,
  ticketId: number,
  codes: readonly string[],
): Promise<void> => {
  await sql`
    delete from ticket_access_codes where account_id = ${tx.accountId} and ticket_id = ${ticketId}`.execute(tx.db)
  const rows = codes.map((code) => ({ event_id: eventId, ticket_id: ticketId, code }))
  await insertRows(tx, 'ticket_access_codes', rows)
}

/** By what a ticket is in use. */
export interface TicketUses {
  isIssued: boolean
  isHeld: boolean
  placeCount: number
  /** The names of the standing areas that it opens. */
  areas: string[]
  hasLinks: boolean
}

export const findTicketUses = async (tx: Tx, eventId: number, ticketId: number): Promise<TicketUses> => {
  const of = (alias: string) =>
    sql`${sql.ref(`${alias}.account_id`)} = ${tx.accountId} and ${sql.ref(`${alias}.event_id`)} = ${eventId}
      and ${sql.ref(`${alias}.ticket_id`)} = ${ticketId}`
  const { rows } = await sql<TicketUses>`
    select
      exists (select from admissions a where ${of('a')}) as "isIssued",
      exists (select from holds h where ${of('h')}) as "isHeld",
      (select count(*)::int from places p where ${of('p')}) as "placeCount",
      array(
        select s.name from standing_area_tickets o
        join standing_areas s on s.account_id = o.account_id and s.id = o.standing_area_id
        where ${of('o')} order by s.position, s.id
      ) as areas,
      exists (select from signup_links l where ${of('l')}) as "hasLinks"`.execute(tx.db)
  return rows[0]!
}
