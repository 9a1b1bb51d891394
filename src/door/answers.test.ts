import { expect, test } from 'vitest'
import { storeImage } from '../files/event-images.ts'
import { storageOf } from '../files/open-storage.ts'
import { SECRETS, tellsNoSecret } from '../../test/kit/venue/door-secrets.ts'
import { addOrder, addTicket } from '../../test/kit/venue/orders.ts'
import { PNG } from '../../test/kit/venue/uploads.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'

const READS = (ticket: { publicId: string; code: string }) => [
  '/scanner/me',
  '/scanner/events',
  '/scanner/events/winter-ball/snapshot',
  '/scanner/events/winter-ball/tickets',
  `/scanner/events/winter-ball/tickets?query=${ticket.code}`,
  '/scanner/events/winter-ball/attempts',
  '/scanner/events/winter-ball/stats',
  '/scanner/tickets?query=lindqvist',
  '/scanner/tickets?event_slug=winter-ball',
  `/scanner/search?q=${ticket.code}`,
  '/scanner/search?q=lindqvist&event_slug=winter-ball',
  `/scanner/tickets/${ticket.publicId}`,
  `/scanner/tickets/${ticket.code}`,
]

/** The same with the suffix, which stands before the query. */
const suffixed = (path: string) => path.replace(/^[^?]+/, '$&.json')

test('every read may end in .json, whatever it accepts then, and tells no secret', async () => {
  const venue = await openVenue()
  const ticket = await addTicket(venue, 'winter-ball', SECRETS)
  await venue.office.post(`/scanner/tickets/${ticket.publicId}/redemption`)
  for (const path of READS(ticket)) {
    const plain = await venue.door.get(path)
    const reply = await venue.door.get(suffixed(path), { headers: { accept: 'text/html' } })
    const untimed = (text: string) => text.replace(/"generated_at":"[^"]*"/, '')
    expect([reply.status, untimed(reply.text)], path).toEqual([200, untimed(plain.text)])
    for (const { headers, text } of [plain, reply]) {
      expect(headers.get('content-type'), path).toBe('application/json; charset=utf-8')
      expect(headers.get('cache-control'), path).toBe('private, no-store')
      // The account's own number is no secret at the door, and no other number is told.
      tellsNoSecret(text.replace(`"id":${venue.report.account.id}`, ''))
    }
  }
})

test('whoever accepts no JSON is told 406 at every address of the door, in its shape', async () => {
  const venue = await openVenue()
  const ticket = await addTicket(venue, 'winter-ball')
  const headers = { accept: 'image/png' }
  for (const path of READS(ticket)) {
    expect(await venue.door.get(path, { headers }), path).toRefuse(406, 'This address answers with JSON')
  }
  for (const path of [`/scanner/tickets/${ticket.publicId}/redemption`, '/scanner/redemption_attempts']) {
    const attempts = [{ client_id: 'a', event_slug: 'winter-ball', public_id: ticket.publicId }]
    expect(await venue.door.post(path, { attempts }, { headers }), path).toRefuse(406, 'This address answers with JSON')
  }
  expect((await venue.door.get(`/scanner/tickets/${ticket.publicId}`)).body.redeemed).toBe(false)
})

test('the account is told by its number, its name and its subdomain, and no token ever is', async () => {
  const venue = await openVenue()
  const { id, subdomain } = venue.report.account
  for (const token of [venue.report.devices['Door 1']!, venue.report.api_tokens['office write']!]) {
    const reply = await venue.client(token).get('/scanner/me')
    expect(reply.body.account).toEqual({ id, name: 'Neue Halle', subdomain })
    expect(reply.text).not.toContain(token)
  }
})

