import { expect, test } from 'vitest'
import { BUYER, openBuyer } from '../../test/kit/venue/checkouts.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { header } from '../../test/kit/network/read-eml.ts'
import { compareCounters } from '../inventory/consistency/records.ts'

const sound = async ({ venue }: Awaited<ReturnType<typeof openBuyer>>) =>
  expect(await compareCounters(venue.app.database.kysely, venue.report.account.id)).toEqual([])

test('a checkout takes what it names at once, and says what is left to pay', async () => {
  const buyer = await openBuyer()
  const { tickets, areas, create, shop } = buyer
  const reply = await create([
    { ticket_id: tickets['ga'], quantity: 2 },
    { ticket_id: tickets['floor'], quantity: 1, standing_area_id: areas['front'] },
    { ticket_id: tickets['seat'], place_keys: ['A-2', 'A-1'] },
    { ticket_id: tickets['four'], quantity: 1 },
  ])
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body).toMatchObject({
    status: 'open',
    currency: 'EUR',
    event: { slug: 'winter-ball', title: 'Winter Ball' },
    items: [
      { title: 'General admission', quantity: 2, unit_price: '25.00', total: '50.00', standing_area: null, places: [] },
      { title: 'Standing', quantity: 1, standing_area: { name: 'Front' } },
      { quantity: 2, total: '90.00', places: [{ key: 'A-2', label: 'Row A Seat 2' }, { key: 'A-1' }] },
      { title: 'Table of four', quantity: 1, total: '90.00' },
    ],
    vouchers: [],
    subtotal: '260.00',
    voucher_total: '0.00',
    total: '260.00',
    tax_lines: [{ rate: '0.00', net: '260.00', tax: '0.00', gross: '260.00' }],
    payment_methods: ['test'],
    payment: { payment_method: null, status: 'none', redirect_url: null, instructions: null },
    order: null,
  })
  const token: string = reply.body.token
  expect(token).toMatch(/^\w{22}$/)
  expect(new Date(reply.body.expires_at).getTime() - Date.now()).toBeGreaterThan(14 * 60_000)
  expect(await buyer.see(token)).toEqual(reply.body)

  const { office } = buyer.venue
  const listed = (await office.get('/admin/events/winter-ball/tickets')).body.tickets
  expect(listed.map((each: { claimed_count: number }) => each.claimed_count)).toEqual([2, 1, 2, 0, 1])
  expect((await create([{ ticket_id: tickets['seat'], place_keys: ['A-1'] }])).body.errors).toEqual({
    'items[0].place_keys': ['Seats are no longer available'],
  })
  await sound(buyer)

  expect((await shop.ask('DELETE', `/checkouts/${token}`)).status).toBe(204)
  expect(await buyer.see(token)).toMatchObject({ status: 'cancelled' })
  const after = (await office.get('/admin/events/winter-ball/tickets')).body.tickets
  expect(after.map((each: { claimed_count: number }) => each.claimed_count)).toEqual([0, 0, 0, 0, 0])
  await sound(buyer)
})

test('whoever pays with the test method gets an order, tickets by mail and in at the door', async () => {
  const buyer = await openBuyer((file) => {
    file['events'][0].tickets[0].tax_rate = '19.00'
  })
  const { tickets, venue } = buyer
  const items = [
    { ticket_id: tickets['ga'], quantity: 2 },
    { ticket_id: tickets['seat'], place_keys: ['W-1', 'W-1C'] },
  ]
  const token = await buyer.begin(items)
  expect((await buyer.pay(token)).body.errors).toEqual({
    customer_name: ["can't be blank"],
    customer_email: ["can't be blank"],
  })
  await buyer.change(token, { ...BUYER, attendees: [{ name: null }, { name: 'Bo Guest' }] })
  expect((await buyer.pay(token, null)).body.errors).toEqual({ payment_method: ["can't be blank"] })
  expect((await buyer.pay(token, 'cash')).body.errors).toEqual({ payment_method: ['is not included in the list'] })

  const paying = await buyer.pay(token)
  expect(paying.body).toMatchObject({
    status: 'pending',
    payment: { payment_method: 'test', status: 'pending' },
    order: null,
  })
  const again = await buyer.pay(token)
  expect(again.body.payment).toEqual(paying.body.payment)
  expect((await buyer.change(token, BUYER)).status).toBe(422)

  await buyer.decide(paying.body.payment.redirect_url, 'paid')
  const paid = await buyer.see(token)
  expect(paid).toMatchObject({
    status: 'paid',
    payment: { status: 'paid' },
    tax_lines: [
      { rate: '19.00', net: '42.02', tax: '7.98', gross: '50.00' },
      { rate: '0.00', gross: '90.00' },
    ],
    order: {
      status: 'paid',
      receipt: { number: '1' },
      admissions: [
        { ticket_title: 'General admission', attendee_name: 'Berit Buyer', place_label: null },
        { attendee_name: 'Bo Guest' },
        { attendee_name: 'Guest of Berit Buyer', place_label: 'Wheelchair 1' },
        { place_label: 'Wheelchair 1 companion' },
      ],
    },
  })
  await buyer.settle()
  const mails = await mailsTo(venue, BUYER.customer_email)
  expect(mails.map((mail) => header(mail, 'subject'))).toContain('Your tickets for Winter Ball')
  const { check_in_code: code } = paid.order.admissions[0]
  expect((await venue.door.post(`/scanner/tickets/${code}/redemption`)).status).toBe(200)
  await sound(buyer)
})

