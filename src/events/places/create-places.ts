import type { EventScope, Tx } from '../../access/scopes.ts'
import { refuseBodyAtPath } from '../../definitions/define.ts'
import { assignMissingKeys } from '../../definitions/name-things.ts'
import { insertThings } from '../../definitions/records.ts'
import { MUST_EXIST_MESSAGE, TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { placeDefinition } from '../definitions.ts'
import { inPartsTransaction } from '../parts/change-parts.ts'
import { findTickets } from '../tickets/records.ts'
import { type Place, findPlacesById, findPlaceNames, lockPlaces, pairPlaces } from './records.ts'
import { HALF_PAIR_WORDING, pairFault, isHalfPair } from '../pairs.ts'
import { IS_CLAIMED_MESSAGE } from './rules.ts'
import type { NewPlaceInput } from './wire.ts'

type NamedPlace = NewPlaceInput & { key: string }

const refuse = (n: number, key: keyof NewPlaceInput, message: string): never =>
  refuseBodyAtPath(['places', n, key], { file: message, api: message })

/** New places, all of them or none. One may be the other half of a place that is there already and alone. */
export const createPlaces = (scope: EventScope, input: readonly NewPlaceInput[]): Promise<Place[]> =>
  inPartsTransaction(scope, 'places', async ({ tx, eventId, now, changed }) => {
    const taken = await findPlaceNames(tx, eventId)
    const takenKeys = new Set(taken.map(({ key }) => key))
    const takenLabels = new Set(taken.map(({ label }) => label))
    const sold = await findWhichTicketsAreSeated(tx, eventId)
    for (const [n, { key, label, ticket_id: ticketId }] of input.entries()) {
      if (key !== null && takenKeys.has(key)) refuse(n, 'key', TAKEN_MESSAGE)
      if (takenLabels.has(label)) refuse(n, 'label', TAKEN_MESSAGE)
      const isSeat = sold.get(ticketId) ?? refuse(n, 'ticket_id', MUST_EXIST_MESSAGE)
      if (!isSeat) refuse(n, 'ticket_id', TICKET_NOT_SEATED_MESSAGE)
    }

    const places = assignMissingKeys(input, ({ label }) => label, 'place', takenKeys)
    const alone = await pairUp(tx, eventId, places)
    const indexOf = new Map(places.map(({ key }, n) => [key, n]))
    const first = taken.reduce((most, { position }) => Math.max(most, position + 1), 0)
    const beside = ({ pair }: NamedPlace, n: number, drawn: readonly number[]) => ({
      event_id: eventId,
      position: first + n,
      pair_place_id: pair === null ? null : (alone.get(pair)?.id ?? drawn[indexOf.get(pair)!]!),
    })
    const ids = await insertThings(tx, 'places', placeDefinition, places, { now, beside })
    const joined = places.flatMap(({ pair }, n) => {
      const half = pair === null ? undefined : alone.get(pair)
      return half ? [{ id: half.id, pairId: ids[n]! }] : []
    })
    await pairPlaces(tx, joined)
    scope.note?.add({ count: ids.length })
    changed()
    return findPlacesById(tx, eventId, ids)
  })

export const TICKET_NOT_SEATED_MESSAGE = 'must be of inventory_kind places'

/** The tickets of an event, and of which of them places are sold. */
export const findWhichTicketsAreSeated = async (tx: Tx, eventId: number): Promise<Map<number, boolean>> =>
  new Map((await findTickets(tx, eventId)).map(({ id, thing }) => [id, thing.inventory_kind === 'places']))

/** Judges each pair; answers with the places by key that are there already and get their other half now. */
const pairUp = async (tx: Tx, eventId: number, places: readonly NamedPlace[]): Promise<Map<string, Place>> => {
  const listed = new Map(places.map((place) => [place.key, place]))
  const outside = places.flatMap(({ pair }) => (pair === null || listed.has(pair) ? [] : [pair]))
  const there = outside.length === 0 ? [] : await lockPlaces(tx, eventId, [], outside)
  const alone = new Map(there.map((place) => [place.key, place]))
  const joined = new Set<string>()

  for (const [n, place] of places.entries()) {
    const { key, pair } = place
    if (isHalfPair(place)) refuse(n, 'pair', HALF_PAIR_WORDING.api)
    if (pair === null) continue
    const other = listed.get(pair)
    const half = alone.get(pair)
    if (other && other.pair !== key) refuse(n, 'pair', `must be the pair of ${key} too`)
    if (half && (half.pair !== null || joined.has(pair))) refuse(n, 'pair', TAKEN_MESSAGE)
    if (half?.isClaimed) refuse(n, 'pair', IS_CLAIMED_MESSAGE)
    const partner = other
      ? halfOf(other)
      : half
        ? { ...half, ticket: half.ticketId }
        : refuse(n, 'pair', MUST_EXIST_MESSAGE)
    const fault = pairFault(halfOf(place), partner)
    if (fault) refuse(n, 'pair', fault.api)
    joined.add(pair)
  }
  return alone
}

const halfOf = ({ accessibility, ticket_id: ticket }: NewPlaceInput) => ({ accessibility, ticket })
