import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import type { Language } from '../../languages/rules.ts'
import { findRequest } from '../requests/records.ts'
import { IS_GUEST_LIST_OPEN, LINK_AT_DECISION_JSON, type LinkAtDecision } from '../requests/reviews/records.ts'
import type { SignupRequest } from '../requests/rules.ts'

/** What guests are told about the event. */
export interface EventOnPage {
  id: number
  title: string
  startsAt: Date
  doorsOpenAt: Date | null
  timeZone: string
  venueName: string | null
  venueAddress: string | null
  isPublished: boolean
  isCancelled: boolean
  /** The list takes guests: the event is still to come and can be seen. */
  isOpen: boolean
}

const EVENT_ON_PAGE = sql`
  e.id as "eventId", e.title, e.starts_at as "startsAt", e.doors_open_at as "doorsOpenAt",
  -- taken as not null: timeZone (an event belongs to an account)
  coalesce(v.time_zone, (select a.time_zone from accounts a where a.id = e.account_id)) as "timeZone",
  v.name as "venueName",
  nullif(concat_ws(', ', nullif(v.address, ''), nullif(concat_ws(' ', v.postal_code, nullif(v.city, '')), '')), '')
    as "venueAddress",
  e.published_at is not null as "isPublished", e.cancelled_at is not null as "isCancelled", ${IS_GUEST_LIST_OPEN} as "isOpen"`

type EventRow = Omit<EventOnPage, 'id'> & { eventId: number }

const readEvent = (row: EventRow): EventOnPage => ({
  id: row.eventId,
  title: row.title,
  startsAt: row.startsAt,
  doorsOpenAt: row.doorsOpenAt,
  timeZone: row.timeZone,
  venueName: row.venueName,
  venueAddress: row.venueAddress,
  isPublished: row.isPublished,
  isCancelled: row.isCancelled,
  isOpen: row.isOpen,
})

export const findEventOnPage = async ({ accountId, db }: Rows, eventId: number): Promise<EventOnPage | null> => {
  const { rows } = await sql<EventRow>`
    select ${EVENT_ON_PAGE}
    from events e
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where e.account_id = ${accountId} and e.id = ${eventId}`.execute(db)
  return rows[0] ? readEvent(rows[0]) : null
}

export interface SignupPage {
  event: EventOnPage
  link: LinkAtDecision
}

export const findSignupPage = async ({ accountId, db }: Rows, digest: Buffer): Promise<SignupPage | null> => {
  const { rows } = await sql<EventRow & { link: LinkAtDecision }>`
    select ${EVENT_ON_PAGE}, ${LINK_AT_DECISION_JSON} as link
    from signup_links l
    join events e on e.account_id = l.account_id and e.id = l.event_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where l.account_id = ${accountId} and l.token_digest = ${digest}`.execute(db)
  return rows[0] ? { event: readEvent(rows[0]), link: rows[0].link } : null
}

export interface GuestRequestPage extends SignupPage {
  request: SignupRequest
  /** Live admissions of all the guest's parties. */
  ticketCount: number
  /** Staff may have taken the address of a party away: then nothing of it can be mailed. */
  tickets: { publicId: string; name: string; hasAddress: boolean }[]
}

export const findGuestRequestPage = async (rows: Rows, pageDigest: Buffer): Promise<GuestRequestPage | null> => {
  const { accountId } = rows
  const result = await sql<EventRow & Pick<GuestRequestPage, 'link' | 'tickets'> & { publicId: string }>`
    select ${EVENT_ON_PAGE}, ${LINK_AT_DECISION_JSON} as link, r.public_id as "publicId",
      (
        select coalesce(json_agg(json_build_object('publicId', m.public_id,
          'name', case when m.is_lead then r.name else coalesce(m.attendee_name, r.name) end,
          'hasAddress', exists (
            select from orders o
            where o.account_id = m.account_id and o.id = m.order_id and o.delivery_email is not null
          ))
          order by m.order_id, m.position), '[]')
        from admissions m
        where m.account_id = r.account_id and m.event_id = r.event_id and m.status = 'active' and m.order_id in (
          select r.order_id
          union all
          select a.order_id from signup_additions a
          where a.account_id = r.account_id and a.event_id = r.event_id and a.request_id = r.id)
      ) as tickets
    from signup_requests r
    join signup_links l on l.account_id = r.account_id and l.event_id = r.event_id and l.id = r.link_id
    join events e on e.account_id = r.account_id and e.id = r.event_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where r.account_id = ${accountId} and r.page_digest = ${pageDigest}`.execute(rows.db)
  const row = result.rows[0]
  if (!row) return null
  const request = requireFound(await findRequest(rows, row.eventId, row.publicId))
  const { link, tickets } = row
  return { event: readEvent(row), link, request, ticketCount: tickets.length, tickets }
}

export interface GuestPageLinkMail {
  email: string
  sealedPageToken: Buffer
  publicId: string
  organizer: string
  subdomain: string
  /** What the guest read when they signed up, else the account's. */
  language: Language
  event: EventOnPage
}

export const findGuestPageLinkMail = async (
  { accountId, db }: Rows,
  requestId: number,
): Promise<GuestPageLinkMail | null> => {
  const { rows } = await sql<EventRow & Omit<GuestPageLinkMail, 'event'>>`
    select ${EVENT_ON_PAGE}, r.email, r.sealed_page_token as "sealedPageToken", r.public_id as "publicId",
      account.name as organizer, account.subdomain,
      coalesce(r.language, account.language) as language
    from signup_requests r
    join accounts account on account.id = r.account_id
    join events e on e.account_id = r.account_id and e.id = r.event_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where r.account_id = ${accountId} and r.id = ${requestId}`.execute(db)
  const row = rows[0]
  if (!row) return null
  const { email, sealedPageToken, publicId, organizer, subdomain, language } = row
  return { email, sealedPageToken, publicId, organizer, subdomain, language, event: readEvent(row) }
}
