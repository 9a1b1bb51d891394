import { sql } from 'kysely'
import type { Tx } from '../../access/scopes.ts'
import type { PlaceSnapshot } from '../../admissions/rules.ts'
import { releaseCtes } from '../../inventory/releases/records.ts'

/** Where an admission goes to within its new ticket; to no place where the ticket knows none. */
export interface MovedAdmission {
  id: number
  placeId: number | null
  label: string | null
  snapshot: PlaceSnapshot | null
}

interface NewTicket {
  ticketId: number
  ticketTitle: string
  areaId: number | null
}

/** Moves live admissions to a ticket that is claimed for them, and gives back what they held. */
export const moveAdmissions = async (
  tx: Tx,
  eventId: number,
  admissions: readonly MovedAdmission[],
  { ticketId, ticketTitle, areaId }: NewTicket,
): Promise<void> => {
  await sql`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(admissions)}::json)
        as given (id bigint, "placeId" bigint, label text, snapshot jsonb)
    ),
    held as materialized (
      select a.id, a.ticket_id, a.standing_area_id, a.place_id, 1 as quantity from given
      join admissions a on a.account_id = ${tx.accountId} and a.event_id = ${eventId} and a.id = given.id
      where a.status = 'active' and a.redeemed_at is null
    ),
    moved as (
      update admissions a
      set ticket_id = ${ticketId}, ticket_title = ${ticketTitle}, standing_area_id = ${areaId}, place_id = given."placeId",
        place_label = given.label, place_snapshot = given.snapshot
      from held join given on given.id = held.id where a.account_id = ${tx.accountId} and a.id = held.id
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

/**
 * Locks the places that are left and taken, in the order of their IDs: whoever exchanges seats locks two of them in that
 * order and no event before. Says which of them are not free.
 */
export const lockPlacesToMove = async (tx: Tx, eventId: number, placeIds: readonly number[]): Promise<Set<number>> => {
  const { rows } = await sql<{ id: number; isFree: boolean }>`
    select p.id, p.claimed_until is null and p.blocked_at is null as "isFree" from places p
    where p.account_id = ${tx.accountId} and p.event_id = ${eventId} and p.id = any (${placeIds}::bigint[])
    order by p.id for no key update`.execute(tx.db)
  return new Set(rows.filter(({ isFree }) => !isFree).map(({ id }) => id))
}
