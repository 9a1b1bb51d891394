import { expect, test } from 'vitest'
import { BUYER, offerTransfers, openBuyer } from '../../../test/kit/venue/checkouts.ts'
import type { VenueFile } from '../../../test/kit/venue/neue-halle.ts'
import { form } from '../../../test/kit/venue/sessions.ts'
import { eventOf } from '../../../test/kit/venue/shop.ts'

/** A buyer with a browser, at a house of five tickets. */
const openPages = async (change?: (file: VenueFile) => void) => {
  const buyer = await openBuyer((file) => {
    const ball = eventOf(file)
    ball['tickets'] = [
      { key: 'ga', title: 'Balcony', price: '45.00', stock: 5 },
      { key: 'floor', title: 'Floor', price: '30.00', inventory_kind: 'standing' },
      { key: 'seat', title: 'Seat', price: '50.00', inventory_kind: 'places' },
    ]
    ball['standing_areas'] = ['Front', 'Back'].map((name) => ({ key: name, name, capacity: 2, tickets: ['floor'] }))
    ball['places'] = [{ key: 'A-1', label: 'Row A Seat 1', row: 'A', seat: '1', ticket: 'seat' }]
    ball['questions'] = []
    delete ball['orders']
    file['vouchers'] = [{ key: 'small', amount: '10.00' }]
    change?.(file)
  })
  const see = async (path: string, language = 'en') =>
    (await buyer.shop.get(path, { headers: { accept: 'text/html', 'accept-language': language } })).text
  const send = (path: string, fields: Record<string, string>) => buyer.shop.ask('POST', path, form(fields))
  return { ...buyer, visit: see, send }
}

test('who chooses again can keep what they hold, though nobody else can have it', async () => {
  const { begin, areas, tickets, visit, send, see } = await openPages()
  const token = await begin([
    { ticket_id: tickets['ga'], quantity: 5 },
    { ticket_id: tickets['floor'], quantity: 2, standing_area_id: areas['Front'] },
    { ticket_id: tickets['seat'], place_keys: ['A-1'] },
  ])
  const page = await visit(`/checkouts/${token}/items`)
  expect(page).toContain(`href="/checkouts/${token}"`)
  expect(page).not.toContain('Sold out')
  expect(page).toMatch(/<option value="5" selected>5<\/option>/)
  expect(page).toMatch(/value="A-1"[^>]*checked/)
  const chosen = Object.fromEntries(
    Array.from(page.matchAll(/name="(checkout\[items\]\[\d+\]\[ticket_id\])" value="(\d+)"/g), ([, name, id]) => [
      name!,
      id!,
    ]),
  )
  expect(Object.keys(chosen)).toHaveLength(3)
  const kept = await send(`/checkouts/${token}/items`, {
    ...chosen,
    'checkout[items][0][quantity]': '5',
    'checkout[items][1][quantity]': '1',
    'checkout[items][1][standing_area_id]': String(areas['Front']),
    'checkout[items][2][place_keys][]': 'A-1',
  })
  expect(kept.headers.get('location')).toBe(`/checkouts/${token}`)
  expect((await see(token)).items.map(({ quantity }: { quantity: number }) => quantity)).toEqual([5, 1, 1])
})

