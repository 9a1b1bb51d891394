import { z } from 'zod'
import { shortageFault } from '../inventory/venue-section.ts'
import { isCode, isPublicId, normalizeCode } from '../kernel/rules.ts'
import { type JsonPath, fileFaultAt, quoteShortened } from '../loading/fault.ts'
import {
  type ReadingContext,
  email,
  flag,
  keyText,
  list,
  money,
  oneOf,
  optional,
  optionalText,
  requiredList,
  text,
  strictObject,
  taxRate,
  timestamp,
  wholeNumber,
} from '../loading/fields.ts'
import { LANGUAGES } from '../languages/rules.ts'
import { type EventSection, type LoadedEvent, type LoadedTicket, findByKey } from '../loading/section.ts'
import { isCountry } from './countries.ts'
import { exportOrders } from './export/export-orders.ts'
import { type ImportedItem, type ImportedOrder, importOrders } from './import-orders.ts'
import {
  type AnswerValue,
  type Answers,
  type Question,
  STAFF_NOTE_MAX,
  isAnswerOfType,
  snapshotOfPlace,
  validateAnswers,
} from './rules.ts'
import { findQuestions } from './terms/records.ts'

const country = () =>
  optional(text().refine((code) => isCountry(code), { error: 'is not an ISO country code like "DE"' }))

export const answersSchema = () => z.record(z.string(), z.unknown())

/** When somebody came in with an admission, and when they went out again if they did. */
export const entrySchemas = (terms: ReadingContext) => ({
  redeemed_at: optional(timestamp(terms)),
  left_at: optional(timestamp(terms)),
})

interface EntryOfFile {
  admission_status: string
  redeemed_at: Date | null
  left_at: Date | null
}

/** The first thing that cannot be about who came in and went out. */
export const entryFault = ({ admission_status: status, redeemed_at: came, left_at: left }: EntryOfFile) => {
  if (status === 'cancelled' && came !== null)
    return { path: ['redeemed_at'], message: 'is given, but what is cancelled is never redeemed' }
  if (left !== null && came === null) return { path: ['left_at'], message: 'is given, but nobody came in' }
  return null
}

/** What an admission is known by at the door; drawn where the file does not say it. */
export const admissionCodeSchemas = () => ({
  public_id: optional(publicIdSchema()),
  check_in_code: optional(codeSchema()),
})

export const publicIdSchema = () => text().refine(isPublicId, { error: 'is not a public ID of 22 letters and digits' })

export const codeSchema = () =>
  text().transform(normalizeCode).refine(isCode, { error: 'is not a code of 8 letters and digits' })

const Item = (terms: ReadingContext) =>
  strictObject({
    ticket: keyText(),
    attendee_name: optionalText(),
    place: optional(keyText()),
    standing_area: optional(keyText()),
    admission_status: oneOf(['active', 'cancelled', 'refunded', 'refund_pending']).default('active'),
    ...entrySchemas(terms),
    custom_field_answers: optional(answersSchema()),
    is_lead: z.boolean().optional(),
    price: optional(money(terms)),
    tax_rate: taxRate().default(0),
    group_number: optional(wholeNumber({ least: 1 })),
    ...admissionCodeSchemas(),
  }).superRefine((item, context) => {
    const fault = entryFault(item)
    if (fault) context.addIssue({ code: 'custom', ...fault })
  })

type ItemInput = z.output<ReturnType<typeof Item>>

const ShopOrder = (terms: ReadingContext) =>
  strictObject({
    key: keyText(),
    customer_name: text(),
    customer_email: optional(email()),
    customer_phone: optionalText(),
    customer_company: optionalText(),
    billing_street: optionalText(),
    billing_postal_code: optionalText(),
    billing_city: optionalText(),
    billing_country: country(),
    billing_vat_id: optionalText(),
    staff_note: optionalText(STAFF_NOTE_MAX),
    custom_field_answers: optional(answersSchema()),
    status: oneOf(['paid', 'unpaid', 'refunded', 'cancelled', 'disputed']).default('paid'),
    archived: flag(false),
    created_at: timestamp(terms).default(() => terms.now),
    paid_at: optional(timestamp(terms)),
    cancelled_at: optional(timestamp(terms)),
    language: optional(oneOf(LANGUAGES)),
    total: optional(money(terms)),
    voucher_total: money(terms).default(0),
    refunded: money(terms).default(0),
    refunded_to_vouchers: money(terms).default(0),
    public_id: optional(publicIdSchema()),
    order_code: optional(codeSchema()),
    items: requiredList(Item(terms)),
  })
    .refine(({ total, voucher_total: spent }) => spent <= (total ?? 0), {
      path: ['voucher_total'],
      error: 'is more than the total',
    })
    .refine(({ total, refunded }) => refunded <= (total ?? 0), { path: ['refunded'], error: 'is more than the total' })
    .refine((order) => order.refunded_to_vouchers <= Math.min(order.voucher_total, order.refunded), {
      path: ['refunded_to_vouchers'],
      error: 'is more than vouchers paid, or more than was refunded',
    })

