import type { z } from 'zod'
import { newPublicId } from '../../kernel/public-ids.ts'
import {
  email,
  list,
  money,
  oneOf,
  optional,
  optionalText,
  text,
  strictObject,
  timestamp,
  wholeNumber,
} from '../../loading/fields.ts'
import type { ReadingContext } from '../../loading/fields.ts'
import type { LoadContext } from '../../loading/section.ts'
import { insertEntry, lockVoucher } from '../ledger/records.ts'
import { availableCents } from '../rules.ts'
import { queueDelivery } from './queue-delivery.ts'
import { insertDelivery, insertPurchase } from './records.ts'
import { AUDIENCES, DELIVERY_MODES, PURCHASE_STATUSES } from './rules.ts'

const time = (terms: ReadingContext) => optional(timestamp(terms))

const Delivery = (terms: ReadingContext) =>
  strictObject({
    audience: oneOf(AUDIENCES),
    recipient_name: text(),
    recipient_email: email(),
    scheduled_for: time(terms),
    queued_at: time(terms),
    delivering_at: time(terms),
    last_attempted_at: time(terms),
    delivered_at: time(terms),
    failed_at: time(terms),
    failure_message: optionalText(1000),
    attempts_count: wholeNumber({ least: 0 }).default(0),
  }).refine((delivery) => delivery.delivered_at === null || delivery.failed_at === null, {
    path: ['failed_at'],
    error: 'a delivery that arrived has not failed',
  })

export const purchaseSchema = (terms: ReadingContext) =>
  strictObject({
    status: oneOf(PURCHASE_STATUSES).default('paid'),
    payment_provider: optionalText(),
    paid_amount: optional(money(terms)),
    /** Of the price, what was given back, and the credit that was taken back for it. */
    refunded_amount: optional(money(terms)),
    refunded_credit: optional(money(terms)),
    customer_name: text(),
    customer_email: email(),
    recipient_name: optionalText(),
    recipient_email: optional(email()),
    delivery_mode: oneOf(DELIVERY_MODES).default('self_managed'),
    scheduled_for: time(terms),
    paid_at: time(terms),
    message: optionalText(5000),
    deliveries: list(Delivery(terms), 'audience'),
  }).refine((purchase) => (purchase.delivery_mode === 'email_scheduled') === (purchase.scheduled_for !== null), {
    path: ['scheduled_for'],
    error: 'is given with the delivery mode email_scheduled, and only then',
  })

type PurchaseInput = z.output<ReturnType<typeof purchaseSchema>>

export interface BoughtVoucher {
  id: number
  paidCents: number | null
  createdAt?: Date | null
}

/**
 * Writes a purchase as it stands, and answers with the IDs of its deliveries. Nothing is mailed for it, except what is
 * scheduled for a day to come: that goes out on its day.
 */
export const loadPurchase = async (
  context: LoadContext,
  voucher: BoughtVoucher,
  purchase: PurchaseInput,
): Promise<string[]> => {
  const paidCents = voucher.paidCents ?? 0
  const credit = purchase.refunded_credit ?? (purchase.status === 'refunded' ? 'all' : 0)
  if (credit !== 0) await takeBack(context, voucher.id, credit)

  const isPaid = ['paid', 'partially_refunded'].includes(purchase.status)
  const wasPaid = isPaid || purchase.status === 'refunded'
  const purchaseId = await insertPurchase(context.tx, {
    publicId: newPublicId(),
    voucherId: voucher.id,
    status: purchase.status,
    paymentProvider: purchase.payment_provider,
    paidCents,
    refundedCents: purchase.refunded_amount ?? (purchase.status === 'refunded' ? paidCents : 0),
    customerName: purchase.customer_name,
    customerEmail: purchase.customer_email,
    recipientName: purchase.recipient_name,
    recipientEmail: purchase.recipient_email,
    deliveryMode: purchase.delivery_mode,
    scheduledFor: purchase.scheduled_for,
    paidAt: purchase.paid_at ?? (wasPaid ? (voucher.createdAt ?? context.terms.now) : null),
    message: purchase.message,
    createdAt: voucher.createdAt ?? purchase.paid_at,
  })

  const publicIds: string[] = []
  for (const delivery of purchase.deliveries) {
    const publicId = newPublicId()
    publicIds.push(publicId)
    const id = await insertDelivery(context.tx, {
      publicId,
      purchaseId,
      audience: delivery.audience,
      recipientName: delivery.recipient_name,
      recipientEmail: delivery.recipient_email,
      scheduledFor: delivery.scheduled_for,
      queuedAt: delivery.queued_at,
      deliveringAt: delivery.delivering_at,
      lastAttemptedAt: delivery.last_attempted_at,
      deliveredAt: delivery.delivered_at,
      failedAt: delivery.failed_at,
      failureMessage: delivery.failure_message ?? (delivery.failed_at ? 'The mail was not delivered' : null),
      attemptsCount: delivery.attempts_count,
    })
    const { scheduled_for: day } = delivery
    if (day && day > context.terms.now && isPaid && isUntouched(delivery)) await queueDelivery(context.tx, id, day)
  }
  return publicIds
}

const isUntouched = (delivery: z.output<ReturnType<typeof Delivery>>) =>
  delivery.attempts_count === 0 &&
  [delivery.delivering_at, delivery.last_attempted_at, delivery.delivered_at, delivery.failed_at].every(
    (time) => time === null,
  )

/** A purchase that was paid back took the rest of the credit with it. */
const takeBack = async ({ tx }: LoadContext, id: number, credit: number | 'all'): Promise<void> => {
  const voucher = (await lockVoucher(tx, { id }))!
  const cents = credit === 'all' ? availableCents(voucher) : credit
  if (cents === 0) return
  await insertEntry(tx, voucher, { publicId: newPublicId(), kind: 'purchase_refund', amountCents: -cents, actor: null })
}
