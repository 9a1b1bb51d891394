import { showAmount } from '../../kernel/money.ts'
import { type ErrorMap } from '../../kernel/refusals.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, atLeastMessage, atMostMessage } from '../../kernel/messages.ts'
import { addMonths, parseExpiry } from '../expiry.ts'
import type { Product } from '../products/rules.ts'
import { type VoucherStatusFacts, parsePositiveAmount } from '../rules.ts'

export const ENTRY_KINDS = [
  'issuance',
  'redemption',
  'refund',
  'adjustment_credit',
  'adjustment_debit',
  'expiration',
  'purchase_refund',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

export const VOUCHER_SOURCES = ['shop', 'manual', 'import'] as const
export type VoucherSource = (typeof VOUCHER_SOURCES)[number]

export interface Voucher extends VoucherStatusFacts {
  id: number
  publicId: string
  codeSuffix: string
  productPublicId: string | null
  productName: string | null
  source: VoucherSource
  issuedCents: number
  reservedCents: number
  entriesCount: number
  expiresAt: Date | null
  blockReason: string | null
  createdAt: Date
  updatedAt: Date
}

export interface Entry {
  publicId: string
  kind: EntryKind
  amountCents: number
  balanceAfterCents: number
  orderPublicId: string | null
  actor: string | null
  reason: string | null
  metadata: Record<string, unknown>
  createdAt: Date
}

export interface VoucherTotals {
  count: number
  issuedCents: number
  redeemedCents: number
  outstandingCents: number
  soldCount: number
  soldCents: number
  bonusCents: number
  blockedCount: number
}

/** What the account's money and clocks are, for reading what somebody typed. */
export interface InputContext {
  currency: string
  timeZone: string
  now: Date
}

export interface IssueInput {
  amount: string | null
  expires_at: string | null
}

export interface ValidatedIssue {
  amountCents: number
  /** Known where a product sells more credit than it costs. */
  paidCents: number | null
  expiresAt: Date | null
}

type Judged<T> = { faults: ErrorMap } | { faults: null; value: T }

/** What a voucher is issued with: the product decides, where there is one. */
export const validateIssue = (
  input: IssueInput,
  product: Product | null,
  terms: InputContext,
): Judged<ValidatedIssue> => {
  const amount = readIssuedAmount(input.amount, product, terms.currency)
  const expiry = readIssuedExpiry(input.expires_at, product, terms)
  const faults: ErrorMap = {
    ...(product?.archivedAt && { voucher_product_id: ['is archived'] }),
    ...(amount.fault !== null && { amount: [amount.fault] }),
    ...(expiry.fault !== null && { expires_at: [expiry.fault] }),
  }
  if (amount.fault !== null || Object.keys(faults).length > 0) return { faults }
  return {
    faults: null,
    value: { amountCents: amount.cents, paidCents: product?.purchaseCents ?? null, expiresAt: expiry.at },
  }
}

const readIssuedAmount = (text: string | null, product: Product | null, currency: string) => {
  if (text === null) {
    const cents = product?.fixedCents ?? null
    return cents === null ? ({ cents: null, fault: BLANK_MESSAGE } as const) : ({ cents, fault: null } as const)
  }
  const read = parsePositiveAmount(text, currency)
  if (read.fault !== null || !product) return read
  const fault = misfit(read.cents, product, currency)
  return fault === null ? read : { cents: null, fault }
}

const misfit = (cents: number, product: Product, currency: string): string | null => {
  const { fixedCents, minimumCents, maximumCents } = product
  if (fixedCents !== null) return cents === fixedCents ? null : `must be ${showAmount(fixedCents, currency)}`
  if (minimumCents !== null && cents < minimumCents) return atLeastMessage(showAmount(minimumCents, currency))
  if (maximumCents !== null && cents > maximumCents) return atMostMessage(showAmount(maximumCents, currency))
  return null
}

export const MUST_BE_IN_FUTURE_MESSAGE = 'must be in the future'

const readIssuedExpiry = (text: string | null, product: Product | null, terms: InputContext) => {
  if (text === null) return { at: product ? addMonths(terms.now, product.validityMonths) : null, fault: null }
  const at = parseExpiry(text, terms.timeZone)
  if (!at) return { at: null, fault: INVALID_MESSAGE }
  return at <= terms.now ? { at: null, fault: MUST_BE_IN_FUTURE_MESSAGE } : { at, fault: null }
}

export const moreThanAvailableMessage = (cents: number, currency: string) =>
  cents > 0 ? atMostMessage(showAmount(cents, currency)) : 'is more than there is: nothing is left'
