import { expect, test } from 'vitest'
import { BUYER, offerTransfers, openBuyer } from '../../test/kit/venue/checkouts.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { bodyOf, header } from '../../test/kit/network/read-eml.ts'
import { openRowsForJob } from '../access/job-scope.ts'
import { compareCounters } from '../inventory/consistency/records.ts'
import { findOrderFaults } from './consistency/records.ts'

type Buyer = Awaited<ReturnType<typeof openBuyer>>

const sound = async ({ venue }: Pick<Buyer, 'venue'>) => {
  expect(await compareCounters(venue.app.database.kysely, venue.report.account.id)).toEqual([])
  expect(await findOrderFaults(openRowsForJob(venue.app, venue.report.account.id))).toEqual([])
}

const subjectsTo = async ({ venue }: Pick<Buyer, 'venue'>, address = BUYER.customer_email) =>
  (await mailsTo(venue, address)).map((mail) => header(mail, 'subject'))

const openTransfer = async (change?: Parameters<typeof openBuyer>[0]) => {
  const buyer = await openBuyer(change)
  const { office } = buyer.venue
  await offerTransfers(buyer.venue)
  const transfer = async (items: object[], email: string): Promise<{ id: string; token: string }> => {
    const token = await buyer.begin(items)
    await buyer.change(token, { ...BUYER, customer_email: email })
    const paying = await buyer.pay(token, 'bank_transfer')
    expect(paying.status, paying.text).toBe(200)
    return { id: paying.body.order.public_id, token }
  }
  return { ...buyer, transfer, office }
}

test('money is counted in parts; with the last one the order is paid, receipted and its tickets are mailed', async () => {
  const buyer = await openTransfer()
  const { office, venue } = buyer
  const { id, token } = await buyer.transfer([{ ticket_id: buyer.tickets['ga'], quantity: 2 }], 'parts@guest.example')
  const pay = (amount: unknown, reference: unknown = 'Statement 47') =>
    office.post(`/admin/orders/${id}/payments`, { amount, reference })

  expect(await pay('50.01')).toRefuse(422, { amount: ['must be less than or equal to 50.00'] })
  expect(await pay('0')).toRefuse(422, { amount: ['must be greater than 0'] })
  expect(await pay('ten')).toRefuse(422, { amount: ['is not a number'] })
  expect((await pay('20.00', '')).body.errors).toEqual({ reference: ["can't be blank"] })
  const part = await pay('20.00')
  expect(part.status, part.text).toBe(201)
  expect(part.body).toMatchObject({ status: 'unpaid', paid: '20.00', due: '30.00', total: '50.00' })
  const ownPage = async () => (await buyer.shop.get(`/orders/${token}`)).body
  expect(await ownPage()).toMatchObject({
    payment: { status: 'pending', instructions: 'IBAN DE02' },
    tickets_url: null,
  })
  const page = await buyer.shop.get(`/orders/${token}`, { headers: { accept: 'text/html' } })
  expect(page.text).toContain('Please pay €30.00.')
  expect(await pay('30.01')).toRefuse(422, { amount: ['must be less than or equal to 30.00'] })
  const last = await pay('30.00', 'Statement 48')
  expect(last.body).toMatchObject({
    status: 'paid',
    due: '0.00',
    payments: [
      { payment_method: 'bank_transfer', status: 'cancelled', by_hand: false },
      { status: 'paid', amount: '20.00', reference: 'Statement 47' },
      { status: 'paid', amount: '30.00', reference: 'Statement 48' },
    ],
    receipts: [{ number: '1', kind: 'sale' }],
  })
  const paid = { payment_method: 'bank_transfer', status: 'paid', redirect_url: null, instructions: null }
  expect(await ownPage()).toMatchObject({ payment: paid, tickets_url: expect.stringContaining('/tickets.pdf') })
  expect(await buyer.see(token)).toMatchObject({ status: 'paid', payment: paid })
  expect(await pay('1.00')).toRefuse(422, { base: ['This order has been paid already'] })
  expect(await office.post(`/admin/orders/${id}/cancellation`)).toRefuse(422)
  await venue.moveClock('20 days')
  await buyer.settle()
  expect(await buyer.see(token)).toMatchObject({ status: 'paid', order: { receipt: { number: '1' } } })
  expect(await subjectsTo(buyer, 'parts@guest.example')).toEqual(['Your tickets for Winter Ball'])
  const [mail] = await mailsTo(venue, 'parts@guest.example')
  expect(bodyOf(mail!, 'text/plain')).toContain(`/orders/${token}`)
  expect(mail!.parts.map((part) => header(part, 'content-disposition'))).toEqual([
    undefined,
    expect.stringContaining('tickets-'),
    expect.stringContaining('receipt-1.pdf'),
  ])
  await sound(buyer)
})

