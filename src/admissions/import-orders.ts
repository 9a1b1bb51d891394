import type { Tx } from '../access/scopes.ts'
import { planForManyRows } from '../database/prepared.ts'
import { claim } from '../inventory/claim.ts'
import type { Shortage } from '../inventory/rules.ts'
import { newCode, newPublicId } from '../kernel/public-ids.ts'
import { type JsonPath, fileFaultAt, quoteShortened } from '../loading/fault.ts'
import { allocateIds, insertRows } from '../loading/records.ts'
import type { NewOrder } from './issue-order.ts'
import { findUsedCodes, findUsedPublicIds } from './records.ts'
import { type AdmissionStatus, type Answers, type PlaceSnapshot, snapshotOfArea, snapshotOfPlace } from './rules.ts'

export interface ImportedItem {
  ticket: { id: number; title: string }
  standingArea: { id: number; name: string } | null
  place: { id: number; label: string; snapshot: PlaceSnapshot } | null
  isLead: boolean
  attendeeName: string | null
  answers: Answers
  status: AdmissionStatus
  redeemedAt: Date | null
  /** When they went out and did not come back. */
  leftAt: Date | null
  /** What it was known by before; null draws both anew. */
  publicId: string | null
  checkInCode: string | null
  /** What it cost where it was sold, and as part of which group. */
  priceCents?: number
  taxRate?: number
  groupNumber?: number | null
  /** None for those of a group after its first, which stands for what the group took of the stock. */
  stockQuantity?: 0 | 1
}

type OrderFields = Omit<
  NewOrder,
  'eventId' | 'publicId' | 'ticket' | 'standingArea' | 'places' | 'admissions' | 'creator'
>

export interface ImportedOrder extends OrderFields {
  publicId: string | null
  orderCode: string | null
  creator: { personId: number | null; name: string } | null
  createdAt: Date
  archivedAt: Date | null
  paidAt: Date | null
  totalCents: number
  /** What vouchers paid of it, and what went back, where it was sold. */
  voucherCents?: number
  refundedCents?: number
  refundedVoucherCents?: number
  cancelledAt?: Date | null
  items: ImportedItem[]
}

interface IssuedOrder {
  id: number
  publicId: string
  orderCode: string
  items: { publicId: string; checkInCode: string }[]
}

export type ImportOutcome = { refused: Shortage; orders: null } | { refused: null; orders: IssuedOrder[] }

/** A guest party as one of many. */
export const asImportedOrder = (order: NewOrder, createdAt: Date): ImportedOrder => ({
  ...order,
  publicId: null,
  orderCode: null,
  createdAt: order.createdAt ?? createdAt,
  archivedAt: null,
  paidAt: order.createdAt ?? createdAt,
  totalCents: 0,
  items: order.admissions.map((admission, n) => {
    const place = order.places[n]
    return {
      ...admission,
      ticket: order.ticket,
      standingArea: order.standingArea,
      place: place ? { id: place.id, label: place.label, snapshot: snapshotOfPlace(place) } : null,
      status: 'active',
      redeemedAt: null,
      leftAt: null,
      publicId: null,
      checkInCode: null,
    }
  }),
})

const MANY = 200

/**
 * Orders that were made elsewhere or all at once: one claim for each ticket and area, and set by set the rows. Every
 * live admission holds its inventory, whatever became of the payment.
 */
export const importOrders = async (
  tx: Tx,
  eventId: number,
  orders: ImportedOrder[],
  place: JsonPath,
): Promise<ImportOutcome> => {
  if (orders.length >= MANY) await planForManyRows(tx.db)
  await refuseKnown(tx, orders, place)
  const refused = await claimAll(
    tx,
    eventId,
    orders.flatMap(({ items }) => items),
  )
  if (refused) return { refused, orders: null }

  const ids = await allocateIds(tx, 'orders', orders.length)
  const given = new Set(orders.flatMap(codesOf))
  const codes = await drawCodes(tx, orders.reduce((sum, { items }) => sum + 1 + items.length, 0) - given.size, given)
  const issued = orders.map((order, n): IssuedOrder => ({
    id: ids[n]!,
    publicId: order.publicId ?? newPublicId(),
    orderCode: order.orderCode ?? codes.pop()!,
    items: order.items.map((item) => ({
      publicId: item.publicId ?? newPublicId(),
      checkInCode: item.checkInCode ?? codes.pop()!,
    })),
  }))

  await insertRows(
    tx,
    'orders',
    orders.map((order, n) => orderRow(eventId, order, issued[n]!)),
  )
  await insertRows(
    tx,
    'admissions',
    orders.flatMap((order, n) =>
      order.items.map((item, position) => admissionRow(eventId, order, item, issued[n]!, position)),
    ),
  )
  return { refused: null, orders: issued }
}

