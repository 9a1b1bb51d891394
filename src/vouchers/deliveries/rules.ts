export const PURCHASE_STATUSES = ['pending', 'paid', 'failed', 'cancelled', 'partially_refunded', 'refunded'] as const
export const DELIVERY_MODES = ['self_managed', 'email_now', 'email_scheduled'] as const
export const AUDIENCES = ['buyer', 'recipient'] as const

export type PurchaseStatus = (typeof PURCHASE_STATUSES)[number]
export type DeliveryMode = (typeof DELIVERY_MODES)[number]
export type Audience = (typeof AUDIENCES)[number]

export interface Delivery {
  publicId: string
  audience: Audience
  recipientName: string
  recipientEmail: string
  scheduledFor: Date | null
  queuedAt: Date | null
  deliveringAt: Date | null
  lastAttemptedAt: Date | null
  deliveredAt: Date | null
  failedAt: Date | null
  failureMessage: string | null
  attemptsCount: number
}

export interface Purchase {
  publicId: string
  status: PurchaseStatus
  paymentProvider: string | null
  /** The credit that was bought. */
  amountCents: number
  paidCents: number
  customerName: string
  customerEmail: string
  recipientName: string | null
  recipientEmail: string | null
  deliveryMode: DeliveryMode
  scheduledFor: Date | null
  paidAt: Date | null
  deliveredAt: Date | null
  createdAt: Date
  message: string | null
  deliveries: Delivery[]
}

/** Who a voucher is mailed to: the recipient, or the buyer who hands it on in person. */
export const audienceOf = (mode: DeliveryMode): Audience => (mode === 'self_managed' ? 'buyer' : 'recipient')
