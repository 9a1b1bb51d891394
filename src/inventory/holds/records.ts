import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { Database } from '../../database/database.ts'
import { runPrepared } from '../../database/prepared.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { releaseCtes } from '../releases/records.ts'
import type { HoldOutcome, HoldRequest } from '../rules.ts'

/** For several buyers of one event, in their order: each gets all that it asks for until then, or nothing. */
export const tryInsertHolds = async (
  rows: Rows,
  eventId: number,
  requests: readonly HoldRequest[],
  until: Date,
): Promise<HoldOutcome[]> => {
  const given = requests.map((items) =>
    items.map(({ ticketId, quantity, stockQuantity, standingAreaId, placeIds, takesHalfPairs }) => ({
      ticket_id: ticketId,
      quantity,
      stock_quantity: stockQuantity ?? quantity,
      standing_area_id: standingAreaId ?? null,
      place_ids: placeIds ?? [],
      takes_half_pairs: takesHalfPairs ?? false,
    })),
  )
  const statement = sql<HoldOutcome>`
    select refused, refused_item as "refusedItem", hold_ids as "holdIds"
    from hold_inventory(${rows.accountId}::bigint, ${eventId}::bigint, ${JSON.stringify(given)}::jsonb,
      ${until.toISOString()}::timestamptz)
    -- taken as not null: holdIds (the function begins every row with an empty list)
    order by n`
  return runPrepared(rows.db, 'hold-inventory', statement)
}

/** Ends holds before their time, and gives back what they kept. */
export const endHolds = async (rows: Rows, eventId: number, ids: readonly number[]): Promise<number> => {
  const result = await sql<{ count: number }>`
    with first as materialized (
      select e.id from events e
      where e.account_id = ${rows.accountId}::bigint and e.id = ${eventId}::bigint for no key update
    ),
    ended as materialized (
      select h.id from holds h, first
      where h.account_id = ${rows.accountId} and h.event_id = first.id and h.id = any (${ids}::bigint[])
      order by h.id for update of h
    ),
    gone as (
      delete from holds h using ended where h.account_id = ${rows.accountId} and h.id = ended.id
      returning h.id, h.ticket_id, h.standing_area_id, h.quantity, h.stock_quantity
    ),
    gone_places as (
      select k.place_id from gone join held_places k
        on k.account_id = ${rows.accountId} and k.event_id = ${eventId} and k.hold_id = gone.id
    ),
    ${releaseCtes(rows, eventId)}
    select count(*)::int as count from gone`.execute(rows.db)
  return requireFound(result.rows[0]).count
}

/** Moves the end of holds that have not ended yet, and tells how many those are. Their places are claimed as long. */
export const setExpiryOfHolds = async (rows: Rows, ids: readonly number[], until: Date): Promise<number> => {
  const statement = sql<{ count: number }>`
    with mine as materialized (
      select h.id, h.event_id from holds h
      where h.account_id = ${rows.accountId} and h.id = any (${ids}::bigint[]) and h.expires_at > foyer_now()
      order by h.id for update
    ),
    moved as (
      update holds h set expires_at = ${until.toISOString()}::timestamptz from mine
      where h.account_id = ${rows.accountId} and h.id = mine.id
    ),
    seats as materialized (
      select p.id from mine
      join held_places k on k.account_id = ${rows.accountId} and k.event_id = mine.event_id and k.hold_id = mine.id
      join places p on p.account_id = ${rows.accountId} and p.id = k.place_id
      order by p.id for no key update of p
    ),
    moved_seats as (
      update places p set claimed_until = ${until.toISOString()}::timestamptz from seats
      where p.account_id = ${rows.accountId} and p.id = seats.id
    )
    select count(*)::int as count from mine`
  return requireFound((await runPrepared(rows.db, 'move-end-of-holds', statement))[0]).count
}

/**
 * Turns holds that have not ended into claims that last: the caller writes the admissions that stand for them. What is
 * counted as taken stays as it is, so that nobody waits for the event. Tells how many holds there were.
 */
export const turnHoldsIntoClaims = async (rows: Rows, ids: readonly number[]): Promise<number> => {
  const statement = sql<{ count: number }>`
    with mine as materialized (
      select h.id, h.event_id from holds h
      where h.account_id = ${rows.accountId} and h.id = any (${ids}::bigint[]) and h.expires_at > foyer_now()
      order by h.id for update
    ),
    seats as materialized (
      select p.id from mine
      join held_places k on k.account_id = ${rows.accountId} and k.event_id = mine.event_id and k.hold_id = mine.id
      join places p on p.account_id = ${rows.accountId} and p.id = k.place_id
      order by p.id for no key update of p
    ),
    kept_seats as (
      update places p set claimed_until = 'infinity' from seats
      where p.account_id = ${rows.accountId} and p.id = seats.id
    ),
    gone as (
      delete from holds h using mine where h.account_id = ${rows.accountId} and h.id = mine.id
        and (select count(*) from seats) >= 0
    )
    select count(*)::int as count from mine`
  return requireFound((await runPrepared(rows.db, 'turn-holds-into-claims', statement))[0]).count
}

/**
 * Ends the holds of an event whose time is over, and says how many. The event is locked before the holds, so that
 * whoever comes with the event already locked meets nobody who waits for it.
 */
export const endExpiredHolds = async (rows: Rows, eventId: number): Promise<number> => {
  const statement = sql<{ count: number }>`
    with first as materialized (
      select e.id from events e
      where e.account_id = ${rows.accountId}::bigint and e.id = ${eventId}::bigint for no key update
    ),
    ended as materialized (
      select h.id from holds h, first
      where h.account_id = ${rows.accountId} and h.event_id = first.id and h.expires_at <= foyer_now()
      order by h.id for update of h
    ),
    gone as (
      delete from holds h using ended where h.account_id = ${rows.accountId} and h.id = ended.id
      returning h.id, h.ticket_id, h.standing_area_id, h.quantity, h.stock_quantity
    ),
    gone_places as (
      select k.place_id from gone join held_places k
        on k.account_id = ${rows.accountId} and k.event_id = ${eventId} and k.hold_id = gone.id
    ),
    ${releaseCtes(rows, eventId)}
    select count(*)::int as count from gone`
  const [ended] = await runPrepared(rows.db, 'end-expired-holds', statement)
  return requireFound(ended).count
}

export const findEventsWithExpiredHolds = async ({ kysely }: Database) => {
  const { rows } = await sql<{ accountId: number; eventId: number }>`
    select distinct account_id as "accountId", event_id as "eventId" from holds where expires_at <= foyer_now()`.execute(
    kysely,
  )
  return rows
}
