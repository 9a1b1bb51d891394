import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { TicketRemaining } from '../rules.ts'

/** What remains of all tickets of an event. A hold whose time is over counts no more, though its row is still there. */
export const selectRemaining = ({ accountId }: Rows, eventId: number, listsPlaces: boolean) => sql<TicketRemaining>`
    with expired as materialized (
      select ticket_id, standing_area_id, quantity, stock_quantity from holds
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
    select t.id, t.title, t.kind, t.inventory_kind as "inventoryKind", t.hidden, coalesce(t.group_size, 1) as "groupSize",
      e.capacity - e.claimed_count + (select coalesce(sum(quantity), 0)::int from expired) as "eventRemaining",
      t.stock - t.claimed_count
        + (select coalesce(sum(stock_quantity), 0)::int from expired where expired.ticket_id = t.id) as "stockRemaining",
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
  (await selectRemaining(rows, eventId, listsPlaces).execute(rows.db)).rows

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
      select event_id, ticket_id, standing_area_id, quantity, stock_quantity from holds
      where account_id = ${accountId} and event_id = any (${eventIds}::bigint[]) and expires_at <= foyer_now()
    ),
    areas as materialized (
      select o.ticket_id, a.id, a.name, a.position, a.capacity - a.blocked_count - a.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.standing_area_id = a.id) as room
      from standing_areas a
      join standing_area_tickets o on o.account_id = a.account_id and o.standing_area_id = a.id
      where a.account_id = ${accountId} and a.event_id = any (${eventIds}::bigint[]) and a.closed_at is null
    )
    select e.id as "eventId", t.id, t.title, t.kind, t.inventory_kind as "inventoryKind", t.hidden, coalesce(t.group_size, 1) as "groupSize",
      e.capacity - e.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.event_id = e.id) as "eventRemaining",
      t.stock - t.claimed_count
        + (select coalesce(sum(stock_quantity), 0)::int from expired where expired.ticket_id = t.id) as "stockRemaining",
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
