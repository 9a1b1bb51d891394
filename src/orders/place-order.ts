import type { Tx } from '../access/scopes.ts'
import { findUsedCodes } from '../admissions/records.ts'
import { type NumberedPlace, snapshotOfArea, snapshotOfPlace } from '../admissions/rules.ts'
import { newCode, newPublicId } from '../kernel/public-ids.ts'
import type { OrderedItem, PlacedOrder } from './placed-order.ts'
import { type AdmissionToInsert, findNumberedPlaces, insertShopOrders } from './records.ts'

export interface PlacedOrderIds {
  id: number
  publicId: string
  orderCode: string
}

/** Writes orders with their admissions. What they take is the caller's claim already. */
export const insertPlacedOrders = async (tx: Tx, orders: readonly PlacedOrder[]): Promise<PlacedOrderIds[]> => {
  const placeIds = orders.flatMap(({ items }) => items.flatMap((item) => item.places.map(({ id }) => id)))
  const places = new Map((await findNumberedPlaces(tx, placeIds)).map((place) => [place.id, place]))
  const units = orders.map(({ items }) => unitsOf(items))
  const codes = await drawCodes(
    tx,
    units.reduce((count, each) => count + each.length + 1, 0),
  )
  const toInsert = orders.map((order, n) => ({
    ...order,
    publicId: newPublicId(),
    orderCode: codes.pop()!,
    admissions: units[n]!.map((unit, position) =>
      admissionOf(order, unit, { position, checkInCode: codes.pop()!, places }),
    ),
  }))
  const ids = await insertShopOrders(tx, toInsert)
  return toInsert.map(({ publicId, orderCode }, n) => ({ id: ids[n]!, publicId, orderCode }))
}

const admissionOf = (
  order: PlacedOrder,
  { item, position: unit, group, price }: ReturnType<typeof unitsOf>[number],
  given: { position: number; checkInCode: string; places: ReadonlyMap<number, NumberedPlace> },
): AdmissionToInsert => {
  const attendee = order.attendees[given.position]
  const name = attendee?.name ?? null
  const isLead = given.position === 0 && (name === null || name === order.customerName)
  const place = item.places[unit] && given.places.get(item.places[unit].id)
  return {
    publicId: newPublicId(),
    checkInCode: given.checkInCode,
    ticketId: item.ticketId,
    ticketTitle: item.title,
    isLead,
    attendeeName: isLead ? null : name,
    answers: attendee?.answers ?? {},
    placeId: place?.id ?? null,
    standingAreaId: item.standingArea?.id ?? null,
    placeLabel: place?.label ?? item.standingArea?.name ?? null,
    placeSnapshot: place ? snapshotOfPlace(place) : item.standingArea && snapshotOfArea(item.standingArea.name),
    stockQuantity: group !== null && unit % item.admissionsEach > 0 ? 0 : 1,
    groupNumber: group,
    priceCents: price,
    taxRate: item.taxRate,
  }
}

/**
 * The admissions of an order. Those of a group share its price, the first ones a cent more where it does not divide.
 * The groups of a ticket are counted through the order, also where it was asked for twice.
 */
const unitsOf = (items: readonly OrderedItem[]) => {
  const groups = new Map<number, number>()
  return items.flatMap((item) => {
    const { ticketId, quantity, admissionsEach, unitPriceCents } = item
    const share = Math.floor(unitPriceCents / admissionsEach)
    const rest = unitPriceCents - share * admissionsEach
    const first = (groups.get(ticketId) ?? 0) + 1
    groups.set(ticketId, first - 1 + quantity)
    return Array.from({ length: quantity * admissionsEach }, (_each, position) => ({
      item,
      position,
      group: admissionsEach === 1 ? null : first + Math.floor(position / admissionsEach),
      price: share + (position % admissionsEach < rest ? 1 : 0),
    }))
  })
}

const drawCodes = async (tx: Tx, count: number): Promise<string[]> => {
  const codes = new Set<string>()
  while (codes.size < count) {
    const drawn = Array.from({ length: count - codes.size }, () => newCode())
    const used = await findUsedCodes(tx, drawn)
    for (const code of drawn) if (!used.has(code)) codes.add(code)
  }
  return [...codes]
}
