import { z } from 'zod'
import { management } from '../../access/access.ts'
import { RawAnswer } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { choice } from '../../http/fields.ts'
import { VOUCHER_STATUSES } from '../rules.ts'
import { exportVouchers } from './export-vouchers.ts'

export const voucherExportEndpoint = endpoint({
  method: 'GET',
  path: '/admin/vouchers.csv',
  operationId: 'exportVouchers',
  says: 'All vouchers, or those of one status, as CSV with their full codes; every export is written down.',
  access: management('read'),
  query: z.object({ status: choice(VOUCHER_STATUSES).optional() }),
  answers: {},
  media: ['text/csv'],
  handle: async ({ account, query }) =>
    new RawAnswer(
      200,
      {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="vouchers.csv"',
      },
      await exportVouchers(account, query.status ?? null),
    ),
})
