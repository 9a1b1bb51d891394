import { expect, test } from 'vitest'
import { askAtHost } from '../../test/kit/network/ask-at-host.ts'
import { hostOf, openShop } from '../../test/kit/venue/shop.ts'
import { openSecondServer } from '../../test/kit/database/second-server.ts'

/** Every way in which a shop says no, and with what. */
const REFUSALS: Record<string, { method?: string; path: string; status: number }> = {
  'an event that is not there': { path: '/events/no-such-event', status: 404 },
  'an event that is not there, with the suffix': { path: '/events/no-such-event.json', status: 404 },
  'a draft': { path: '/events/draft-show', status: 404 },
  'an event with codes that is not there': { path: '/events/no-such-event?code=a&code=b', status: 404 },
  'a path that is not there': { path: '/nothing/here', status: 404 },
  'a path of the door': { path: '/scanner/events', status: 404 },
  'an address that cannot be read': { path: '/events/%E0%A4%A', status: 400 },
  'another method': { method: 'POST', path: '/events', status: 405 },
  'another method on an event': { method: 'DELETE', path: '/events/winter-ball', status: 405 },
}

test.each(Object.keys(REFUSALS))('%s can be read by every site, is kept by no cache and sets nothing', async (name) => {
  const { shop } = await openShop()
  const { method = 'GET', path, status } = REFUSALS[name]!
  const reply = await shop.ask(method, path, { headers: { origin: 'https://band.example' } })
  expect(reply.status).toBe(status)
  expect(Object.keys(reply.body)).toEqual(['error'])
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('access-control-allow-origin')).toBe('*')
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  expect(reply.headers.get('x-content-type-options')).toBe('nosniff')
  expect(reply.headers.get('set-cookie')).toBeNull()
  if (status === 405) expect(reply.headers.get('allow')).toMatch(/\bGET\b/)
})

test('that a shop is closed can be read by every site', async () => {
  const { shop } = await openShop((file) => (file['account'].shop_published = false))
  for (const path of ['/events', '/events/winter-ball', '/events.json']) {
    const reply = await shop.get(path)
    expect([reply.status, reply.body, reply.headers.get('access-control-allow-origin')]).toEqual([
      404,
      { error: 'Not found' },
      '*',
    ])
  }
})

test('a house without its database says so to every site', async () => {
  const { venue } = await openShop()
  const beside = await openSecondServer(venue.app, () => 'select broken from nowhere')
  try {
    const headers = { host: hostOf(venue), accept: 'application/json' }
    const reply = await askAtHost(beside.origin, '/events', { method: 'GET', headers })
    expect(reply.status).toBeGreaterThanOrEqual(500)
    expect(reply.headers.get('access-control-allow-origin')).toBe('*')
    expect(reply.headers.get('cache-control')).toBe('private, no-store')
    expect(Object.keys((await reply.json()) as object)).toEqual(['error'])
  } finally {
    await beside.close()
  }
})

test('without an Accept header, and with the suffix, the answer is JSON; both are told apart by caches', async () => {
  const { venue, shop } = await openShop()
  for (const path of ['/events', '/events/winter-ball']) {
    const { text } = await shop.get(path)
    for (const address of [path, `${path}.json`]) {
      const reply = await askAtHost(venue.origin, address, { method: 'GET', headers: { host: hostOf(venue) } })
      expect([reply.status, await reply.text()], address).toEqual([200, text])
      expect(reply.headers.get('vary')).toBe('Accept, Accept-Encoding')
      expect(reply.headers.get('cache-control')).toBe('public, max-age=60')
    }
    expect((await shop.get(path, { headers: { accept: 'image/png' } })).text).toBe(text)
    const page = await shop.get(path, { headers: { accept: 'text/html' } })
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding, Accept-Language')
    expect(page.headers.get('cache-control')).toBe('public, max-age=60')
    expect(page.headers.get('access-control-allow-origin')).toBe('*')

    // The tag of one representation is not the tag of the other.
    const [json, html] = [(await shop.get(path)).headers.get('etag')!, page.headers.get('etag')!]
    expect(json).not.toBe(html)
    const asked = (accept: string, tag: string) => shop.get(path, { headers: { accept, 'if-none-match': tag } })
    expect((await asked('text/html', json)).status).toBe(200)
    expect((await asked('application/json', html)).status).toBe(200)
    expect((await asked('application/json', json)).status).toBe(304)
    expect((await asked('text/html', html)).status).toBe(304)
  }
})

