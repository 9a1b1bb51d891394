import type { Rows } from '../access/scopes.ts'
import { endExpiredHolds } from '../inventory/holds/records.ts'
import type { Shortage, ClaimRequest } from '../inventory/rules.ts'
import { newCode, newPublicId } from '../kernel/public-ids.ts'
import { type AdmissionRow, type InsertedOrder, type OrderRow, type OrderToInsert, insertOrders } from './records.ts'
import { type Answers, type NumberedPlace, type Order, snapshotOfArea, snapshotOfPlace } from './rules.ts'

export interface NewAdmission {
  isLead: boolean
  attendeeName: string | null
  answers: Answers
}

/** An order of one ticket. Numbered places come one for each admission, in their order. */
export interface NewOrder extends Omit<OrderRow, 'publicId' | 'orderCode' | 'createdAt'> {
  createdAt?: Date | null
  /** Drawn here unless it was told before. */
  publicId?: string
  ticket: { id: number; title: string }
  standingArea: { id: number; name: string } | null
  places: NumberedPlace[]
  admissions: NewAdmission[]
}

export type IssueOutcome = { refused: Shortage; order: null } | { refused: null; order: Order }

const DRAWS_MAX = 5

/** Takes the inventory and writes the order with its admissions, or tells what was short. */
export const issueOrder = async (rows: Rows, order: NewOrder, drawCode = newCode): Promise<IssueOutcome> =>
  (await issueOrders(rows, order.eventId, [order], drawCode))[0]!

/**
 * The same for several orders of one event, each for itself and in their order. It is one statement, so it may be given
 * the rows of a scope as well as a transaction.
 */
export const issueOrders = async (
  rows: Rows,
  eventId: number,
  orders: readonly NewOrder[],
  drawCode = newCode,
): Promise<IssueOutcome[]> => {
  const issues = new Map<NewOrder, IssueOutcome>()
  let waiting = orders
  for (let draw = 1; waiting.length > 0; draw++) {
    if (draw > DRAWS_MAX) throw new Error('No unused code was drawn')
    const again: NewOrder[] = []
    for (const [order, issue] of await issueOnce(rows, eventId, waiting, drawCode)) {
      if (issue) issues.set(order, issue)
      else again.push(order)
    }
    waiting = again
  }
  return orders.map((order) => issues.get(order)!)
}

/** Null for an order whose codes are in use: others are to be drawn. */
const issueOnce = async (
  rows: Rows,
  eventId: number,
  orders: readonly NewOrder[],
  drawCode: () => string,
): Promise<Map<NewOrder, IssueOutcome | null>> => {
  const draw = distinct(drawCode)
  const toMake = orders.map((order): OrderToInsert => ({
    claim: claimOf(order),
    ticketTitle: order.ticket.title,
    order: {
      ...order,
      createdAt: order.createdAt ?? null,
      publicId: order.publicId ?? newPublicId(),
      orderCode: draw(),
    },
    admissions: order.admissions.map((admission, n) => admissionRow(order, admission, n, draw())),
  }))
  const made = await insertOrders(rows, eventId, toMake)

  // A hold whose time is over refuses nobody.
  const short = made.flatMap(({ refused }, n) => (refused === null || refused === 'code_taken' ? [] : [n]))
  if (short.length > 0 && (await endExpiredHolds(rows, eventId)) > 0) {
    const second = await insertOrders(
      rows,
      eventId,
      short.map((n) => toMake[n]!),
    )
    short.forEach((n, position) => (made[n] = second[position]!))
  }
  return new Map(orders.map((order, n) => [order, issueOf(order, toMake[n]!, made[n]!)]))
}

const issueOf = (
  order: NewOrder,
  { order: row, admissions }: OrderToInsert,
  made: InsertedOrder,
): IssueOutcome | null => {
  if (made.refused === 'code_taken') return null
  if (made.refused !== null) return { refused: made.refused, order: null }
  return { refused: null, order: orderOf(order, row, admissions, made) }
}

const claimOf = (order: NewOrder): ClaimRequest => ({
  eventId: order.eventId,
  ticketId: order.ticket.id,
  quantity: order.admissions.length,
  standingAreaId: order.standingArea?.id ?? null,
  placeIds: order.places.map(({ id }) => id),
})

/** Codes of one statement do not see each other in the database. */
const distinct = (drawCode: () => string) => {
  const drawn = new Set<string>()
  return () => {
    let code = drawCode()
    while (drawn.has(code)) code = newCode()
    drawn.add(code)
    return code
  }
}

const admissionRow = (order: NewOrder, admission: NewAdmission, n: number, checkInCode: string): AdmissionRow => {
  const place = order.places[n]
  return {
    publicId: newPublicId(),
    checkInCode,
    isLead: admission.isLead,
    attendeeName: admission.attendeeName,
    answers: admission.answers,
    placeId: place?.id ?? null,
    placeLabel: place?.label ?? order.standingArea?.name ?? null,
    placeSnapshot: place ? snapshotOfPlace(place) : order.standingArea && snapshotOfArea(order.standingArea.name),
  }
}

const orderOf = (
  order: NewOrder,
  row: OrderRow,
  admissions: AdmissionRow[],
  made: InsertedOrder & { refused: null },
): Order => ({
  id: made.id,
  publicId: row.publicId,
  orderCode: row.orderCode,
  origin: order.origin,
  status: order.status,
  customerName: order.customerName,
  deliveryEmail: order.deliveryEmail,
  deliversToCreator: order.deliversToCreator,
  staffNote: order.staffNote,
  customerPhone: order.customerPhone,
  customerCompany: order.customerCompany,
  billing: order.billing,
  answers: order.answers,
  paidAt: made.createdAt,
  creatorName: order.creator?.name ?? null,
  createdAt: made.createdAt,
  admissions: admissions.map((admission, n) => ({
    id: made.admissionIds[n]!,
    publicId: admission.publicId,
    checkInCode: admission.checkInCode,
    isLead: admission.isLead,
    attendeeName: admission.attendeeName,
    answers: admission.answers,
    placeId: admission.placeId,
    placeLabel: admission.placeLabel,
    ticketId: order.ticket.id,
    ticketTitle: order.ticket.title,
    status: 'active',
    redeemedAt: null,
    isPaired: (order.places[n]?.pairPlaceId ?? null) !== null,
  })),
})
