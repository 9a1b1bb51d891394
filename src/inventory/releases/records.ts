import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'

/**
 * The steps of a statement that give inventory back, in the same order of locks. They follow a step
 * `gone (ticket_id, standing_area_id, quantity, stock_quantity)`, whose rows are ending in this very statement and so cannot be
 * given back twice, and a step `gone_places (place_id)`. Counting the rows of a step makes the next one wait for it.
 */
export const releaseCtes = ({ accountId }: Rows, eventId: number) => {
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
      from release_event, (select ticket_id, sum(stock_quantity)::int as quantity from gone group by ticket_id) part, tickets t
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
