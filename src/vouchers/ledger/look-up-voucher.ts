import type { CallerScope } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { digestOfCode, isVoucherCode, normalizeVoucherCode } from '../codes.ts'
import { findVoucherByCode } from './records.ts'
import type { Voucher } from './rules.ts'

const FAILURES_PER_MINUTE = 30

/** Finds a voucher by its code. Only failures cost, and each of them is answered alike. */
export const lookUpVoucher = async (account: CallerScope, typed: string): Promise<Voucher> => {
  const budget = account.app.budgets.shared('voucher look-ups that failed', FAILURES_PER_MINUTE)
  const code = normalizeVoucherCode(typed)
  const digest = digestOfCode(account.app.secrets, account.account.id, code)
  const voucher = await budget.guess(account.credential.id, 1, async () => {
    const known = isVoucherCode(code) ? await findVoucherByCode(account.rows, digest) : undefined
    return { found: known, misses: known ? 0 : 1 }
  })
  return requireFound(voucher)
}
