import type { EventScope } from '../../access/scopes.ts'
import { computeChange } from '../../definitions/change.ts'
import { INVALID_MESSAGE, MUST_EXIST_MESSAGE, TAKEN_MESSAGE } from '../../kernel/messages.ts'
import { Invalid, refuseUnless } from '../../kernel/refusals.ts'
import { type PartsTransaction, inPartsTransaction } from '../parts/change-parts.ts'
import { TICKET_NOT_SEATED_MESSAGE, findWhichTicketsAreSeated } from './create-places.ts'
import { type Place, deletePlaces, findPlacesById, isLabelTaken, lockPlaces, updatePlaces } from './records.ts'
import { HALF_PAIR_WORDING, pairFault, isHalfPair } from '../pairs.ts'
import { IS_CLAIMED_MESSAGE, listNamesShortened } from './rules.ts'
import { type PlaceChangesInput, changedPlaceDefinition } from './wire.ts'

/** The same change for several places, all of them or none. Whoever gets a pair is the pair of that place too. */
export const changePlaces = (scope: EventScope, ids: readonly number[], sent: PlaceChangesInput): Promise<Place[]> =>
  inPartsTransaction(scope, 'places', async (changing) => {
    const { tx, eventId, now, changed } = changing
    const pairKey = sent.pair ?? null
    const locked = await lockPlaces(tx, eventId, ids, pairKey === null ? [] : [pairKey])
    const before = new Map(locked.map((place) => [place.id, place]))
    const named = requireAll(ids, before)
    await requirePossibleChange(changing, named, sent)

    const after = new Map(before)
    for (const place of named) after.set(place.id, { ...place, ...changeOfPlace(place, sent, now) })
    if (sent.pair !== undefined) repair(after, named, pairKey)

    const touched = Array.from(after.values()).filter((place) => isOther(before.get(place.id)!, place))
    if (touched.length > 0) {
      requireUnclaimed(before, touched)
      requireWholePairs(after, touched)
      const repaired = touched.filter((place) => place.pairPlaceId !== before.get(place.id)!.pairPlaceId)
      await updatePlaces(
        tx,
        touched.map(columnsOf),
        repaired.map(({ id }) => id),
      )
      changed()
    }
    scope.note?.add({ count: touched.length })
    const shown = new Set([...ids, ...touched.map(({ id }) => id)])
    return findPlacesById(tx, eventId, [...shown])
  })

const requireAll = (ids: readonly number[], places: ReadonlyMap<number, Place>): Place[] =>
  [...new Set(ids)].map((id) => {
    const place = places.get(id)
    refuseUnless(place, { place_ids: [MUST_EXIST_MESSAGE] })
    return place
  })

const requirePossibleChange = async (
  { tx, eventId }: PartsTransaction,
  named: readonly Place[],
  sent: PlaceChangesInput,
): Promise<void> => {
  const [first] = named
  if (sent.label !== undefined) {
    refuseUnless(named.length === 1 && !(await isLabelTaken(tx, eventId, sent.label, first!.id)), {
      label: [TAKEN_MESSAGE],
    })
  }
  if (sent.ticket_id !== undefined) {
    const isSeat = (await findWhichTicketsAreSeated(tx, eventId)).get(sent.ticket_id)
    refuseUnless(isSeat !== undefined, { ticket_id: [MUST_EXIST_MESSAGE] })
    refuseUnless(isSeat, { ticket_id: [TICKET_NOT_SEATED_MESSAGE] })
  }
}

const changeOfPlace = (place: Place, sent: PlaceChangesInput, now: Date): Partial<Place> => {
  const thing = { ...place, ticket_id: place.ticketId, blocked: place.blockedAt !== null }
  const { columns } = computeChange(
    changedPlaceDefinition,
    { thing, row: { blocked_at: place.blockedAt } },
    { ...sent, pair: undefined },
    now,
  )
  return {
    ...('label' in columns && { label: columns['label'] as string }),
    ...('ticket_id' in columns && { ticketId: columns['ticket_id'] as number }),
    ...('accessibility' in columns && { accessibility: columns['accessibility'] as Place['accessibility'] }),
    ...('blocked_at' in columns && { blockedAt: columns['blocked_at'] as Date | null }),
  }
}

