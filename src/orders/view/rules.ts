import type { AdmissionStatus, Answers, Billing, OrderStatus } from '../../admissions/rules.ts'

export const SHOP_ORDER_STATUSES = ['paid', 'unpaid', 'refunded', 'cancelled', 'disputed'] as const
export type ShopOrderStatus = (typeof SHOP_ORDER_STATUSES)[number]

/** Only guest parties have bookings, which a constraint keeps. */
export const requireShopOrderStatus = (status: OrderStatus): ShopOrderStatus => {
  if (status === 'booking_cancelled') throw new Error('A shop order has no booking')
  return status
}

/** A purchase that was completed: an order of tickets, or one of vouchers, which has no event. */
export interface ShownOrder {
  orderId: number | null
  /** Null for orders that were sold elsewhere and came with the venue file. */
  checkoutId: number | null
  eventId: number | null
  eventSlug: string | null
  eventTitle: string | null
  publicId: string
  orderCode: string
  status: ShopOrderStatus
  customerName: string
  customerEmail: string | null
  customerPhone: string | null
  customerCompany: string | null
  billing: Billing
  answers: Answers
  language: string | null
  totalCents: number
  voucherCents: number
  /** In money, beside what vouchers paid. */
  paidCents: number
  refundedCents: number
  paymentDueAt: Date | null
  paidAt: Date | null
  cancelledAt: Date | null
  createdAt: Date
}

export interface OrderItem {
  ticketId: number | null
  productPublicId: string | null
  title: string
  quantity: number
  unitPriceCents: number
  taxRate: number
  position: number
}

export interface OrderAdmission {
  id: number
  publicId: string
  checkInCode: string
  ticketId: number
  ticketTitle: string
  isLead: boolean
  attendeeName: string | null
  answers: Answers
  placeLabel: string | null
  status: AdmissionStatus
  redeemedAt: Date | null
  priceCents: number
  taxRate: number
  /** The admissions of one group of a ticket share it. */
  groupNumber: number | null
}

export interface OrderRefund {
  publicId: string
  amountCents: number
  voucherCents: number
  paymentCents: number
  reason: string | null
  actor: string | null
  createdAt: Date
  receiptNumber: number | null
  admissionPublicIds: string[]
}

export interface SpentVoucher {
  publicId: string
  codeSuffix: string
  amountCents: number
  refundedCents: number
}

export interface ListedOrder {
  publicId: string
  orderCode: string
  status: ShopOrderStatus
  customerName: string
  customerEmail: string | null
  totalCents: number
  voucherCents: number
  paidCents: number
  refundedCents: number
  admissionsCount: number
  paymentDueAt: Date | null
  paidAt: Date | null
  createdAt: Date
}

/** What is still to be paid in money. */
export const dueCents = ({ status, totalCents, voucherCents, paidCents }: ListedOrder | ShownOrder): number =>
  status === 'unpaid' ? totalCents - voucherCents - paidCents : 0
