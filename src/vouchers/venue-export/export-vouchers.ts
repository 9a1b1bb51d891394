import { showAmount } from '../../kernel/money.ts'
import { inBatches } from '../../loading/batches.ts'
import type { ExportContext } from '../../loading/section.ts'
import { unsealCode } from '../codes.ts'
import { exportedProductKey } from '../products/export-products.ts'
import { findProducts } from '../products/records.ts'
import { type ExportedPurchase, type ExportedVoucher, findVouchersToExport } from './records.ts'

/** Every voucher with its code. */
export async function* exportVouchers(context: ExportContext) {
  const { rows } = context
  const products = new Map((await findProducts(rows)).map(({ id }, n) => [id, exportedProductKey(n)]))
  let count = 0
  for await (const voucher of inBatches((request) => findVouchersToExport(rows, request))) {
    const product = voucher.productId === null ? null : products.get(voucher.productId)
    yield { key: `voucher-${++count}`, product, ...showVoucher(context, voucher) }
  }
}

const showVoucher = ({ app, account }: ExportContext, voucher: ExportedVoucher) => {
  const amount = (cents: number) => showAmount(cents, account.currency)
  return {
    public_id: voucher.publicId,
    code: unsealCode(app.secrets, voucher.codeSealed),
    amount: amount(voucher.issuedCents),
    source: voucher.source,
    expires_at: voucher.expiresAt,
    created_at: voucher.createdAt,
    note: voucher.note,
    blocked_reason: voucher.blockReason,
    redeemed: amount(voucher.redeemedCents),
    reserved: amount(voucher.reservedCents),
    adjustments: voucher.adjustments.map(({ amountCents, reason, actor, createdAt }) => ({
      amount: amount(amountCents),
      reason,
      actor,
      created_at: new Date(createdAt),
    })),
    purchase: voucher.purchase && showPurchase(voucher.purchase, voucher.takenBackCents, amount),
  }
}

const time = (text: string | null) => (text === null ? null : new Date(text))

const showPurchase = (purchase: ExportedPurchase, takenBackCents: number, amount: (cents: number) => string) => ({
  status: purchase.status,
  payment_provider: purchase.paymentProvider,
  paid_amount: amount(purchase.paidCents),
  refunded_amount: amount(purchase.refundedCents),
  refunded_credit: amount(takenBackCents),
  customer_name: purchase.customerName,
  customer_email: purchase.customerEmail,
  recipient_name: purchase.recipientName,
  recipient_email: purchase.recipientEmail,
  delivery_mode: purchase.deliveryMode,
  scheduled_for: time(purchase.scheduledFor),
  paid_at: time(purchase.paidAt),
  message: purchase.message,
  deliveries: purchase.deliveries.map((delivery) => ({
    audience: delivery.audience,
    recipient_name: delivery.recipientName,
    recipient_email: delivery.recipientEmail,
    scheduled_for: time(delivery.scheduledFor),
    queued_at: time(delivery.queuedAt),
    delivering_at: time(delivery.deliveringAt),
    last_attempted_at: time(delivery.lastAttemptedAt),
    delivered_at: time(delivery.deliveredAt),
    failed_at: time(delivery.failedAt),
    failure_message: delivery.failureMessage,
    attempts_count: delivery.attemptsCount,
  })),
})
