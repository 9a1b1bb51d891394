import type { Tx } from '../access/scopes.ts'
import { findUsedCodes } from '../admissions/records.ts'
import { snapshotOfArea, snapshotOfPlace } from '../admissions/rules.ts'
import { newCode, newPublicId } from '../kernel/public-ids.ts'
import type { OrderedItem, PlacedOrder } from './placed-order.ts'
import { type AdmissionToInsert, findNumberedPlaces, insertShopOrder } from './records.ts'

export interface PlacedOrderIds {
  id: number
  publicId: string
  orderCode: string
}

/** Writes an order with its admissions. What they take is the caller's claim already. */
export const insertPlacedOrder = async (tx: Tx, order: PlacedOrder): Promise<PlacedOrderIds> => {
  const places = new Map(
    (
      await findNumberedPlaces(
        tx,
        order.items.flatMap((item) => item.places.map(({ id }) => id)),
      )
    ).map((place) => [place.id, place]),
  )
  const units = order.items.flatMap((item) => unitsOf(item))
  const codes = await drawCodes(tx, units.length + 1)
  const admissions = units.map(({ item, position, group, price }, n): AdmissionToInsert => {
    const attendee = order.attendees[n]
    const name = attendee?.name ?? null
    const isLead = n === 0 && (name === null || name === order.customerName)
    const place = item.places[position] && places.get(item.places[position].id)
    return {
      publicId: newPublicId(),
      checkInCode: codes[n + 1]!,
      ticketId: item.ticketId,
      ticketTitle: item.title,
      isLead,
      attendeeName: isLead ? null : name,
      answers: attendee?.answers ?? {},
      placeId: place?.id ?? null,
      standingAreaId: item.standingArea?.id ?? null,
      placeLabel: place?.label ?? item.standingArea?.name ?? null,
      placeSnapshot: place ? snapshotOfPlace(place) : item.standingArea && snapshotOfArea(item.standingArea.name),
      stockQuantity: group !== null && position % item.admissionsEach > 0 ? 0 : 1,
      groupNumber: group,
      priceCents: price,
      taxRate: item.taxRate,
    }
  })
  const publicId = newPublicId()
  const id = await insertShopOrder(tx, { ...order, publicId, orderCode: codes[0]!, admissions })
  return { id, publicId, orderCode: codes[0]! }
}

/** The admissions of an item. Those of a group share its price, the first ones a cent more where it does not divide. */
const unitsOf = (item: OrderedItem) => {
  const { quantity, admissionsEach, unitPriceCents } = item
  const share = Math.floor(unitPriceCents / admissionsEach)
  const rest = unitPriceCents - share * admissionsEach
  return Array.from({ length: quantity * admissionsEach }, (_each, position) => ({
    item,
    position,
    group: admissionsEach === 1 ? null : Math.floor(position / admissionsEach) + 1,
    price: share + (position % admissionsEach < rest ? 1 : 0),
  }))
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
