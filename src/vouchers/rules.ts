import { parseAmount, showAmount } from '../kernel/money.ts'
import { NOT_A_NUMBER_MESSAGE, TOO_MANY_DECIMALS_MESSAGE, atMostMessage, moreThanMessage } from '../kernel/messages.ts'

export const VOUCHER_STATUSES = ['active', 'blocked', 'expired', 'depleted'] as const
export type VoucherStatus = (typeof VOUCHER_STATUSES)[number]

export const REASON_MAX = 1000

/** The most one voucher may be issued with, or be changed by at once: a million in most currencies. */
export const AMOUNT_MAX_CENTS = 100_000_000
/** What credits may heap up on one voucher. */
export const BALANCE_MAX_CENTS = 10_000_000_000

/** Longer texts are no amounts. */
export const AMOUNT_TEXT_MAX = 40

export interface VoucherStatusFacts {
  blockedAt: Date | null
  expirationPostedAt: Date | null
  balanceCents: number
  /** Whether its time is over by the database's clock. */
  hasRunOut: boolean
}

/** A fully used voucher does not turn expired later; a blocked one is blocked whatever else it is. */
export const voucherStatusOf = (voucher: VoucherStatusFacts): VoucherStatus => {
  if (voucher.blockedAt) return 'blocked'
  if (voucher.balanceCents === 0 && !voucher.expirationPostedAt) return 'depleted'
  return hasExpired(voucher) ? 'expired' : 'active'
}

export const hasExpired = (voucher: Pick<VoucherStatusFacts, 'expirationPostedAt' | 'hasRunOut'>) =>
  voucher.hasRunOut || voucher.expirationPostedAt !== null

export const availableCents = (voucher: { balanceCents: number; reservedCents: number }) =>
  voucher.balanceCents - voucher.reservedCents

export type ParsedAmount = { cents: number; fault: null } | { cents: null; fault: string }

/** A positive amount as somebody typed it. It is never rounded: money must not change silently. */
export const parsePositiveAmount = (text: string, currency: string): ParsedAmount => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return { cents: null, fault: NOT_A_NUMBER_MESSAGE }
  if (/^-|^[0.]+$/.test(text)) return { cents: null, fault: moreThanMessage(0) }

  // The whole part alone tells whether it is too large or has too many decimals.
  const whole = parseAmount(text.replace(/\..*/, ''), currency)
  if (whole === null || whole > AMOUNT_MAX_CENTS) return tooMuch(currency)
  const cents = parseAmount(text, currency)
  if (cents === null) return { cents: null, fault: TOO_MANY_DECIMALS_MESSAGE }
  return cents > AMOUNT_MAX_CENTS ? tooMuch(currency) : { cents, fault: null }
}

const tooMuch = (currency: string) => ({ cents: null, fault: atMostMessage(showAmount(AMOUNT_MAX_CENTS, currency)) })
