import { expect, test } from 'vitest'
import { BUYER, openBuyer } from '../../test/kit/venue/checkouts.ts'
import { everythingOf } from '../../test/kit/venue/assistant.ts'
import type { VenueFile } from '../../test/kit/venue/neue-halle.ts'

const openGifts = async (change?: (file: VenueFile) => void) => {
  const buyer = await openBuyer((file) => {
    file['voucher_products'] = [{ key: 'p', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }]
    change?.(file)
  })
  const { office, report } = buyer.venue
  const product = { voucher_product_id: report.voucher_products['p']!.id }
  const gift = { ...product, recipient_name: 'Gunda', recipient_email: 'gunda@guest.example' }
  const create = (item: object) => buyer.post('/checkouts', { checkout: { voucher_items: [{ ...gift, ...item }] } })
  const buy = async (item: object): Promise<string> => {
    const reply = await create(item)
    expect(reply.status, reply.text).toBe(201)
    expect(reply.body.voucher_items[0]).toMatchObject(item)
    const { token } = reply.body
    await buyer.change(token, BUYER)
    await buyer.decide((await buyer.pay(token)).body.payment.redirect_url, 'paid')
    const [{ id }] = (await office.get('/admin/vouchers')).body.vouchers
    return (await office.get(`/admin/vouchers/${id}`)).body.purchase.scheduled_for
  }
  return { ...buyer, create, buyGift: buy }
}

const dayIn = (timeZone: string, days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(Date.now() + days * 24 * 3600_000)

test('a gift is delivered when its day begins where its recipient is, or else where the venue is', async () => {
  const { buyGift } = await openGifts()
  for (const zone of ['Pacific/Auckland', 'America/Los_Angeles', 'Asia/Kathmandu']) {
    const deliver_on = dayIn(zone, 3)
    const scheduled = await buyGift({ deliver_on, delivery_time_zone: zone })
    expect(new Date(scheduled).toLocaleString('sv', { timeZone: zone })).toBe(`${deliver_on} 00:00:00`)
  }
  const deliver_on = dayIn('Europe/Berlin', 3)
  const scheduled = await buyGift({ deliver_on, delivery_time_zone: null })
  expect(new Date(scheduled).toLocaleString('sv', { timeZone: 'Europe/Berlin' })).toBe(`${deliver_on} 00:00:00`)
})

test('today is today where the recipient is, and what is no time zone is refused beside its field', async () => {
  const { create, venue } = await openGifts()
  // On one of the two islands it is always another day than on the other.
  const [early, late] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
  const [ahead, behind] = [dayIn(early, 0), dayIn(late, 0)]
  expect(ahead > behind).toBe(true)
  const before = await everythingOf(venue)
  expect(await create({ deliver_on: behind, delivery_time_zone: early })).toRefuse(422, {
    'voucher_items[0].deliver_on': ['must be in the future'],
  })
  for (const delivery_time_zone of ['Mars/Olympus', '+02:00', 'x'.repeat(300), 5, { a: 1 }, 'a\0b']) {
    const { status, body } = await create({ deliver_on: ahead, delivery_time_zone })
    expect({ status, fields: Object.keys(body.errors) }).toEqual({
      status: 422,
      fields: ['voucher_items[0].delivery_time_zone'],
    })
  }
  expect(await everythingOf(venue)).toEqual(before)
  expect((await create({ deliver_on: behind, delivery_time_zone: late })).status).toBe(201)
  expect((await create({ deliver_on: ahead, delivery_time_zone: early })).status).toBe(201)
})

test('a gift is delivered before it expires, which is counted from its purchase', async () => {
  const { create, venue } = await openGifts((file) => (file['voucher_products'][0].validity_months = 1))
  const zone = 'Europe/Berlin'
  const before = await everythingOf(venue)
  expect(await create({ deliver_on: dayIn(zone, 33), delivery_time_zone: zone })).toRefuse(422, {
    'voucher_items[0].deliver_on': ['must be before the voucher expires'],
  })
  expect(await everythingOf(venue)).toEqual(before)
  expect((await create({ deliver_on: dayIn(zone, 27), delivery_time_zone: zone })).status).toBe(201)
})