test('what an event has none of is an empty list, and without a public end none is shown', async () => {
  const { shop } = await openShop((file) => {
    file['events'].push({ slug: 'bare', title: 'Bare', starts_at: '+P1D' })
  })
  const { body } = await shop.get('/events/bare')
  expect(body).toMatchObject({
    tickets: [],
    performers: [],
    faq_items: [],
    gallery_image_urls: [],
    show_end_time: false,
    sold_out: true,
    cheapest_available_price: null,
  })
  expect(Date.parse(body.ends_at) - Date.parse(body.starts_at)).toBe(5 * 3_600_000)

  const listed = (await shop.get('/events')).body.events.find((each: { slug: string }) => each.slug === 'bare')
  const { tickets: _tickets, performers: _performers, faq_items: _items, ...shared } = body
  expect(listed).toEqual(shared)
})

test('how many may be bought at once is as the venue says, and its days of sale close no ticket', async () => {
  const { shop } = await openShop((file) => {
    const ticket = { key: 'a', title: 'A', price: '5.00', stock: 3, max_per_order: 8 }
    file['events'].push(
      { slug: 'early', title: 'Early', starts_at: '+P9D', sales_starts_at: '+P1D', tickets: [ticket] },
      { slug: 'late', title: 'Late', starts_at: '+P9D', sales_ends_at: '-P1D', tickets: [ticket] },
    )
  })
  for (const slug of ['early', 'late']) {
    expect((await shop.get(`/events/${slug}`)).body).toMatchObject({
      sold_out: false,
      cheapest_available_price: { amount: '5.00' },
      tickets: [{ available: true, sold_out: false, low_stock: true, max_per_order: 8 }],
    })
  }
})

test('money is a text with its decimals, and no number of the house is told', async () => {
  const { venue, shop } = await openShop()
  const { body, text } = await shop.get('/events/winter-ball?code=BACKSTAGE')
  for (const { price, max_per_order: most } of body.tickets) {
    expect(price).toEqual({ amount: expect.stringMatching(/^\d+\.\d\d$/), currency: 'EUR' })
    expect(most === null || Number.isInteger(most)).toBe(true)
  }
  const keys = new Set(Array.from(text.matchAll(/"([a-z_]+)":/g), (match) => match[1]))
  for (const hidden of ['id', 'public_id', 'stock', 'capacity', 'remaining', 'sold', 'access_codes', 'orders']) {
    expect(keys.has(hidden), hidden).toBe(false)
  }
  // The only numbers: how old, how many at once, and where.
  const numbers = Array.from(text.matchAll(/"([a-z_]+)":-?[\d.]+/g), (match) => match[1])
  expect(new Set(numbers)).toEqual(new Set(['minimum_age', 'max_per_order', 'latitude', 'longitude']))
  expect(venue.report.account.id).toBeGreaterThan(0)
})

test('whoever comes with a browser is refused on a page, also by a shop that is closed, and everybody else in JSON', async () => {
  const { venue, shop } = await openShop()
  const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }
  const refusedAt = async (path: string) => {
    const [page, json] = [await shop.get(path, browser), await shop.get(path)]
    expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(page.text).toContain('<h1>This page is not here</h1>')
    expect(page.text).not.toContain(venue.report.account.subdomain)
    expect(page.headers.get('cache-control')).toBe('private, no-store')
    expect([json.status, json.body]).toEqual([404, { error: 'Not found' }])
  }
  await refusedAt('/no/such/address')

  const { pool } = venue.app.database
  await pool.query('update accounts set shop_published_at = null where id = $1', [venue.report.account.id])
  await refusedAt('/events')
  await refusedAt('/guest_list/any-token')
})
