import { type RawBuilder, sql } from 'kysely'
import type { CallerScope, Rows, Tx } from '../access/scopes.ts'
import type { EventDetails } from './wire.ts'

/** Cancelled or archived: nothing is sold for it any more. */
export const isCalledOff = sql`(e.cancelled_at is not null or e.archived_at is not null)`

/**
 * What orders of an event share until they are written, and whoever calls it off has alone: each of them is told of it, or
 * is not made. It is taken before the event itself is locked, and holds up nobody who only holds or gives back.
 */
export const orderingKey = (accountId: number, eventId: RawBuilder<unknown>) =>
  sql`hashtextextended('orders of event ' || ${accountId}::bigint || '/' || ${eventId}, 0)`

export const waitForOrdersUnderWay = async ({ db, accountId }: Tx, eventId: number): Promise<void> => {
  await sql`select pg_advisory_xact_lock(${orderingKey(accountId, sql`${eventId}::bigint`)})`.execute(db)
}

const eventsWhere = ({ accountId }: Rows, condition: RawBuilder<unknown>) => sql<EventDetails>`
  select e.id, e.slug, e.title, e.starts_at as "startsAt", e.doors_open_at as "doorsOpenAt", e.ends_at as "endsAt",
    coalesce(v.time_zone, a.time_zone) as "timeZone", e.published_at as "publishedAt", e.unlisted_at as "unlistedAt",
    e.cancelled_at as "cancelledAt", e.archived_at as "archivedAt", e.capacity, v.name as "venueName",
    v.city as "venueCity", e.created_at as "createdAt", e.updated_at as "updatedAt"
  from events e
  left join venues v on v.account_id = e.account_id and v.id = e.venue_id
  join accounts a on a.id = e.account_id
  where e.account_id = ${accountId} and ${condition}
  order by e.ends_at <= foyer_now(), case when e.ends_at > foyer_now() then e.starts_at end, e.starts_at desc, e.id`

/** Those within the caller's reach: everything, or what a co-organizer is assigned to now. */
export const findEvents = async (scope: CallerScope, { archived }: { archived: boolean }): Promise<EventDetails[]> => {
  const inTime = archived ? sql`e.archived_at is not null` : sql`e.archived_at is null`
  const inReach =
    scope.reach === 'account'
      ? sql`true`
      : sql`e.id in (
          select s.event_id from assignments s
          where s.account_id = ${scope.account.id} and s.membership_id = ${scope.actor.membershipId})`
  const { rows } = await eventsWhere(scope.rows, sql`${inTime} and ${inReach}`).execute(scope.rows.db)
  return rows
}

export const findEvent = async (rows: Rows, id: number): Promise<EventDetails | undefined> =>
  (await eventsWhere(rows, sql`e.id = ${id}`).execute(rows.db)).rows[0]