test('a payment that somebody has to count is made with its order or not at all, so nothing stays held without one', async () => {
  const buyer = await openTransfer()
  const { venue } = buyer
  const { pool } = venue.app.database
  await pool.query(`
    create function break_off() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$;
    create trigger break_off before insert on orders execute function break_off()`)
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  await buyer.change(token, BUYER)
  const broken = await buyer.pay(token, 'bank_transfer')
  await pool.query('drop function break_off cascade')
  expect(broken.status).toBe(500)
  expect(await buyer.see(token)).toMatchObject({ status: 'open', payment: { status: 'none', payment_method: null } })

  await venue.moveClock('20 minutes')
  await buyer.settle()
  expect(await buyer.see(token)).toMatchObject({ status: 'expired' })
  const { rows: held } = await pool.query('select id from holds where account_id = $1', [venue.report.account.id])
  expect(held).toEqual([])
  await sound(buyer)
})

test('a transfer is explained, reminded of halfway, and cancelled in the end; what was paid of it goes back', async () => {
  const buyer = await openTransfer((file) => {
    file['vouchers'] = [{ key: 'small', amount: '10.00' }]
  })
  const { office, venue } = buyer
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  const email = 'late@guest.example'
  await buyer.change(token, { ...BUYER, customer_email: email })
  await buyer.post(`/checkouts/${token}/vouchers`, { code: venue.report.vouchers['small']!.code })
  const id: string = (await buyer.pay(token, 'bank_transfer')).body.order.public_id
  expect((await office.post(`/admin/orders/${id}/payments`, { amount: '5.00', reference: 'A' })).status).toBe(201)
  await buyer.settle()
  await buyer.settle()
  expect(await subjectsTo(buyer, email)).toEqual(['How to pay for Winter Ball'])
  await venue.moveClock('5 days')
  for (let n = 0; n < 3; n++) await buyer.settle()
  expect((await subjectsTo(buyer, email)).slice(1)).toEqual(['Your order for Winter Ball is not paid yet'])
  await venue.moveClock('4 days')
  for (let n = 0; n < 3; n++) await buyer.settle()
  expect((await subjectsTo(buyer, email)).slice(2)).toEqual(['Your order for Winter Ball was cancelled'])
  expect((await office.get(`/admin/orders/${id}`)).body).toMatchObject({
    status: 'cancelled',
    payments: [{ status: 'cancelled' }, { amount: '5.00', refunded: '5.00', refunds: [{ status: 'by_hand' }] }],
    vouchers: [{ amount: '10.00', refunded: '10.00' }],
  })
  await sound(buyer)
})