test('after a decline the checkout is open again and keeps its hold', async () => {
  const buyer = await openBuyer()
  const token = await buyer.begin([{ ticket_id: buyer.tickets['seat'], place_keys: ['A-1'] }])
  await buyer.change(token, BUYER)
  const { payment } = (await buyer.pay(token)).body
  await buyer.decide(payment.redirect_url, 'declined')
  expect(await buyer.see(token)).toMatchObject({ status: 'open', payment: { status: 'declined' }, order: null })
  expect((await buyer.create([{ ticket_id: buyer.tickets['seat'], place_keys: ['A-1'] }])).status).toBe(422)

  const second = (await buyer.pay(token)).body
  await buyer.decide(second.payment.redirect_url, 'paid')
  expect(await buyer.see(token)).toMatchObject({ status: 'paid' })
  await sound(buyer)
})

test('other items take the place of what was held, all of them or none', async () => {
  const buyer = await openBuyer((file) => {
    file['events'][0].tickets[0].stock = 4
  })
  const { tickets, change, create, begin, see } = buyer
  const token = await begin([{ ticket_id: tickets['ga'], quantity: 3 }])
  expect((await change(token, { items: [{ ticket_id: tickets['ga'], quantity: 4 }] })).status).toBe(200)
  expect((await create([{ ticket_id: tickets['ga'], quantity: 1 }])).body.errors).toEqual({
    'items[0].quantity': ['Not enough tickets available'],
  })
  const refused = await change(token, {
    items: [
      { ticket_id: tickets['seat'], place_keys: ['A-1'] },
      { ticket_id: tickets['ga'], quantity: 5 },
    ],
  })
  expect(refused.body.errors).toEqual({ 'items[1].quantity': ['Not enough tickets available'] })
  expect((await see(token)).items).toMatchObject([{ quantity: 4 }])
  expect((await change(token, { items: [{ ticket_id: tickets['ga'], quantity: 1 }] })).body.total).toBe('25.00')
  expect((await create([{ ticket_id: tickets['ga'], quantity: 3 }])).status).toBe(201)
  await sound(buyer)
})

test('an expired checkout refuses nobody the same second, and late money takes the seats again or goes back', async () => {
  const buyer = await openBuyer((file) => {
    file['events'][0].tickets[0].stock = 2
  })
  const { tickets, venue } = buyer
  const first = await buyer.begin([{ ticket_id: tickets['ga'], quantity: 2 }])
  const late = await buyer.begin([{ ticket_id: tickets['seat'], place_keys: ['A-1'] }])
  const lost = await buyer.begin([{ ticket_id: tickets['seat'], place_keys: ['A-2'] }])
  for (const token of [late, lost]) {
    await buyer.change(token, BUYER)
    await buyer.decide((await buyer.pay(token)).body.payment.redirect_url, 'late')
  }
  await venue.moveClock('16 minutes')
  expect(await buyer.see(first)).toMatchObject({ status: 'expired' })
  expect((await buyer.create([{ ticket_id: tickets['ga'], quantity: 2 }])).status).toBe(201)
  expect((await buyer.change(first, BUYER)).body.errors).toEqual({ base: ['This checkout has expired'] })

  // Whoever gives up ends the payment at its provider first, and then the hold.
  expect((await buyer.shop.ask('DELETE', `/checkouts/${lost}`)).status).toBe(204)
  await buyer.begin([{ ticket_id: tickets['seat'], place_keys: ['A-2'] }])
  for (let n = 0; n < 2; n++) {
    await buyer.settle()
    await venue.moveClock('10 minutes')
  }
  expect(await buyer.see(late)).toMatchObject({
    status: 'paid',
    order: { admissions: [{ place_label: 'Row A Seat 1' }] },
  })
  const { rows } = await venue.app.database.pool.query(
    `select p.status, p.amount_cents - p.refunded_cents as kept from payments p join checkouts c on c.id = p.payable_id
     join accounts a on a.id = c.account_id where a.subdomain = $1 order by p.id`,
    [venue.file['account'].subdomain],
  )
  expect(rows).toEqual([
    { status: 'paid', kept: 4500 },
    { status: 'paid', kept: 0 },
  ])
  await sound(buyer)
})

