import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import { found } from '../../kernel/refusals.ts'
import { findRequest } from '../requests/records.ts'
import { IS_OPEN, LINK_IN_FORCE, type LinkInForce } from '../requests/reviews/records.ts'
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
  e.published_at is not null as "isPublished", e.cancelled_at is not null as "isCancelled", ${IS_OPEN} as "isOpen"`

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

export interface SignupPage {
  event: EventOnPage
  link: LinkInForce
}

export const findSignupPage = async ({ accountId, db }: Rows, digest: Buffer): Promise<SignupPage | null> => {
  const { rows } = await sql<EventRow & { link: LinkInForce }>`
    select ${EVENT_ON_PAGE}, ${LINK_IN_FORCE} as link
    from signup_links l
    join events e on e.account_id = l.account_id and e.id = l.event_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where l.account_id = ${accountId} and l.token_digest = ${digest}`.execute(db)
  return rows[0] ? { event: readEvent(rows[0]), link: rows[0].link } : null
}

export interface OwnPage extends SignupPage {
  request: SignupRequest
  /** Live admissions of all the guest's parties. */
  ticketCount: number
}

export const findOwnPage = async (rows: Rows, pageDigest: Buffer): Promise<OwnPage | null> => {
  const { accountId } = rows
  const result = await sql<EventRow & { link: LinkInForce; publicId: string; ticketCount: number }>`
    select ${EVENT_ON_PAGE}, ${LINK_IN_FORCE} as link, r.public_id as "publicId",
      (
        select count(*)::int from admissions m
        where m.account_id = r.account_id and m.event_id = r.event_id and m.status = 'active' and m.order_id in (
          select r.order_id
          union all
          select a.order_id from signup_additions a
          where a.account_id = r.account_id and a.event_id = r.event_id and a.request_id = r.id)
      ) as "ticketCount"
    from signup_requests r
    join signup_links l on l.account_id = r.account_id and l.event_id = r.event_id and l.id = r.link_id
    join events e on e.account_id = r.account_id and e.id = r.event_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where r.account_id = ${accountId} and r.page_digest = ${pageDigest}`.execute(rows.db)
  const row = result.rows[0]
  if (!row) return null
  const request = found(await findRequest(rows, row.eventId, row.publicId))
  return { event: readEvent(row), link: row.link, request, ticketCount: row.ticketCount }
}

export interface OwnPageMail {
  email: string
  sealedPageToken: Buffer
  publicId: string
  organizer: string
  subdomain: string
  event: EventOnPage
}

export const findOwnPageMail = async ({ accountId, db }: Rows, requestId: number): Promise<OwnPageMail | null> => {
  const { rows } = await sql<EventRow & Omit<OwnPageMail, 'event'>>`
    select ${EVENT_ON_PAGE}, r.email, r.sealed_page_token as "sealedPageToken", r.public_id as "publicId",
      account.name as organizer, account.subdomain
    from signup_requests r
    join accounts account on account.id = r.account_id
    join events e on e.account_id = r.account_id and e.id = r.event_id
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where r.account_id = ${accountId} and r.id = ${requestId}`.execute(db)
  const row = rows[0]
  if (!row) return null
  const { email, sealedPageToken, publicId, organizer, subdomain } = row
  return { email, sealedPageToken, publicId, organizer, subdomain, event: readEvent(row) }
}
