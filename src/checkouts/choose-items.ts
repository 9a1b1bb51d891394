import { chooseStandingArea } from '../admissions/rules.ts'
import {
  BLANK_MESSAGE,
  MUST_BE_BLANK_MESSAGE,
  NOT_INCLUDED_MESSAGE,
  DUPLICATE_ENTRY_MESSAGE,
  atMostMessage,
} from '../kernel/messages.ts'
import { type ErrorMap, Invalid } from '../kernel/refusals.ts'
import type { HoldRequest, Shortage } from '../inventory/rules.ts'
import type { ItemInput } from './inputs.ts'
import { ADMISSIONS_MAX, type CheckoutItem, EVENT_CANCELLED_MESSAGE, admissionCount } from './rules.ts'
import type { SaleConditions, PurchasableTicket } from './terms/records.ts'

/** What is bought, at the prices of now; refuses with a fault beside each field that has one. */
export const validateItems = (terms: SaleConditions, asked: readonly ItemInput[]): CheckoutItem[] => {
  refuseClosedSale(terms)
  if (asked.length === 0) throw new Invalid({ items: [BLANK_MESSAGE] })

  const faults: ErrorMap = {}
  const items = asked.map((input, n) => {
    const fault = (key: string, message: string) => void (faults[`items[${n}].${key}`] ??= []).push(message)
    return chooseItem(terms, input, fault)
  })
  refuseTooMany(items, terms, faults)
  if (Object.keys(faults).length > 0) throw new Invalid(faults)
  return items.filter((each) => each !== null)
}

export const NOT_STARTED_MESSAGE = 'The sale has not started yet'

const refuseClosedSale = (terms: SaleConditions) => {
  if (terms.isCalledOff) throw new Invalid(EVENT_CANCELLED_MESSAGE)
  if (terms.isOver || terms.hasSaleEnded) throw new Invalid('The sale has ended')
  if (terms.salesStartAt) throw new Invalid(NOT_STARTED_MESSAGE)
}

type Fault = (key: string, message: string) => void

const chooseItem = ({ tickets }: SaleConditions, input: ItemInput, fault: Fault): CheckoutItem | null => {
  // A hidden ticket without its code is as unknown as one that does not exist.
  const ticket = tickets.find(({ id, hidden, isUnlocked }) => id === input.ticket_id && (!hidden || isUnlocked))
  if (!ticket) {
    fault('ticket_id', input.ticket_id === null ? BLANK_MESSAGE : NOT_INCLUDED_MESSAGE)
    return null
  }
  const places = choosePlaces(ticket, input, fault)
  const quantity = ticket.inventoryKind === 'places' ? places.length / ticket.groupSize : input.quantity
  if (quantity === null) {
    fault('quantity', BLANK_MESSAGE)
    return null
  }
  if (ticket.inventoryKind === 'places') refuseOtherQuantity(ticket, input, quantity, fault)
  const { area, fault: areaFault } = chooseStandingArea(
    { ...ticket, kind: 'StandardTicket', isArchived: false },
    input.standing_area_id,
  )
  if (areaFault !== null) fault('standing_area_id', areaFault)
  return {
    ticketId: ticket.id,
    title: ticket.title,
    quantity,
    admissionsEach: ticket.groupSize,
    unitPriceCents: ticket.priceCents,
    taxRate: ticket.taxRate,
    standingArea: area,
    places,
    holdId: null,
  }
}

/** In the order in which they were named: each guest gets theirs. */
const choosePlaces = (ticket: PurchasableTicket, { place_keys: keys }: ItemInput, fault: Fault) => {
  if (ticket.inventoryKind !== 'places') {
    if (keys.length > 0) fault('place_keys', MUST_BE_BLANK_MESSAGE)
    return []
  }
  if (keys.length === 0) fault('place_keys', BLANK_MESSAGE)
  if (new Set(keys).size < keys.length) fault('place_keys', DUPLICATE_ENTRY_MESSAGE)
  const places = keys.flatMap((key) => ticket.places.find((place) => place.key === key) ?? [])
  if (places.length < keys.length) fault('place_keys', NOT_INCLUDED_MESSAGE)
  return places
}

const refuseOtherQuantity = (ticket: PurchasableTicket, input: ItemInput, quantity: number, fault: Fault) => {
  if (input.place_keys.length === 0) return
  if (!Number.isInteger(quantity)) fault('place_keys', `must be ${ticket.groupSize} for each group`)
  else if (input.quantity !== null && input.quantity !== quantity)
    fault('quantity', `must be ${quantity}, one for each place`)
}

/** A ticket that is asked for twice counts twice. */
const refuseTooMany = (items: readonly (CheckoutItem | null)[], { tickets }: SaleConditions, faults: ErrorMap) => {
  const chosen = items.filter((item) => item !== null)
  for (const { id, maxPerOrder } of tickets) {
    const mine = items.flatMap((item, n) => (item?.ticketId === id ? [{ item, n }] : []))
    const quantity = mine.reduce((sum, { item }) => sum + item.quantity, 0)
    if (maxPerOrder !== null && quantity > maxPerOrder) {
      ;(faults[`items[${mine.at(-1)!.n}].quantity`] ??= []).push(atMostMessage(maxPerOrder))
    }
  }
  const keys = chosen.flatMap(({ places }) => [...new Set(places.map(({ key }) => key))])
  if (new Set(keys).size < keys.length) (faults['items'] ??= []).push(DUPLICATE_ENTRY_MESSAGE)
  if (admissionCount(chosen) > ADMISSIONS_MAX)
    (faults['items'] ??= []).push(`must not be for more than ${ADMISSIONS_MAX} guests`)
}

/** What is held for it: a group takes one of the stock and its size of everything else. */
export const holdRequestOf = (items: readonly CheckoutItem[]): HoldRequest =>
  items.map(({ ticketId, quantity, admissionsEach, standingArea, places }) => ({
    ticketId,
    quantity: quantity * admissionsEach,
    stockQuantity: quantity,
    standingAreaId: standingArea?.id ?? null,
    placeIds: places.map(({ id }) => id),
  }))

const SHORTAGES: Record<Shortage, string> = {
  event: 'Not enough places available',
  ticket: 'Not enough tickets available',
  area: 'Not enough places available in this area',
  places: 'Seats are no longer available',
}

/** Beside the field that asked for what is gone. */
export const shortageRefusal = ({ refused, refusedItem }: { refused: Shortage; refusedItem: number }) => {
  const key = { event: 'quantity', ticket: 'quantity', area: 'standing_area_id', places: 'place_keys' }[refused]
  return new Invalid({ [`items[${refusedItem}].${key}`]: [SHORTAGES[refused]] })
}
