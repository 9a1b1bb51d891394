import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { type PassFacts, type PassStanding, passStateOf } from '../rules.ts'

type FactsRow = Omit<PassFacts, 'state'> & PassStanding

/** What passes of admissions without a ticket look like. */
const COLOR_OF_NO_TICKET = '#475569'

/** One statement, so that all of it is of one moment. */
export const findPassFacts = async (
  rows: Rows,
  key: { publicId: string } | { admissionId: number },
): Promise<PassFacts | null> => {
  const condition = 'publicId' in key ? sql`m.public_id = ${key.publicId}` : sql`m.id = ${key.admissionId}`
  const found = await sql<FactsRow>`
    select m.account_id as "accountId", m.event_id as "eventId", m.id as "admissionId", m.public_id as "publicId",
      m.check_in_code as "checkInCode", o.order_code as "orderCode", a.name as organizer, a.subdomain,
      coalesce(o.language, a.language) as language, e.title as "eventTitle", e.starts_at as "startsAt",
      e.doors_open_at as "doorsOpenAt", e.ends_at as "endsAt", coalesce(v.time_zone, a.time_zone) as "timeZone",
      v.name as "venueName",
      nullif(concat_ws(', ', nullif(v.address, ''), nullif(concat_ws(' ', v.postal_code, nullif(v.city, '')), ''),
        nullif(v.country, '')), '') as "venueAddress",
      v.latitude, v.longitude, m.attendee_name as "attendeeName", m.is_lead as "isLead", o.customer_name as "partyLead",
      m.ticket_title as "ticketTitle", coalesce(m.place_label, s.name) as place,
      m.place_snapshot ->> 'section' as section, m.place_snapshot ->> 'row' as row, m.place_snapshot ->> 'seat' as seat,
      coalesce(w.color, t.color, ${COLOR_OF_NO_TICKET}::text) as color, encode(sha256(w.logo), 'hex') as "logoDigest",
      e.image, e.cancelled_at is not null as "isEventCancelled", o.status as "orderStatus",
      m.status as "admissionStatus", m.redeemed_at is not null as "isRedeemed"
    from admissions m
    join orders o on o.account_id = m.account_id and o.id = m.order_id
    join accounts a on a.id = m.account_id
    join events e on e.account_id = m.account_id and e.id = m.event_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    left join tickets t on t.account_id = m.account_id and t.event_id = m.event_id and t.id = m.ticket_id
    left join standing_areas s on s.account_id = m.account_id and s.event_id = m.event_id and s.id = m.standing_area_id
    left join wallet_settings w on w.account_id = m.account_id
    where m.account_id = ${rows.accountId} and ${condition}`.execute(rows.db)
  const row = found.rows[0]
  return row ? readFacts(row) : null
}

const readFacts = ({ isEventCancelled, orderStatus, admissionStatus, isRedeemed, ...facts }: FactsRow): PassFacts => ({
  ...facts,
  state: passStateOf({ isEventCancelled, orderStatus, admissionStatus, isRedeemed }),
})

export interface OrderTickets {
  eventTitle: string
  tickets: { publicId: string; name: string; details: string }[]
}

/** The tickets of an order that admit somebody, for the page that offers them. */
export const findOrderTickets = async (rows: Rows, publicId: string): Promise<OrderTickets | null> => {
  const { rows: orders } = await sql<OrderTickets>`
    select e.title as "eventTitle", coalesce((
      select json_agg(json_build_object('publicId', m.public_id,
        'name', case when m.is_lead then o.customer_name else coalesce(m.attendee_name, o.customer_name) end,
        'details', concat_ws(' · ', m.ticket_title, coalesce(m.place_label, s.name))) order by m.position)
      from admissions m
      left join standing_areas s
        on s.account_id = m.account_id and s.event_id = m.event_id and s.id = m.standing_area_id
      where m.account_id = o.account_id and m.event_id = o.event_id and m.order_id = o.id and m.status = 'active'
        and o.status = 'paid' and e.cancelled_at is null
    ), '[]') as tickets
    from orders o
    join events e on e.account_id = o.account_id and e.id = o.event_id
    where o.account_id = ${rows.accountId} and o.public_id = ${publicId}`.execute(rows.db)
  return orders[0] ?? null
}
