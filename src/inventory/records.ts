import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Rows } from '../access/scopes.ts'
import type { Database } from '../database/database.ts'
import { runPrepared } from '../database/prepared.ts'
import type { Tables } from '../database/table-types.ts'
import { found } from '../kernel/refusals.ts'
import type { Shortage, Claim, TicketRemaining } from './rules.ts'

/**
 * The step of a statement that claims inventory: `claim_verdict (refused)` is its outcome, and whatever else the
 * statement does hangs on it. A refused claim leaves no trace.
 */
const claimStep = ({ accountId }: Rows, claim: Claim) => sql`
  claim_verdict as materialized (
    select claim_inventory(
      ${accountId}::bigint, ${claim.eventId}::bigint, ${claim.ticketId}::bigint, ${claim.quantity}::integer,
      ${claim.standingAreaId ?? null}::bigint, ${claim.placeIds ?? []}::bigint[],
      coalesce(${claim.until?.toISOString() ?? null}::timestamptz, 'infinity'), ${claim.takesHalfPairs ?? false}::boolean
    ) as refused
  )`

/**
 * The same for several claims of one event, which are the rows of a step `given (n, "ticketId", quantity,
 * "standingAreaId", "placeIds")`: they are served in the order of n, each for itself. `claim_verdicts (n, refused)` is
 * the outcome. The condition on a row of `given` is asked before its claim takes any lock.
 */
export const claimSteps = ({ accountId }: Rows, eventId: number, isAllowed: RawBuilder<unknown>) => sql`
  claim_verdicts as materialized (
    select given.n, case when ${isAllowed} then claim_inventory(${accountId}::bigint, ${eventId}::bigint, given."ticketId",
      given.quantity, given."standingAreaId", given."placeIds", 'infinity', false) else 'code_taken' end as refused
    from (select * from given order by n) given
  )`

export const claimInventory = async (rows: Rows, claim: Claim): Promise<Shortage | null> => {
  const result = await sql<{ refused: Shortage | null }>`
    with ${claimStep(rows, claim)}
    select refused from claim_verdict`.execute(rows.db)
  return found(result.rows[0]).refused
}

export const claimAndHold = async (rows: Rows, claim: Claim & { until: Date }): Promise<Shortage | null> => {
  const result = await sql<{ refused: Shortage | null }>`
    with ${claimStep(rows, claim)},
    made as (
      insert into holds (account_id, event_id, ticket_id, standing_area_id, quantity, expires_at)
      select ${rows.accountId}, ${claim.eventId}, ${claim.ticketId}, ${claim.standingAreaId ?? null}::bigint,
        ${claim.quantity}, ${claim.until.toISOString()}::timestamptz
      from claim_verdict where refused is null
      returning id
    ),
    kept as (
      insert into held_places (account_id, event_id, hold_id, place_id)
      select ${rows.accountId}, ${claim.eventId}, made.id, place_id
      from made, unnest(${claim.placeIds ?? []}::bigint[]) as place_id
    )
    select refused from claim_verdict`.execute(rows.db)
  return found(result.rows[0]).refused
}

/**
 * The steps of a statement that give inventory back, in the same order of locks. They follow a step
 * `gone (ticket_id, standing_area_id, quantity)`, whose rows are ending in this very statement and so cannot be
 * given back twice, and a step `gone_places (place_id)`. Counting the rows of a step makes the next one wait for it.
 */
