import { sql } from 'kysely'
import type { Rows } from '../access/scopes.ts'
import { runPrepared } from '../database/prepared.ts'
import type { Language } from '../languages/rules.ts'
import type { TicketMailData, PrintedTickets } from './rules.ts'

interface DeliveryRow {
  order_id: number
  order_public_id: string
  order_code: string
  customer_name: string
  delivery_email: string | null
  delivers_to_creator: boolean
  organizer: string
  reply_to_email: string | null
  event_title: string
  language: Language
  starts_at: Date
  doors_open_at: Date | null
  time_zone: string
  venue_name: string | null
  venue_address: string | null
  tickets: {
    id: number
    public_id: string
    check_in_code: string
    ticket_title: string
    color: string | null
    is_lead: boolean
    attendee_name: string | null
    place: string | null
  }[]
}

/** A ticket that was deleted since has no colour of its own any more. */
const COLOR_OF_NO_TICKET = '#475569'

/** Null when there is nothing to send: no address, no longer paid, or nobody left in the party. */
export const findTicketMailData = async (rows: Rows, orderId: number): Promise<TicketMailData | null> =>
  (await findTicketMails(rows, [orderId]))[0] ?? null

/** The same for several orders. */
export const findTicketMails = async (rows: Rows, orderIds: readonly number[]): Promise<(TicketMailData | null)[]> =>
  (await findTicketsToPrint(rows, orderIds)).map((printed) =>
    printed && printed.address !== null ? { ...printed, address: printed.address } : null,
  )

/** The same without an address too: whoever asks prints them. Null when the order is not paid or nobody is left in it. */
export const findPrintedTickets = async (rows: Rows, orderId: number): Promise<PrintedTickets | null> =>
  (await findTicketsToPrint(rows, [orderId]))[0] ?? null

const findTicketsToPrint = async (rows: Rows, orderIds: readonly number[]): Promise<(PrintedTickets | null)[]> => {
  const statement = sql<DeliveryRow>`
    select o.id as order_id, o.public_id as order_public_id, o.order_code, o.customer_name, o.delivery_email, o.delivers_to_creator,
      a.name as organizer, a.reply_to_email, coalesce(o.language, a.language) as language, e.title as event_title, e.starts_at, e.doors_open_at,
      coalesce(v.time_zone, a.time_zone) as time_zone, v.name as venue_name,
      nullif(concat_ws(', ', nullif(v.address, ''), nullif(concat_ws(' ', v.postal_code, nullif(v.city, '')), ''),
        nullif(v.country, '')), '') as venue_address,
      party.tickets
    from unnest(${orderIds}::bigint[]) as given (id)
    join lateral (
      select * from orders where account_id = ${rows.accountId} and id = given.id and status = 'paid' limit 1
    ) o on true
    join accounts a on a.id = o.account_id
    join events e on e.account_id = o.account_id and e.id = o.event_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    join lateral (
      select json_agg(json_build_object('id', m.id, 'public_id', m.public_id, 'check_in_code', m.check_in_code,
        'ticket_title', m.ticket_title, 'color', t.color, 'is_lead', m.is_lead, 'attendee_name', m.attendee_name,
        'place', coalesce(m.place_label, s.name)) order by m.position) as tickets
      from admissions m
      left join tickets t on t.account_id = m.account_id and t.event_id = m.event_id and t.id = m.ticket_id
      left join standing_areas s
        on s.account_id = m.account_id and s.event_id = m.event_id and s.id = m.standing_area_id
      where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id and m.status = 'active'
    ) party on party.tickets is not null`
  const found = await runPrepared(rows.db, 'printed-tickets', statement)
  const printed = new Map(found.map((row) => [row.order_id, readTickets(row)]))
  return orderIds.map((id) => printed.get(id) ?? null)
}

const readTickets = (row: DeliveryRow): PrintedTickets => ({
  orderPublicId: row.order_public_id,
  orderCode: row.order_code,
  address: row.delivery_email,
  recipientName: row.delivers_to_creator ? null : row.customer_name,
  organizer: row.organizer,
  replyTo: row.reply_to_email,
  eventTitle: row.event_title,
  language: row.language,
  tickets: row.tickets.map((ticket, index) => ({
    admissionId: ticket.id,
    publicId: ticket.public_id,
    checkInCode: ticket.check_in_code,
    orderCode: row.order_code,
    organizer: row.organizer,
    eventTitle: row.event_title,
    startsAt: row.starts_at,
    doorsOpenAt: row.doors_open_at,
    timeZone: row.time_zone,
    venueName: row.venue_name,
    venueAddress: row.venue_address,
    attendeeName: ticket.attendee_name,
    partyLead: row.customer_name,
    isLead: ticket.is_lead,
    ticketTitle: ticket.ticket_title,
    ticketColor: ticket.color ?? COLOR_OF_NO_TICKET,
    place: ticket.place,
    number: index + 1,
    partySize: row.tickets.length,
  })),
})
