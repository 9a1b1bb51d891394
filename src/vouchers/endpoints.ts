import { management } from '../access/access.ts'
import { ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { found } from '../kernel/refusals.ts'
import { deliveryEndpoints } from './deliveries/endpoints.ts'
import { findPurchase } from './deliveries/records.ts'
import { showPurchase } from './deliveries/wire.ts'
import { voucherExport } from './exports/endpoints.ts'
import { importEndpoints } from './imports/endpoints.ts'
import { ledgerChangeEndpoints, voucherLookup, vouchers } from './ledger/endpoints.ts'
import { findEntries, findVoucher } from './ledger/records.ts'
import { showEntry, showVoucher } from './ledger/wire.ts'
import { productEndpoints } from './products/endpoints.ts'
import { TRIALS } from './trials.ts'
import { VoucherDetail } from './wire.ts'

const voucher = endpoint({
  method: 'GET',
  path: '/admin/vouchers/:id',
  operationId: 'getVoucher',
  says: 'One voucher with its purchase and its ledger, newest entry first.',
  access: management('read'),
  trial: TRIALS.voucher,
  answers: { 200: VoucherDetail },
  handle: async ({ account, params }) => {
    const { currency } = account.account
    const { one, purchase, entries } = await account.consistentRead(async (rows) => {
      const one = found(await findVoucher(rows, params.id))
      return { one, purchase: await findPurchase(rows, one.id), entries: await findEntries(rows, one.id) }
    })
    return ok({
      ...showVoucher(one, currency),
      purchase: purchase ? showPurchase(purchase, currency) : null,
      entries: entries.map((entry) => showEntry(entry, currency)),
    })
  },
})

export const voucherEndpoints = [
  ...productEndpoints,
  vouchers,
  voucherExport,
  voucherLookup,
  voucher,
  ...ledgerChangeEndpoints,
  ...deliveryEndpoints,
  ...importEndpoints,
]
