import type { CallerScope } from '../../access/scopes.ts'
import { NotFound } from '../../kernel/refusals.ts'
import { digestOfCode, isVoucherCode, normalizeVoucherCode } from '../codes.ts'
import { findVoucherByCode } from './records.ts'
import type { Voucher } from './rules.ts'

const FAILURES_PER_MINUTE = 30

/** Finds a voucher by its code. Only failures cost, and each of them is answered alike. */
export const lookUpVoucher = async (account: CallerScope, typed: string): Promise<Voucher> => {
  const budget = account.house.budgets.of('voucher look-ups that failed', FAILURES_PER_MINUTE)
  budget.require(account.credential.id)

  const code = normalizeVoucherCode(typed)
  const digest = digestOfCode(account.house.secrets, account.account.id, code)
  const voucher = isVoucherCode(code) ? await findVoucherByCode(account.rows, digest) : undefined
  if (voucher) return voucher

  budget.spend(account.credential.id)
  throw new NotFound()
}