type ShopOrderInput = z.output<ReturnType<typeof ShopOrder>>

/** Orders of the shop, in whatever state they are. */
export const ordersSection: EventSection<ShopOrderInput[]> = {
  key: 'orders',
  schema: (terms) => list(ShopOrder(terms), 'key'),
  load: async ({ tx, terms }, event, orders, place) => {
    // Most events of a file have none, and nothing needs to be looked up for them.
    if (orders.length === 0) return {}
    const questions = await findQuestions(tx, event.id)
    const issue = await importOrders(
      tx,
      event.id,
      orders.map((order, n) => orderOf(event, order, questions, terms, [...place, n])),
      place,
    )
    if (issue.refused) throw shortageFault(place, issue.refused)

    return Object.fromEntries(
      orders.map(({ key: name }, n) => {
        const { publicId: id, orderCode, items } = issue.orders[n]!
        return [name, { public_id: id, order_code: orderCode, items: items.map(reportLoadedAdmission) }]
      }),
    )
  },
  export: exportOrders,
}

/** What `load` prints of an admission. */
export const reportLoadedAdmission = (item: { publicId: string; checkInCode: string }) => ({
  public_id: item.publicId,
  check_in_code: item.checkInCode,
})

const orderOf = (
  event: LoadedEvent,
  order: ShopOrderInput,
  questions: Question[],
  terms: ReadingContext,
  at: JsonPath,
): ImportedOrder => {
  const read = order.order_code === null ? readAnswers : readArchivedAnswers
  const answers = (scope: Question['scope'], given: Given | null, place: JsonPath) =>
    read(event, questionsOf(scope, questions), given ?? {}, [...place, 'custom_field_answers'])
  const groups = new Set<string>()
  const items = order.items.map((item, n) => {
    const here = [...at, 'items', n]
    const group = item.group_number === null ? null : `${item.ticket} ${item.group_number}`
    const isFirst = group === null || !groups.has(group)
    if (group !== null) groups.add(group)
    return {
      ...itemOf(event, item, here, { isOver: order.order_code !== null && item.admission_status !== 'active' }),
      stockQuantity: isFirst ? (1 as const) : (0 as const),
      answers: answers('attendee', item.custom_field_answers, here),
    }
  })
  return {
    origin: 'shop',
    status: order.status,
    archivedAt: order.archived ? terms.now : null,
    customerName: order.customer_name,
    deliveryEmail: order.customer_email,
    deliversToCreator: false,
    staffNote: order.staff_note,
    customerPhone: order.customer_phone,
    customerCompany: order.customer_company,
    billing: {
      street: order.billing_street,
      postalCode: order.billing_postal_code,
      city: order.billing_city,
      country: order.billing_country,
      vatId: order.billing_vat_id,
    },
    answers: answers('order', order.custom_field_answers, at),
    creator: null,
    language: order.language,
    totalCents: order.total ?? items.reduce((sum, { priceCents }) => sum + priceCents, 0),
    voucherCents: order.voucher_total,
    refundedCents: order.refunded,
    refundedVoucherCents: order.refunded_to_vouchers,
    cancelledAt: order.cancelled_at,
    paidAt: order.paid_at ?? (order.status === 'unpaid' || order.order_code !== null ? null : order.created_at),
    createdAt: order.created_at,
    publicId: order.public_id,
    orderCode: order.order_code,
    items,
  }
}

type ImportedAdmission = Omit<ImportedItem, 'answers'> & { priceCents: number }

