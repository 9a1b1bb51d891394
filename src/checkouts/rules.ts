import type { Answers, Billing, Question } from '../admissions/rules.ts'
import { MINUTE_MS } from '../kernel/durations.ts'
import { type TaxLine, taxLinesAfter } from '../orders/receipts/rules.ts'
import type { PaymentMethodName, PaymentStatus } from '../payments/rules.ts'

/** How long a checkout keeps what it holds. */
export const HOLD_MS = 15 * MINUTE_MS
/** What a buyer has at least, once sent to pay, or sent back without having paid. */
export const HOLD_WHILE_PAYING_MS = 10 * MINUTE_MS
export const HOLD_AFTER_FAILED_PAYMENT_MS = 5 * MINUTE_MS

export const ITEMS_MAX = 20
export const QUANTITY_MAX = 100
export const ADMISSIONS_MAX = 200

export const CHECKOUT_STATUSES = ['open', 'pending', 'paid', 'expired', 'cancelled'] as const
export type CheckoutStatus = (typeof CHECKOUT_STATUSES)[number]

/** One kind of ticket in a checkout, at the price it had when it was taken. */
export interface CheckoutItem {
  ticketId: number
  title: string
  quantity: number
  /** How many come in with one of it. */
  admissionsEach: number
  unitPriceCents: number
  taxRate: number
  standingArea: { id: number; name: string } | null
  places: { id: number; key: string; label: string }[]
  holdId: number | null
}

/** A gift voucher in a checkout; each of its quantity is a voucher of its own. */
export interface CheckoutVoucherItem {
  productId: number
  productPublicId: string
  title: string
  amountCents: number
  unitPriceCents: number
  taxRate: number
  quantity: number
  recipientName: string | null
  recipientEmail: string | null
  message: string | null
  deliverOn: string | null
  /** Where that day begins; null: where the venue is. */
  deliveryTimeZone: string | null
}

/** A voucher that pays for a part of it. */
export interface ReservedVoucher {
  /** The reservation's. */
  publicId: string
  codeSuffix: string
  amountCents: number
  /** The rate at which its money was taxed when it was sold; 0 where it is taxed when it is spent. */
  rateWhenSold: number
}

export interface CustomerAndAttendees {
  name: string | null
  email: string | null
  phone: string | null
  company: string | null
  billing: Billing
  answers: Answers
  attendees: Attendee[]
}

export interface Attendee {
  name: string | null
  answers: Answers
}

export interface CheckoutEvent {
  id: number
  slug: string
  title: string
  startsAt: Date
  timeZone: string
  /** Cancelled or archived: nothing of it is sold any more. */
  isCalledOff: boolean
  isCancelled: boolean
}

export interface CheckoutPayment {
  publicId: string
  method: PaymentMethodName
  status: PaymentStatus
  redirectUrl: string | null
  instructions: string | null
}

export interface CheckoutOrder {
  id: number
  publicId: string
  orderCode: string
  status: 'paid' | 'unpaid' | 'refunded' | 'cancelled' | 'disputed'
  receiptNumber: number | null
  admissions: {
    publicId: string
    checkInCode: string
    ticketTitle: string
    isLead: boolean
    attendeeName: string | null
    placeLabel: string | null
  }[]
}

export interface Checkout {
  id: number
  publicId: string
  tokenSealed: Buffer
  /** As it was written down; `effectiveStatusOf` says what it is. */
  status: CheckoutStatus
  isOver: boolean
  expiresAt: Date
  /** The database's time when it was read. */
  now: Date
  language: string
  event: CheckoutEvent | null
  customer: CustomerAndAttendees
  items: CheckoutItem[]
  voucherItems: CheckoutVoucherItem[]
  vouchers: ReservedVoucher[]
  questions: Question[]
  payment: CheckoutPayment | null
  order: CheckoutOrder | null
  purchaseCode: string | null
  receiptNumber: number | null
  /** The ways to pay that the account has switched on. */
  enabledMethods: PaymentMethodName[]
}

type Judged = Pick<Checkout, 'status' | 'isOver' | 'order'>

/** Once there is an order, that says what has become of the purchase; an open checkout whose time is over has expired. */
export const effectiveStatusOf = ({ status, isOver, order }: Judged): CheckoutStatus => {
  if (order) return order.status === 'unpaid' ? 'pending' : order.status === 'cancelled' ? 'cancelled' : 'paid'
  return status === 'open' && isOver ? 'expired' : status
}

export const totalOfItem = ({ quantity, unitPriceCents }: { quantity: number; unitPriceCents: number }) =>
  quantity * unitPriceCents

export const admissionCount = (items: readonly Pick<CheckoutItem, 'quantity' | 'admissionsEach'>[]) =>
  items.reduce((sum, { quantity, admissionsEach }) => sum + quantity * admissionsEach, 0)

/** What it holds: one for each item, while its time lasts. */
export const holdIdsOf = (items: readonly Pick<CheckoutItem, 'holdId'>[]): number[] =>
  items.flatMap(({ holdId }) => holdId ?? [])

type Priced = Pick<Checkout, 'items' | 'voucherItems' | 'vouchers'>

export const subtotalOf = ({ items, voucherItems }: Pick<Priced, 'items' | 'voucherItems'>) =>
  [...items, ...voucherItems].reduce((sum, item) => sum + totalOfItem(item), 0)

export const voucherTotalOf = ({ vouchers }: Pick<Priced, 'vouchers'>) =>
  vouchers.reduce((sum, { amountCents }) => sum + amountCents, 0)

/** By tax rate. What vouchers pay that were taxed when they were sold is taxed once. */
export const taxLinesOfCheckout = ({ items, voucherItems, vouchers }: Priced): TaxLine[] =>
  taxLinesAfter(
    [...items, ...voucherItems].map((item) => ({ total_cents: totalOfItem(item), tax_rate: item.taxRate })),
    vouchers.flatMap(({ rateWhenSold: rate, amountCents: cents }) => (rate > 0 ? [{ rate, cents }] : [])),
  )

/** What is left to pay. */
export const totalOf = (checkout: Priced) => subtotalOf(checkout) - voucherTotalOf(checkout)

/** Money that somebody has to count comes after the purchase. A voucher is handed over at once, so it is not paid that way. */
export const isPaidByHand = (method: PaymentMethodName) => method === 'bank_transfer' || method === 'at_the_door'

/** What has become of its payment: money that somebody has counted has paid it, although no provider ever said so. */
export const paymentStatusOf = ({ payment, order }: Pick<Checkout, 'payment' | 'order'>): PaymentStatus => {
  if (!payment) return 'none'
  const isPaid = order !== null && order.status !== 'unpaid' && order.status !== 'cancelled'
  return isPaid && isPaidByHand(payment.method) ? 'paid' : payment.status
}

export const EXPIRED_MESSAGE = 'This checkout has expired'
export const EVENT_CANCELLED_MESSAGE = 'This event is cancelled'
