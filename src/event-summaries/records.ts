import { sql } from 'kysely'
import type { CallerScope } from '../access/scopes.ts'

/** What matters about an event that is still to come. */
export interface EventSummary {
  eventId: number
  eventSlug: string
  expected: number
  arrived: number
  requestsWaiting: number
  /** Null when nothing bounds it. */
  stockLeft: number | null
}

/**
 * Of all events within the caller's reach that are not over yet, in one statement. Expected and arrived are counted as the
 * door counts them. What is left is what all standard tickets together still give: shared capacity and standing areas that
 * several tickets share count once.
 */
export const findEventSummaries = async (scope: CallerScope): Promise<EventSummary[]> => {
  const { accountId, db } = scope.rows
  const member = scope.boundMembershipId
  const { rows } = await sql<EventSummary>`
    with coming as materialized (
      select e.id, e.slug, e.starts_at,
        case when e.capacity is not null then greatest(0, e.capacity - e.claimed_count + (
          select coalesce(sum(h.quantity), 0)::int from holds h
          where h.account_id = e.account_id and h.event_id = e.id and h.expires_at <= foyer_now())) end as room
      from events e
      where e.account_id = ${accountId} and e.ends_at > foyer_now() and e.archived_at is null
        and (${member}::bigint is null or exists (
          select from assignments s
          where s.account_id = e.account_id and s.event_id = e.id and s.membership_id = ${member}::bigint))
    ),
    guests as materialized (
      select a.event_id, count(*)::int as expected, count(a.redeemed_at)::int as arrived
      from admissions a
      join orders o on o.account_id = a.account_id and o.id = a.order_id
      where a.account_id = ${accountId} and a.event_id = any (array(select id from coming))
        and (a.redeemed_at is not null or (a.status = 'active' and o.status = 'paid' and o.archived_at is null))
      group by a.event_id
    ),
    waiting as materialized (
      select every.event_id, count(*)::int as requests
      from (
        select r.event_id from signup_requests r
        where r.account_id = ${accountId} and r.event_id = any (array(select id from coming)) and r.reviewed_at is null
        union all
        select d.event_id from signup_additions d
        where d.account_id = ${accountId} and d.event_id = any (array(select id from coming)) and d.decided_at is null
      ) every
      group by every.event_id
    ),
    expired as materialized (
      select h.event_id, h.ticket_id, h.standing_area_id, h.quantity from holds h
      where h.account_id = ${accountId} and h.event_id = any (array(select id from coming)) and h.expires_at <= foyer_now()
    ),
    supplies as materialized (
      select t.id, t.event_id, t.inventory_kind, case when t.stock is not null then greatest(0, t.stock - t.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.ticket_id = t.id)) end as stock
      from tickets t
      where t.account_id = ${accountId} and t.event_id = any (array(select id from coming))
        and t.kind = 'StandardTicket' and t.archived_at is null
    ),
    places_left as materialized (
      select s.event_id, sum(least(s.stock, (
        select count(*)::int from places p
        where p.account_id = ${accountId} and p.event_id = s.event_id and p.ticket_id = s.id
          and p.blocked_at is null and (p.claimed_until is null or p.claimed_until <= foyer_now())
      )))::int as count
      from supplies s where s.inventory_kind = 'places' group by s.event_id
    ),
    areas_left as materialized (
      select a.event_id, sum(greatest(0, a.capacity - a.blocked_count - a.claimed_count
        + (select coalesce(sum(quantity), 0)::int from expired where expired.standing_area_id = a.id)))::int as room
      from standing_areas a
      where a.account_id = ${accountId} and a.event_id = any (array(select id from coming)) and a.closed_at is null
        and exists (
          select from standing_area_tickets o join supplies s on s.id = o.ticket_id and s.inventory_kind = 'standing'
          where o.account_id = a.account_id and o.standing_area_id = a.id)
      group by a.event_id
    ),
    stocks as materialized (
      select s.event_id,
        bool_or(s.inventory_kind = 'ga' and s.stock is null) as unbounded,
        coalesce(sum(s.stock) filter (where s.inventory_kind = 'ga'), 0)::int as ga,
        case when bool_or(s.inventory_kind = 'standing' and s.stock is null) then null
          else coalesce(sum(s.stock) filter (where s.inventory_kind = 'standing'), 0)::int end as standing
      from supplies s group by s.event_id
    )
    select c.id as "eventId", c.slug as "eventSlug", coalesce(g.expected, 0) as expected,
      coalesce(g.arrived, 0) as arrived, coalesce(w.requests, 0) as "requestsWaiting",
      case
        when k.event_id is null then 0
        when k.unbounded then c.room
        else least(c.room, k.ga + coalesce(p.count, 0) + least(k.standing, coalesce(l.room, 0)))
      end as "stockLeft"
    from coming c
    left join guests g on g.event_id = c.id
    left join waiting w on w.event_id = c.id
    left join stocks k on k.event_id = c.id
    left join places_left p on p.event_id = c.id
    left join areas_left l on l.event_id = c.id
    order by c.starts_at, c.id`.execute(db)
  return rows
}
