import type { Tx } from '../../access/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { LaneJob } from '../../jobs/lane.ts'

export const ORDER_MAIL_KINDS = ['tickets', 'tickets_again'] as const
export type OrderMailKind = (typeof ORDER_MAIL_KINDS)[number]

export const CHECKOUT_MAIL_KINDS = [
  'vouchers_sold',
  'payment_instructions',
  'payment_reminder',
  'cancelled',
  'refunded',
  'paid_back',
  'surplus_paid_back',
] as const
export type CheckoutMailKind = (typeof CHECKOUT_MAIL_KINDS)[number]

export const ORDER_MAIL_JOB: LaneJob<{ accountId: number; orderId: number; kind: OrderMailKind }> = {
  name: 'orders.mail-tickets',
  lane: 'mail',
}

export interface CheckoutMail {
  kind: CheckoutMailKind
  /** How much is given back, where that is what the mail is about. */
  amountCents?: number
  /** The receipt that goes with it. */
  receiptNumber?: number
}

export const CHECKOUT_MAIL_JOB: LaneJob<{ accountId: number; checkoutId: number } & CheckoutMail> = {
  name: 'orders.mail',
  lane: 'mail',
}

/** The tickets of a paid order, with its receipt and the address of its page. */
export const queueOrderMail = (tx: Tx, orderId: number, kind: OrderMailKind): Promise<void> =>
  enqueue(tx.db, ORDER_MAIL_JOB, { accountId: tx.accountId, orderId, kind })

/** What a buyer is told of a purchase. */
export const queueCheckoutMail = (tx: Tx, checkoutId: number, mail: CheckoutMail): Promise<void> =>
  enqueue(tx.db, CHECKOUT_MAIL_JOB, { accountId: tx.accountId, checkoutId, ...mail })
