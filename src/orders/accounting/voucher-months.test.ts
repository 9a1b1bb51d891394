import { expect, test } from 'vitest'
import { BUYER, openBuyer } from '../../../test/kit/venue/checkouts.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

type Months = Record<string, string>[]

const cents = (amount: string) => Math.round(Number(amount) * 100)

/** What the accountant adds up by hand. */
const expectToAddUp = (months: Months) => {
  for (const [n, month] of months.entries()) {
    const of = (column: string) => cents(month[column]!)
    const sum =
      of('opening') + of('issued') - of('spent') + of('returned') - of('taken_back') - of('expired') + of('credited')
    expect(sum - of('debited'), month['month']).toBe(of('closing'))
    if (n > 0) expect(month['opening']).toBe(months[n - 1]!['closing'])
  }
}

test('every kind of movement stands in its own column, and the month adds up to the cent', async () => {
  const buyer = await openBuyer((file) => {
    file['voucher_products'] = [{ key: 'p', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }]
  })
  const { office } = buyer.venue
  const issue = async (voucher: object) => (await office.post('/admin/vouchers', { voucher })).body
  const spent = await issue({ amount: '40.10' })
  const corrected = await issue({ amount: '20.00' })
  await issue({ amount: '7.77', expires_at: new Date(Date.now() + 60_000).toISOString() })
  await office.post(`/admin/vouchers/${corrected.id}/adjustment`, { direction: 'credit', amount: '5.55', reason: 'x' })
  await office.post(`/admin/vouchers/${corrected.id}/adjustment`, { direction: 'debit', amount: '1.11', reason: 'x' })

  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  await buyer.change(token, BUYER)
  await buyer.post(`/checkouts/${token}/vouchers`, { code: spent.code })
  await buyer.decide((await buyer.pay(token)).body.payment.redirect_url, 'paid')
  const { order } = await buyer.see(token)
  await office.post(`/admin/orders/${order.public_id}/refunds`, { amount: '10.00' })

  const [product] = (await office.get('/admin/voucher_products')).body.voucher_products
  const items = [{ voucher_product_id: product.id, quantity: 1 }]
  const bought = (await buyer.post('/checkouts', { checkout: { voucher_items: items } })).body
  await buyer.change(bought.token, BUYER)
  await buyer.decide((await buyer.pay(bought.token)).body.payment.redirect_url, 'paid')
  const sold = (await buyer.see(bought.token)).order
  await office.post(`/admin/orders/${sold.public_id}/refunds`)
  const { rows } = await buyer.venue.app.database.pool.query<{ id: number }>(
    `update vouchers set expires_at = foyer_now() - interval '1 second' where account_id = $1 and issued_cents = 777 returning id`,
    [buyer.venue.report.account.id],
  )
  expect(rows).toHaveLength(1)
  await buyer.settle()

  const { body } = await office.get('/admin/accounting/voucher_months')
  expect(body.months).toHaveLength(12)
  expectToAddUp(body.months)
  expect(body).toMatchObject({ time_zone: 'Europe/Berlin', currency: 'EUR', to: body.months.at(-1).month })
  expect(body.months.at(-1)).toMatchObject({
    opening: '0.00',
    issued: '117.87',
    spent: '40.10',
    returned: '10.00',
    taken_back: '50.00',
    expired: '7.77',
    credited: '5.55',
    debited: '1.11',
    closing: '34.44',
  })
  const { summary } = (await office.get('/admin/vouchers')).body
  expect(summary.outstanding.amount).toBe('34.44')

  const { text, headers } = await office.get('/admin/accounting/voucher_months.csv?from=' + body.to)
  expect(headers.get('content-disposition')).toBe('attachment; filename="voucher-months.csv"')
  expect(text).toBe(
    'month,opening,issued,spent,returned,taken_back,expired,credited,debited,closing,currency\r\n' +
      `${body.to},0.00,117.87,40.10,10.00,50.00,7.77,5.55,1.11,34.44,EUR\r\n`,
  )
})

test('a month begins at midnight where the account is, and opens with what the one before left', async () => {
  const venue = await openVenue((file) => {
    file['account'].time_zone = 'Pacific/Auckland'
    file['vouchers'] = [
      // The last minute of June in Auckland, and the first of July.
      { key: 'a', code: 'OLDC-ODEA-AAAA-AAAA', amount: '10.00', created_at: '2026-06-30T11:59:00Z' },
      { key: 'b', code: 'OLDC-ODEB-BBBB-BBBB', amount: '20.00', created_at: '2026-06-30T12:00:00Z' },
      { key: 'c', code: 'OLDC-ODEC-CCCC-CCCC', amount: '40.00', created_at: '2026-08-02T12:00:00Z' },
    ]
  })
  const months = async (query: string): Promise<Months> =>
    (await venue.office.get(`/admin/accounting/voucher_months?${query}`)).body.months
  expect(await months('from=2026-06&to=2026-08')).toMatchObject([
    { month: '2026-06', opening: '0.00', issued: '10.00', closing: '10.00' },
    { month: '2026-07', opening: '10.00', issued: '20.00', closing: '30.00' },
    { month: '2026-08', opening: '30.00', issued: '40.00', closing: '70.00' },
  ])
  // What came later does not change what was.
  expect(await months('from=2026-07&to=2026-07')).toMatchObject([{ opening: '10.00', closing: '30.00' }])
  expect(await months('from=2025-01&to=2025-02')).toMatchObject([{ closing: '0.00' }, { closing: '0.00' }])
})

test('months that are none are refused, and so is a century', async () => {
  const { office, reader } = await openVenue()
  for (const [query, field] of [
    ['from=2026-13', 'from'],
    ['to=November', 'to'],
    ['from=2026-11-01', 'from'],
    ['from=2026-11&to=2026-10', 'to'],
    ['from=1926-01&to=2026-01', 'from'],
    ['to=0000-05', 'to'],
  ] as const) {
    const { status, body } = await office.get(`/admin/accounting/voucher_months?${query}`)
    expect([status, Object.keys(body.errors)], query).toEqual([422, [field]])
  }
  expect((await office.get('/admin/accounting/voucher_months?to=0001-05')).body.months).toHaveLength(5)
  expect((await reader.get('/admin/accounting/voucher_months')).status).toBe(401)
})
