import { z } from 'zod'
import { openAccountForJob } from '../../access/job-scope.ts'
import type { App } from '../../access/app.ts'
import { defineAppJob } from '../../jobs/context.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { publishVoucherWebhooks } from '../ledger/announce.ts'
import { findVouchersById, lockVoucher } from '../ledger/records.ts'
import { findVouchersWithExpiredReservations, releaseExpiredReservations } from '../reservations/records.ts'
import { findVouchersToExpire, foldTotals, insertExpirationEntries } from './records.ts'

const AT_ONCE = 1000

/**
 * Posts the rest of vouchers whose time is over, once each. Their status and the summary are right before it runs;
 * checkouts that were given up are released first, because a voucher waits for them.
 */
export const expireVouchers = defineAppJob({
  name: 'vouchers.expire',
  payload: z.object({}),
  every: '5 minutes',
  run: async (_payload, { context }) => {
    await releaseStaleReservations(context.app)
    while ((await expireSome(context.app)) > 0) continue
  },
})

export const foldVoucherTotals = defineAppJob({
  name: 'vouchers.fold-totals',
  payload: z.object({}),
  every: '1 minute',
  run: (_payload, { context }) => foldTotals(context.app.database),
})

const expireSome = async (app: App): Promise<number> => {
  let count = 0
  for (const { accountId, ids } of await findVouchersToExpire(app.database, AT_ONCE)) {
    const scope = await openAccountForJob(app, accountId)
    await scope?.transaction(async (tx) => {
      const expired = await insertExpirationEntries(tx, ids, Array.from(ids, newPublicId))
      count += expired.length
      await publishVoucherWebhooks(tx, scope.account, 'voucher.expired', await findVouchersById(tx, expired))
    })
  }
  return count
}

const releaseStaleReservations = async (app: App) => {
  for (;;) {
    const stale = await findVouchersWithExpiredReservations(app.database, AT_ONCE)
    for (const { accountId, voucherId } of stale) {
      const scope = await openAccountForJob(app, accountId)
      await scope?.transaction(async (tx) => {
        await lockVoucher(tx, { id: voucherId })
        await releaseExpiredReservations(tx, voucherId)
      })
    }
    if (stale.length < AT_ONCE) return
  }
}
