import type { Rows } from '../access/scopes.ts'
import { tryAgainWithoutExpiredHolds } from '../inventory/claim.ts'
import type { Bound, Claim } from '../inventory/rules.ts'
import { newCode, newPublicId } from '../kernel/public-ids.ts'
import { type AdmissionRow, type MadeOrder, type OrderRow, insertOrder } from './records.ts'
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

export type Issue = { refused: Bound; order: null } | { refused: null; order: Order }

const DRAWS_MAX = 5

/**
 * Takes the inventory and writes the order with its admissions, or tells what was short. It is one statement, so it
 * may be given the rows of a scope as well as a transaction.
 */
export const issueOrder = async (rows: Rows, order: NewOrder, drawCode = newCode): Promise<Issue> => {
  const claim: Claim = {
    eventId: order.eventId,
    ticketId: order.ticket.id,
    quantity: order.admissions.length,
    standingAreaId: order.standingArea?.id ?? null,
    placeIds: order.places.map(({ id }) => id),
  }

  for (let draw = 1; draw <= DRAWS_MAX; draw++) {
    const row: OrderRow = {
      ...order,
      createdAt: order.createdAt ?? null,
      publicId: order.publicId ?? newPublicId(),
      orderCode: drawCode(),
    }
    const admissions = order.admissions.map((admission, n) => admissionRow(order, admission, n, drawCode()))
    const made = await tryAgainWithoutExpiredHolds(
      rows,
      order.eventId,
      () => insertOrder(rows, claim, order.ticket.title, row, admissions),
      ({ refused }) => (refused === 'proviso' ? null : refused),
    )
    if (made.refused === null) return { refused: null, order: orderOf(order, row, admissions, made) }
    if (made.refused !== 'proviso') return { refused: made.refused, order: null }
  }
  throw new Error('No unused code was drawn')
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

const orderOf = (order: NewOrder, row: OrderRow, admissions: AdmissionRow[], made: MadeOrder): Order => ({
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
