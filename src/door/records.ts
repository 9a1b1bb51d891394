import { type RawBuilder, sql } from 'kysely'
import type { CallerScope } from '../access/scopes.ts'
import { type ColumnSet, selectColumns, rowReader } from '../database/columnar-rows.ts'
import { prepareStatement } from '../database/prepared.ts'
import { isCalledOff } from '../events/records.ts'
import type { ScannableEvent, ScannableTicket } from './wire.ts'

const ENDED_EVENTS_MAX = 50

export const eventColumns = sql`
  e.id, e.slug, e.title, e.starts_at as "startsAt", e.ends_at as "endsAt", e.updated_at as "updatedAt", e.reentry,
  v.name as "venueName", v.city as "venueCity",
  -- A picture of the house's own is shown by its shop, and only while that is open.
  case when e.image not like 'file:%' or exists (
    select from accounts c where c.id = e.account_id and c.shop_published_at is not null
  ) then e.image end as image`

/** Which events of the account a caller may see: all of them, or those that a co-organizer is assigned to now. */
export const eventWithinReach = (scope: CallerScope, eventId: RawBuilder<unknown>) =>
  scope.reach === 'account'
    ? sql`true`
    : isEventAssigned(sql`${scope.account.id}`, sql`${scope.actor.membershipId}`, eventId)

export const isEventAssigned = (
  accountId: RawBuilder<unknown>,
  membershipId: RawBuilder<unknown>,
  eventId: RawBuilder<unknown>,
) =>
  sql`exists (
    select from assignments s
    where s.account_id = ${accountId} and s.membership_id = ${membershipId} and s.event_id = ${eventId}
  )`

/** The same for statements that are put together once: the account is their $1, and whose assignments set limits their $2. */
export const eventWithinReachOfParameters = (eventId: RawBuilder<unknown>) =>
  sql`($2::bigint is null or ${isEventAssigned(sql`$1`, sql`$2`, eventId)})`

/** What can be scanned: what is on or to come by its start, then what is over, newest first. */
export const findScannableEvents = async (scope: CallerScope): Promise<ScannableEvent[]> => {
  const { accountId, db } = scope.rows
  const scannable = (when: RawBuilder<unknown>) => sql`
    select ${eventColumns}
    from events e
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where e.account_id = ${accountId} and not ${isCalledOff}
      and (e.published_at is not null
        or exists (select from admissions a where a.account_id = e.account_id and a.event_id = e.id))
      and ${eventWithinReach(scope, sql`e.id`)} and ${when}`

  const { rows } = await sql<ScannableEvent>`
    (${scannable(sql`e.ends_at > foyer_now()`)} order by e.starts_at, e.id)
    union all
    (${scannable(sql`e.ends_at <= foyer_now()`)} order by e.starts_at desc, e.id desc limit ${ENDED_EVENTS_MAX})
  `.execute(db)
  return rows
}

/** The event e that has this slug or had it before: a device without a line does not hear of a new one. */
export const eventOfSlug = (accountId: RawBuilder<unknown>, slug: RawBuilder<unknown>) => sql`
  event_slugs k
  join events e on e.account_id = k.account_id and e.id = k.event_id and k.account_id = ${accountId} and k.slug = ${slug}`

const eventBySlug = prepareStatement(
  'event-at-the-door',
  sql<ScannableEvent>`
    select ${eventColumns}
    from ${eventOfSlug(sql`$1`, sql`$3`)}
    left join venues v on v.account_id = e.account_id and v.id = e.venue_id
    where ${eventWithinReachOfParameters(sql`e.id`)}`,
)

export const findEventBySlug = async (scope: CallerScope, slug: string): Promise<ScannableEvent | undefined> => {
  const { accountId, db } = scope.keyLookups
  const [event] = await eventBySlug(db, [accountId, scope.boundMembershipId, slug])
  return event
}

export const TICKET_COLUMN_SET: ColumnSet<ScannableTicket> = {
  values: {
    publicId: sql`a.public_id`,
    checkInCode: sql`a.check_in_code`,
    eventSlug: sql`e.slug`,
    eventTitle: sql`e.title`,
    ticketTitle: sql`a.ticket_title`,
    ticketColor: sql`t.color`,
    isLead: sql`a.is_lead`,
    attendeeName: sql`a.attendee_name`,
    status: sql`a.status`,
    redeemedAt: sql`a.redeemed_at`,
    leftAt: sql`a.left_at`,
    placeLabel: sql`a.place_label`,
    placeSnapshot: sql`a.place_snapshot`,
    updatedAt: sql`a.updated_at`,
    origin: sql`o.origin`,
    orderStatus: sql`o.status`,
    archivedAt: sql`o.archived_at`,
    customerName: sql`o.customer_name`,
    staffNote: sql`o.staff_note`,
  },
  moments: ['redeemedAt', 'leftAt', 'updatedAt', 'archivedAt'],
}

export const ticketColumns = selectColumns(TICKET_COLUMN_SET)
/** The same, of a statement that has selected them. */
export const ticketColumnNames = sql.join(Object.keys(TICKET_COLUMN_SET.values).map((name) => sql.ref(name)))
export const readTicketRow = rowReader(TICKET_COLUMN_SET)

/** Orders are joined within their event: the way through all orders of the account would be a long one. */
export const joinOrderAndTicketType = sql`
  join orders o on o.account_id = a.account_id and o.event_id = a.event_id and o.id = a.order_id
  left join tickets t on t.account_id = a.account_id and t.event_id = a.event_id and t.id = a.ticket_id`

export const ticketTables = sql`
  admissions a
  join events e on e.account_id = a.account_id and e.id = a.event_id
  ${joinOrderAndTicketType}`

/** Whoever is in stays valid: the door must be able to say so. */
export const isTicketValid = sql`o.status = 'paid' and o.archived_at is null and a.status = 'active'`

/** What a ticket is called by; a code only where the text could be one. */
export interface TicketIdentifier {
  publicId: string
  code: string | null
}

export const selectTicketByIdentifier = (
  publicId: RawBuilder<unknown>,
  code: RawBuilder<unknown>,
  isMeant: RawBuilder<unknown>,
) => sql`
  select ${ticketColumns}
  from (
    select account_id, id, true as is_exact from admissions where account_id = $1 and public_id = ${publicId}
    union all
    select account_id, id, false from admissions where account_id = $1 and check_in_code = ${code}
  ) named
  join (${ticketTables}) on a.account_id = named.account_id and a.id = named.id
  where ${isMeant}
  order by named.is_exact desc
  limit 1`

const ticketByName = prepareStatement(
  'ticket-at-the-door',
  sql<ScannableTicket>`${selectTicketByIdentifier(
    sql`$3`,
    sql`$4`,
    sql`${eventWithinReachOfParameters(sql`a.event_id`)} and (${isTicketValid} or not $5::boolean)`,
  )}`,
)

/** The ticket of exactly this public ID, else of this code, whatever state it is in. */
export const findTicket = async (
  scope: CallerScope,
  { publicId, code }: TicketIdentifier,
  { onlyValid = false } = {},
): Promise<ScannableTicket | undefined> => {
  const { accountId, db } = scope.keyLookups
  const [ticket] = await ticketByName(db, [accountId, scope.boundMembershipId, publicId, code, onlyValid])
  return ticket
}