test('refunds go to vouchers first, by admission, by amount and for the rest, and never beyond what was paid', async () => {
  const buyer = await openBuyer((file) => {
    file['vouchers'] = [{ key: 'small', amount: '20.00' }]
    file['events'][0].tickets[0].tax_rate = '19.00'
  })
  const { office, door } = buyer.venue
  const token = await buyer.begin([
    { ticket_id: buyer.tickets['ga'], quantity: 2 },
    { ticket_id: buyer.tickets['four'], quantity: 1 },
  ])
  await buyer.change(token, BUYER)
  await buyer.post(`/checkouts/${token}/vouchers`, { code: buyer.venue.report.vouchers['small']!.code })
  await buyer.decide((await buyer.pay(token)).body.payment.redirect_url, 'paid')
  const { public_id: id, admissions } = (await buyer.see(token)).order
  const [first, second, ...group] = admissions.map((each: { public_id: string }) => each.public_id)
  const refund = (body: object) => office.post(`/admin/orders/${id}/refunds`, body)

  expect(await refund({ admission_public_ids: [] })).toRefuse(422, { admission_public_ids: ["can't be blank"] })
  expect(await refund({ admission_public_ids: ['nobody'] })).toRefuse(422, { admission_public_ids: ['is invalid'] })
  expect(await refund({ admission_public_ids: [group[0]] })).toRefuse(422, {
    admission_public_ids: ['must name a group as a whole'],
  })
  expect(await refund({ amount: '140.01' })).toRefuse(422, { amount: ['must be less than or equal to 140.00'] })
  const one = await refund({ admission_public_ids: [first], reason: 'Ill' })
  expect(one.status, one.text).toBe(201)
  expect(one.body).toMatchObject({ amount: '25.00', voucher_amount: '20.00', payment_amount: '5.00' })
  expect(await refund({ admission_public_ids: [first] })).toRefuse(422)
  expect((await door.post(`/scanner/tickets/${first}/redemption`)).body.error).toBe('Ticket refunded')
  expect((await refund({ amount: '10.00' })).body).toMatchObject({ voucher_amount: '0.00', payment_amount: '10.00' })
  expect((await door.post(`/scanner/tickets/${second}/redemption`)).status).toBe(200)
  expect((await refund({ admission_public_ids: [second] })).status).toBe(422)
  expect((await refund({})).status).toBe(422)
  expect((await refund({ admission_public_ids: group })).body).toMatchObject({ amount: '90.00' })
  const listed = (await office.get('/admin/events/winter-ball/tickets')).body.tickets
  expect(listed.map((each: { claimed_count: number }) => each.claimed_count)).toEqual([1, 0, 0, 0, 0])
  expect(await refund({ amount: '15.01' })).toRefuse(422, { amount: ['must be less than or equal to 15.00'] })

  await buyer.settle()
  const view = (await office.get(`/admin/orders/${id}`)).body
  expect(view).toMatchObject({
    status: 'paid',
    refunded: '125.00',
    payments: [{ amount: '120.00', refunded: '105.00' }],
    refunds: [{ reason: 'Ill', actor: 'Olga Owner', admission_public_ids: [first] }, {}, {}],
    receipts: [{ kind: 'sale' }, { kind: 'refund' }, { kind: 'refund' }, { kind: 'refund' }],
  })
  expect((await subjectsTo(buyer)).filter((subject) => subject === 'A refund for Winter Ball')).toHaveLength(3)
  for (const number of [1, 2, 3, 4]) {
    const pdf = await buyer.shop.get(`/orders/${token}/receipts/${number}.pdf`)
    expect(pdf.status).toBe(200)
    expect(pdf.headers.get('referrer-policy')).toBe('no-referrer')
    expect(pdf.text.startsWith('%PDF')).toBe(true)
  }
  expect((await buyer.shop.get(`/orders/${token}/receipts/5.pdf`)).status).toBe(404)
  const books = (await office.get('/admin/accounting')).body
  expect(books).toMatchObject({
    sales: { total: '140.00' },
    refunds: { total: '-125.00' },
    vouchers: { spent: '20.00', returned: '20.00' },
  })
  const csv = (await office.get('/admin/accounting.csv')).text.trimEnd().split('\r\n')
  expect(csv[1]).toMatch(/^1,sale,\d{4}-\d\d-\d\d,\w{8},tickets,19\.00,42\.02,7\.98,50\.00,20\.00,EUR$/)
  await sound(buyer)
})

test('a whole refund ends the order, and vouchers that were bought can be given back too', async () => {
  const buyer = await openBuyer((file) => {
    file['voucher_products'] = [{ key: 'p', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }]
  })
  const { office } = buyer.venue
  const { order } = await buyer.buy([{ ticket_id: buyer.tickets['seat'], place_keys: ['A-1'] }])
  expect((await office.post(`/admin/orders/${order.public_id}/delivery`)).status).toBe(200)
  expect((await office.post(`/admin/orders/${order.public_id}/refunds`)).body.amount).toBe('45.00')
  expect((await office.get(`/admin/orders/${order.public_id}`)).body).toMatchObject({
    status: 'refunded',
    admissions: [{ status: 'refunded' }],
  })
  expect(await office.post(`/admin/orders/${order.public_id}/refunds`)).toRefuse(422)
  expect(await office.post(`/admin/orders/${order.public_id}/delivery`)).toRefuse(422)
  await buyer.begin([{ ticket_id: buyer.tickets['seat'], place_keys: ['A-1'] }])

  const [product] = (await office.get('/admin/voucher_products')).body.voucher_products
  const item = { voucher_product_id: product.id, quantity: 2 }
  const { token } = (await buyer.post('/checkouts', { checkout: { voucher_items: [item] } })).body
  await buyer.change(token, BUYER)
  await buyer.decide((await buyer.pay(token)).body.payment.redirect_url, 'paid')
  const sold = (await buyer.see(token)).order
  expect((await office.get(`/admin/orders/${sold.public_id}`)).body).toMatchObject({ event: null, total: '100.00' })
  const given = await office.post(`/admin/orders/${sold.public_id}/refunds`)
  expect(given.body, given.text).toMatchObject({ amount: '100.00', voucher_amount: '0.00', payment_amount: '100.00' })
  expect((await office.get(`/admin/orders/${sold.public_id}`)).body).toMatchObject({ status: 'refunded' })
  expect((await office.get('/admin/accounting')).body.vouchers).toMatchObject({
    sold: { total: '100.00' },
    refunded: { total: '-100.00' },
  })
  await sound(buyer)
})

