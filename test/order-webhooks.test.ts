import { expect, test } from 'vitest'
import { openClient } from './kit/venue/client.ts'
import { openFarBuyer } from './kit/venue/far-buyer.ts'
import { openVenueIn } from './kit/venue/venue-in.ts'
import { openVenueWithListener } from './kit/network/webhook-listener.ts'
import { makeJobsDue } from './kit/process/jobs.ts'

const { listener, running } = await openVenueWithListener()

/** Neue Halle with a webhook of Foyer and one of Cem, who is assigned to the Winter Ball and sees no money. */
const open = async () => {
  const { report, client } = await openVenueIn(running)
  const [office, partner] = [client('office write'), client('cem write')]
  for (const [who, at] of [
    [office, '/house'],
    [partner, '/cem'],
  ] as const) {
    const endpoint = { webhook_endpoint: { url: listener.address + at } }
    expect((await who.post('/admin/webhook_endpoints', endpoint)).status).toBe(201)
  }
  const buyer = openFarBuyer({ origin: running.origin, shopUrl: report.account.shop_url, office })
  const ga = (quantity: number) => [{ ticket_id: report.events['winter-ball']!.tickets['ga'], quantity }]
  const event = { id: report.events['winter-ball']!.id, slug: 'winter-ball' }
  const hears = async (at = '/house') => {
    await running.workOffJobs()
    const bodies = listener.bodies(at).toSorted((a, b) => a.timestamp.localeCompare(b.timestamp))
    listener.heard = listener.heard.filter((each) => each.path !== at)
    return bodies
  }
  const eur = (amount: string) => ({ amount, currency: 'EUR' })
  return { office, buyer, ga, event, hears, eur }
}

test('an order is told of when it is paid and each time money of it goes back, in this order', async () => {
  const { office, buyer, ga, event, hears, eur } = await open()
  const { id } = await buyer.buy(ga(2))
  await office.post(`/admin/orders/${id}/refunds`, { amount: '10.00' })
  await office.post(`/admin/orders/${id}/refunds`)
  const order = { id, total: eur('50.00') }
  expect(await hears()).toMatchObject([
    {
      type: 'order.paid',
      data: { event, order: { ...order, status: 'paid', admissions_count: 2, refunded: eur('0.00') } },
    },
    { type: 'order.refunded', data: { event, order: { ...order, status: 'paid', refunded: eur('10.00') } } },
    {
      type: 'order.refunded',
      data: { event, order: { ...order, status: 'refunded', admissions_count: 0, refunded: eur('50.00') } },
    },
  ])
})

test('a transfer is told of when its last part is counted, one that is given up when it is cancelled', async () => {
  const { office, buyer, ga, hears } = await open()
  const paid = await buyer.order(ga(1))
  const cancelled = await buyer.order(ga(1))
  await office.post(`/admin/orders/${paid.id}/payments`, { amount: '10.00', reference: 'A' })
  expect(await hears()).toEqual([])
  await office.post(`/admin/orders/${paid.id}/payments`, { amount: '15.00', reference: 'B' })
  await office.post(`/admin/orders/${cancelled.id}/cancellation`)
  expect(await hears()).toMatchObject([
    { type: 'order.paid', data: { order: { id: paid.id, status: 'paid' } } },
    { type: 'order.cancelled', data: { order: { id: cancelled.id, status: 'cancelled' } } },
  ])
})

test('that money has been paid out is not told: it was told when it was given back', async () => {
  const { office, buyer, ga, hears } = await open()
  const { id } = await buyer.order(ga(1))
  await office.post(`/admin/orders/${id}/payments`, { amount: '25.00', reference: 'A' })
  await office.post(`/admin/orders/${id}/refunds`)
  expect((await hears()).map(({ type }) => type)).toEqual(['order.paid', 'order.refunded'])
  const { payments } = (await office.get(`/admin/orders/${id}`)).body
  const [refund] = payments.flatMap((each: { refunds: { id: string }[] }) => each.refunds)
  expect((await office.post(`/admin/orders/${id}/payment_refunds/${refund.id}/payout`)).status).toBe(200)
  expect(await hears()).toEqual([])
})

test('what is said twice, refused or repeated with one key is told once', async () => {
  const { office, buyer, ga, hears } = await open()
  const { id, redirectUrl } = await buyer.buy(ga(2))
  // The provider says it again.
  await openClient(running.origin).post(new URL(redirectUrl).pathname, { outcome: 'paid' })
  const refund = (body: object, headers = {}) => office.post(`/admin/orders/${id}/refunds`, body, { headers })
  expect((await refund({ amount: '50.01' })).status).toBe(422)
  expect((await office.post(`/admin/orders/${id}/cancellation`)).status).toBe(422)
  for (const _ of [1, 2]) {
    expect((await refund({ amount: '5.00' }, { 'idempotency-key': 'once' })).status).toBe(201)
  }
  await office.post(`/admin/orders/${id}/delivery`)
  expect((await hears()).map(({ type }) => type)).toEqual(['order.paid', 'order.refunded'])
})

test('a message that nobody took comes again, with the same name and the same words, until it is taken', async () => {
  const { buyer, ga, hears } = await open()
  listener.answer = { status: 503 }
  await buyer.buy(ga(1))
  await running.workOffJobs()
  const first = listener.heard.find(({ path }) => path === '/house')
  expect(JSON.parse(first!.text).type).toBe('order.paid')
  listener.heard = []
  listener.answer = { status: 200 }
  for (const _ of [1, 2, 3]) {
    await makeJobsDue(running.app.database.pool)
    await running.workOffJobs()
  }
  const again = listener.heard.filter(({ path }) => path === '/house')
  expect(again.map(({ text, headers }) => [headers['webhook-id'], text])).toEqual([
    [first!.headers['webhook-id'], first!.text],
  ])
  listener.heard = []
  expect(await hears()).toEqual([])
})

test('co-organizers of the event learn of its orders and nothing of their money', async () => {
  const { office, buyer, ga, event, hears } = await open()
  const { id } = await buyer.buy(ga(1))
  await office.post(`/admin/orders/${id}/refunds`)
  const told = await hears('/cem')
  expect(told.map(({ type, data }) => [type, data])).toEqual([
    ['order.paid', { event, order: { id, status: 'paid', admissions_count: 1 } }],
    ['order.refunded', { event, order: { id, status: 'refunded', admissions_count: 0 } }],
  ])
})
