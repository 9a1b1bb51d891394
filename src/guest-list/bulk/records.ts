import { sql } from 'kysely'
import type { Tx } from '../../access/scopes.ts'
import type { PlaceSnapshot } from '../../admissions/rules.ts'
import { releaseCtes } from '../../inventory/releases/records.ts'

interface NewTicket {
  ticketId: number
  ticketTitle: string
  areaId: number | null
  label: string | null
  snapshot: PlaceSnapshot | null
}

/** Moves the live admissions of these orders to a ticket that was claimed for them, and gives back what they held. */
export const moveAdmissions = async (
  tx: Tx,
  eventId: number,
  orderIds: readonly number[],
  { ticketId, ticketTitle, areaId, label, snapshot }: NewTicket,
): Promise<void> => {
  await sql`
    with held as materialized (
      select a.id, a.ticket_id, a.standing_area_id, a.place_id, 1 as quantity from admissions a
      where a.account_id = ${tx.accountId} and a.event_id = ${eventId} and a.order_id = any (${orderIds}::bigint[])
        and a.status = 'active' and a.redeemed_at is null
    ),
    moved as (
      update admissions a
      set ticket_id = ${ticketId}, ticket_title = ${ticketTitle}, standing_area_id = ${areaId}, place_id = null,
        place_label = ${label}, place_snapshot = ${snapshot && JSON.stringify(snapshot)}::jsonb
      from held where a.account_id = ${tx.accountId} and a.id = held.id
      returning a.id
    ),
    gone as (
      select held.ticket_id, held.standing_area_id, held.quantity, held.quantity as stock_quantity from held where held.ticket_id is not null
    ),
    gone_places as (
      select held.place_id from held where held.place_id is not null
    ),
    ${releaseCtes(tx, eventId)}
    select count(*)::int as count from moved`.execute(tx.db)
}
