import { expect, test } from 'vitest'
import { SECRETS, tellsNoSecret } from '../../test/kit/venue/door-secrets.ts'
import { addOrder, addTicket } from '../../test/kit/venue/orders.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const TICKET_KEYS = [
  'public_id',
  'check_in_code',
  'display_check_in_code',
  'event_slug',
  'event_title',
  'ticket_title',
  'ticket_color',
  'buyer_name',
  'attendee_name',
  'guest_list',
  'place_label',
  'redeemed',
  'redeemable',
  'blocked_reason',
  'redeemed_at',
  'updated_at',
]

test('a bought ticket shows what the door needs and nothing else', async () => {
  const venue = await openVenue()
  const { publicId, code } = await addTicket(venue, 'winter-ball', {
    ...SECRETS,
    staffNote: 'never shown for a buyer',
    admissions: [{ attendeeName: 'Łukasz Nowak', answers: { 2: 'a whispered answer' } }],
  })

  const reply = await venue.door.get(`/scanner/tickets/${publicId}`)
  expect(reply.status).toBe(200)
  expect(Object.keys(reply.body)).toEqual(TICKET_KEYS)
  expect(reply.body).toMatchObject({
    public_id: publicId,
    check_in_code: code,
    display_check_in_code: `${code.slice(0, 4)}-${code.slice(4)}`,
    event_slug: 'winter-ball',
    event_title: 'Winter Ball',
    ticket_title: 'General admission',
    ticket_color: '#2f6fed',
    buyer_name: 'Zoë Lindqvist',
    attendee_name: 'Łukasz Nowak',
    guest_list: false,
    place_label: null,
    redeemed: false,
    redeemable: true,
    blocked_reason: null,
    redeemed_at: null,
  })
  tellsNoSecret(reply.text)
  expect(reply.text).not.toContain('never shown')
})

test('a guest party shows its lead, named companions and the guests of the lead', async () => {
  const venue = await openVenue()
  const [lead, named, unnamed] = await addOrder(venue, 'winter-ball', {
    ...SECRETS,
    origin: 'guest_list',
    staffNote: 'Press table',
    admissions: [{}, { attendeeName: '王小明' }, {}],
  })
  const show = async (id: string) => (await venue.door.get(`/scanner/tickets/${id}`)).body

  expect(await show(lead!.publicId)).toMatchObject({
    attendee_name: 'Zoë Lindqvist',
    guest_list: true,
    staff_note: 'Press table',
  })
  expect(await show(named!.publicId)).toMatchObject({ attendee_name: '王小明', buyer_name: 'Zoë Lindqvist' })
  expect(await show(unnamed!.publicId)).toMatchObject({ attendee_name: 'Guest of Zoë Lindqvist' })

  const { pool } = venue.app.database
  await pool.query('update orders set staff_note = null where account_id = $1', [venue.report.account.id])
  expect(await show(lead!.publicId)).not.toHaveProperty('staff_note')
})

test('a ticket on a place shows it, a ticket without one has no such key', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball', {
    admissions: [
      {
        ticket: 'seat',
        placeLabel: 'Row A Seat 1',
        placeSnapshot: { key: 'A-1', label: 'Row A Seat 1', section: 'Balcony', row: 'A', seat: '1', price: '45.00' },
      },
    ],
  })
  const reply = await venue.door.get(`/scanner/tickets/${publicId}`)
  expect(reply.body.place_label).toBe('Row A Seat 1')
  expect(reply.body.place_snapshot).toEqual({
    key: 'A-1',
    label: 'Row A Seat 1',
    section: 'Balcony',
    row: 'A',
    seat: '1',
    area: null,
    accessibility: null,
  })
})

test('a code may be typed in any case, with or without its hyphen; a public ID is exact', async () => {
  const venue = await openVenue()
  const { publicId, code } = await addTicket(venue, 'winter-ball')
  const hyphenated = `${code.slice(0, 4)}-${code.slice(4)}`

  for (const typed of [
    code,
    hyphenated,
    code.toLowerCase(),
    hyphenated.toLowerCase(),
    `${code.slice(0, 4)}%20${code.slice(4)}`,
  ]) {
    expect((await venue.door.get(`/scanner/tickets/${typed}`)).body.public_id).toBe(publicId)
  }
  expect(await venue.door.get(`/scanner/tickets/${publicId.toLowerCase()}x`)).toRefuse(404, 'Not found')
  for (const nonsense of ['%00', 'a%2Fb', "'; drop table admissions; --", 'x'.repeat(400)]) {
    expect(await venue.door.get(`/scanner/tickets/${nonsense}`)).toRefuse(404, 'Not found')
  }
})

test('a ticket of another account is not found, in the same words as one that does not exist', async () => {
  const venue = await openVenue()
  const other = await openVenue()
  const foreign = await addTicket(other, 'winter-ball')
  const missing = await venue.door.get('/scanner/tickets/ABCDEFGH')

  for (const id of [foreign.publicId, foreign.code]) {
    const reply = await venue.door.get(`/scanner/tickets/${id}`)
    expect([reply.status, reply.text]).toEqual([missing.status, missing.text])
  }
  expect((await venue.door.get(`/scanner/search?q=${foreign.code}`)).body.tickets).toEqual([])
  expect(await other.door.post(`/scanner/events/winter-ball/tickets/${foreign.publicId}/redemption`)).toMatchObject({
    status: 200,
  })
})

