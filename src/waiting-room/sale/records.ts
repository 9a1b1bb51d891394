import { sql } from 'kysely'
import type { EventScope, TransactionDb } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'

export interface SaleCounts {
  now: Date
  salesStartsAt: Date | null
  salesEndsAt: Date | null
  /** Checkouts that hold something. */
  holds: number
  /** In line: not called yet, or called and not served. */
  waiting: number
  turns: number
  isWaitingRoomOpen: boolean
  drawnAt: Date | null
}

export const countSale = async ({ accountId, db }: TransactionDb, eventId: number): Promise<SaleCounts> => {
  const { rows } = await sql<SaleCounts>`
    select foyer_now() as now, e.sales_starts_at as "salesStartsAt", e.sales_ends_at as "salesEndsAt",
      (
        select count(distinct i.checkout_id)::int from holds h
        join checkout_items i on i.account_id = h.account_id and i.event_id = h.event_id and i.hold_id = h.id
        where h.account_id = e.account_id and h.event_id = e.id and h.expires_at > foyer_now()
      ) as holds,
      coalesce(r.place_count - r.called_rank, 0)::int as waiting,
      (
        select count(*)::int from queue_places p
        where p.account_id = e.account_id and p.event_id = e.id and p.used_at is null and p.turn_ends_at > foyer_now()
      ) as turns,
      r.event_id is not null as "isWaitingRoomOpen", r.drawn_at as "drawnAt"
    from events e
    left join waiting_rooms r on r.account_id = e.account_id and r.event_id = e.id and r.closed_at is null
    where e.account_id = ${accountId} and e.id = ${eventId}`.execute(db)
  return requireFound(rows[0])
}

export interface TicketSaleCounts {
  ticketId: number
  title: string
  stock: number | null
  held: number
  unpaid: number
  sold: number
}

/** Admissions by ticket; what was refunded or cancelled is sold no more. */
export const countSaleByTicket = async (
  { accountId, db }: TransactionDb,
  eventId: number,
): Promise<TicketSaleCounts[]> => {
  const { rows } = await sql<TicketSaleCounts>`
    with held as (
      select ticket_id, sum(quantity)::int as held from holds
      where account_id = ${accountId} and event_id = ${eventId} and expires_at > foyer_now()
      group by 1
    ),
    sold as (
      select a.ticket_id, (count(*) filter (where o.status = 'paid'))::int as sold,
        (count(*) filter (where o.status = 'unpaid'))::int as unpaid
      from orders o
      join admissions a on a.account_id = o.account_id and a.event_id = o.event_id and a.order_id = o.id
      where o.account_id = ${accountId} and o.event_id = ${eventId} and o.origin = 'shop' and a.status = 'active'
      group by 1
    )
    select t.id as "ticketId", t.title, t.stock, coalesce(held.held, 0) as held, coalesce(sold.unpaid, 0) as unpaid,
      coalesce(sold.sold, 0) as sold
    from tickets t
    left join held on held.ticket_id = t.id
    left join sold on sold.ticket_id = t.id
    where t.account_id = ${accountId} and t.event_id = ${eventId}
      and (t.archived_at is null or held.held > 0 or sold.sold > 0)
    order by t.position, t.id`.execute(db)
  return rows
}

/** Changes with everything that is shown of a sale. */
export const findSaleVersion = async ({ rows: { accountId, db }, event }: EventScope): Promise<string> => {
  const { rows } = await sql<{ version: string }>`
    select concat_ws(' ', e.claimed_count, e.updated_at,
      (
        select concat_ws('-', count(*), max(h.id)) from holds h
        where h.account_id = e.account_id and h.event_id = e.id and h.expires_at > foyer_now()
      ),
      (
        select concat_ws('-', r.place_count, r.called_rank, r.drawn_at, r.closed_at) from waiting_rooms r
        where r.account_id = e.account_id and r.event_id = e.id
      ),
      (
        select count(*) from queue_places p
        where p.account_id = e.account_id and p.event_id = e.id and p.used_at is null and p.turn_ends_at > foyer_now()
      ),
      (
        select concat_ws('-', count(*), extract(epoch from sum(o.updated_at - timestamptz '2020-01-01 00:00Z')))
        from orders o where o.account_id = e.account_id and o.event_id = e.id and o.origin = 'shop'
      )
    ) as version
    from events e where e.account_id = ${accountId} and e.id = ${event.id}`.execute(db)
  return requireFound(rows[0]).version
}
