import type { Schemas } from '../../api/client.ts'
import { formatCents, parseCents, parseTypedCents } from '../../ui/amounts.ts'

export type Order = Schemas['ShopOrder']
export type ListedOrder = Schemas['ShopOrders']['orders'][number]
export type Admission = Order['admissions'][number]
export type Payment = Order['payments'][number]
type Refund = Order['refunds'][number]

export const STATUS_FILTERS = ['all', 'paid', 'unpaid', 'refunded', 'cancelled', 'disputed'] as const
export type StatusFilter = (typeof STATUS_FILTERS)[number]

export const isLive = ({ status }: Admission) => status === 'active'

/** What the door says to a ticket: one that is live is no good yet, or no more, where its order is not paid. */
export const ticketStateOf = (order: Pick<Order, 'status'>, admission: Admission) =>
  isLive(admission) && (order.status === 'unpaid' || order.status === 'disputed') ? order.status : admission.status

const isOfSameGroup = (one: Admission, other: Admission) =>
  one.group_number !== null && one.group_number === other.group_number && one.ticket_title === other.ticket_title

/** A group is given back as a whole, so ticking one of it ticks them all. */
export const toggleAdmission = (order: Order, ticked: ReadonlySet<string>, publicId: string): ReadonlySet<string> => {
  const chosen = order.admissions.find(({ public_id }) => public_id === publicId)!
  const together = order.admissions.filter((each) => isLive(each) && (each === chosen || isOfSameGroup(each, chosen)))
  const ids = new Set(together.map(({ public_id }) => public_id))
  return ticked.has(publicId) ? ticked.difference(ids) : ticked.union(ids)
}

/** What is to be given back: everything, the price of some tickets, or an amount with the tickets staying valid. */
export interface RefundChoice {
  kind: 'whole' | 'admissions' | 'amount'
  ticked: ReadonlySet<string>
  /** As it was typed. */
  amount: string
}

interface RefundShare {
  /** A voucher by its masked code, or the way of a payment. */
  to: { voucher: string } | { method: Payment['payment_method'] }
  amount: string
}

export interface RefundPreview {
  amount: string
  shares: RefundShare[]
  /** Tickets that end with it, and are no longer good at the door. */
  ending: Admission[]
  /** Why it cannot be done as chosen. */
  fault: 'none_ticked' | 'no_amount' | 'nothing_left' | 'too_much' | 'came_in' | null
}

/** What is left to give back, in cents. */
export const refundableCents = ({ total, refunded, currency }: Order): number =>
  parseCents(total, currency) - parseCents(refunded, currency)

/** What a refund will do, by the rules by which the server does it: to the vouchers first, then to the payments. */
export const previewRefund = (order: Order, choice: RefundChoice): RefundPreview => {
  const { currency } = order
  const left = refundableCents(order)
  const live = order.admissions.filter(isLive)
  const ending =
    choice.kind === 'whole'
      ? live
      : live.filter(({ public_id }) => choice.kind === 'admissions' && choice.ticked.has(public_id))
  const typed = choice.kind === 'amount' ? parseTypedCents(choice.amount, currency) : null
  const cents =
    choice.kind === 'whole'
      ? left
      : choice.kind === 'amount'
        ? (typed ?? 0)
        : ending.reduce((sum, { price }) => sum + parseCents(price, currency), 0)
  return {
    amount: formatCents(cents, currency),
    shares: sharesOf(order, Math.min(cents, left)),
    ending,
    fault: faultOf(choice, { cents, left, ending, isTyped: typed !== null && typed > 0 }),
  }
}

const faultOf = (
  { kind }: RefundChoice,
  { cents, left, ending, isTyped }: { cents: number; left: number; ending: readonly Admission[]; isTyped: boolean },
): RefundPreview['fault'] => {
  if (kind === 'admissions' && ending.length === 0) return 'none_ticked'
  if (kind === 'amount' && !isTyped) return 'no_amount'
  if (cents > left) return 'too_much'
  if (cents === 0 && ending.length === 0) return 'nothing_left'
  return ending.some(({ redeemed_at }) => redeemed_at !== null) ? 'came_in' : null
}

