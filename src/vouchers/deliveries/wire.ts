import { z } from 'zod'
import { Money, Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { showMoney } from '../../kernel/money.ts'
import { AUDIENCES, DELIVERY_MODES, type Delivery, PURCHASE_STATUSES, type Purchase as PurchaseRow } from './rules.ts'

const VoucherDelivery = named(
  'VoucherDelivery',
  z.object({
    id: z.string(),
    audience: z.enum(AUDIENCES),
    recipient_name: z.string(),
    recipient_email: z.string(),
    scheduled_for: Timestamp.nullable(),
    queued_at: Timestamp.nullable(),
    delivering_at: Timestamp.nullable(),
    last_attempted_at: Timestamp.nullable(),
    delivered_at: Timestamp.nullable(),
    failed_at: Timestamp.nullable(),
    failure_message: z.string().nullable(),
    attempts_count: z.int(),
  }),
  {
    id: 'Dw3Lk8nTq5XzR7vMb2PcYs',
    audience: 'recipient',
    recipient_name: 'Rita',
    recipient_email: 'rita@guest.example',
    scheduled_for: null,
    queued_at: '2026-10-01T09:00:01.000Z',
    delivering_at: null,
    last_attempted_at: '2026-10-01T09:00:02.000Z',
    delivered_at: '2026-10-01T09:00:03.000Z',
    failed_at: null,
    failure_message: null,
    attempts_count: 1,
  },
)

export const Purchase = named(
  'VoucherPurchase',
  z.object({
    id: z.string(),
    status: z.enum(PURCHASE_STATUSES),
    payment_provider: z.string().nullable(),
    amount: Money,
    paid_amount: Money,
    bonus_amount: Money,
    customer_name: z.string(),
    customer_email: z.string(),
    recipient_name: z.string(),
    recipient_email: z.string(),
    delivery_mode: z.enum(DELIVERY_MODES),
    scheduled_for: Timestamp.nullable(),
    paid_at: Timestamp.nullable(),
    delivered_at: Timestamp.nullable(),
    created_at: Timestamp,
    message: z.string(),
    deliveries: z.array(VoucherDelivery),
  }),
  {
    id: 'Pq6Zt3mXk9LwR5sYc7HnVb',
    status: 'paid',
    payment_provider: 'stripe',
    amount: { amount: '50.00', currency: 'EUR' },
    paid_amount: { amount: '50.00', currency: 'EUR' },
    bonus_amount: { amount: '0.00', currency: 'EUR' },
    customer_name: 'Bea Buyer',
    customer_email: 'bea@guest.example',
    recipient_name: 'Rita',
    recipient_email: 'rita@guest.example',
    delivery_mode: 'email_now',
    scheduled_for: null,
    paid_at: '2026-10-01T09:00:00.000Z',
    delivered_at: '2026-10-01T09:00:03.000Z',
    created_at: '2026-10-01T08:59:10.000Z',
    message: 'Enjoy!',
    deliveries: [exampleOf(VoucherDelivery)!],
  },
)

export const DeliveryRetry = named('VoucherDeliveryRetry', z.object({ id: z.string(), status: z.literal('queued') }), {
  id: 'Dw3Lk8nTq5XzR7vMb2PcYs',
  status: 'queued',
})

const showDelivery = (delivery: Delivery): z.output<typeof VoucherDelivery> => ({
  id: delivery.publicId,
  audience: delivery.audience,
  recipient_name: delivery.recipientName,
  recipient_email: delivery.recipientEmail,
  scheduled_for: showTimestampOrNull(delivery.scheduledFor),
  queued_at: showTimestampOrNull(delivery.queuedAt),
  delivering_at: showTimestampOrNull(delivery.deliveringAt),
  last_attempted_at: showTimestampOrNull(delivery.lastAttemptedAt),
  delivered_at: showTimestampOrNull(delivery.deliveredAt),
  failed_at: showTimestampOrNull(delivery.failedAt),
  failure_message: delivery.failureMessage,
  attempts_count: delivery.attemptsCount,
})

export const showPurchase = (purchase: PurchaseRow, currency: string): z.output<typeof Purchase> => ({
  id: purchase.publicId,
  status: purchase.status,
  payment_provider: purchase.paymentProvider,
  amount: showMoney(purchase.amountCents, currency),
  paid_amount: showMoney(purchase.paidCents, currency),
  bonus_amount: showMoney(Math.max(0, purchase.amountCents - purchase.paidCents), currency),
  customer_name: purchase.customerName,
  customer_email: purchase.customerEmail,
  recipient_name: purchase.recipientName ?? '',
  recipient_email: purchase.recipientEmail ?? '',
  delivery_mode: purchase.deliveryMode,
  scheduled_for: showTimestampOrNull(purchase.scheduledFor),
  paid_at: showTimestampOrNull(purchase.paidAt),
  delivered_at: showTimestampOrNull(purchase.deliveredAt),
  created_at: showTimestamp(purchase.createdAt),
  message: purchase.message ?? '',
  deliveries: purchase.deliveries.map(showDelivery),
})