/**
 * What has ended where it was sold holds nothing, and is taken as it stands: its place may be gone since, or its ticket
 * sold another way.
 */
const itemOf = (
  event: LoadedEvent,
  input: ItemInput,
  at: JsonPath,
  { isOver }: { isOver: boolean },
): ImportedAdmission => {
  const ticket = findByKey(event.tickets, input.ticket, [...at, 'ticket'], 'ticket')
  return {
    ticket: { id: ticket.id, title: ticket.title },
    standingArea: isOver ? namedArea(event, input, at) : areaOf(event, ticket, input, at),
    place: isOver ? namedPlace(event, input, at) : placeOf(event, ticket, input, at),
    // A ticket without a name of its own is the buyer's.
    isLead: input.is_lead ?? input.attendee_name === null,
    attendeeName: input.attendee_name,
    status: input.admission_status,
    redeemedAt: input.redeemed_at,
    leftAt: input.left_at,
    publicId: input.public_id,
    checkInCode: input.check_in_code,
    priceCents: input.price ?? ticket.priceCents,
    taxRate: input.tax_rate,
    groupNumber: input.group_number,
  }
}

const areaOf = (event: LoadedEvent, ticket: LoadedTicket, input: ItemInput, at: JsonPath) => {
  const here = [...at, 'standing_area']
  if (ticket.inventoryKind !== 'standing') {
    if (input.standing_area !== null) throw fileFaultAt(here, 'is given, but the ticket is not a standing one')
    return null
  }
  if (input.standing_area !== null) return namedArea(event, input, at)

  const areas = Array.from(event.standingAreas.values()).filter((area) => area.tickets.includes(input.ticket))
  if (areas.length !== 1) throw fileFaultAt(here, 'is missing')
  return areas[0]!
}

const placeOf = (event: LoadedEvent, ticket: LoadedTicket, input: ItemInput, at: JsonPath) => {
  const here = [...at, 'place']
  if (ticket.inventoryKind !== 'places') {
    if (input.place !== null) throw fileFaultAt(here, 'is given, but the ticket has no numbered places')
    return null
  }
  const place = namedPlace(event, input, at)
  if (place === null) throw fileFaultAt(here, 'is missing')
  return place
}

const namedArea = (event: LoadedEvent, { standing_area: name }: ItemInput, at: JsonPath) =>
  name === null ? null : findByKey(event.standingAreas, name, [...at, 'standing_area'], 'standing area')

const namedPlace = (event: LoadedEvent, { place: name }: ItemInput, at: JsonPath) => {
  if (name === null) return null
  const place = findByKey(event.places, name, [...at, 'place'], 'place')
  return { id: place.id, label: place.label, snapshot: snapshotOfPlace({ key: name, ...place }) }
}

type Given = Record<string, unknown>

/** What the file leaves open stays open. */
const questionsOf = (scope: Question['scope'], questions: readonly Question[]) =>
  questions.filter((question) => question.scope === scope).map((question) => ({ ...question, required: false }))

const readAnswers = (event: LoadedEvent, questions: Question[], given: Given, at: JsonPath): Answers => {
  const { answers, faults } = validateAnswers(questions, answersByQuestionId(event, given, at))
  if (faults.length > 0) throw fileFaultAt(at, faults[0]!)
  return answers
}

/** Answers of long ago are taken as they are: a choice may have been possible then that is none any more. */
export const readArchivedAnswers = (
  event: LoadedEvent,
  questions: readonly Question[],
  given: Given,
  at: JsonPath,
): Answers => {
  const byId = answersByQuestionId(event, given, at)
  return Object.fromEntries(
    questions.flatMap(({ id, type, label }): [string, AnswerValue][] => {
      if (!Object.hasOwn(byId, id)) return []
      if (!isAnswerOfType(type, byId[id])) throw fileFaultAt(at, `is no answer to ${quoteShortened(label)}`)
      return [[String(id), byId[id]]]
    }),
  )
}

/** The answers of a file under the IDs of the questions instead of their keys. */
export const answersByQuestionId = (event: LoadedEvent, given: Given, at: JsonPath): Given =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      findByKey(event.questions, name, [...at, name], 'question').id,
      value,
    ]),
  )