const claimAll = async (tx: Tx, eventId: number, items: ImportedItem[]): Promise<Shortage | null> => {
  const live = items.filter(({ status }) => status === 'active')
  const groups = Map.groupBy(live, ({ ticket, standingArea }) => `${ticket.id}/${standingArea?.id ?? ''}`)
  for (const group of groups.values()) {
    const refused = await claim(tx, {
      eventId,
      ticketId: group[0]!.ticket.id,
      quantity: group.length,
      stockQuantity: group.reduce((sum, { stockQuantity = 1 }) => sum + stockQuantity, 0),
      standingAreaId: group[0]!.standingArea?.id ?? null,
      placeIds: group.flatMap(({ place }) => place?.id ?? []),
      takesHalfPairs: true,
    })
    if (refused) return refused
  }
  return null
}

const codesOf = ({ orderCode, items }: ImportedOrder) =>
  [orderCode, ...items.map(({ checkInCode }) => checkInCode)].filter((code) => code !== null)

const publicIdsOf = ({ publicId, items }: ImportedOrder) =>
  [publicId, ...items.map((item) => item.publicId)].filter((id) => id !== null)

/** Each code and each public ID opens one thing of the account, in all its events. */
const refuseKnown = async (tx: Tx, orders: ImportedOrder[], place: JsonPath): Promise<void> => {
  const seen = new Set([
    ...(await findUsedCodes(tx, orders.flatMap(codesOf))),
    ...(await findUsedPublicIds(tx, orders.flatMap(publicIdsOf))),
  ])
  for (const [n, order] of orders.entries()) {
    for (const name of [...codesOf(order), ...publicIdsOf(order)]) {
      if (seen.has(name)) throw fileFaultAt([...place, n], `${quoteShortened(name)} is given twice`)
      seen.add(name)
    }
  }
}

/** So many drawn at once may well meet each other, or one that is in use. */
const drawCodes = async (tx: Tx, count: number, given: ReadonlySet<string>): Promise<string[]> => {
  const codes = new Set<string>()
  while (codes.size < count) {
    const drawn = Array.from({ length: count - codes.size }, () => newCode())
    const used = await findUsedCodes(tx, drawn)
    for (const code of drawn) if (!used.has(code) && !given.has(code)) codes.add(code)
  }
  return [...codes]
}

const orderRow = (eventId: number, order: ImportedOrder, { id, publicId, orderCode }: IssuedOrder) => ({
  id,
  event_id: eventId,
  public_id: publicId,
  order_code: orderCode,
  origin: order.origin,
  status: order.status,
  archived_at: order.archivedAt,
  customer_name: order.customerName,
  delivery_email: order.deliveryEmail,
  delivers_to_creator: order.deliversToCreator,
  staff_note: order.staffNote,
  customer_phone: order.customerPhone,
  customer_company: order.customerCompany,
  billing_street: order.billing.street,
  billing_postal_code: order.billing.postalCode,
  billing_city: order.billing.city,
  billing_country: order.billing.country,
  billing_vat_id: order.billing.vatId,
  answers: order.answers,
  total_cents: order.totalCents,
  voucher_cents: order.voucherCents ?? 0,
  refunded_cents: order.refundedCents ?? 0,
  refunded_voucher_cents: order.refundedVoucherCents ?? 0,
  language: order.language ?? null,
  paid_at: order.paidAt,
  cancelled_at: order.cancelledAt ?? null,
  creator_id: order.creator?.personId ?? null,
  creator_name: order.creator?.name ?? null,
  created_at: order.createdAt,
  updated_at: order.createdAt,
})

const admissionRow = (
  eventId: number,
  order: ImportedOrder,
  item: ImportedItem,
  { id, items }: IssuedOrder,
  position: number,
) => ({
  event_id: eventId,
  order_id: id,
  public_id: items[position]!.publicId,
  check_in_code: items[position]!.checkInCode,
  ticket_id: item.ticket.id,
  ticket_title: item.ticket.title,
  position,
  is_lead: item.isLead,
  attendee_name: item.attendeeName,
  answers: item.answers,
  status: item.status,
  redeemed_at: item.redeemedAt,
  left_at: item.leftAt,
  place_id: item.place?.id ?? null,
  standing_area_id: item.standingArea?.id ?? null,
  place_label: item.place?.label ?? item.standingArea?.name ?? null,
  place_snapshot: snapshotOf(item),
  price_cents: item.priceCents ?? 0,
  tax_rate: item.taxRate ?? 0,
  group_number: item.groupNumber ?? null,
  stock_quantity: item.stockQuantity ?? 1,
  created_at: order.createdAt,
  updated_at: item.leftAt ?? item.redeemedAt ?? order.createdAt,
})

const snapshotOf = ({ place, standingArea }: ImportedItem) => {
  if (place) return { ...place.snapshot }
  return standingArea ? { ...snapshotOfArea(standingArea.name) } : null
}