test('a code that was typed is used before anything is paid, whichever button was pressed', async () => {
  const { begin, tickets, visit, send, see, venue } = await openPages()
  const token = await begin([{ ticket_id: tickets['ga'], quantity: 1 }])
  const fields = {
    intent: 'pay',
    payment_method: 'test',
    'checkout[customer_name]': BUYER.customer_name,
    'checkout[customer_email]': BUYER.customer_email,
  }
  const mistyped = await send(`/checkouts/${token}`, { ...fields, code: 'NO-SUCH-CODE' })
  expect(mistyped.status).toBe(422)
  expect(mistyped.text).toContain('Voucher code is invalid')
  expect(mistyped.text).toContain('name="refused_code" value="NO-SUCH-CODE"')
  expect(await see(token)).toMatchObject({ status: 'open', payment: { status: 'none' } })

  const used = await send(`/checkouts/${token}`, { ...fields, code: venue.report.vouchers['small']!.code })
  expect([used.status, used.headers.get('location')]).toEqual([303, `/checkouts/${token}`])
  expect(await see(token)).toMatchObject({
    status: 'open',
    total: '35.00',
    customer: BUYER,
    payment: { status: 'none' },
  })
  expect(await visit(`/checkouts/${token}`)).toContain('Pay €35.00')
  const without = await send(`/checkouts/${token}`, { ...fields, code: 'NO-SUCH-CODE', refused_code: 'NO-SUCH-CODE' })
  expect(without.headers.get('location')).toBe(`/checkouts/${token}?go=1`)
})

test('what was typed into the address, or is wrong with it, is never folded away', async () => {
  const { begin, tickets, visit, send } = await openPages()
  const token = await begin([{ ticket_id: tickets['ga'], quantity: 1 }])
  expect(await visit(`/checkouts/${token}`)).not.toMatch(/<details class="more" open>/)
  const refused = await send(`/checkouts/${token}`, { intent: 'pay', 'checkout[billing_country]': 'Germany' })
  expect(refused.status).toBe(422)
  expect(refused.text).toMatch(/<details class="more" open>/)
  expect((await send(`/checkouts/${token}`, { intent: 'save', 'checkout[customer_phone]': '030 1' })).status).toBe(303)
  expect(await visit(`/checkouts/${token}`)).toMatch(/<details class="more" open>/)
})

test('the time that is left is told with the time of the server, since clocks of buyers are wrong', async () => {
  const { begin, tickets, visit, see } = await openPages()
  const token = await begin([{ ticket_id: tickets['ga'], quantity: 1 }])
  const [, now, until] = /data-now="([^"]+)"\s+data-until="([^"]+)"/.exec(await visit(`/checkouts/${token}`)) ?? []
  expect(Date.parse(until!)).toBe(Date.parse((await see(token)).expires_at))
  expect(Date.parse(until!) - Date.parse(now!)).toBeGreaterThan(14 * 60_000)
  expect(Date.parse(until!) - Date.parse(now!)).toBeLessThanOrEqual(15 * 60_000)
})

test('the page of an order says that its event is cancelled, and asks nobody for money for it', async () => {
  const { buy, begin, change, pay, tickets, visit, venue } = await openPages()
  await offerTransfers(venue)
  const paid = await buy([{ ticket_id: tickets['ga'], quantity: 1 }])
  const unpaid = await begin([{ ticket_id: tickets['ga'], quantity: 1 }])
  await change(unpaid, BUYER)
  expect((await pay(unpaid, 'bank_transfer')).status).toBe(200)
  expect(await visit(`/orders/${paid.token}`)).toContain('Thank you!')
  expect(await visit(`/orders/${unpaid}`)).toContain('Please pay')

  expect((await venue.office.post('/admin/events/winter-ball/cancellation', {})).status).toBe(200)
  for (const token of [paid.token, unpaid]) {
    const page = await visit(`/orders/${token}`)
    expect(page).toContain('<h1>This event is cancelled</h1>')
    expect(page).not.toMatch(/Thank you!|Please pay/)
    expect(await visit(`/orders/${token}`, 'de')).toContain('Diese Veranstaltung ist abgesagt')
  }
})

test('the page of an order stays as it is when its event is put away', async () => {
  const { buy, tickets, visit, venue } = await openPages()
  const { token } = await buy([{ ticket_id: tickets['ga'], quantity: 1 }])
  expect((await venue.office.post('/admin/events/winter-ball/archival', {})).status).toBe(200)
  expect(await visit(`/orders/${token}`)).toContain('Thank you!')
})