test('an event without a picture, a place or an end shows nulls and five hours; one with a picture its whole address', async () => {
  const venue = await openVenue((file) => {
    file['events'].push(
      { slug: 'bare', title: 'Bare', starts_at: '+P1D' },
      { slug: 'dressed', title: 'Dressed', starts_at: '+P2D', venue: 'halle', image: 'https://cdn.example/d.jpg' },
    )
  })
  const { body } = await venue.door.get('/scanner/events')
  const [bare, dressed] = body.events
  expect(Object.keys(bare)).toEqual([
    'slug',
    'title',
    'starts_at',
    'ends_at',
    'updated_at',
    'snapshot_url',
    'image_url',
    'venue',
  ])
  expect(bare).toMatchObject({ slug: 'bare', title: 'Bare', image_url: null, venue: { name: null, city: null } })
  expect(Date.parse(bare.ends_at) - Date.parse(bare.starts_at)).toBe(5 * 3_600_000)
  expect(dressed).toMatchObject({
    image_url: 'https://cdn.example/d.jpg',
    venue: { name: 'Neue Halle', city: 'Hamburg' },
  })

  for (const event of body.events) {
    const { origin, pathname } = new URL(event.snapshot_url)
    expect(origin).toBe('http://localhost:3000')
    expect((await venue.door.get(pathname)).body.event.slug).toBe(event.slug)
  }
})

test('a picture of the house’s own is told as a thumbnail that its shop shows, and not told while the shop is closed', async () => {
  const venue = await openVenue()
  const { pool } = venue.app.database
  const accountId = venue.report.account.id
  const image = await storeImage(storageOf(venue.app).images, PNG)
  await pool.query(`update events set image = $2 where account_id = $1 and slug = 'winter-ball'`, [accountId, image])
  const told = async () => [
    (await venue.door.get('/scanner/events')).body.events[0].image_url,
    (await venue.door.get('/scanner/events/winter-ball/snapshot')).body.event.image_url,
    (await venue.door.get('/scanner/events/winter-ball/tickets')).body.event.image_url,
    (await venue.door.get('/scanner/search?q=x&event_slug=winter-ball')).body.event.image_url,
  ]
  const [url, ...others] = await told()
  expect(others).toEqual([url, url, url])
  const { origin, host, pathname } = new URL(url)
  expect(origin).toBe(venue.report.account.shop_url)
  const picture = await venue.stranger.get(pathname, { headers: { host } })
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp'])

  await pool.query('update accounts set shop_published_at = null where id = $1', [accountId])
  expect(await told()).toEqual([null, null, null, null])
})

