import { type Selectable, sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { Events, Places, Tables, Venues } from '../../database/table-types.ts'
import type { BatchAfterId } from '../../loading/batches.ts'

export const findVenuesToExport = ({ accountId, db }: Rows): Promise<Selectable<Venues>[]> =>
  db.selectFrom('venues').selectAll().where('account_id', '=', accountId).orderBy('id').execute()

export const findEventsToExport = (
  { accountId, db }: Rows,
  { afterId, limit }: BatchAfterId,
): Promise<Selectable<Events>[]> =>
  db
    .selectFrom('events')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()

export interface PartKey {
  part: 'tickets' | 'standingAreas' | 'places' | 'questions'
  id: number
  key: string
}

/** What the things of an event are called, those of each list in its order. */
export const findPartKeys = async ({ accountId, db }: Rows, eventId: number): Promise<PartKey[]> => {
  const { rows } = await sql<PartKey>`
    select part, id, key
    from (
      select 'tickets' as part, position, id, key from tickets where account_id = ${accountId} and event_id = ${eventId}
      union all
      select 'standingAreas', position, id, key from standing_areas
      where account_id = ${accountId} and event_id = ${eventId}
      union all
      select 'places', position, id, key from places where account_id = ${accountId} and event_id = ${eventId}
      union all
      select 'questions', position, id, key from questions where account_id = ${accountId} and event_id = ${eventId}
    ) things
    order by part, position, id`.execute(db)
  return rows
}

type ListOfEvent = 'tickets' | 'standing_areas' | 'questions' | 'performers' | 'faq_items'

/** A list of an event that is never long, in its order. */
export const findEventPartsToExport = <List extends ListOfEvent>(
  { accountId, db }: Rows,
  list: List,
  eventId: number,
): Promise<Selectable<Tables[List]>[]> =>
  db
    .selectFrom<ListOfEvent>(list)
    .selectAll()
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .orderBy('position')
    .orderBy('id')
    .execute() as unknown as Promise<Selectable<Tables[List]>[]>

export const findPlacesToExport = (
  { accountId, db }: Rows,
  eventId: number,
  { afterId, limit }: BatchAfterId,
): Promise<Selectable<Places>[]> =>
  db
    .selectFrom('places')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()

/** By the ID of the ticket. */
export const findAccessCodes = async ({ accountId, db }: Rows, eventId: number): Promise<Map<number, string[]>> => {
  const rows = await db
    .selectFrom('ticket_access_codes')
    .select(['ticket_id', 'code'])
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .orderBy('code')
    .execute()
  return namesBy(rows.map(({ ticket_id: id, code }) => [id, code]))
}

/** The tickets of each standing area, by the ID of the area. */
export const findAreaTickets = async ({ accountId, db }: Rows, eventId: number): Promise<Map<number, number[]>> => {
  const rows = await db
    .selectFrom('standing_area_tickets')
    .select(['standing_area_id', 'ticket_id'])
    .where('account_id', '=', accountId)
    .where('event_id', '=', eventId)
    .execute()
  return namesBy(rows.map(({ standing_area_id: id, ticket_id: ticketId }) => [id, ticketId]))
}

const namesBy = <T>(pairs: readonly [number, T][]): Map<number, T[]> =>
  new Map(
    Array.from(
      Map.groupBy(pairs, ([id]) => id),
      ([id, own]) => [id, own.map(([, name]) => name)],
    ),
  )
