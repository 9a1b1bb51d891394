import { expect, test } from 'vitest'
import { openStripeInstallation } from '../../test/kit/venue/stripe-shop.ts'
import { everythingOf, openTool } from '../../test/kit/venue/assistant.ts'
import { BUYER, offerTransfers, openBuyer } from '../../test/kit/venue/checkouts.ts'
import { header } from '../../test/kit/network/read-eml.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import type { Venue } from '../../test/kit/venue/venue.ts'

const as = async (venue: Venue, token: string) => {
  const { does: orders, ...rest } = await openTool(venue, token, 'manage_orders')
  return { orders, ...rest }
}

const house = await openStripeInstallation()
const confirmed = true
const event_title = 'winter ball'

const openTransfer = async () => {
  const buyer = await openBuyer()
  await offerTransfers(buyer.venue)
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  await buyer.change(token, BUYER)
  const order_id: string = (await buyer.pay(token, 'bank_transfer')).body.order.public_id
  return { ...buyer, order_id }
}

test('an assistant finds an order, writes down a transfer and mails the tickets again, once each is confirmed', async () => {
  const buyer = await openTransfer()
  const { venue, order_id } = buyer
  const { orders, fails } = await as(venue, 'office write')
  expect(await orders('list', { event_title, query: 'berit' })).toMatchObject({
    next_page: null,
    orders: [{ order_id, status: 'unpaid', due: '50.00' }],
  })
  expect(await orders('list', { event_title, status: 'paid' })).toMatchObject({ orders: [] })
  expect(await orders('show', { order_id })).toMatchObject({
    order_id,
    customer: { customer_name: 'Berit Buyer' },
    admissions_count: 2,
    admissions: [{ admission_id: expect.any(String) }, {}],
  })

  const counted = { order_id, amount: '50.00', reference: 'Statement 47' }
  await buyer.settle()
  const before = await everythingOf(venue)
  expect(await orders('record_payment', counted)).toMatchObject({
    dry_run: true,
    confirmation_needed: true,
    with: { amount: '50.00', reference: 'Statement 47' },
    afterwards: { status: 'paid', paid: '50.00', due: '0.00' },
  })
  expect(await fails('record_payment', { ...counted, amount: '50.01' })).toMatchObject({
    status: 422,
    errors: { amount: ['must be less than or equal to 50.00'] },
  })
  expect(await fails('record_payment', { order_id, amount: '50.00', confirmed })).toMatchObject({
    errors: { reference: ["can't be blank"] },
  })
  expect(await fails('resend', { order_id, confirmed })).toMatchObject({ status: 422 })
  expect(await everythingOf(venue)).toEqual(before)

  expect(await orders('record_payment', { ...counted, confirmed })).toMatchObject({ status: 'paid', due: '0.00' })
  expect(await fails('cancel', { order_id, confirmed })).toMatchObject({ status: 422 })
  await buyer.settle()
  expect(await orders('resend', { order_id })).toMatchObject({ dry_run: true, confirmation_needed: true })
  await buyer.settle()
  const subjects = async () => (await mailsTo(venue, BUYER.customer_email)).map((mail) => header(mail, 'subject'))
  const tickets = 'Your tickets for Winter Ball'
  expect((await subjects()).filter((subject) => subject === tickets)).toHaveLength(1)
  expect(await orders('resend', { order_id, confirmed })).toMatchObject({ order_id, status: 'paid' })
  await buyer.settle()
  expect((await subjects()).filter((subject) => subject === tickets)).toHaveLength(2)
})

