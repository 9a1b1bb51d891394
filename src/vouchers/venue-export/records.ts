import { sql } from 'kysely'
import type { Rows } from '../../access/scopes.ts'
import type { BatchAfterId } from '../../loading/batches.ts'
import type { Delivery, PurchaseStatus } from '../deliveries/rules.ts'
import type { VoucherSource } from '../ledger/rules.ts'

/** As JSON brings it: every time is a text. */
type AsJson<T> = { [Key in keyof T]: T[Key] extends Date | null ? string | null : T[Key] }

export interface ExportedPurchase {
  status: PurchaseStatus
  paymentProvider: string | null
  paidCents: number
  refundedCents: number
  customerName: string
  customerEmail: string
  recipientName: string | null
  recipientEmail: string | null
  deliveryMode: string
  scheduledFor: string | null
  paidAt: string | null
  message: string | null
  deliveries: AsJson<Omit<Delivery, 'publicId'>>[]
}

export interface ExportedVoucher {
  id: number
  publicId: string
  codeSealed: Buffer
  productId: number | null
  source: VoucherSource
  issuedCents: number
  reservedCents: number
  expiresAt: Date | null
  blockReason: string | null
  createdAt: Date
  note: string | null
  /** Spent, less what was given back. */
  redeemedCents: number
  adjustments: { amountCents: number; reason: string; actor: string | null; createdAt: string }[]
  /** Credit that refunds of the purchase took back. */
  takenBackCents: number
  purchase: ExportedPurchase | null
}

const purchaseOf = sql`(
  select json_build_object('status', p.status, 'paymentProvider', p.payment_provider, 'paidCents', p.paid_cents,
    'refundedCents', p.refunded_cents, 'customerName', p.customer_name, 'customerEmail', p.customer_email,
    'recipientName', p.recipient_name, 'recipientEmail', p.recipient_email, 'deliveryMode', p.delivery_mode,
    'scheduledFor', p.scheduled_for, 'paidAt', p.paid_at, 'message', p.message,
    'deliveries', (
      select coalesce(json_agg(json_build_object('audience', d.audience, 'recipientName', d.recipient_name,
        'recipientEmail', d.recipient_email, 'scheduledFor', d.scheduled_for, 'queuedAt', d.queued_at,
        'deliveringAt', d.delivering_at, 'lastAttemptedAt', d.last_attempted_at, 'deliveredAt', d.delivered_at,
        'failedAt', d.failed_at, 'failureMessage', d.failure_message, 'attemptsCount', d.attempts_count)
        order by d.id), '[]')
      from voucher_deliveries d where d.account_id = p.account_id and d.purchase_id = p.id
    ))
  from voucher_purchases p where p.account_id = v.account_id and p.voucher_id = v.id
)`

/** Every voucher with its ledger added up. What expired is left out of it: it expires again by itself. */
export const findVouchersToExport = async (
  { accountId, db }: Rows,
  { afterId, limit }: BatchAfterId,
): Promise<ExportedVoucher[]> => {
  const { rows } = await sql<ExportedVoucher>`
    select v.id, v.public_id as "publicId", v.code_sealed as "codeSealed", v.product_id as "productId", v.source,
      v.issued_cents as "issuedCents", v.reserved_cents as "reservedCents", v.expires_at as "expiresAt",
      v.block_reason as "blockReason", v.created_at as "createdAt", ledger.note, ledger."redeemedCents",
      ledger.adjustments, ledger."takenBackCents", ${purchaseOf} as purchase
    from vouchers v
    cross join lateral (
      select max(e.reason) filter (where e.kind = 'issuance') as note,
        coalesce(-sum(e.amount_cents) filter (where e.kind in ('redemption', 'refund')), 0)::bigint as "redeemedCents",
        coalesce(-sum(e.amount_cents) filter (where e.kind = 'purchase_refund'), 0)::bigint as "takenBackCents",
        coalesce(json_agg(json_build_object('amountCents', e.amount_cents, 'reason', e.reason, 'actor', e.actor,
          'createdAt', e.created_at) order by e.seq) filter (where e.kind in ('adjustment_credit', 'adjustment_debit')),
          '[]') as adjustments
      from voucher_entries e where e.account_id = v.account_id and e.voucher_id = v.id
    ) ledger
    where v.account_id = ${accountId} and v.id > ${afterId}
    order by v.id limit ${limit}`.execute(db)
  return rows
}
