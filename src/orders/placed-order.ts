import type { Answers, Billing } from '../admissions/rules.ts'

/** One kind of ticket in an order. A group is one of its quantity. */
export interface OrderedItem {
  ticketId: number
  title: string
  quantity: number
  admissionsEach: number
  unitPriceCents: number
  taxRate: number
  standingArea: { id: number; name: string } | null
  places: { id: number }[]
}

export interface PlacedOrder {
  checkoutId: number
  eventId: number
  status: 'paid' | 'unpaid'
  language: string
  customerName: string
  customerEmail: string
  customerPhone: string | null
  customerCompany: string | null
  billing: Billing
  answers: Answers
  attendees: readonly { name: string | null; answers: Answers }[]
  items: readonly OrderedItem[]
  totalCents: number
  voucherCents: number
  /** Until when it may be paid. */
  paymentDueAt: Date | null
}
