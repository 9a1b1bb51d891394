import { expect, test } from 'vitest'
import { everythingOf } from '../../test/kit/venue/assistant.ts'
import { BUYER, openBuyer } from '../../test/kit/venue/checkouts.ts'
import type { Reply } from '../../test/kit/venue/client.ts'
import { compareCounters } from '../inventory/consistency/records.ts'

type Buyer = Awaited<ReturnType<typeof openBuyer>>

const withGifts: Parameters<typeof openBuyer>[0] = (file) => {
  file['voucher_products'] = [{ key: 'p', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }]
  file['vouchers'] = [{ key: 'small', amount: '20.00' }]
}

/** How much of everything is taken, and by whom. */
const takenOf = async ({ venue }: Buyer) => {
  const { office } = venue
  const event = '/admin/events/winter-ball'
  const { tickets } = (await office.get(`${event}/tickets`)).body
  const { standing_areas: areas } = (await office.get(`${event}/standing_areas`)).body
  const { places } = (await office.get(`${event}/places`)).body
  const vouchers = (await office.get('/admin/vouchers')).body.vouchers
  const { rows } = await venue.app.database.pool.query(
    `select (select count(*)::int from holds where account_id = $1) as holds,
       (select count(*)::int from checkouts where account_id = $1) as checkouts,
       (select count(*)::int from payments where account_id = $1) as payments,
       (select count(*)::int from orders where account_id = $1) as orders,
       (select count(*)::int from admissions where account_id = $1) as admissions,
       (select count(*)::int from receipts where account_id = $1) as receipts`,
    [venue.report.account.id],
  )
  return { tickets, areas, places, vouchers, ...rows[0] }
}

/** Each is refused with a 4xx, and not a thing of the account is another one afterwards. */
const takesNothing = async (buyer: Buyer, attempts: Record<string, () => Promise<Reply>>) => {
  const [taken, everything] = [await takenOf(buyer), await everythingOf(buyer.venue)]
  const statuses: Record<string, number> = {}
  for (const [name, attempt] of Object.entries(attempts)) {
    const { status, text } = await attempt()
    statuses[name] = status
    expect(status, `${name} ${text}`).toBeGreaterThanOrEqual(400)
    expect(status, `${name} ${text}`).toBeLessThan(500)
    expect(await takenOf(buyer), name).toEqual(taken)
  }
  expect(await everythingOf(buyer.venue)).toEqual(everything)
  expect(await compareCounters(buyer.venue.app.database.kysely, buyer.venue.report.account.id)).toEqual([])
  return statuses
}

test('quantities that are none, tickets without their code and seats of somebody take nothing', async () => {
  const buyer = await openBuyer(withGifts)
  const { tickets, areas, create } = buyer
  await buyer.buy([{ ticket_id: tickets['seat'], place_keys: ['A-1'] }])
  await buyer.begin([{ ticket_id: tickets['seat'], place_keys: ['A-2'] }])
  const ga = (quantity: unknown) => () => create([{ ticket_id: tickets['ga'], quantity }])
  const seat = (key: string) => () => create([{ ticket_id: tickets['seat'], place_keys: [key] }])
  const one = { ticket_id: tickets['ga'], quantity: 1 }
  const statuses = await takesNothing(buyer, {
    'none of it': ga(0),
    'less than none': ga(-1),
    'a billion': ga(1e9),
    'a billion as a text': ga('1000000000'),
    'beyond every number': ga('9'.repeat(400)),
    'a part of one': ga(1.5),
    'a list of them': ga([1]),
    'no number': ga('many'),
    'a billion in an area': () =>
      create([{ ticket_id: tickets['floor'], quantity: 1e9, standing_area_id: areas['front'] }]),
    'a billion groups': () => create([{ ticket_id: tickets['four'], quantity: 1e9 }]),
    'one good item, one bad': () => create([one, { ticket_id: tickets['ga'], quantity: -1 }]),
    'a hidden ticket without its code': () => create([{ ticket_id: tickets['crew'], quantity: 1 }]),
    'a hidden ticket with another code': () =>
      create([{ ticket_id: tickets['crew'], quantity: 1 }], { code: 'FRONTSTAGE' }),
    'a seat that was sold': seat('A-1'),
    'a seat that is held': seat('A-2'),
    'a seat that there is not': seat('Z-9'),
    'another currency': () => create([one], { currency: 'USD' }),
  })
  expect(new Set(Object.values(statuses))).toEqual(new Set([422]))
  expect((await create([one], { currency: 'eur' })).status).toBe(201)
})

