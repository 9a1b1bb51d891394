import { z } from 'zod'
import { envelope, unwrappedBody } from '../../http/body.ts'
import { choice, optionalText, requiredText } from '../../http/fields.ts'
import { Money, Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../../http/wire.ts'
import { showMoney } from '../../kernel/money.ts'
import { maskedCodeOf } from '../codes.ts'
import { AMOUNT_TEXT_MAX, REASON_MAX, VOUCHER_STATUSES, availableCents, voucherStatusOf } from '../rules.ts'
import { ENTRY_KINDS, type Entry, VOUCHER_SOURCES, type VoucherTotals, type Voucher } from './rules.ts'

export const voucherFields = {
  id: z.string(),
  masked_code: z.string(),
  product_id: z.string().nullable(),
  product_name: z.string().nullable(),
  source: z.enum(VOUCHER_SOURCES),
  status: z.enum(VOUCHER_STATUSES),
  issued_amount: Money,
  balance: Money,
  available_balance: Money,
  expires_at: Timestamp.nullable(),
  blocked_at: Timestamp.nullable(),
  block_reason: z.string().nullable(),
  created_at: Timestamp,
  updated_at: Timestamp,
}

const euros = (amount: string) => ({ amount, currency: 'EUR' })

export const voucherExample = {
  id: 'Vb7Tq2mXw9LrK4sYc8HnPd',
  masked_code: '****-****-****-NPQR',
  product_id: 'Gq4nV8sT1kYx7bLwZ3mHcR',
  product_name: 'Voucher 50',
  source: 'shop' as const,
  status: 'active' as const,
  issued_amount: euros('50.00'),
  balance: euros('37.50'),
  available_balance: euros('17.50'),
  expires_at: '2029-10-01T09:00:00.000Z',
  blocked_at: null,
  block_reason: null,
  created_at: '2026-10-01T09:00:00.000Z',
  updated_at: '2026-11-02T18:30:00.000Z',
}

export const VoucherAnswer = named('Voucher', z.object(voucherFields), voucherExample)

export const IssuedVoucher = named('IssuedVoucher', z.object({ ...voucherFields, code: z.string() }), {
  ...voucherExample,
  code: 'K7WM-3XQD-9TFA-NPQR',
})

export const LedgerEntry = named(
  'VoucherEntry',
  z.object({
    id: z.string(),
    kind: z.enum(ENTRY_KINDS),
    amount: Money,
    balance_after: Money,
    order_id: z.string().nullable(),
    actor: z.string().nullable(),
    reason: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()),
    created_at: Timestamp,
  }),
  {
    id: 'Et5Rw8kZp2NxQ7vBm3LcYs',
    kind: 'redemption',
    amount: euros('-12.50'),
    balance_after: euros('37.50'),
    order_id: 'Hd9Kx4pTz6VmW2rQn8BsLc',
    actor: null,
    reason: null,
    metadata: {},
    created_at: '2026-11-02T18:30:00.000Z',
  },
)

const VoucherSummary = named(
  'VoucherSummary',
  z.object({
    count: z.int(),
    issued: Money,
    redeemed: Money,
    outstanding: Money,
    sold_count: z.int(),
    sold: Money,
    bonus: Money,
    blocked_count: z.int(),
  }),
  {
    count: 240,
    issued: euros('12000.00'),
    redeemed: euros('4310.50'),
    outstanding: euros('7402.00'),
    sold_count: 198,
    sold: euros('9650.00'),
    bonus: euros('320.00'),
    blocked_count: 2,
  },
)

export const Vouchers = named(
  'Vouchers',
  z.object({
    summary: VoucherSummary,
    vouchers: z.array(VoucherAnswer),
    pagination: z.object({ next_page: z.string().nullable() }),
  }),
  {
    summary: exampleOf(VoucherSummary)!,
    vouchers: [voucherExample],
    pagination: { next_page: 'Vb7Tq2mXw9LrK4sYc8HnPd' },
  },
)

export const IssueBody = envelope(
  'voucher',
  z.object({
    voucher_product_id: optionalText(),
    amount: optionalText(AMOUNT_TEXT_MAX),
    expires_at: optionalText(AMOUNT_TEXT_MAX),
    note: optionalText(REASON_MAX),
    code: optionalText(),
  }),
)

const DIRECTIONS = ['credit', 'debit'] as const

export const AdjustmentBody = unwrappedBody(
  z.object({
    direction: choice(DIRECTIONS),
    amount: requiredText(AMOUNT_TEXT_MAX),
    reason: requiredText(REASON_MAX),
  }),
)

export const BlockBody = unwrappedBody(z.object({ reason: requiredText(REASON_MAX) }))

export const LookupBody = unwrappedBody(z.object({ code: requiredText() }))

export const showVoucher = (voucher: Voucher, currency: string): z.output<typeof VoucherAnswer> => ({
  id: voucher.publicId,
  masked_code: maskedCodeOf(voucher.codeSuffix),
  product_id: voucher.productPublicId,
  product_name: voucher.productName,
  source: voucher.source,
  status: voucherStatusOf(voucher),
  issued_amount: showMoney(voucher.issuedCents, currency),
  balance: showMoney(voucher.balanceCents, currency),
  available_balance: showMoney(availableCents(voucher), currency),
  expires_at: showTimestampOrNull(voucher.expiresAt),
  blocked_at: showTimestampOrNull(voucher.blockedAt),
  block_reason: voucher.blockReason,
  created_at: showTimestamp(voucher.createdAt),
  updated_at: showTimestamp(voucher.updatedAt),
})

export const showEntry = (entry: Entry, currency: string): z.output<typeof LedgerEntry> => ({
  id: entry.publicId,
  kind: entry.kind,
  amount: showMoney(entry.amountCents, currency),
  balance_after: showMoney(entry.balanceAfterCents, currency),
  order_id: entry.orderPublicId,
  actor: entry.actor,
  reason: entry.reason,
  metadata: entry.metadata,
  created_at: showTimestamp(entry.createdAt),
})

export const showSummary = (summary: VoucherTotals, currency: string): z.output<typeof VoucherSummary> => ({
  count: summary.count,
  issued: showMoney(summary.issuedCents, currency),
  redeemed: showMoney(summary.redeemedCents, currency),
  outstanding: showMoney(summary.outstandingCents, currency),
  sold_count: summary.soldCount,
  sold: showMoney(summary.soldCents, currency),
  bonus: showMoney(summary.bonusCents, currency),
  blocked_count: summary.blockedCount,
})