export const releaseSteps = ({ accountId }: Rows, eventId: number) => {
  const account = sql`${accountId}::bigint`
  const event = sql`${eventId}::bigint`

  return sql`
    release_event as materialized (
      select total.quantity
      from (select coalesce(sum(quantity), 0)::int as quantity from gone) total, events e
      where total.quantity > 0 and e.account_id = ${account} and e.id = ${event}
      for no key update of e
    ),
    release_tickets as materialized (
      select t.id, part.quantity
      from release_event, (select ticket_id, sum(quantity)::int as quantity from gone group by ticket_id) part, tickets t
      where t.account_id = ${account} and t.event_id = ${event} and t.id = part.ticket_id
      order by t.id
      for no key update of t
    ),
    release_areas as materialized (
      select a.id, part.quantity
      from (select standing_area_id, sum(quantity)::int as quantity from gone group by standing_area_id) part, standing_areas a
      where (select count(*) from release_tickets) >= 0 and a.account_id = ${account} and a.event_id = ${event} and a.id = part.standing_area_id
      order by a.id
      for no key update of a
    ),
    release_places as materialized (
      select p.id
      from gone_places, places p
      where (select count(*) from release_tickets) >= 0 and (select count(*) from release_areas) >= 0
        and p.account_id = ${account} and p.event_id = ${event} and p.id = gone_places.place_id
      order by p.id
      for no key update of p
    ),
    release_of_event as (
      update events e set claimed_count = e.claimed_count - release_event.quantity from release_event
      where e.account_id = ${account} and e.id = ${event}
    ),
    release_of_tickets as (
      update tickets t set claimed_count = t.claimed_count - release_tickets.quantity from release_tickets
      where t.account_id = ${account} and t.id = release_tickets.id
    ),
    release_of_areas as (
      update standing_areas a set claimed_count = a.claimed_count - release_areas.quantity from release_areas
      where a.account_id = ${account} and a.id = release_areas.id
    ),
    release_of_places as (
      update places p set claimed_until = null from release_places
      where p.account_id = ${account} and p.id = release_places.id
    )`
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
    gone as (
      delete from holds h using first
      where h.account_id = ${rows.accountId} and h.event_id = first.id and h.expires_at <= foyer_now()
      returning h.id, h.ticket_id, h.standing_area_id, h.quantity
    ),
    gone_places as (
      select k.place_id from gone join held_places k
        on k.account_id = ${rows.accountId} and k.event_id = ${eventId} and k.hold_id = gone.id
    ),
    ${releaseSteps(rows, eventId)}
    select count(*)::int as count from gone`
  const [ended] = await runPrepared(rows.db, 'end-expired-holds', statement)
  return found(ended).count
}

export const findEventsWithExpiredHolds = async ({ kysely }: Database) => {
  const { rows } = await sql<{ accountId: number; eventId: number }>`
    select distinct account_id as "accountId", event_id as "eventId" from holds where expires_at <= foyer_now()`.execute(
    kysely,
  )
  return rows
}

/** Of all tickets of an event, as TicketRooms. A hold whose time is over counts no more, though its row is still there. */
export const roomsOf = ({ accountId }: Rows, eventId: number, listsPlaces: boolean) => sql<TicketRemaining>`
    with expired as materialized (
      select ticket_id, standing_area_id, quantity from holds
      where account_id = ${accountId} and event_id = ${eventId} and expires_at <= foyer_now()
    ),
    free as materialized (
      select id, ticket_id, key, label, position from places
      where account_id = ${accountId} and event_id = ${eventId} and blocked_at is null
        and (claimed_until is null or claimed_until <= foyer_now())
    ),
    areas as materialized (
      select o.ticket_id, a.id, a.name, a.position, a.capacity - a.blocked_count - a.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.standing_area_id = a.id) as room
      from standing_areas a
      join standing_area_tickets o on o.account_id = a.account_id and o.standing_area_id = a.id
      where a.account_id = ${accountId} and a.event_id = ${eventId} and a.closed_at is null
    )
    select t.id, t.title, t.kind, t.inventory_kind as "inventoryKind", t.hidden,
      e.capacity - e.claimed_count + (select coalesce(sum(quantity), 0)::int from expired) as "eventRoom",
      t.stock - t.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.ticket_id = t.id) as "stockRoom",
      coalesce((
        select json_agg(json_build_object('id', areas.id, 'name', areas.name, 'room', areas.room) order by areas.position, areas.id)
        from areas where areas.ticket_id = t.id and t.inventory_kind = 'standing'
      ), '[]') as areas,
      (select count(*)::int from free where free.ticket_id = t.id) as "freePlaceCount",
      coalesce((
        select json_agg(json_build_object('id', free.id, 'key', free.key, 'label', free.label) order by free.position, free.id)
        from free where free.ticket_id = t.id and t.inventory_kind = 'places' and ${listsPlaces}::boolean
      ), '[]') as places
    from events e join tickets t on t.account_id = e.account_id and t.event_id = e.id
    where e.account_id = ${accountId} and e.id = ${eventId} and t.archived_at is null
    order by t.position, t.id`

export const countRemaining = async (rows: Rows, eventId: number, listsPlaces: boolean): Promise<TicketRemaining[]> =>
  (await roomsOf(rows, eventId, listsPlaces).execute(rows.db)).rows

/**
 * The same for all tickets of several events, for whoever asks only whether little is left: the free places of a ticket
 * are counted no further than `most`, so that a full house of seats costs no more than a row of them.
 */
export const countRemainingOfEvents = async (
  { accountId, db }: Rows,
  eventIds: readonly number[],
  most: number,
): Promise<(TicketRemaining & { eventId: number })[]> => {
  const { rows } = await sql<TicketRemaining & { eventId: number }>`
    with expired as materialized (
      select event_id, ticket_id, standing_area_id, quantity from holds
      where account_id = ${accountId} and event_id = any (${eventIds}::bigint[]) and expires_at <= foyer_now()
    ),
    areas as materialized (
      select o.ticket_id, a.id, a.name, a.position, a.capacity - a.blocked_count - a.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.standing_area_id = a.id) as room
      from standing_areas a
      join standing_area_tickets o on o.account_id = a.account_id and o.standing_area_id = a.id
      where a.account_id = ${accountId} and a.event_id = any (${eventIds}::bigint[]) and a.closed_at is null
    )
    select e.id as "eventId", t.id, t.title, t.kind, t.inventory_kind as "inventoryKind", t.hidden,
      e.capacity - e.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.event_id = e.id) as "eventRoom",
      t.stock - t.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.ticket_id = t.id) as "stockRoom",
      coalesce((
        select json_agg(json_build_object('id', areas.id, 'name', areas.name, 'room', areas.room) order by areas.position, areas.id)
        from areas where areas.ticket_id = t.id and t.inventory_kind = 'standing'
      ), '[]') as areas,
      (
        select count(*)::int from (
          select from places p
          where t.inventory_kind = 'places' and p.account_id = ${accountId} and p.event_id = t.event_id and p.ticket_id = t.id
            and p.blocked_at is null and (p.claimed_until is null or p.claimed_until <= foyer_now())
          limit ${most}::int
        ) few
      ) as "freePlaceCount",
      '[]'::json as places
    from events e join tickets t on t.account_id = e.account_id and t.event_id = e.id
    where e.account_id = ${accountId} and e.id = any (${eventIds}::bigint[]) and t.archived_at is null
    order by e.id, t.position, t.id`.execute(db)
  return rows
}

export interface CounterDifference {
  accountId: number
  eventId: number
  what: Shortage
  id: number
  counted: string
  kept: string
}

/** Every counter against the rows it stands for: active admissions and holds. */
export const compareCounters = async (db: Kysely<Tables>, accountId: number | null): Promise<CounterDifference[]> => {
  const mine = (column: string) => sql`(${accountId}::bigint is null or ${sql.ref(column)} = ${accountId}::bigint)`
  const { rows } = await sql<CounterDifference>`
    with claims as materialized (
      select account_id, event_id, ticket_id, standing_area_id, place_id, 1 as quantity, 'infinity'::timestamptz as until
      from admissions where status = 'active' and ${mine('account_id')}
      union all
      select account_id, event_id, ticket_id, standing_area_id, null, quantity, expires_at from holds where ${mine('account_id')}
    ),
    taken as materialized (
      select account_id, event_id, place_id, until from claims where place_id is not null
      union all
      select k.account_id, k.event_id, k.place_id, h.expires_at
      from held_places k join holds h on h.account_id = k.account_id and h.id = k.hold_id where ${mine('k.account_id')}
    ),
    counters as (
      select e.account_id, e.id as event_id, 'event' as what, e.id, e.claimed_count as kept,
        (select coalesce(sum(quantity), 0) from claims c where c.account_id = e.account_id and c.event_id = e.id) as counted
      from events e where ${mine('e.account_id')}
      union all
      select t.account_id, t.event_id, 'ticket', t.id, t.claimed_count, coalesce(c.quantity, 0)
      from tickets t left join (
        select account_id, ticket_id, sum(quantity) as quantity from claims group by 1, 2
      ) c on c.account_id = t.account_id and c.ticket_id = t.id where ${mine('t.account_id')}
      union all
      select a.account_id, a.event_id, 'area', a.id, a.claimed_count, coalesce(c.quantity, 0)
      from standing_areas a left join (
        select account_id, standing_area_id, sum(quantity) as quantity from claims group by 1, 2
      ) c on c.account_id = a.account_id and c.standing_area_id = a.id where ${mine('a.account_id')}
    )
    select account_id as "accountId", event_id as "eventId", what, id, counted::text, kept::text
    from counters where counted <> kept
    union all
    select p.account_id, p.event_id, 'places', p.id, coalesce(taken.until::text, 'free'), coalesce(p.claimed_until::text, 'free')
    from places p left join taken on taken.account_id = p.account_id and taken.place_id = p.id
    where ${mine('p.account_id')} and taken.until is distinct from p.claimed_until
    order by 1, 2, 3, 4`.execute(db)
  return rows
}
