import { z } from 'zod'
import { bookkeeping } from '../../access/access.ts'
import type { CallerScope, Rows } from '../../access/scopes.ts'
import { RawAnswer, ok } from '../../http/answers.ts'
import { endpoint } from '../../http/endpoint.ts'
import { queryText } from '../../http/fields.ts'
import { named } from '../../http/wire.ts'
import { isCalendarDate } from '../../kernel/durations.ts'
import { INVALID_MESSAGE } from '../../kernel/messages.ts'
import { showAmount } from '../../kernel/money.ts'
import { refuseUnless } from '../../kernel/refusals.ts'
import { type MonthRange, type VoucherMonth, findToday, findVoucherMonths } from './records.ts'

const COLUMNS = {
  opening: 'openingCents',
  issued: 'issuedCents',
  spent: 'spentCents',
  returned: 'returnedCents',
  taken_back: 'takenBackCents',
  expired: 'expiredCents',
  credited: 'creditedCents',
  debited: 'debitedCents',
  closing: 'closingCents',
} as const satisfies Record<string, keyof VoucherMonth>

type Column = keyof typeof COLUMNS

const Amounts = Object.fromEntries(Object.keys(COLUMNS).map((column) => [column, z.string()])) as Record<
  Column,
  z.ZodString
>

const VoucherMonths = named(
  'VoucherMonths',
  z.object({
    from: z.string(),
    to: z.string(),
    time_zone: z.string(),
    currency: z.string(),
    months: z.array(z.object({ month: z.string(), ...Amounts })),
  }),
  {
    from: '2026-11',
    to: '2026-11',
    time_zone: 'Europe/Berlin',
    currency: 'EUR',
    months: [
      {
        month: '2026-11',
        opening: '7402.00',
        issued: '500.00',
        spent: '310.50',
        returned: '25.00',
        taken_back: '50.00',
        expired: '40.00',
        credited: '10.00',
        debited: '0.00',
        closing: '7536.50',
      },
    ],
  },
)

const query = z.object({ from: queryText(), to: queryText() })

const MONTHS_USUAL = 12
const MONTHS_MAX = 120
/** The calendar has none before. */
const MONTH_FIRST = '0001-01'

const countOf = (month: string) => Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1

const monthOf = (count: number) =>
  `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`

/** The year until this month, where nothing else is asked for. */
const readRange = async (
  rows: Rows,
  { timeZone }: CallerScope['account'],
  asked: z.output<typeof query>,
): Promise<MonthRange> => {
  for (const key of ['from', 'to'] as const) {
    const isMonth = /^\d{4}-\d{2}$/.test(asked[key]) && isCalendarDate(`${asked[key]}-01`)
    refuseUnless(asked[key] === '' || isMonth, { [key]: [INVALID_MESSAGE] })
  }
  const to = asked.to || (await findToday(rows, timeZone)).slice(0, 7)
  const from = asked.from || monthOf(Math.max(countOf(to) - MONTHS_USUAL + 1, countOf(MONTH_FIRST)))
  const count = countOf(to) - countOf(from) + 1
  refuseUnless(count > 0, { to: ['must not be before from'] })
  refuseUnless(count <= MONTHS_MAX, { from: [`must not be more than ${MONTHS_MAX} months before to`] })
  return { from, to, timeZone }
}

const readMonths = (scope: CallerScope, asked: z.output<typeof query>) =>
  scope.replicaRead(async (rows) => {
    const range = await readRange(rows, scope.account, asked)
    return { range, months: await findVoucherMonths(rows, range) }
  })

const amountsOf = (month: VoucherMonth, currency: string): Record<Column, string> =>
  Object.fromEntries(
    Object.entries(COLUMNS).map(([column, key]) => [column, showAmount(month[key], currency)]),
  ) as Record<Column, string>

const voucherMonths = endpoint({
  method: 'GET',
  path: '/admin/accounting/voucher_months',
  operationId: 'listVoucherMonths',
  says: 'What stands on all vouchers, month by month of the account’s calendar, the last twelve unless `from` and `to` say otherwise: opening + issued − spent + returned − taken_back − expired + credited − debited = closing, to the cent.',
  access: bookkeeping('read'),
  query,
  answers: { 200: VoucherMonths },
  handle: async ({ account, query: asked }) => {
    const { currency } = account.account
    const { range, months } = await readMonths(account, asked)
    return ok({
      from: range.from,
      to: range.to,
      time_zone: range.timeZone,
      currency,
      months: months.map((month) => ({ month: month.month, ...amountsOf(month, currency) })),
    })
  },
})

const HEAD = ['month', ...Object.keys(COLUMNS), 'currency'].join(',')

const voucherMonthsExport = endpoint({
  method: 'GET',
  path: '/admin/accounting/voucher_months.csv',
  operationId: 'exportVoucherMonths',
  says: 'The same as CSV, a line for each month.',
  access: bookkeeping('read'),
  query,
  answers: {},
  media: ['text/csv'],
  handle: async ({ account, query: asked }) => {
    const { currency } = account.account
    const { months } = await readMonths(account, asked)
    const lines = months.map((month) => [month.month, ...Object.values(amountsOf(month, currency)), currency].join(','))
    return new RawAnswer(
      200,
      {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': 'attachment; filename="voucher-months.csv"',
      },
      [HEAD, ...lines, ''].join('\r\n'),
    )
  },
})

export const voucherMonthEndpoints = [voucherMonths, voucherMonthsExport]