test('vouchers pay for a part or for all of it, and get back what was not needed', async () => {
  const buyer = await openBuyer((file) => {
    file['vouchers'] = [
      { key: 'small', amount: '20.00' },
      { key: 'big', amount: '100.00' },
    ]
  })
  const { tickets, post, venue, change, see } = buyer
  const small = venue.report.vouchers['small']!
  const big = venue.report.vouchers['big']!
  const available = async ({ id }: { id: string }) =>
    (await venue.office.get(`/admin/vouchers/${id}`)).body.available_balance.amount

  const token = await buyer.begin([{ ticket_id: tickets['ga'], quantity: 2 }])
  expect((await post(`/checkouts/${token}/vouchers`, { code: 'NOPE-NOPE-NOPE' })).body.errors).toEqual({
    code: ['is invalid'],
  })
  expect((await post(`/checkouts/${token}/vouchers`, { code: small.code })).body).toMatchObject({
    voucher_total: '20.00',
    total: '30.00',
    vouchers: [{ amount: '20.00', code: expect.stringMatching(/^····\w{4}$/) }],
  })
  const both = (await post(`/checkouts/${token}/vouchers`, { code: big.code.toLowerCase() })).body
  expect(both).toMatchObject({ total: '0.00', vouchers: [{ amount: '20.00' }, { amount: '30.00' }] })
  expect(await available(big)).toBe('70.00')

  await change(token, { items: [{ ticket_id: tickets['ga'], quantity: 1 }] })
  expect(await available(big)).toBe('95.00')
  const { vouchers } = await see(token)
  await buyer.shop.ask('DELETE', `/checkouts/${token}/vouchers/${vouchers[0].id}`)
  expect(await see(token)).toMatchObject({ total: '0.00', vouchers: [{ amount: '25.00' }] })
  expect(await available(small)).toBe('20.00')

  await change(token, BUYER)
  expect((await buyer.pay(token, null)).body).toMatchObject({ status: 'paid', order: { status: 'paid' } })
  expect((await venue.office.get(`/admin/vouchers/${big.id}`)).body).toMatchObject({ balance: { amount: '75.00' } })

  const given = await buyer.begin([{ ticket_id: tickets['ga'], quantity: 1 }])
  await post(`/checkouts/${given}/vouchers`, { code: big.code })
  expect(await available(big)).toBe('50.00')
  await buyer.shop.ask('DELETE', `/checkouts/${given}`)
  expect(await available(big)).toBe('75.00')
  await sound(buyer)
})

test('an order by bank transfer is unpaid until somebody has seen the money', async () => {
  const buyer = await openBuyer()
  const { venue } = buyer
  const methods = (await venue.office.get('/admin/payment_methods')).body.payment_methods
  const { id } = methods.find((each: { name: string }) => each.name === 'bank_transfer')
  await venue.office.patch(`/admin/payment_methods/${id}`, {
    payment_method: { enabled: true, instructions: 'IBAN DE02', expires_after_days: 7 },
  })
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  await buyer.change(token, BUYER)
  const paying = await buyer.pay(token, 'bank_transfer')
  expect(paying.body).toMatchObject({
    status: 'pending',
    payment: { payment_method: 'bank_transfer', status: 'pending', instructions: 'IBAN DE02' },
    order: { status: 'unpaid', receipt: null },
  })
  const { check_in_code: code } = paying.body.order.admissions[0]
  expect((await venue.door.post(`/scanner/tickets/${code}/redemption`)).status).toBe(422)

  await venue.moveClock('8 days')
  for (let n = 0; n < 2; n++) await buyer.settle()
  expect(await buyer.see(token)).toMatchObject({ status: 'cancelled', order: { status: 'cancelled' } })
  await sound(buyer)
})