const sharesOf = ({ vouchers, payments, currency }: Order, cents: number): RefundShare[] => {
  const sources = [
    ...vouchers.map(({ code, amount, refunded }) => ({ to: { voucher: code }, amount, refunded })),
    ...payments
      .filter(({ status }) => status === 'paid')
      .map(({ payment_method, amount, refunded }) => ({ to: { method: payment_method }, amount, refunded })),
  ]
  let left = cents
  return sources.flatMap(({ to, amount, refunded }) => {
    const share = Math.min(left, parseCents(amount, currency) - parseCents(refunded, currency))
    left -= share
    return share > 0 ? [{ to, amount: formatCents(share, currency) }] : []
  })
}

/** Money that a provider has is sent back by it; the rest somebody has to pay out. */
export const isPaidOutByHand = (method: Payment['payment_method']) =>
  method === 'bank_transfer' || method === 'at_the_door'

/** Money of one payment that was given back and has not arrived yet. */
export type Payout = Omit<Payment['refunds'][number], 'status'> & {
  status: Exclude<Payment['refunds'][number]['status'], 'paid'>
  method: Payment['payment_method']
}

/** In the order in which they were promised, so that nothing moves while somebody is at a button. */
export const openPayoutsOf = ({ payments }: Pick<Order, 'payments'>): Payout[] =>
  payments.flatMap(({ payment_method: method, refunds }) =>
    refunds.flatMap(({ status, ...refund }) => (status === 'paid' ? [] : [{ ...refund, status, method }])),
  )

interface EntryFacts {
  placed: { tickets: number }
  voucher: { code: string; id: string; amount: string }
  payment: { payment: Payment }
  receipt: { number: string; isRefund: boolean }
  refund: { refund: Refund; ended: Admission[] }
  payout: { amount: string }
  came_in: { admissions: Admission[] }
  cancelled: { tickets: number }
  due: { amount: string }
}

export type TimelineEntry = {
  [Kind in keyof EntryFacts]: EntryFacts[Kind] & { kind: Kind; key: string; at: string }
}[keyof EntryFacts]

const ORDER_AT_ONE_MOMENT: readonly TimelineEntry['kind'][] = [
  'placed',
  'voucher',
  'payment',
  'refund',
  'receipt',
  'payout',
  'came_in',
  'cancelled',
  'due',
]

/** What became of the money and of the tickets, the oldest first. */
export const timelineOf = (order: Order): TimelineEntry[] => {
  const { admissions, created_at: placed } = order
  const cameIn = Map.groupBy(
    admissions.filter(({ redeemed_at }) => redeemed_at !== null),
    ({ redeemed_at }) => redeemed_at!.slice(0, 16),
  )
  const entries: TimelineEntry[] = [
    { kind: 'placed', key: 'placed', at: placed, tickets: admissions.length },
    ...order.vouchers.map(({ id, code, amount }) => ({
      kind: 'voucher' as const,
      key: id,
      at: placed,
      id,
      code,
      amount,
    })),
    ...order.payments
      .filter(({ paid_at }) => paid_at !== null)
      .map((payment) => ({ kind: 'payment' as const, key: payment.id, at: payment.paid_at!, payment })),
    ...order.receipts.map(({ number, kind, issued_at }) => ({
      kind: 'receipt' as const,
      key: `receipt ${number}`,
      at: issued_at,
      number,
      isRefund: kind === 'refund',
    })),
    ...order.refunds.map((refund) => ({
      kind: 'refund' as const,
      key: refund.public_id,
      at: refund.created_at,
      refund,
      ended: admissions.filter(({ public_id }) => refund.admission_public_ids.includes(public_id)),
    })),
    ...order.payments
      .flatMap(({ refunds }) => refunds)
      .filter(({ paid_at }) => paid_at !== null)
      .map(({ id, amount, paid_at }) => ({ kind: 'payout' as const, key: id, at: paid_at!, amount })),
    ...Array.from(cameIn.values(), (together) => ({
      kind: 'came_in' as const,
      key: together[0]!.public_id,
      at: together[0]!.redeemed_at!,
      admissions: together,
    })),
  ]
  if (order.cancelled_at !== null) {
    const tickets = admissions.filter(({ status }) => status === 'cancelled').length
    entries.push({ kind: 'cancelled', key: 'cancelled', at: order.cancelled_at, tickets })
  }
  if (order.status === 'unpaid' && order.payment_due_at !== null) {
    entries.push({ kind: 'due', key: 'due', at: order.payment_due_at, amount: order.due })
  }
  return entries.toSorted(
    (one, other) =>
      Date.parse(one.at) - Date.parse(other.at) ||
      ORDER_AT_ONE_MOMENT.indexOf(one.kind) - ORDER_AT_ONE_MOMENT.indexOf(other.kind),
  )
}