test('each of a group has a ticket with the label of the group, and a type that is gone leaves its label', async () => {
  const venue = await openVenue()
  const four = await addOrder(venue, 'winter-ball', {
    admissions: Array.from({ length: 4 }, () => ({ ticket: 'four' })),
  })
  const shown = await Promise.all(four.map(({ publicId }) => venue.door.get(`/scanner/tickets/${publicId}`)))
  for (const { body } of shown) expect(body).toMatchObject({ ticket_title: 'Table of four', redeemable: true })
  expect(shown[0]!.body.ticket_color).toMatch(/^#[0-9a-f]{6}$/)
  expect((await venue.door.post(`/scanner/tickets/${four[0]!.code}/redemption`)).status).toBe(200)
  expect((await venue.door.get(`/scanner/tickets/${four[1]!.code}`)).body.redeemed).toBe(false)

  const { pool } = venue.app.database
  await pool.query('update admissions set ticket_id = null where account_id = $1', [venue.report.account.id])
  expect((await venue.door.get(`/scanner/tickets/${four[1]!.code}`)).body).toMatchObject({
    ticket_title: 'Table of four',
    ticket_color: null,
  })
})

test('of what is over the newest fifty are shown, and of what a word finds the first fifty', async () => {
  const venue = await openVenue()
  const { pool } = venue.app.database
  await pool.query(
    `insert into events (account_id, slug, title, starts_at, published_at)
     select $1, 'past-' || n, 'Past', foyer_now() - interval '200 days' - n * interval '1 day', foyer_now()
     from generate_series(1, 60) n`,
    [venue.report.account.id],
  )
  const { body } = await venue.door.get('/scanner/events')
  const slugs = body.events.map((event: { slug: string }) => event.slug)
  expect(slugs.slice(0, 4)).toEqual(['winter-ball', 'spring-night', 'last-summer', 'past-1'])
  expect([slugs.length, slugs.at(-1)]).toEqual([2 + 50, 'past-49'])

  const many = await addOrder(venue, 'winter-ball', { admissions: Array.from({ length: 60 }, () => ({})) })
  expect((await venue.door.get('/scanner/search?q=lindqvist')).body.tickets).toHaveLength(50)
  expect((await venue.door.get('/scanner/events/winter-ball/tickets')).body.tickets).toHaveLength(many.length)
})

/** The three addresses that search, each with what they call the text. */
const SEARCHES = {
  'the tickets of an event': '/scanner/events/winter-ball/tickets?query=',
  'the tickets of all events': '/scanner/tickets?query=',
  'the search': '/scanner/search?q=',
}

const found = async (venue: Venue, path: string, text: string): Promise<string[]> => {
  const reply = await venue.door.get(path + encodeURIComponent(text))
  expect(reply.status).toBe(200)
  tellsNoSecret(reply.text.replace(`"id":${venue.report.account.id}`, ''))
  return reply.body.tickets.map((ticket: { public_id: string }) => ticket.public_id)
}

test.each(Object.entries(SEARCHES))(
  'in %s a ticket is found by code, public ID, buyer, attendee and address',
  async (name, path) => {
    const venue = await openVenue()
    const order = { ...SECRETS, customerName: 'Bruno Buyer', admissions: [{ attendeeName: 'Anna Attendee' }] }
    const ticket = await addTicket(venue, 'winter-ball', order)
    const hyphenated = `${ticket.code.slice(0, 4)}-${ticket.code.slice(4)}`
    const texts = [
      ticket.code,
      hyphenated,
      hyphenated.toLowerCase(),
      ticket.publicId,
      'bruno',
      'attendee',
      SECRETS.email,
    ]
    for (const text of texts) expect(await found(venue, path, text), text).toEqual([ticket.publicId])
    expect(await found(venue, path, 'Nobody')).toEqual([])

    const { pool } = venue.app.database
    for (const status of ['refunded', 'cancelled', 'disputed', 'unpaid']) {
      await pool.query('update orders set status = $2 where account_id = $1', [venue.report.account.id, status])
      for (const text of ['bruno', 'attendee', SECRETS.email]) expect(await found(venue, path, text), text).toEqual([])
      const exact = name === 'the search' ? [ticket.publicId] : []
      for (const text of [ticket.code, ticket.publicId]) expect(await found(venue, path, text), text).toEqual(exact)
    }
  },
)

test('nothing that is told after the pairing holds the token of a device, and nothing that is kept does', async () => {
  const venue = await openVenue()
  const made = await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Door 9' } })
  const token: string = made.body.token
  const device = venue.client(token)
  const ticket = await addTicket(venue, 'winter-ball')
  await device.post(`/scanner/tickets/${ticket.publicId}/redemption`)

  const answers = [
    ...(await Promise.all(READS(ticket).map((path) => device.get(path)))),
    await venue.office.get('/admin/scanner_devices'),
    await venue.office.get(new URL(made.headers.get('location')!).pathname),
    await venue.office.get('/admin/audit_log'),
    await venue.office.get('/admin/api_tokens'),
    await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Door 9' } }),
    await venue.office.delete(`/admin/scanner_devices/${made.body.id}`),
    await device.get('/scanner/me'),
  ]
  expect(answers.filter(({ status }) => status >= 400).map(({ status }) => status)).toEqual([422, 401])
  for (const { text } of answers) {
    expect(text).not.toContain(token)
    expect(text).not.toContain('"token"')
  }
  expect(venue.logged.join('')).not.toContain(token)

  const { pool } = venue.app.database
  for (const table of ['credentials', 'credential_digests', 'audit_entries', 'redemption_attempts']) {
    const { rows } = await pool.query<{ text: string }>(`select x::text as text from ${table} x`)
    expect(rows.length, table).toBeGreaterThan(0)
    for (const { text } of rows) expect(text.includes(token), table).toBe(false)
  }
})
