import { afterAll, beforeAll, expect, test } from 'vitest'
import { BUYER, offerTransfers, openBuyer } from '../../test/kit/venue/checkouts.ts'
import { openClient } from '../../test/kit/venue/client.ts'
import { exportOf, loadAndExport } from '../../test/kit/venue/moved-venue.ts'
import { type OpenApp, openTestApp } from '../../test/kit/venue/venue.ts'
import { compareCounters } from '../inventory/consistency/records.ts'
import { loadVenue } from './load-venue.ts'

/** The installation that shops move to. */
let elsewhere: OpenApp

beforeAll(async () => {
  elsewhere = await openTestApp()
})
afterAll(() => elsewhere.close())

const openSoldShop = async () => {
  const buyer = await openBuyer((file) => {
    file['account'].language = 'de'
    file['events'][0].tickets[0].tax_rate = '7.00'
    file['vouchers'] = [{ key: 'small', amount: '20.00' }]
  })
  const { office, report } = buyer.venue
  const { tickets } = buyer
  await offerTransfers(buyer.venue)
  const group = await buyer.buy([{ ticket_id: tickets['four'], quantity: 2 }])

  const token = await buyer.begin([{ ticket_id: tickets['ga'], quantity: 3 }])
  await buyer.change(token, BUYER)
  await buyer.post(`/checkouts/${token}/vouchers`, { code: report.vouchers['small']!.code })
  await buyer.decide((await buyer.pay(token)).body.payment.redirect_url, 'paid')
  const { order } = await buyer.see(token)
  const [first] = order.admissions
  await office.post(`/admin/orders/${order.public_id}/refunds`, { admission_public_ids: [first.public_id] })

  const unpaid = await buyer.begin([{ ticket_id: tickets['seat'], place_keys: ['A-1'] }])
  await buyer.change(unpaid, BUYER)
  const transfer = (await buyer.pay(unpaid, 'bank_transfer')).body.order
  const given = await buyer.begin([{ ticket_id: tickets['seat'], place_keys: ['A-2'] }])
  await buyer.change(given, BUYER)
  const cancelled = (await buyer.pay(given, 'bank_transfer')).body.order
  await office.post(`/admin/orders/${cancelled.public_id}/cancellation`)
  await buyer.settle()
  return { ...buyer, group: group.order, refunded: order, transfer, cancelled }
}

test('what a shop has sold moves with prices, rates, groups, what vouchers paid, refunds and language', async () => {
  const shop = await openSoldShop()
  const { report, office } = shop.venue
  const first = await exportOf(shop.venue, report.account.subdomain)
  expect(await loadAndExport(elsewhere, first)).toBe(first)

  const file = JSON.parse(first)
  const orders = Object.fromEntries(file.events[0].orders.map((each: { public_id: string }) => [each.public_id, each]))
  expect(orders[shop.group.public_id]).toMatchObject({
    language: 'de',
    total: '180.00',
    items: [1, 1, 1, 1, 2, 2, 2, 2].map((group_number) => ({ group_number, price: '22.50' })),
  })
  expect(orders[shop.refunded.public_id]).toMatchObject({
    status: 'paid',
    total: '75.00',
    voucher_total: '20.00',
    refunded: '25.00',
    refunded_to_vouchers: '20.00',
    items: [{ admission_status: 'refunded', price: '25.00', tax_rate: '7.00' }, {}, {}],
  })
  expect(orders[shop.transfer.public_id]).toMatchObject({ status: 'unpaid' })
  expect(orders[shop.cancelled.public_id]).toMatchObject({ status: 'cancelled', cancelled_at: expect.any(String) })
  expect(JSON.stringify(file)).not.toContain('IBAN')

  // A second shop there has taken nothing of it: the same is left of every ticket, and no counter is off.
  file.account.subdomain = `${report.account.subdomain}-2`
  file.account.custom_domains = []
  file.api_tokens = [{ description: 'moved', permission: 'write' }]
  const moved = await loadVenue(elsewhere.app, JSON.stringify(file))
  const there = openClient(elsewhere.origin, { token: moved.api_tokens['moved'] })
  const claimed = async (client: Pick<typeof office, 'get'>) =>
    (await client.get('/admin/events/winter-ball/tickets')).body.tickets.map(
      ({ title, claimed_count: count }: { title: string; claimed_count: number }) => [title, count],
    )
  expect(await claimed(there)).toEqual(await claimed(office))
  expect(await compareCounters(elsewhere.app.database.kysely, moved.account.id)).toEqual([])
  const here = (await office.get(`/admin/orders/${shop.refunded.public_id}`)).body
  expect((await there.get(`/admin/orders/${shop.refunded.public_id}`)).body).toMatchObject({
    status: here.status,
    total: here.total,
    voucher_total: here.voucher_total,
    paid: here.paid,
    due: '0.00',
    refunded: here.refunded,
    payments: [],
    refunds: [],
    receipts: [],
  })
  expect(await there.post(`/admin/orders/${shop.refunded.public_id}/refunds`)).toRefuse(422, {
    base: ['This order was sold elsewhere'],
  })
})

test('what was refunded moves also where its seat is gone or its ticket sold another way, and so do groups on hold', async () => {
  const { venue, tickets, begin, buy } = await openBuyer((file) => {
    file['events'][0].tickets[4].stock = 1
  })
  const { office, report } = venue
  const seat = { ticket_id: tickets['seat'], place_keys: ['A-1'] }
  for (const item of [seat, { ticket_id: tickets['ga'], quantity: 1 }]) {
    const { order } = await buy([item])
    expect((await office.post(`/admin/orders/${order.public_id}/refunds`)).status).toBe(201)
  }
  const place_ids = [report.events['winter-ball']!.places['A-1']]
  expect((await office.ask('DELETE', '/admin/events/winter-ball/places', { body: { place_ids } })).status).toBe(204)
  const ga = `/admin/events/winter-ball/tickets/${tickets['ga']}`
  expect((await office.patch(ga, { ticket: { inventory_kind: 'places' } })).status).toBe(200)
  await begin([{ ticket_id: tickets['four'], quantity: 1 }])

  const first = await exportOf(venue, report.account.subdomain)
  expect(JSON.parse(first).events[0].holds).toMatchObject([{ ticket: 'four', quantity: 4, stock_quantity: 1 }])
  expect(await loadAndExport(elsewhere, first)).toBe(first)
})

test('an order whose money cannot be true is refused with its place', async () => {
  const { venue } = await openBuyer()
  const file = JSON.parse(await exportOf(venue, venue.report.account.subdomain))
  const order = { key: 'o', customer_name: 'Rita', total: '50.00', items: [{ ticket: 'ga' }, { ticket: 'ga' }] }
  for (const [wrong, place] of [
    [{ voucher_total: '50.01' }, 'voucher_total'],
    [{ refunded: '50.01' }, 'refunded'],
    [{ voucher_total: '10.00', refunded: '5.00', refunded_to_vouchers: '6.00' }, 'refunded_to_vouchers'],
    [{ language: 'fr' }, 'language'],
    [{ total: '-1' }, 'total'],
  ] as const) {
    file.events[0].orders = [{ ...order, ...wrong }]
    await expect(loadVenue(elsewhere.app, JSON.stringify(file)), place).rejects.toThrow(`events[0].orders[0].${place}`)
  }
})
