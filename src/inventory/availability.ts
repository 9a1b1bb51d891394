import type { Rows } from '../access/scopes.ts'
import { countRemaining, countRemainingOfEvents } from './remaining/records.ts'
import { type TicketAvailability, availabilityOf } from './rules.ts'

/** What is left of every ticket of an event. Free places are listed one by one only when asked for. */
export const findAvailability = async (
  rows: Rows,
  eventId: number,
  { listsPlaces = false }: { listsPlaces?: boolean } = {},
): Promise<TicketAvailability[]> => (await countRemaining(rows, eventId, listsPlaces)).map(availabilityOf)

/** The same for several events at once; places are counted no further than `most`. */
export const findRoughAvailability = async (
  rows: Rows,
  eventIds: readonly number[],
  most: number,
): Promise<(TicketAvailability & { eventId: number })[]> =>
  (await countRemainingOfEvents(rows, eventIds, most)).map(({ eventId, ...rooms }) => ({
    eventId,
    ...availabilityOf(rooms),
  }))
