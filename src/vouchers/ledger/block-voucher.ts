import type { CallerScope } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { publishVoucherWebhook } from './announce.ts'
import { findVoucher, lockVoucher, recordBlock, recordUnblock } from './records.ts'
import type { Voucher } from './rules.ts'

/** Blocking again keeps the first reason and tells nobody. */
export const blockVoucher = (account: CallerScope, publicId: string, reason: string): Promise<Voucher> =>
  account.transaction(async (tx) => {
    const { id } = requireFound(await lockVoucher(tx, { publicId }))
    const isNew = await recordBlock(tx, id, reason)
    const voucher = requireFound(await findVoucher(tx, publicId))
    if (isNew) await publishVoucherWebhook(tx, account.account, 'voucher.blocked', voucher)
    return voucher
  })

export const unblockVoucher = (account: CallerScope, publicId: string): Promise<Voucher> =>
  account.transaction(async (tx) => {
    const { id } = requireFound(await lockVoucher(tx, { publicId }))
    const isNew = await recordUnblock(tx, id)
    const voucher = requireFound(await findVoucher(tx, publicId))
    if (isNew) await publishVoucherWebhook(tx, account.account, 'voucher.unblocked', voucher)
    return voucher
  })
