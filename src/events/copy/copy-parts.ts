import type { Tx } from '../../access/scopes.ts'
import { type Definition, type Fields, fromRow } from '../../definitions/define.ts'
import { insertThings } from '../../definitions/records.ts'
import { insertRows } from '../../loading/records.ts'
import { placeDefinition, questionDefinition, standingAreaDefinition, ticketDefinition } from '../definitions.ts'
import { findEventParts } from './records.ts'

interface Copying {
  tx: Tx
  now: Date
  toEventId: number
}

type Row = { id: number; position: number }

/** Copies what the definition knows of, so that a new field is copied too; counters and claims begin anew. */
const copyRows = async <F extends Fields>(
  { tx, now, toEventId }: Copying,
  table: 'tickets' | 'standing_areas' | 'places' | 'questions',
  definition: Definition<F>,
  rows: readonly Row[],
  instead: (row: Row, copyOf: (id: number) => number | null) => Record<string, unknown> = () => ({}),
): Promise<Map<number, number>> => {
  const indexes = new Map(rows.map(({ id }, n) => [id, n]))
  const things = rows.map((row) => fromRow(definition, { ...row }) as object)
  const ids = await insertThings(tx, table, definition, things, {
    now,
    beside: (_, n, drawn) => ({
      event_id: toEventId,
      position: rows[n]!.position,
      ...instead(rows[n]!, (id) => drawn[indexes.get(id) ?? -1] ?? null),
    }),
  })
  return new Map(rows.map(({ id }, n) => [id, ids[n]!]))
}

/** Everything that people are sold and asked at an event, with nobody's claims on it; each kind is one statement. */
export const copyEventParts = async (copying: Copying, fromEventId: number): Promise<void> => {
  const { tx, toEventId } = copying
  const parts = await findEventParts(tx, fromEventId)

  const tickets = await copyRows(copying, 'tickets', ticketDefinition, parts.tickets)
  const codes = parts.codes.filter(({ ticketId }) => tickets.has(ticketId))
  await insertRows(
    tx,
    'ticket_access_codes',
    codes.map(({ ticketId, code }) => ({ event_id: toEventId, ticket_id: tickets.get(ticketId)!, code })),
  )

  const areas = await copyRows(copying, 'standing_areas', standingAreaDefinition, parts.areas)
  const openings = parts.openings.filter(({ ticketId }) => tickets.has(ticketId))
  await insertRows(
    tx,
    'standing_area_tickets',
    openings.map(({ areaId, ticketId }) => ({
      event_id: toEventId,
      standing_area_id: areas.get(areaId)!,
      ticket_id: tickets.get(ticketId)!,
    })),
  )

  const ticketOf = (place: Row) => tickets.get((place as Row & { ticket_id: number }).ticket_id)
  const places = parts.places.filter((place) => ticketOf(place) !== undefined)
  await copyRows(copying, 'places', placeDefinition, places, (place, copyOf) => {
    const pair = parts.pairs.get(place.id)
    return { ticket_id: ticketOf(place), pair_place_id: pair === undefined ? null : copyOf(pair) }
  })
  await copyRows(copying, 'questions', questionDefinition, parts.questions)
}