test('gift vouchers are bought, issued and mailed', async () => {
  const buyer = await openBuyer((file) => {
    file['voucher_products'] = [
      { key: 'flex', name: 'An evening', pricing_type: 'flexible', minimum_amount: '10.00', maximum_amount: '200.00' },
    ]
  })
  const { venue, post } = buyer
  const products = (await venue.office.get('/admin/voucher_products')).body.voucher_products
  const item = { voucher_product_id: products[0].id, amount: '50.00', quantity: 1 }
  const gift = { ...item, recipient_name: 'Gunda', recipient_email: 'gunda@guest.example', message: 'Enjoy' }
  const reply = await post('/checkouts', { checkout: { voucher_items: [item, gift] } })
  expect(reply.status, reply.text).toBe(201)
  expect(reply.body).toMatchObject({
    event: null,
    total: '100.00',
    voucher_items: [{ amount: '50.00' }, { message: 'Enjoy' }],
  })
  const { token } = reply.body
  await buyer.change(token, BUYER)
  await buyer.decide((await buyer.pay(token)).body.payment.redirect_url, 'paid')
  expect(await buyer.see(token)).toMatchObject({ status: 'paid', order: { status: 'paid', receipt: { number: '1' } } })
  await buyer.settle()
  expect(await mailsTo(venue, 'gunda@guest.example')).toHaveLength(1)
  expect((await mailsTo(venue, BUYER.customer_email)).length).toBeGreaterThan(0)
})

test.each<[string, object[], Record<string, string[]>]>([
  ['no items', [], { items: ["can't be blank"] }],
  [
    'none of a ticket',
    [{ ticket: 'ga', quantity: 0 }],
    { 'items[0].quantity': ['must be greater than or equal to 1'] },
  ],
  ['less than none', [{ ticket: 'ga', quantity: -1 }], { 'items[0].quantity': ['must be greater than or equal to 1'] }],
  ['a billion', [{ ticket: 'ga', quantity: 1e9 }], { 'items[0].quantity': ['must be less than or equal to 100'] }],
  [
    'more than an order may',
    [{ ticket: 'ga', quantity: 9 }],
    { 'items[0].quantity': ['must be less than or equal to 8'] },
  ],
  [
    'a hidden ticket without its code',
    [{ ticket: 'crew', quantity: 1 }],
    { 'items[0].ticket_id': ['is not included in the list'] },
  ],
  [
    'a ticket that is none',
    [{ ticket_id: 999_999_999, quantity: 1 }],
    { 'items[0].ticket_id': ['is not included in the list'] },
  ],
  ['no area', [{ ticket: 'floor', quantity: 1 }], { 'items[0].standing_area_id': ["can't be blank"] }],
  ['no seat', [{ ticket: 'seat', quantity: 1 }], { 'items[0].place_keys': ["can't be blank"] }],
  [
    'a seat twice',
    [{ ticket: 'seat', place_keys: ['A-1', 'A-1'] }],
    { 'items[0].place_keys': ['has the same entry twice'] },
  ],
  [
    'a blocked seat',
    [{ ticket: 'seat', place_keys: ['A-3'] }],
    { 'items[0].place_keys': ['Seats are no longer available'] },
  ],
  [
    'half a pair',
    [{ ticket: 'seat', place_keys: ['W-1'] }],
    { 'items[0].place_keys': ['Seats are no longer available'] },
  ],
])('%s is refused beside its field, and takes nothing', async (_name, items, errors) => {
  const buyer = await openBuyer()
  const named = items.map(({ ticket, ...item }: { ticket?: string }) => ({
    ...(ticket && { ticket_id: buyer.tickets[ticket] }),
    ...item,
  }))
  const reply = await buyer.create(named)
  expect(reply).toRefuse(422, errors)
  await sound(buyer)
})

test('a code opens a hidden ticket; other shops’ tokens, events and envelopes open nothing', async () => {
  const buyer = await openBuyer()
  const { tickets, create, post, shop } = buyer
  expect((await create([{ ticket_id: tickets['crew'], quantity: 1 }], { code: 'backstage' })).body.total).toBe('0.00')
  expect((await post('/checkouts', {})).status).toBe(400)
  expect((await post('/checkouts', { checkout: { event_slug: 'nowhere', items: [] } })).status).toBe(422)
  const other = await openBuyer()
  const token = await other.begin([{ ticket_id: other.tickets['ga'], quantity: 1 }])
  expect((await shop.get(`/checkouts/${token}`)).status).toBe(404)
  expect((await buyer.pay(token)).status).toBe(404)
  expect((await create([{ ticket_id: other.tickets['ga'], quantity: 1 }])).status).toBe(422)
})
