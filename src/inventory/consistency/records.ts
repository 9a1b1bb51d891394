import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../database/table-types.ts'
import type { Shortage } from '../rules.ts'

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
      select account_id, event_id, ticket_id, standing_area_id, place_id, 1 as quantity, stock_quantity, 'infinity'::timestamptz as until
      from admissions where status = 'active' and ${mine('account_id')}
      union all
      select account_id, event_id, ticket_id, standing_area_id, null, quantity, stock_quantity, expires_at from holds where ${mine('account_id')}
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
        select account_id, ticket_id, sum(stock_quantity) as quantity from claims group by 1, 2
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
