import { beforeEach, expect, test } from 'vitest'
import { BUYER, offerTransfers, openBuyer } from '../../test/kit/venue/checkouts.ts'
import { openStripeInstallation } from '../../test/kit/venue/stripe-shop.ts'
import { openRowsForJob } from '../access/job-scope.ts'
import { findOrderFaults } from './consistency/records.ts'

const house = await openStripeInstallation()
const { stripe } = house

beforeEach(() => {
  stripe.manners = 'well'
  stripe.refundsEndAs = 'succeeded'
})

const REFUSED = 'Stripe could not give the money back'
const AT = expect.stringMatching(/^\d{4}-\d\d-\d\dT/)

/** Berit has paid two tickets by card, and Stripe does not give her money back. */
const openFailedRefund = async (body: object = {}) => {
  const buyer = await house.openStripeBuyer()
  const orderId = await buyer.payByCard([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  const refundId = await buyer.failRefund(orderId, body)
  const at = `/admin/orders/${orderId}`
  const { office } = buyer.venue
  const path = `${at}/payment_refunds/${refundId}`
  return {
    ...buyer,
    office,
    orderId,
    refundId,
    at,
    path,
    attempt: () => office.post(`${path}/attempt`),
    payOut: () => office.post(`${path}/payout`),
    refunds: async () => (await office.get(at)).body.payments[0].refunds,
  }
}

test('a refund that the provider has failed says why, and is paid once it is asked for anew', async () => {
  const { attempt, payOut, refunds, settle, refundId, office, at, venue } = await openFailedRefund({ amount: '10.00' })
  expect(await refunds()).toEqual([
    { id: refundId, amount: '10.00', status: 'failed', failure_message: REFUSED, paid_at: null },
  ])

  stripe.refundsEndAs = 'pending'
  const asked = await attempt()
  expect(asked.status, asked.text).toBe(200)
  expect(asked.body).toMatchObject({
    status: 'paid',
    refunded: '10.00',
    payments: [{ refunded: '10.00', refunds: [{ id: refundId, status: 'pending', failure_message: null }] }],
  })
  expect(await attempt()).toRefuse(422, { base: ['This refund has not failed'] })
  await settle()
  expect(await refunds()).toMatchObject([{ status: 'pending', paid_at: null }])
  expect(await payOut()).toRefuse(422, { base: ['The provider is still trying to pay this refund'] })

  for (const known of stripe.refunds.values()) known.status = 'succeeded'
  await settle()
  expect((await office.get(at)).body).toMatchObject({
    status: 'paid',
    refunded: '10.00',
    payments: [{ refunded: '10.00', refunds: [{ status: 'paid', failure_message: null, paid_at: AT }] }],
    refunds: [{ amount: '10.00', payment_amount: '10.00' }],
    receipts: [{ kind: 'sale' }, { kind: 'refund' }],
  })
  expect(await attempt()).toRefuse(422, { base: ['This refund has not failed'] })
  expect(await findOrderFaults(openRowsForJob(venue.app, venue.report.account.id))).toEqual([])
})

test('a refund that fails once more says so once more, and is asked for as often as somebody wants', async () => {
  const { attempt, refunds, settle, refundId } = await openFailedRefund()
  const atStripe = () => [...stripe.refunds.values()].filter(({ metadata }) => metadata['foyer_refund'] === refundId)
  expect((await attempt()).status).toBe(200)
  await settle()
  expect(await refunds()).toMatchObject([{ status: 'failed', failure_message: REFUSED }])
  stripe.refundsEndAs = 'succeeded'
  expect((await attempt()).status).toBe(200)
  await settle()
  expect(await refunds()).toMatchObject([{ status: 'paid' }])
  expect(atStripe().map(({ status }) => status)).toEqual(['failed', 'failed', 'succeeded'])
})

test('what the provider says is not told, only what became of it', async () => {
  const { attempt, refunds, settle } = await openFailedRefund()
  stripe.manners = 'unauthorized'
  await attempt()
  await settle()
  const told = await refunds()
  expect(told).toMatchObject([{ status: 'pending', failure_message: 'Stripe does not accept the secret key' }])
  expect(JSON.stringify(told)).not.toContain('sk_test_secret')
})

test('a failed refund that somebody has paid is paid, saying so again changes nothing, and the provider is not asked', async () => {
  const { attempt, payOut, settle, venue, office, refundId } = await openFailedRefund()
  const paid = await payOut()
  expect(paid.status, paid.text).toBe(200)
  expect(paid.body).toMatchObject({
    status: 'refunded',
    payments: [{ refunds: [{ id: refundId, status: 'paid', failure_message: null, paid_at: AT }] }],
  })
  stripe.heard.length = 0
  await venue.moveClock('1 hour')
  const again = await payOut()
  expect(again.status).toBe(200)
  expect(again.body).toEqual(paid.body)
  expect(await attempt()).toRefuse(422, { base: ['This refund has not failed'] })
  await settle()
  expect(stripe.heard).toEqual([])

  const { entries } = (await office.get('/admin/audit_log?action=POST+/admin/orders')).body
  const path = 'POST /admin/orders/:public_id/payment_refunds/:refund_id/payout'
  expect(entries.find((each: { action: string }) => each.action === path)).toMatchObject({
    subject: { refund_id: refundId },
  })
})

test('money that came by hand goes back by hand: somebody says so, and no provider is asked', async () => {
  const buyer = await openBuyer(undefined, house)
  const { office } = buyer.venue
  await offerTransfers(buyer.venue)
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  await buyer.change(token, BUYER)
  const id = (await buyer.pay(token, 'bank_transfer')).body.order.public_id
  await office.post(`/admin/orders/${id}/payments`, { amount: '25.00', reference: 'Statement 47' })
  await office.post(`/admin/orders/${id}/refunds`)
  const [, { refunds }] = (await office.get(`/admin/orders/${id}`)).body.payments
  expect(refunds).toMatchObject([{ amount: '25.00', status: 'by_hand', failure_message: null, paid_at: null }])
  const path = `/admin/orders/${id}/payment_refunds/${refunds[0].id}`
  expect(await office.post(`${path}/attempt`)).toRefuse(422, { base: ['This refund has not failed'] })
  expect((await office.post(`${path}/payout`)).body).toMatchObject({
    payments: [{}, { refunds: [{ status: 'paid', paid_at: AT }] }],
  })
})

test('a refund is found with its own order only, by whoever may move money of this account', async () => {
  const one = await openFailedRefund({ amount: '10.00' })
  const otherOrder = await one.payByCard([{ ticket_id: one.tickets['ga'], quantity: 1 }])
  const theirs = await openFailedRefund({ amount: '10.00' })
  const { office, reader, partner, door, stranger, report, client } = one.venue
  for (const verb of ['attempt', 'payout']) {
    const nowhere = [
      `/admin/orders/${otherOrder}/payment_refunds/${one.refundId}/${verb}`,
      `/admin/orders/nothing/payment_refunds/${one.refundId}/${verb}`,
      `${one.at}/payment_refunds/nothing/${verb}`,
      `${one.at}/payment_refunds/${theirs.refundId}/${verb}`,
      `${theirs.path}/${verb}`,
    ]
    for (const path of nowhere) expect((await office.post(path)).status, path).toBe(404)
    expect((await theirs.office.post(`${one.path}/${verb}`)).status).toBe(404)
    expect((await partner.post(`${one.path}/${verb}`)).status).toBe(403)
    for (const each of [reader, door, stranger]) expect((await each.post(`${one.path}/${verb}`)).status).toBe(401)
  }
  expect(await one.refunds()).toMatchObject([{ status: 'failed' }])
  expect(await theirs.refunds()).toMatchObject([{ status: 'failed' }])
  const manager = client(report.api_tokens['mara write'])
  expect((await manager.post(`${one.path}/attempt`)).status).toBe(200)
})

test('of all who ask anew and pay by hand at once one is first, and the money goes back once', async () => {
  const { attempt, payOut, refunds, settle, refundId } = await openFailedRefund()
  stripe.refundsEndAs = 'succeeded'
  const replies = await Promise.all([attempt(), payOut(), attempt(), payOut(), attempt()])
  const statuses = replies.map(({ status }) => status)
  await settle()
  expect(await refunds()).toMatchObject([{ status: 'paid' }])
  const alive = [...stripe.refunds.values()].filter(
    ({ status, metadata }) => metadata['foyer_refund'] === refundId && status === 'succeeded',
  )
  const [asked, paidByHand] = [statuses.filter((_, n) => n % 2 === 0), statuses.filter((_, n) => n % 2 === 1)]
  const wasAsked = asked.includes(200)
  expect(asked.toSorted()).toEqual(wasAsked ? [200, 422, 422] : [422, 422, 422])
  expect(paidByHand).toEqual(wasAsked ? [422, 422] : [200, 200])
  expect(alive).toHaveLength(wasAsked ? 1 : 0)
})

test('of bought vouchers, which have no event, money is asked for anew in the same way', async () => {
  const buyer = await house.openStripeBuyer((file) => {
    file['voucher_products'] = [{ key: 'p', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }]
  })
  const { office } = buyer.venue
  const [product] = (await office.get('/admin/voucher_products')).body.voucher_products
  const { token } = (
    await buyer.post('/checkouts', { checkout: { voucher_items: [{ voucher_product_id: product.id, quantity: 1 }] } })
  ).body
  const orderId = await buyer.payByCard(token)
  const refundId = await buyer.failRefund(orderId)
  stripe.refundsEndAs = 'succeeded'
  expect((await office.post(`/admin/orders/${orderId}/payment_refunds/${refundId}/attempt`)).status).toBe(200)
  await buyer.settle()
  expect((await office.get(`/admin/orders/${orderId}`)).body).toMatchObject({
    event: null,
    payments: [{ refunds: [{ status: 'paid' }] }],
  })
})