test('tokens of other shops, of nobody, and what has expired open and take nothing', async () => {
  const buyer = await openBuyer(withGifts)
  const other = await openBuyer(withGifts)
  const { tickets, shop, post, venue } = buyer
  const items = [{ ticket_id: tickets['ga'], quantity: 2 }]
  const expired = await buyer.begin(items)
  await buyer.change(expired, BUYER)
  await venue.moveClock('16 minutes')
  await buyer.settle()
  expect(await buyer.see(expired)).toMatchObject({ status: 'expired' })
  const theirs = await other.begin([{ ticket_id: other.tickets['ga'], quantity: 1 }])
  const { code } = venue.report.vouchers['small']!

  const before = await everythingOf(other.venue)
  const statuses = await takesNothing(
    buyer,
    Object.fromEntries(
      Object.entries({ theirs, nobodys: 'A'.repeat(22), 'a zero byte': 'a%00b', expired }).flatMap(([name, token]) => [
        [`${name}: who buys`, () => buyer.change(token, BUYER)],
        [`${name}: other items`, () => buyer.change(token, { items })],
        [`${name}: a voucher`, () => post(`/checkouts/${token}/vouchers`, { code })],
        [`${name}: to pay`, () => buyer.pay(token)],
        ...(name === 'expired' ? [] : [[`${name}: to see`, () => shop.get(`/checkouts/${token}`)] as const]),
        ...(name === 'expired' ? [] : [[`${name}: to end`, () => shop.ask('DELETE', `/checkouts/${token}`)] as const]),
      ]),
    ),
  )
  for (const [name, status] of Object.entries(statuses)) {
    expect(status, name).toBe(name.startsWith('expired') ? 422 : 404)
  }
  expect(await everythingOf(other.venue)).toEqual(before)
})

test('a provider’s message with a wrong signature, and money of another currency, change nothing', async () => {
  const buyer = await openBuyer(withGifts)
  const { office, stranger } = buyer.venue
  const { payment_methods: methods } = (await office.get('/admin/payment_methods')).body
  const stripe = methods.find((each: { name: string }) => each.name === 'stripe')
  const payment_method = { secret_key: 'sk_test_secret', webhook_secret: 'whsec_onlyfortests' }
  expect((await office.patch(`/admin/payment_methods/${stripe.id}`, { payment_method })).status).toBe(200)
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  await buyer.change(token, BUYER)
  const { order } = await buyer.buy([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  const [product] = (await office.get('/admin/voucher_products')).body.voucher_products
  const raw = JSON.stringify({ type: 'checkout.session.completed', data: { object: { id: 'cs_1' } } })
  const tell = (headers: Record<string, string>) => () =>
    stranger.post(new URL(stripe.webhook_url).pathname, undefined, { raw, headers })
  const statuses = await takesNothing(buyer, {
    'no signature': tell({}),
    'a wrong signature': tell({ 'stripe-signature': `t=${Math.floor(Date.now() / 1000)},v1=${'0'.repeat(64)}` }),
    'gifts in another currency': () =>
      buyer.post('/checkouts', { checkout: { voucher_items: [{ voucher_product_id: product.id }], currency: 'CHF' } }),
    'an amount with another currency': () =>
      buyer.post('/checkouts', { checkout: { voucher_items: [{ voucher_product_id: product.id, amount: '50 USD' }] } }),
    'money by hand in another currency': () =>
      office.post(`/admin/orders/${order.public_id}/payments`, { amount: '1.00', currency: 'USD', reference: 'x' }),
    'a refund in another currency': () =>
      office.post(`/admin/orders/${order.public_id}/refunds`, { amount: '1.00', currency: 'USD' }),
    'a voucher of nobody': () => buyer.post(`/checkouts/${token}/vouchers`, { code: 'AAAA-AAAA-AAAA-AAAA' }),
    'a way to pay that is off': () => buyer.pay(token, 'stripe'),
    'a way to pay that is none': () => buyer.pay(token, 'promises'),
  })
  expect(statuses).toMatchObject({ 'no signature': 400, 'a wrong signature': 400 })
})
