import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { runPrepared } from '../../database/prepared.ts'
import { isCalledOff } from '../../events/records.ts'

/** A ticket as a buyer may take it now. */
export interface PurchasableTicket {
  id: number
  title: string
  priceCents: number
  taxRate: number
  inventoryKind: 'ga' | 'standing' | 'places'
  groupSize: number
  maxPerOrder: number | null
  hidden: boolean
  /** The codes that open a hidden one, of those that were sent. */
  isUnlocked: boolean
  /** The open ones. */
  standingAreas: { id: number; name: string }[]
  /** Of the places that were asked for by key, those of this ticket. */
  places: { id: number; key: string; label: string }[]
}

/** All that decides what may be bought of an event. */
export interface SaleConditions {
  eventId: number
  title: string
  isCalledOff: boolean
  isOver: boolean
  /** Null once it has begun, or when it has no beginning. */
  salesStartAt: Date | null
  hasSaleEnded: boolean
  salesStartsAt: Date | null
  tickets: PurchasableTicket[]
  now: Date
}

export interface SaleQuestion {
  slug: string
  ticketIds: readonly number[]
  placeKeys: readonly string[]
  codes: readonly string[]
}

/** Null when the shop shows no such event. */
export const findSaleConditions = async (rows: Rows, asked: SaleQuestion): Promise<SaleConditions | null> => {
  const statement = sql<SaleConditions>`
    select e.id as "eventId", e.title, ${isCalledOff} as "isCalledOff",
      e.ends_at <= foyer_now() as "isOver", e.sales_starts_at as "salesStartsAt",
      case when e.sales_starts_at > foyer_now() then e.sales_starts_at end as "salesStartAt",
      coalesce(e.sales_ends_at <= foyer_now(), false) as "hasSaleEnded", foyer_now() as now,
      coalesce((
        select json_agg(json_build_object('id', t.id, 'title', t.title, 'priceCents', t.price_cents, 'taxRate', t.tax_rate,
          'inventoryKind', t.inventory_kind, 'groupSize', coalesce(t.group_size, 1), 'maxPerOrder', t.max_per_order,
          'hidden', t.hidden,
          'isUnlocked', exists (
            select from ticket_access_codes c
            where c.account_id = t.account_id and c.ticket_id = t.id and c.code = any (${asked.codes}::text[])
          ),
          'standingAreas', coalesce((
            select json_agg(json_build_object('id', a.id, 'name', a.name) order by a.position, a.id)
            from standing_area_tickets o
            join standing_areas a on a.account_id = o.account_id and a.id = o.standing_area_id
            where o.account_id = t.account_id and o.event_id = t.event_id and o.ticket_id = t.id and a.closed_at is null
          ), '[]'),
          'places', coalesce((
            select json_agg(json_build_object('id', p.id, 'key', p.key, 'label', p.label))
            from places p
            where p.account_id = t.account_id and p.event_id = t.event_id and p.ticket_id = t.id
              and p.key = any (${asked.placeKeys}::text[])
          ), '[]')))
        from tickets t
        where t.account_id = e.account_id and t.event_id = e.id and t.id = any (${asked.ticketIds}::bigint[])
          and t.archived_at is null
      ), '[]') as tickets
    from events e
    where e.account_id = ${rows.accountId} and e.slug = ${asked.slug} and e.published_at <= foyer_now()`
  const [terms] = await runPrepared(rows.db, 'terms-of-a-sale', statement)
  return terms ?? null
}
