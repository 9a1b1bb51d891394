import { z } from 'zod'
import { bookkeeping } from '../../access/access.ts'
import type { CallerScope, Rows } from '../../access/scopes.ts'
import { RawAnswer, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { queryText } from '../../http/fields.ts'
import { CalendarDate, named } from '../../http/wire.ts'
import { isCalendarDate } from '../../kernel/durations.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import { showAmount } from '../../kernel/money.ts'
import { refuseUnless } from '../../kernel/refusals.ts'
import { showTaxRate } from '../../kernel/tax-rates.ts'
import {
  type BookedReceiptLine,
  type AccountingPeriod,
  type ReceiptSumByTaxRate,
  findBookedLines,
  findToday,
  sumReceipts,
  sumVoucherMovement,
} from './records.ts'
import { voucherMonthEndpoints } from './voucher-months.ts'

const Sum = z.object({ rate: z.string(), net: z.string(), tax: z.string(), gross: z.string() })
const Booked = z.object({ total: z.string(), by_rate: z.array(Sum) })

const sumExample = { rate: '19.00', net: '420.17', tax: '79.83', gross: '500.00' }

const Accounting = named(
  'Accounting',
  z.object({
    from: CalendarDate,
    to: CalendarDate,
    time_zone: z.string(),
    currency: z.string(),
    sales: Booked,
    refunds: Booked,
    vouchers: z.object({ sold: Booked, refunded: Booked, spent: z.string(), returned: z.string() }),
  }),
  {
    from: '2026-11-01',
    to: '2026-11-30',
    time_zone: 'Europe/Berlin',
    currency: 'EUR',
    sales: { total: '500.00', by_rate: [sumExample] },
    refunds: { total: '-50.00', by_rate: [{ rate: '19.00', net: '-42.02', tax: '-7.98', gross: '-50.00' }] },
    vouchers: {
      sold: { total: '100.00', by_rate: [{ rate: '0.00', net: '100.00', tax: '0.00', gross: '100.00' }] },
      refunded: { total: '0.00', by_rate: [] },
      spent: '20.00',
      returned: '0.00',
    },
  },
)

const query = z.object({ from: queryText(), to: queryText() })

/** From the first of this month until today, where nothing else is asked for. */
const readPeriod = async (
  rows: Rows,
  { timeZone }: CallerScope['account'],
  asked: z.output<typeof query>,
): Promise<AccountingPeriod> => {
  for (const key of ['from', 'to'] as const) {
    refuseUnless(asked[key] === '' || isCalendarDate(asked[key]), { [key]: [INVALID_MESSAGE] })
  }
  const to = asked.to || (await findToday(rows, timeZone))
  const from = asked.from || `${to.slice(0, 8)}01`
  refuseUnless(from <= to, { to: ['must not be before from'] })
  return { from, to, timeZone }
}

const accounting = endpoint({
  method: 'GET',
  path: '/admin/accounting',
  operationId: 'getAccounting',
  says: 'The books of a period, days of the account’s calendar: sales and refunds by tax rate, vouchers sold and spent. For owners, managers and account tokens that may write.',
  access: bookkeeping('read'),
  query,
  answers: { 200: Accounting },
  handle: async ({ account, query: asked }) => {
    const { currency } = account.account
    const money = (cents: number) => showAmount(cents, currency)
    const { period, sums, moved } = await account.replicaRead(async (rows) => {
      const period = await readPeriod(rows, account.account, asked)
      return { period, sums: await sumReceipts(rows, period), moved: await sumVoucherMovement(rows, period) }
    })
    const booked = (kind: ReceiptSumByTaxRate['kind'], isOfVouchers: boolean) => {
      const own = sums.filter((sum) => sum.kind === kind && sum.isOfVouchers === isOfVouchers)
      return {
        total: money(own.reduce((total, { grossCents }) => total + grossCents, 0)),
        by_rate: own.map((sum) => ({
          rate: showTaxRate(sum.rate),
          net: money(sum.netCents),
          tax: money(sum.taxCents),
          gross: money(sum.grossCents),
        })),
      }
    }
    return ok({
      from: period.from,
      to: period.to,
      time_zone: period.timeZone,
      currency,
      sales: booked('sale', false),
      refunds: booked('refund', false),
      vouchers: {
        sold: booked('sale', true),
        refunded: booked('refund', true),
        spent: money(moved.spentCents),
        returned: money(moved.returnedCents),
      },
    })
  },
})

const HEAD = 'receipt,kind,day,order_code,what,tax_rate,net,tax,gross,paid_with_vouchers,currency'

const accountingExport = endpoint({
  method: 'GET',
  path: '/admin/accounting.csv',
  operationId: 'exportAccounting',
  says: 'Every receipt of a period as CSV, a line for each tax rate, for whoever may read the books.',
  access: bookkeeping('read'),
  query,
  answers: {},
  media: ['text/csv'],
  handle: async ({ account, query: asked }) => {
    const { currency } = account.account
    const lines = await account.replicaRead(async (rows) =>
      findBookedLines(rows, await readPeriod(rows, account.account, asked)),
    )
    return new RawAnswer(
      200,
      {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="accounting.csv"',
      },
      [HEAD, ...lines.map((line) => lineOf(line, currency)), ''].join('\r\n'),
    )
  },
})

const lineOf = (line: BookedReceiptLine, currency: string): string =>
  [
    line.number,
    line.kind,
    line.day,
    line.orderCode,
    line.isOfVouchers ? 'vouchers' : 'tickets',
    showTaxRate(line.rate),
    ...[line.netCents, line.taxCents, line.grossCents, line.voucherCents].map((cents) => showAmount(cents, currency)),
    currency,
  ].join(',')

export const accountingEndpoints = [accounting, accountingExport, ...voucherMonthEndpoints]