test('events come nearest first, running ones ahead of future ones, past ones last; drafts only with tickets', async () => {
  const venue = await openVenue((file) => {
    const ga = { tickets: [{ key: 'ga', title: 'General admission' }] }
    file['events'].push(
      { slug: 'tonight', title: 'Tonight', starts_at: '-PT1H', ...ga },
      { slug: 'long-ago', title: 'Long ago', starts_at: '-P300D', ...ga },
      { slug: 'called-off', title: 'Called off', starts_at: '+P2D', cancelled: true, ...ga },
      { slug: 'put-away', title: 'Put away', starts_at: '+P3D', archived: true, ...ga },
    )
  })
  const slugs = async () =>
    (await venue.door.get('/scanner/events')).body.events.map((event: { slug: string }) => event.slug)

  expect(await slugs()).toEqual(['tonight', 'winter-ball', 'spring-night', 'last-summer', 'long-ago'])
  await addTicket(venue, 'draft-show')
  expect(await slugs()).toEqual(['tonight', 'winter-ball', 'draft-show', 'spring-night', 'last-summer', 'long-ago'])

  const [, ball] = (await venue.door.get('/scanner/events.json')).body.events
  expect(ball).toMatchObject({
    title: 'Winter Ball',
    snapshot_url: 'http://localhost:3000/scanner/events/winter-ball/snapshot',
    image_url: null,
    venue: { name: 'Neue Halle', city: 'Hamburg' },
  })
  expect(Date.parse(ball.ends_at) - Date.parse(ball.starts_at)).toBe(5 * 60 * 60 * 1000)
})

test('no read changes anything', async () => {
  const venue = await openVenue()
  const { publicId, code } = await addTicket(venue, 'winter-ball')
  const before = await venue.door.get(`/scanner/tickets/${publicId}`)
  for (const path of [
    '/scanner/me',
    '/scanner/events',
    '/scanner/events/winter-ball/snapshot',
    '/scanner/events/winter-ball/tickets',
    `/scanner/search?q=${code}`,
    '/scanner/events/winter-ball/attempts',
    '/scanner/events/winter-ball/stats',
  ]) {
    expect((await venue.reader.get(path)).status).toBe(200)
  }
  expect((await venue.door.get(`/scanner/tickets/${publicId}`)).text).toBe(before.text)
})

test('a personal co-organizer token sees assigned events only, on every path', async () => {
  const venue = await openVenue()
  const mine = await addTicket(venue, 'winter-ball')
  const other = await addTicket(venue, 'spring-night')
  const { partner } = venue

  expect((await partner.get('/scanner/events')).body.events.map((event: { slug: string }) => event.slug)).toEqual([
    'winter-ball',
  ])
  expect((await partner.get(`/scanner/tickets/${mine.publicId}`)).status).toBe(200)
  expect((await partner.get('/scanner/search?q=Lindqvist')).body.tickets).toHaveLength(1)
  for (const path of [
    `/scanner/tickets/${other.publicId}`,
    `/scanner/tickets/${other.code}`,
    '/scanner/events/spring-night/snapshot',
    '/scanner/events/spring-night/tickets',
    '/scanner/events/spring-night/attempts',
    '/scanner/events/spring-night/stats',
    '/scanner/search?q=Zo&event_slug=spring-night',
    '/scanner/tickets?event_slug=spring-night',
  ]) {
    expect(await partner.get(path)).toRefuse(404, 'Not found')
  }
  expect((await partner.get(`/scanner/search?q=${other.code}`)).body.tickets).toEqual([])
  expect((await partner.get('/scanner/tickets?query=Lindqvist')).body.tickets).toHaveLength(1)

  expect(await partner.post(`/scanner/tickets/${other.publicId}/redemption`)).toRefuse(404, 'Not found')
  expect(await partner.post(`/scanner/events/spring-night/tickets/${other.publicId}/redemption`)).toRefuse(
    404,
    'Not found',
  )
  const attempt = { client_id: 'c1', event_slug: 'spring-night', public_id: other.publicId }
  const sync = await partner.post('/scanner/redemption_attempts', { attempts: [attempt] })
  expect(sync.body.redemption_attempts[0]).toMatchObject({ result: 'not_found', ticket: null })
  expect((await partner.post(`/scanner/tickets/${mine.publicId}/redemption`)).status).toBe(200)
  expect((await venue.door.get(`/scanner/tickets/${other.publicId}`)).body.redeemed).toBe(false)

  const sami = venue.client(venue.report.api_tokens['sami write'])
  expect((await sami.get(`/scanner/tickets/${other.publicId}`)).status).toBe(200)
})

test('who is scanning is told without the token', async () => {
  const venue = await openVenue()
  expect((await venue.door.get('/scanner/me')).body.authentication).toEqual({ type: 'scanner_device', name: 'Door 1' })
  expect((await venue.reader.get('/scanner/me')).body.authentication).toEqual({
    type: 'api_token',
    description: 'office read',
    permission: 'read',
  })
  expect((await venue.partner.get('/scanner/me')).body.authentication).toMatchObject({
    type: 'api_token',
    permission: 'write',
  })
  expect((await venue.door.get('/scanner/me')).text).not.toContain(venue.report.devices['Door 1'])
})