test('a sale that is given back in parts leaves no cent of tax in the books', async () => {
  const buyer = await openBuyer((file) => {
    file['events'][0].tickets[0].tax_rate = '7.00'
  })
  const { office } = buyer.venue
  const { order } = await buyer.buy([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  for (const { public_id } of order.admissions) {
    const refund = { admission_public_ids: [public_id] }
    expect((await office.post(`/admin/orders/${order.public_id}/refunds`, refund)).status).toBe(201)
  }
  const lines = (await office.get('/admin/accounting.csv')).text.trimEnd().split('\r\n').slice(1)
  expect(lines.map((line) => line.split(',').slice(5, 9))).toEqual([
    ['7.00', '46.73', '3.27', '50.00'],
    ['7.00', '-23.36', '-1.64', '-25.00'],
    ['7.00', '-23.37', '-1.63', '-25.00'],
  ])
  await sound(buyer)
})

test('groups of a ticket that was asked for twice are counted through, and each is refunded by itself', async () => {
  const buyer = await openBuyer()
  const { office } = buyer.venue
  const { order } = await buyer.buy([1, 1].map((quantity) => ({ ticket_id: buyer.tickets['four'], quantity })))
  const at = `/admin/orders/${order.public_id}`
  const sold = (await office.get(at)).body.admissions
  expect(sold.map((each: { group_number: number }) => each.group_number)).toEqual([1, 1, 1, 1, 2, 2, 2, 2])
  const first = sold.slice(0, 4).map((each: { public_id: string }) => each.public_id)
  const refunded = await office.post(`${at}/refunds`, { admission_public_ids: first })
  expect(refunded.body, refunded.text).toMatchObject({ amount: '90.00' })
  expect((await office.get(at)).body).toMatchObject({ status: 'paid', refunded: '90.00' })
  await sound(buyer)
})

test('co-organizers read the orders of their events and move no money; bad input changes nothing', async () => {
  const buyer = await openBuyer()
  const { office, reader, partner, door, stranger } = buyer.venue
  const { order } = await buyer.buy([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  const at = `/admin/orders/${order.public_id}`
  const listed = await partner.get('/admin/events/winter-ball/orders?query=BERIT&status=paid')
  expect(listed.body).toMatchObject({ orders: [{ public_id: order.public_id, total: '25.00' }], next_page: null })
  expect((await partner.get('/admin/events/winter-ball/orders?query=nobody')).body.orders).toEqual([])
  for (const code of [order.order_code, order.display_number, order.display_number.toLowerCase()]) {
    const found = await partner.get(`/admin/events/winter-ball/orders?query=${code}`)
    expect(found.body.orders, code).toMatchObject([{ display_number: order.display_number }])
  }
  expect((await partner.get('/admin/events/spring-night/orders')).status).toBe(404)
  expect((await partner.get(at)).status).toBe(200)
  expect((await partner.get('/admin/events/winter-ball/orders.csv')).text.split('\r\n')).toHaveLength(3)
  for (const path of ['/refunds', '/payments', '/cancellation']) {
    expect((await partner.post(at + path, {})).status).toBe(403)
    expect((await reader.post(at + path, {})).status).toBe(401)
    expect((await door.post(at + path, {})).status).toBe(401)
    expect((await stranger.post(at + path, {})).status).toBe(401)
    expect((await office.post(`/admin/orders/nothing${path}`, {})).status).toBe(404)
  }
  expect((await partner.get('/admin/accounting')).status).toBe(403)
  expect(await office.get('/admin/accounting?from=yesterday')).toRefuse(422, { from: ['is invalid'] })
  expect(await office.get('/admin/accounting?from=2026-02-02&to=2026-01-01')).toRefuse(422)
  expect((await office.get('/admin/events/winter-ball/orders?status=lost')).status).toBe(422)
  for (const amount of ['', ' ', '-1', '0', '1e9', '1.005', '25.01', { a: 1 }]) {
    expect((await office.post(`${at}/refunds`, { amount })).status).toBe(422)
  }
  expect((await office.get(at)).body.refunded).toBe('0.00')
  const headers = { 'idempotency-key': 'once' }
  const twice = [1, 2].map(() => office.ask('POST', `${at}/refunds`, { body: { amount: '5.00' }, headers }))
  const [a, b] = await Promise.all(twice)
  expect([a!.status, b!.status].filter((status) => status === 201).length).toBeGreaterThan(0)
  expect((await office.get(at)).body.refunded).toBe('5.00')
})
