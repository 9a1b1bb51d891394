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

/**
 * Several checkouts, each with all that it holds, by ID: they are served as a whole or not at all. `mine` are the holds of
 * those that have not ended, and `whole (n)` the checkouts that hold all of theirs.
 */
const heldCtes = ({ accountId }: Rows, checkouts: readonly (readonly number[])[]) => {
  const held = checkouts.flatMap((ids, n) => ids.map((id) => ({ n, id })))
  return sql`
    given as materialized (
      select n, id from unnest(${held.map(({ n }) => n)}::int[], ${held.map(({ id }) => id)}::bigint[]) as given (n, id)
    ),
    mine as materialized (
      select h.id, h.event_id, given.n from given join holds h on h.account_id = ${accountId} and h.id = given.id
      where h.expires_at > foyer_now()
      order by h.id for update of h
    ),
    whole as materialized (
      select n from given group by n having count(*) = (select count(*) from mine where mine.n = given.n)
    ),
    seats as materialized (
      select p.id from whole join mine using (n)
      join held_places k on k.account_id = ${accountId} and k.event_id = mine.event_id and k.hold_id = mine.id
      join places p on p.account_id = ${accountId} and p.id = k.place_id
      order by p.id for no key update of p
    )`
}

/** Moves the end of what checkouts hold, and tells of each whether it held all of it still. Their places are claimed as long. */
export const setExpiryOfHolds = async (
  rows: Rows,
  checkouts: readonly (readonly number[])[],
  until: Date,
): Promise<boolean[]> => {
  const statement = sql<{ n: number }>`
    with ${heldCtes(rows, checkouts)},
    moved as (
      update holds h set expires_at = ${until.toISOString()}::timestamptz from whole join mine using (n)
      where h.account_id = ${rows.accountId} and h.id = mine.id
    ),
    moved_seats as (
      update places p set claimed_until = ${until.toISOString()}::timestamptz from seats
      where p.account_id = ${rows.accountId} and p.id = seats.id
    )
    -- taken as not null: n (whoever is given has a number)
    select n from whole`
  return areAmong(checkouts, await runPrepared(rows.db, 'move-end-of-holds', statement))
}

/**
 * Turns what checkouts hold into claims that last: the caller writes the admissions that stand for them. What is
 * counted as taken stays as it is, so that nobody waits for the event. Tells of each whether it held all of it still.
 */
export const turnHoldsIntoClaims = async (
  rows: Rows,
  checkouts: readonly (readonly number[])[],
): Promise<boolean[]> => {
  const statement = sql<{ n: number }>`
    with ${heldCtes(rows, checkouts)},
    kept_seats as (
      update places p set claimed_until = 'infinity' from seats
      where p.account_id = ${rows.accountId} and p.id = seats.id
    ),
    gone as (
      delete from holds h using whole join mine using (n) where h.account_id = ${rows.accountId} and h.id = mine.id
        and (select count(*) from seats) >= 0
    )
    -- taken as not null: n (whoever is given has a number)
    select n from whole`
  return areAmong(checkouts, await runPrepared(rows.db, 'turn-holds-into-claims', statement))
}

/** Who holds nothing has lost nothing. */
const areAmong = (checkouts: readonly (readonly number[])[], whole: readonly { n: number }[]): boolean[] => {
  const kept = new Set(whole.map(({ n }) => n))
  return checkouts.map((ids, n) => ids.length === 0 || kept.has(n))
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
