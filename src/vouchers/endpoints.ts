import { management } from '../access/access.ts'
import { ok } from '../http/answers.ts'
import { endpoint } from '../http/endpoint.ts'
import { requireFound } from '../kernel/refusals.ts'
import { deliveryEndpoints } from './deliveries/endpoints.ts'
import { findPurchaseOfVoucher } from './deliveries/records.ts'
import { showPurchase } from './deliveries/wire.ts'
import { voucherExportEndpoint } from './exports/endpoints.ts'
import { importEndpoints } from './imports/endpoints.ts'
import { ledgerChangeEndpoints, voucherLookupEndpoint, vouchersEndpoint } from './ledger/endpoints.ts'
import { findEntries, findVoucher } from './ledger/records.ts'
import { showEntry, showVoucher } from './ledger/wire.ts'
import { productEndpoints } from './products/endpoints.ts'
import { reservationEndpoints } from './reservations/endpoints.ts'
import { EXAMPLE_SETUPS } from './example-setups.ts'
import { VoucherDetail } from './wire.ts'

const voucher = endpoint({
  method: 'GET',
  path: '/admin/vouchers/:id',
  operationId: 'getVoucher',
  says: 'One voucher with its purchase and its ledger, newest entry first.',
  access: management('read'),
  exampleSetup: EXAMPLE_SETUPS.voucher,
  answers: { 200: VoucherDetail },
  handle: async ({ account, params }) => {
    const { currency } = account.account
    const { one, purchase, entries } = await account.consistentRead(async (rows) => {
      const one = requireFound(await findVoucher(rows, params.id))
      return { one, purchase: await findPurchaseOfVoucher(rows, one.id), entries: await findEntries(rows, one.id) }
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
  vouchersEndpoint,
  voucherExportEndpoint,
  voucherLookupEndpoint,
  voucher,
  ...ledgerChangeEndpoints,
  ...reservationEndpoints,
  ...deliveryEndpoints,
  ...importEndpoints,
]
