import { expect, test } from 'vitest'
import { BUYER, openBuyer } from '../../../test/kit/venue/checkouts.ts'
import { documentAt, eventOf } from '../../../test/kit/venue/shop.ts'
import { readPdf } from '../../../test/kit/venue/read-pdf.ts'

type Buyer = Awaited<ReturnType<typeof openBuyer>>

const taxed = (rate: string, productRate?: string): Parameters<typeof openBuyer>[0] => {
  return (file) => {
    file['events'][0].tickets[0].tax_rate = rate
    const product = { key: 'p', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }
    file['voucher_products'] = [{ ...product, ...(productRate && { tax_rate: productRate }) }]
  }
}

/** Buys a voucher of the only product, and tells its code as the full export does. */
const buyVoucher = async ({ venue, post, change, pay, decide }: Buyer): Promise<string> => {
  const [product] = (await venue.office.get('/admin/voucher_products')).body.voucher_products
  const items = [{ voucher_product_id: product.id, quantity: 1 }]
  const { token } = (await post('/checkouts', { checkout: { voucher_items: items } })).body
  await change(token, BUYER)
  await decide((await pay(token)).body.payment.redirect_url, 'paid')
  const [, line] = (await venue.office.get('/admin/vouchers.csv')).text.trimEnd().split('\r\n')
  return line!.split(',')[0]!
}

const spend = async (buyer: Buyer, code: string, quantity: number) => {
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity }])
  await buyer.change(token, BUYER)
  const aside = await buyer.post(`/checkouts/${token}/vouchers`, { code })
  expect(aside.status, aside.text).toBe(200)
  const paying = await buyer.pay(token)
  if (paying.body.payment.redirect_url) await buyer.decide(paying.body.payment.redirect_url, 'paid')
  const { order } = await buyer.see(token)
  return { token, id: order.public_id, receipt: order.receipt, taxLines: aside.body.tax_lines }
}

const textsOf = async ({ venue }: Buyer, { url }: { url: string }) =>
  readPdf(await documentAt(venue, url)).pages.flatMap(({ texts }) => texts)

test('a voucher without a rate is taxed when it is spent, at the rate of what it buys', async () => {
  const buyer = await openBuyer(taxed('19.00'))
  await spend(buyer, await buyVoucher(buyer), 3)
  expect((await buyer.venue.office.get('/admin/accounting')).body).toMatchObject({
    sales: { total: '75.00', by_rate: [{ rate: '19.00', net: '63.03', tax: '11.97', gross: '75.00' }] },
    vouchers: { sold: { total: '50.00', by_rate: [{ rate: '0.00', tax: '0.00' }] }, spent: '50.00' },
  })
})

test('a voucher with a rate is taxed when it is sold: what it pays for is not taxed again, nor untaxed twice by a refund', async () => {
  const buyer = await openBuyer(taxed('19.00', '19.00'))
  const { office } = buyer.venue
  const code = await buyVoucher(buyer)
  const books = async () => (await office.get('/admin/accounting')).body
  expect(await books()).toMatchObject({
    sales: { by_rate: [] },
    vouchers: { sold: { by_rate: [{ rate: '19.00', net: '42.02', tax: '7.98', gross: '50.00' }] } },
  })
  // The rate of the sale counts, whatever the product says by now.
  const [product] = (await office.get('/admin/voucher_products')).body.voucher_products
  await office.patch(`/admin/voucher_products/${product.id}`, { voucher_product: { tax_rate: '7.00' } })
  const { id, receipt, token, taxLines } = await spend(buyer, code, 3)
  // The buyer is told so from the moment the voucher is set aside, and afterwards too.
  expect(taxLines).toEqual([{ rate: '19.00', net: '21.01', tax: '3.99', gross: '25.00' }])
  expect((await buyer.see(token)).tax_lines).toEqual(taxLines)
  expect(await books()).toMatchObject({
    sales: { total: '25.00', by_rate: [{ rate: '19.00', net: '21.01', tax: '3.99', gross: '25.00' }] },
    vouchers: { spent: '50.00' },
  })
  expect(await textsOf(buyer, receipt)).toContain('Vouchers that were taxed when they were sold')

  const some = await office.post(`/admin/orders/${id}/refunds`, { amount: '60.00' })
  expect(some.body).toMatchObject({ voucher_amount: '50.00', payment_amount: '10.00' })
  expect((await books()).refunds).toMatchObject({
    total: '-10.00',
    by_rate: [{ rate: '19.00', net: '-8.40', tax: '-1.60', gross: '-10.00' }],
  })
  const rest = await office.post(`/admin/orders/${id}/refunds`)
  expect(rest.body).toMatchObject({ amount: '15.00', voucher_amount: '0.00' })
  expect((await books()).refunds).toMatchObject({ total: '-25.00' })
})

test('no more of a tax rate is given back than was sold at it, whatever is refunded in between', async () => {
  const buyer = await openBuyer((file) => {
    const { tickets } = eventOf(file)
    const change = (key: string, tax_rate: string) =>
      Object.assign(
        tickets.find((each: { key: string }) => each.key === key),
        { price: '10.00', tax_rate },
      )
    change('ga', '19.00')
    change('four', '7.00')
  })
  const { office } = buyer.venue
  const { order } = await buyer.buy([
    { ticket_id: buyer.tickets['ga'], quantity: 1 },
    { ticket_id: buyer.tickets['four'], quantity: 1 },
  ])
  const refund = async (body: object): Promise<string[][]> => {
    const reply = await office.post(`/admin/orders/${order.public_id}/refunds`, body)
    expect(reply.status, reply.text).toBe(201)
    const { by_rate: rates } = (await office.get('/admin/accounting')).body.refunds
    return rates.map(({ rate, gross }: { rate: string; gross: string }) => [rate, gross])
  }
  const both = (gross: string) => [
    ['19.00', gross],
    ['7.00', gross],
  ]
  expect(await refund({ amount: '4.00' })).toEqual(both('-2.00'))
  expect(await refund({ admission_public_ids: [order.admissions[0].public_id] })).toEqual(both('-7.00'))
  expect(await refund({})).toEqual(both('-10.00'))
})

