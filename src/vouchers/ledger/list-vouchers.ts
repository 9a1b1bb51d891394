import type { CallerScope } from '../../access/scopes.ts'
import { Invalid } from '../../kernel/refusals.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import type { VoucherStatus } from '../rules.ts'
import { findListedVouchers } from './records.ts'
import type { VoucherTotals, Voucher } from './rules.ts'

const PAGE_DEFAULT = 50
const PAGE_MAX = 100

export interface ListQuery {
  status: VoucherStatus | null
  limit: number
  /** Where the last page ended, as it was told; empty for the first page. */
  page: string
}

export interface VoucherPage {
  summary: VoucherTotals
  vouchers: Voucher[]
  nextPage: string | null
}

/** A page ends with a voucher and the next one begins after it, so nothing is shown twice or skipped. */
export const listVouchers = async (account: CallerScope, { status, limit, page }: ListQuery): Promise<VoucherPage> => {
  const listed = await findListedVouchers(account.rows, {
    status,
    afterId: page === '' ? null : page,
    // One more than is shown tells whether there is a next page.
    limit: limit + 1,
  })
  if (!listed.hasPlace) throw new Invalid({ page: [INVALID_MESSAGE] })

  const { summary, vouchers: found } = listed
  const vouchers = found.slice(0, limit)
  return { summary, vouchers, nextPage: found.length > limit ? vouchers.at(-1)!.publicId : null }
}

/** Out of range is clamped, and what is no number is the default. */
export const parsePageLimit = (text: string): number =>
  /^-?\d+$/.test(text) ? Math.min(Math.max(Number(text), 1), PAGE_MAX) : PAGE_DEFAULT
