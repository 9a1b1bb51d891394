import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'

const NOT_ARCHIVED = ['archived_at', 'is', null] as const

/** Everything that people are sold and asked at an event, row by row in its order. */
export const findEventParts = async ({ db, accountId }: Rows, eventId: number) => {
  const of = (table: 'tickets' | 'standing_areas' | 'places' | 'questions') =>
    db
      .selectFrom(table as 'tickets')
      .selectAll()
      .where('account_id', '=', accountId)
      .where('event_id', '=', eventId)
      .orderBy('position')
      .orderBy('id')
  const { rows: codes } = await sql<{ ticketId: number; code: string }>`
    select ticket_id as "ticketId", code from ticket_access_codes
    where account_id = ${accountId} and event_id = ${eventId} order by ticket_id, code`.execute(db)
  const { rows: openings } = await sql<{ areaId: number; ticketId: number }>`
    select standing_area_id as "areaId", ticket_id as "ticketId" from standing_area_tickets
    where account_id = ${accountId} and event_id = ${eventId} order by standing_area_id, ticket_id`.execute(db)
  const { rows: pairs } = await sql<{ id: number; pairId: number }>`
    select id, pair_place_id as "pairId" from places
    where account_id = ${accountId} and event_id = ${eventId} and pair_place_id is not null`.execute(db)
  return {
    tickets: await of('tickets')
      .where(...NOT_ARCHIVED)
      .execute(),
    areas: await of('standing_areas').execute(),
    places: await of('places').execute(),
    questions: await of('questions')
      .where(...NOT_ARCHIVED)
      .execute(),
    codes,
    openings,
    pairs: new Map(pairs.map(({ id, pairId }) => [id, pairId])),
  }
}