/** Takes the named places out of their pairs, or puts the one that is named into a pair with another. */
const repair = (places: Map<number, Place>, named: readonly Place[], pairKey: string | null): void => {
  const setPair = (place: Place | undefined, pairPlaceId: number | null) => {
    if (place) places.set(place.id, { ...places.get(place.id)!, pairPlaceId })
  }
  if (pairKey === null) {
    for (const place of named) {
      setPair(places.get(place.pairPlaceId ?? 0), null)
      setPair(place, null)
    }
    return
  }
  const [place] = named
  const other = Array.from(places.values()).find(({ key }) => key === pairKey)
  refuseUnless(other, { pair: [MUST_EXIST_MESSAGE] })
  refuseUnless(named.length === 1 && other.id !== place!.id, { pair: [INVALID_MESSAGE] })
  refuseUnless(other.pairPlaceId === null || other.pairPlaceId === place!.id, { pair: [TAKEN_MESSAGE] })
  setPair(places.get(place!.pairPlaceId ?? 0), null)
  setPair(place, other.id)
  setPair(other, place!.id)
}

const isOther = (before: Place, after: Place) => JSON.stringify(columnsOf(before)) !== JSON.stringify(columnsOf(after))

const columnsOf = (place: Place) => ({
  id: place.id,
  ticket_id: place.ticketId,
  label: place.label,
  accessibility: place.accessibility,
  pair_place_id: place.pairPlaceId,
  blocked_at: place.blockedAt,
})

/** Somebody has a ticket that says where they sit, and beside whom. */
const requireUnclaimed = (before: ReadonlyMap<number, Place>, touched: readonly Place[]): void => {
  const claimed = touched.filter((place) => {
    const { isClaimed, label, ticketId, pairPlaceId, blockedAt } = before.get(place.id)!
    const isMoved = label !== place.label || ticketId !== place.ticketId || pairPlaceId !== place.pairPlaceId
    return isClaimed && (isMoved || (blockedAt === null && place.blockedAt !== null))
  })
  refuseUnclaimed(claimed.map(({ id }) => before.get(id)!))
}

const refuseUnclaimed = (claimed: readonly Place[]): void => {
  if (claimed.length > 0)
    throw new Invalid({ place_ids: [`${IS_CLAIMED_MESSAGE}: ${listNamesShortened(claimed.map(({ key }) => key))}`] })
}

const requireWholePairs = (places: ReadonlyMap<number, Place>, touched: readonly Place[]): void => {
  for (const place of touched) {
    const other = place.pairPlaceId === null ? null : places.get(place.pairPlaceId)!
    refuseUnless(!isHalfPair({ ...place, pair: other }), { pair: [`${HALF_PAIR_WORDING.api}: ${place.key}`] })
    const fault = other && pairFault({ ...place, ticket: place.ticketId }, { ...other, ticket: other.ticketId })
    if (fault) throw new Invalid({ pair: [`${fault.api}: ${place.key}, ${other.key}`] })
  }
}

/** Only places that nobody sits on go; of a pair the companion may go alone. */
export const removePlaces = (scope: EventScope, ids: readonly number[]): Promise<void> =>
  inPartsTransaction(scope, 'places', async ({ tx, eventId, changed }) => {
    const places = new Map((await lockPlaces(tx, eventId, ids, [])).map((place) => [place.id, place]))
    const named = requireAll(ids, places)
    refuseUnclaimed(named.filter(({ isClaimed }) => isClaimed))

    const gone = new Set(ids)
    const left = Array.from(places.values()).filter(({ id }) => !gone.has(id))
    refuseUnclaimed(left.filter(({ isClaimed }) => isClaimed))
    const halves = left.filter(({ accessibility }) => accessibility === 'companion')
    refuseUnless(halves.length === 0, {
      place_ids: [
        `would leave companion places without their wheelchair places: ${listNamesShortened(halves.map(({ key }) => key))}`,
      ],
    })
    await deletePlaces(
      tx,
      eventId,
      [...gone],
      left.map(({ id }) => id),
    )
    scope.note?.add({ count: gone.size })
    changed()
  })
