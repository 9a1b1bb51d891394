import type { Tx } from '../../access/scopes.ts'
import { enqueue, enqueueMany } from '../../jobs/enqueue.ts'
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

/** The tickets of paid orders, each with its receipt and the address of its page. */
export const queueOrderMails = (tx: Tx, orderIds: readonly number[], kind: OrderMailKind): Promise<void> =>
  enqueueMany(
    tx.db,
    ORDER_MAIL_JOB,
    orderIds.map((orderId) => ({ accountId: tx.accountId, orderId, kind })),
  )

/** What a buyer is told of a purchase. */
export const queueCheckoutMail = (tx: Tx, checkoutId: number, mail: CheckoutMail): Promise<void> =>
  enqueue(tx.db, CHECKOUT_MAIL_JOB, { accountId: tx.accountId, checkoutId, ...mail })
