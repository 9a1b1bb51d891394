import { z } from 'zod'
import { shortageAt } from '../inventory/venue-section.ts'
import { type JsonPath, faultAt } from '../loading/fault.ts'
import {
  type ReadingContext,
  email,
  flag,
  key,
  list,
  oneOf,
  optional,
  optionalText,
  requiredList,
  text,
  strictObject,
  timestamp,
} from '../loading/fields.ts'
import { type EventSection, type LoadedEvent, type LoadedTicket, findByKey } from '../loading/section.ts'
import { isCountry } from './countries.ts'
import { type ImportedItem, type ImportedOrder, importOrders } from './import-orders.ts'
import { type Answers, type Question, snapshotOfPlace, validateAnswers } from './rules.ts'
import { findQuestions } from './terms/records.ts'

const country = () =>
  optional(text().refine((code) => isCountry(code), { error: 'is not an ISO country code like "DE"' }))

const Item = (terms: ReadingContext) =>
  strictObject({
    ticket: key(),
    attendee_name: optionalText(),
    place: optional(key()),
    standing_area: optional(key()),
    admission_status: oneOf(['active', 'cancelled', 'refunded', 'refund_pending']).default('active'),
    redeemed_at: optional(timestamp(terms)),
  }).refine((item) => item.admission_status !== 'cancelled' || item.redeemed_at === null, {
    path: ['redeemed_at'],
    error: 'is given, but what is cancelled is never redeemed',
  })

type ItemInput = z.output<ReturnType<typeof Item>>

const ShopOrder = (terms: ReadingContext) =>
  strictObject({
    key: key(),
    customer_name: text(),
    customer_email: optional(email()),
    customer_phone: optionalText(),
    customer_company: optionalText(),
    billing_street: optionalText(),
    billing_postal_code: optionalText(),
    billing_city: optionalText(),
    billing_country: country(),
    billing_vat_id: optionalText(),
    custom_field_answers: optional(z.record(z.string(), z.unknown())),
    status: oneOf(['paid', 'unpaid', 'refunded', 'cancelled', 'disputed']).default('paid'),
    archived: flag(false),
    created_at: timestamp(terms).default(terms.now),
    items: requiredList(Item(terms)),
  })

type ShopOrderInput = z.output<ReturnType<typeof ShopOrder>>

/** Orders of the shop, in whatever state they are. */
export const ordersSection: EventSection<ShopOrderInput[]> = {
  key: 'orders',
  schema: (terms) => list(ShopOrder(terms), 'key'),
  load: async ({ tx, terms }, event, orders, place) => {
    // What the file leaves open stays open.
    const questions = (await findQuestions(tx, event.id))
      .filter((question) => question.scope === 'order')
      .map((question) => ({ ...question, required: false }))

    const issue = await importOrders(
      tx,
      event.id,
      orders.map((order, n) => orderOf(event, order, questions, terms, [...place, n])),
    )
    if (issue.refused) throw shortageAt(place, issue.refused)

    return Object.fromEntries(
      orders.map(({ key: name }, n) => {
        const { publicId, orderCode, items } = issue.orders[n]!
        return [name, { public_id: publicId, order_code: orderCode, items: items.map(showItem) }]
      }),
    )
  },
}

/** What `load` prints of an admission. */
export const showItem = ({ publicId, checkInCode }: { publicId: string; checkInCode: string }) => ({
  public_id: publicId,
  check_in_code: checkInCode,
})

const orderOf = (
  event: LoadedEvent,
  order: ShopOrderInput,
  questions: Question[],
  terms: ReadingContext,
  at: JsonPath,
): ImportedOrder => {
  const items = order.items.map((item, n) => itemOf(event, item, [...at, 'items', n]))
  const prices = order.items.map(({ ticket }) => event.tickets.get(ticket)!.priceCents)
  return {
    origin: 'shop',
    status: order.status,
    archivedAt: order.archived ? terms.now : null,
    customerName: order.customer_name,
    deliveryEmail: order.customer_email,
    deliversToCreator: false,
    staffNote: null,
    customerPhone: order.customer_phone,
    customerCompany: order.customer_company,
    billing: {
      street: order.billing_street,
      postalCode: order.billing_postal_code,
      city: order.billing_city,
      country: order.billing_country,
      vatId: order.billing_vat_id,
    },
    answers: answersOf(event, questions, order.custom_field_answers ?? {}, [...at, 'custom_field_answers']),
    creator: null,
    totalCents: prices.reduce((sum, cents) => sum + cents, 0),
    paidAt: order.status === 'unpaid' ? null : order.created_at,
    createdAt: order.created_at,
    items,
  }
}

const itemOf = (event: LoadedEvent, input: ItemInput, at: JsonPath): ImportedItem => {
  const ticket = findByKey(event.tickets, input.ticket, [...at, 'ticket'], 'ticket')
  return {
    ticket: { id: ticket.id, title: ticket.title },
    standingArea: areaOf(event, ticket, input, at),
    place: placeOf(event, ticket, input, at),
    // A ticket without a name of its own is the buyer's.
    isLead: input.attendee_name === null,
    attendeeName: input.attendee_name,
    answers: {},
    status: input.admission_status,
    redeemedAt: input.redeemed_at,
  }
}

const areaOf = (event: LoadedEvent, ticket: LoadedTicket, input: ItemInput, at: JsonPath) => {
  const here = [...at, 'standing_area']
  if (ticket.inventoryKind !== 'standing') {
    if (input.standing_area !== null) throw faultAt(here, 'is given, but the ticket is not a standing one')
    return null
  }
  if (input.standing_area !== null) return findByKey(event.standingAreas, input.standing_area, here, 'standing area')

  const areas = Array.from(event.standingAreas.values()).filter((area) => area.tickets.includes(input.ticket))
  if (areas.length !== 1) throw faultAt(here, 'is missing')
  return areas[0]!
}

const placeOf = (event: LoadedEvent, ticket: LoadedTicket, input: ItemInput, at: JsonPath) => {
  const here = [...at, 'place']
  if (ticket.inventoryKind !== 'places') {
    if (input.place !== null) throw faultAt(here, 'is given, but the ticket has no numbered places')
    return null
  }
  if (input.place === null) throw faultAt(here, 'is missing')

  const place = findByKey(event.places, input.place, here, 'place')
  return { id: place.id, label: place.label, snapshot: snapshotOfPlace({ key: input.place, ...place }) }
}

const answersOf = (
  event: LoadedEvent,
  questions: Question[],
  given: Record<string, unknown>,
  at: JsonPath,
): Answers => {
  const { answers, faults } = validateAnswers(questions, idsOfAnswers(event, given, at))
  if (faults.length > 0) throw faultAt(at, faults[0]!)
  return answers
}

/** The answers of a file under the IDs of the questions instead of their keys. */
export const idsOfAnswers = (
  event: LoadedEvent,
  given: Record<string, unknown>,
  at: JsonPath,
): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      findByKey(event.questions, name, [...at, name], 'question').id,
      value,
    ]),
  )