test('a dry run tells what a refund would give back and gives nothing; confirmed it gives exactly that', async () => {
  const buyer = await openBuyer()
  const { venue } = buyer
  const { order } = await buyer.buy([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  const order_id = order.public_id
  const [first] = order.admissions
  const { orders, fails } = await as(venue, 'mara write')
  await buyer.settle()

  const before = await everythingOf(venue)
  const one = { order_id, admission_ids: [first.public_id], reason: 'Ill' }
  const given = { order_id, amount: '25.00', voucher_amount: '0.00', payment_amount: '25.00' }
  expect(await orders('refund', one)).toMatchObject({ dry_run: true, afterwards: given })
  expect(await orders('refund', { order_id })).toMatchObject({ afterwards: { amount: '50.00' } })
  expect(await fails('refund', { order_id, admission_ids: [], confirmed })).toMatchObject({
    errors: { admission_ids: ["can't be blank"] },
  })
  expect(await fails('refund', { order_id, amount: '50.01', confirmed })).toMatchObject({ status: 422 })
  expect(await fails('refund', { order_id: 'nothing', confirmed })).toMatchObject({ status: 404 })
  for (const nearly of ['true', 'yes', 1]) await fails('refund', { order_id, confirmed: nearly })
  expect(await everythingOf(venue)).toEqual(before)

  expect(await orders('refund', { ...one, confirmed })).toEqual(given)
  expect(await orders('show', { order_id })).toMatchObject({
    status: 'paid',
    refunded: '25.00',
    refunds: [{ reason: 'Ill', actor: 'Mara Manager' }],
  })
})

test('a refund that has failed is asked for anew, or written down as paid by hand, once that is confirmed', async () => {
  const buyer = await house.openStripeBuyer()
  const { venue } = buyer
  const order_id = await buyer.payByCard([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  const failed = { order_id, refund_id: await buyer.failRefund(order_id, { amount: '10.00' }) }
  const other = { order_id, refund_id: await buyer.failRefund(order_id, { amount: '15.00' }) }
  const { orders, fails } = await as(venue, 'mara write')
  const failure_message = 'Stripe could not give the money back'
  expect(await orders('show', { order_id })).toMatchObject({
    payments: [{ refunds: [{ id: failed.refund_id, status: 'failed', failure_message }, { id: other.refund_id }] }],
  })

  await buyer.settle()
  const before = await everythingOf(venue)
  const refund = { ...failed, payment_method: 'stripe', amount: '10.00', currency: 'EUR', failure_message: null }
  expect(await orders('retry_refund', failed)).toMatchObject({
    dry_run: true,
    confirmation_needed: true,
    afterwards: { ...refund, status: 'pending' },
  })
  expect(await orders('record_payout', failed)).toMatchObject({ afterwards: { ...refund, status: 'paid' } })
  expect(await fails('retry_refund', { order_id, refund_id: 'nothing', confirmed })).toMatchObject({ status: 404 })
  expect(await fails('record_payout', { order_id, confirmed })).toMatchObject({
    errors: { refund_id: ["can't be blank"] },
  })
  expect(await everythingOf(venue)).toEqual(before)

  house.stripe.refundsEndAs = 'succeeded'
  expect(await orders('retry_refund', { ...failed, confirmed })).toEqual({ ...refund, status: 'pending' })
  expect(await fails('record_payout', { ...failed, confirmed })).toMatchObject({
    status: 422,
    errors: { base: ['The provider is still trying to pay this refund'] },
  })
  await buyer.settle()
  expect(await orders('record_payout', { ...other, confirmed })).toMatchObject({ amount: '15.00', status: 'paid' })
  expect(await orders('show', { order_id })).toMatchObject({
    payments: [{ refunds: [{ status: 'paid' }, { status: 'paid' }] }],
  })
  const partner = await as(venue, 'cem write')
  expect(await partner.fails('retry_refund', { ...failed, confirmed })).toMatchObject({ status: 403 })
})

test('an order that is not paid is cancelled once that is confirmed', async () => {
  const { venue, order_id } = await openTransfer()
  const { orders } = await as(venue, 'office write')
  const claimed = async () =>
    (await venue.office.get('/admin/events/winter-ball/tickets')).body.tickets[0].claimed_count
  expect(await orders('cancel', { order_id })).toMatchObject({ dry_run: true, afterwards: { status: 'cancelled' } })
  expect(await claimed()).toBe(2)
  expect(await orders('cancel', { order_id, confirmed })).toMatchObject({ status: 'cancelled' })
  expect(await claimed()).toBe(0)
})

test('read tokens look; co-organizers see the orders of their events, mail tickets again and move no money', async () => {
  const buyer = await openBuyer()
  const { venue } = buyer
  const { order } = await buyer.buy([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  const order_id = order.public_id
  expect(await (await as(venue, 'office read')).actions()).toEqual(['list', 'show'])

  const partner = await as(venue, 'cem write')
  expect(await partner.actions()).toEqual(['list', 'show', 'resend'])
  expect(await partner.orders('list', { event_title })).toMatchObject({ orders: [{ order_id }] })
  expect(await partner.orders('resend', { order_id, confirmed })).toMatchObject({ order_id })
  expect(await partner.fails('list', { event_title: 'spring-night' })).toMatchObject({ status: 404 })
  expect(await partner.fails('refund', { order_id, confirmed })).toMatchObject({ status: 403 })

  const foreign = await openBuyer()
  const { order: theirs } = await foreign.buy([{ ticket_id: foreign.tickets['ga'], quantity: 1 }])
  const { fails } = await as(venue, 'office write')
  for (const action of ['show', 'refund', 'cancel', 'resend']) {
    expect(await fails(action, { order_id: theirs.public_id, confirmed }), action).toMatchObject({ status: 404 })
  }
})
