import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { isCalledOff } from '../../events/records.ts'
import { findAvailability } from '../../inventory/availability.ts'

export interface SeatOnSale {
  ticketId: number
  key: string
  label: string
  section: string | null
  row: string | null
  seat: string | null
  accessibility: 'wheelchair' | 'companion' | null
  isFree: boolean
}

export interface TicketInSale {
  id: number
  title: string
  priceCents: number
  inventoryKind: 'ga' | 'standing' | 'places'
  groupSize: number
  maxPerOrder: number | null
  hidden: boolean
  isUnlocked: boolean
  color: string
  /** Null when nothing bounds it. */
  available: number | null
  standingAreas: { id: number; name: string; available: number }[]
}

/** What buyers choose from. */
export interface SaleView {
  eventId: number
  slug: string
  title: string
  startsAt: Date
  timeZone: string
  isOnSale: boolean
  tickets: TicketInSale[]
  seats: SeatOnSale[]
}

type EventRow = Omit<SaleView, 'tickets' | 'seats'>
type TicketRow = Omit<TicketInSale, 'available' | 'standingAreas'>

/** Null when the shop shows no such event. Several statements: read them together. */
export const findSaleView = async (rows: Rows, slug: string, codes: readonly string[]): Promise<SaleView | null> => {
  const { accountId, db } = rows
  const { rows: events } = await sql<EventRow>`
    select e.id as "eventId", e.slug, e.title, e.starts_at as "startsAt", coalesce(v.time_zone, a.time_zone) as "timeZone",
      not ${isCalledOff} and e.ends_at > foyer_now()
        and coalesce(e.sales_starts_at <= foyer_now(), true) and coalesce(e.sales_ends_at > foyer_now(), true) as "isOnSale"
    from events e join accounts a on a.id = e.account_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where e.account_id = ${accountId} and e.slug = ${slug} and e.published_at <= foyer_now()`.execute(db)
  const [event] = events
  if (!event) return null

  const { rows: tickets } = await sql<TicketRow>`
    select t.id, t.title, t.price_cents as "priceCents", t.inventory_kind as "inventoryKind",
      coalesce(t.group_size, 1) as "groupSize", t.max_per_order as "maxPerOrder", t.hidden, t.color,
      exists (
        select from ticket_access_codes c
        where c.account_id = t.account_id and c.ticket_id = t.id and c.code = any (${codes}::text[])
      ) as "isUnlocked"
    from tickets t
    where t.account_id = ${accountId} and t.event_id = ${event.eventId} and t.archived_at is null
    order by t.position, t.id`.execute(db)
  const { rows: seats } = await sql<SeatOnSale>`
    select p.ticket_id as "ticketId", p.key, p.label, p.section, p.row, p.seat, p.accessibility,
      p.blocked_at is null and coalesce(p.claimed_until <= foyer_now(), true) as "isFree"
    from places p where p.account_id = ${accountId} and p.event_id = ${event.eventId}
    order by p.position, p.id`.execute(db)

  const left = new Map((await findAvailability(rows, event.eventId)).map((each) => [each.id, each]))
  const visible = tickets.filter(({ hidden, isUnlocked }) => !hidden || isUnlocked)
  const shown = new Set(visible.map(({ id }) => id))
  return {
    ...event,
    tickets: visible.map((ticket) => ({
      ...ticket,
      available: left.get(ticket.id)?.available ?? null,
      standingAreas: left.get(ticket.id)?.standingAreas ?? [],
    })),
    seats: seats.filter(({ ticketId }) => shown.has(ticketId)),
  }
}
