import { sql } from 'kysely'
import type { CallerScope, Rows } from '../access/scopes.ts'
import type { EventDetails } from './wire.ts'

const eventsWithVenue = ({ accountId, db }: Rows) =>
  db
    .selectFrom('events as e')
    .leftJoin('venues as v', (join) => join.onRef('v.account_id', '=', 'e.account_id').onRef('v.id', '=', 'e.venue_id'))
    .innerJoin('accounts as a', 'a.id', 'e.account_id')
    .where('e.account_id', '=', accountId)
    .select((eb) => [
      'e.id',
      'e.slug',
      'e.title',
      'e.starts_at as startsAt',
      'e.doors_open_at as doorsOpenAt',
      'e.ends_at as endsAt',
      eb.fn.coalesce('v.time_zone', 'a.time_zone').as('timeZone'),
      'e.published_at as publishedAt',
      'e.unlisted_at as unlistedAt',
      'e.cancelled_at as cancelledAt',
      'e.archived_at as archivedAt',
      'e.capacity',
      'v.name as venueName',
      'v.city as venueCity',
      'e.created_at as createdAt',
      'e.updated_at as updatedAt',
    ])

/** Those within the caller's reach: everything, or what a co-organizer is assigned to now. */
export const findEvents = async (scope: CallerScope, { archived }: { archived: boolean }): Promise<EventDetails[]> => {
  const all = eventsWithVenue(scope.rows)
    .where('e.archived_at', archived ? 'is not' : 'is', null)
    .orderBy(sql`e.ends_at <= foyer_now()`)
    .orderBy(sql`case when e.ends_at > foyer_now() then e.starts_at end`)
    .orderBy('e.starts_at', 'desc')
    .orderBy('e.id')
  if (scope.reach === 'account') return all.execute()

  return all
    .where('e.id', 'in', (eb) =>
      eb
        .selectFrom('assignments as s')
        .select('s.event_id')
        .where('s.account_id', '=', scope.account.id)
        .where('s.membership_id', '=', scope.actor.membershipId),
    )
    .execute()
}

export const findEvent = (rows: Rows, id: number): Promise<EventDetails | undefined> =>
  eventsWithVenue(rows).where('e.id', '=', id).executeTakeFirst()