const cents = (amount: string) => Math.round(Number(amount) * 100)
const sum = (amounts: readonly string[]) => amounts.reduce((total, each) => total + cents(each), 0)

test('the file of a period adds up to the cent with its books, its receipts and its orders, by tax rate', async () => {
  const buyer = await openBuyer((file) => {
    const { tickets } = eventOf(file)
    const change = (key: string, changes: object) =>
      Object.assign(
        tickets.find((each: { key: string }) => each.key === key),
        changes,
      )
    change('ga', { price: '0.99', tax_rate: '19.00' })
    change('four', { price: '33.33', tax_rate: '7.00' })
    file['vouchers'] = [{ key: 'small', amount: '7.77' }]
  })
  const { office, report } = buyer.venue
  const sold: string[] = []
  for (const quantity of [1, 2, 3]) {
    const items = [
      { ticket_id: buyer.tickets['ga'], quantity },
      { ticket_id: buyer.tickets['four'], quantity: 1 },
    ]
    const { order } = await buyer.buy(items)
    sold.push(order.public_id)
  }
  const { id } = await spend(buyer, report.vouchers['small']!.code, 8)
  await office.post(`/admin/orders/${sold[0]}/refunds`)
  await office.post(`/admin/orders/${sold[2]}/refunds`, { amount: '10.01' })
  await office.post(`/admin/orders/${id}/refunds`, { amount: '7.90' })

  const books = (await office.get('/admin/accounting')).body
  const reply = await office.get('/admin/accounting.csv')
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [head, ...lines] = reply.text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','))
  expect(head).toEqual('receipt,kind,day,order_code,what,tax_rate,net,tax,gross,paid_with_vouchers,currency'.split(','))
  const rows = lines.map((line) => Object.fromEntries(head!.map((name, n) => [name, line[n]!])))
  expect(new Set(rows.map(({ receipt }) => Number(receipt)))).toEqual(new Set([1, 2, 3, 4, 5, 6, 7]))
  for (const row of rows) {
    expect(cents(row['net']!) + cents(row['tax']!), JSON.stringify(row)).toBe(cents(row['gross']!))
    expect(row['currency']).toBe('EUR')
  }
  for (const [kind, booked] of [
    ['sale', books.sales],
    ['refund', books.refunds],
  ] as const) {
    const own = rows.filter((row) => row['kind'] === kind)
    expect(sum(own.map((row) => row['gross']!))).toBe(cents(booked.total))
    for (const { rate, net, tax, gross } of booked.by_rate) {
      const same = own.filter((row) => row['tax_rate'] === rate)
      expect([sum(same.map((row) => row['net']!)), sum(same.map((row) => row['tax']!))]).toEqual([
        cents(net),
        cents(tax),
      ])
      expect(sum(same.map((row) => row['gross']!))).toBe(cents(gross))
    }
  }
  const { orders } = (await office.get('/admin/events/winter-ball/orders')).body
  const all = (key: string) => sum(orders.map((order: Record<string, string>) => order[key]!))
  expect([cents(books.sales.total), cents(books.refunds.total)]).toEqual([all('total'), -all('refunded')])
  const withVouchers = rows.map((row) => row['paid_with_vouchers']!)
  expect(sum(withVouchers)).toBe(cents(books.vouchers.spent) - cents(books.vouchers.returned))
})

test('a period is days of the account’s calendar, both of them included', async () => {
  const buyer = await openBuyer((file) => {
    file['account'].time_zone = 'Pacific/Kiritimati'
  })
  const { venue } = buyer
  await buyer.buy([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  const { body: now } = await venue.office.get('/admin/accounting')
  expect(now).toMatchObject({ time_zone: 'Pacific/Kiritimati', sales: { total: '25.00' } })
  const on = async (from: string, to: string) =>
    (await venue.office.get(`/admin/accounting?from=${from}&to=${to}`)).body.sales.total
  const day = (n: number) => new Date(Date.parse(now.to) + n * 86_400_000).toISOString().slice(0, 10)
  expect(await on(day(0), day(0))).toBe('25.00')
  expect([await on(day(-1), day(-1)), await on(day(1), day(1))]).toEqual(['0.00', '0.00'])
})

test('owners, managers and account tokens that may write read the books; a read token of the account does not', async () => {
  const { venue } = await openBuyer()
  for (const path of ['/admin/accounting', '/admin/accounting.csv']) {
    expect((await venue.office.get(path)).status).toBe(200)
    expect((await venue.client(venue.report.api_tokens['mara write']).get(path)).status).toBe(200)
    expect(await venue.reader.get(path)).toRefuse(401)
    expect(await venue.partner.get(path)).toRefuse(403)
    expect(await venue.door.get(path)).toRefuse(401)
    expect(await venue.stranger.get(path)).toRefuse(401)
  }
})
