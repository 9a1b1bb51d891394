import { expect, test } from 'vitest'
import { addOrder, addTicket } from '../../../test/kit/venue/orders.ts'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'
import type { Client } from '../../../test/kit/venue/client.ts'

const PATH = '/scanner/redemption_attempts'

const attempt = (clientId: string, publicId: string, more: object = {}) => ({
  client_id: clientId,
  event_slug: 'winter-ball',
  public_id: publicId,
  ...more,
})

const sync = async (client: Client, attempts: unknown[]) => {
  const reply = await client.post(PATH, { attempts })
  expect(reply.status).toBe(200)
  return reply.body.redemption_attempts
}

const resultsOf = (attempts: { result: string }[]) => attempts.map(({ result }) => result)

const isRedeemed = async (venue: Venue, publicId: string) =>
  (await venue.door.get(`/scanner/tickets/${publicId}`)).body.redeemed

test('a night’s scans come in: one result each, in their order, by one of four results', async () => {
  const venue = await openVenue()
  const other = await openVenue()
  const [fresh, used] = await addOrder(venue, 'winter-ball', { origin: 'guest_list', admissions: [{}, {}] })
  const blocked = await addTicket(venue, 'winter-ball', { status: 'refunded', email: 'hidden.address@secret.example' })
  const spring = await addTicket(venue, 'spring-night')
  const foreign = await addTicket(other, 'winter-ball')
  await venue.office.post(`/scanner/tickets/${used!.publicId}/redemption`)
  const winner = (await venue.door.get(`/scanner/tickets/${used!.publicId}`)).body.redeemed_at

  const scanned = { scanned_at: '2026-12-15T20:00:00+02:00' }
  const reply = await venue.door.post(PATH, {
    attempts: [
      attempt('1', fresh!.publicId, scanned),
      attempt('2', fresh!.publicId),
      attempt('3', used!.publicId),
      attempt('4', blocked.publicId),
      attempt('5', 'nothing'),
      attempt('6', foreign.publicId),
      attempt('7', spring.publicId),
      attempt('8', spring.publicId, { event_slug: 'nowhere' }),
      attempt('9', spring.code, { event_slug: 'spring-night' }),
      attempt('10', spring.publicId, { event_slug: 'spring-night' }),
    ],
  })
  const results = reply.body.redemption_attempts
  expect(resultsOf(results)).toEqual([
    'accepted',
    'conflict',
    'conflict',
    'blocked',
    'not_found',
    'not_found',
    'not_found',
    'not_found',
    'not_found',
    'accepted',
  ])
  expect(Object.keys(results[0])).toEqual([
    'client_id',
    'event_slug',
    'public_id',
    'result',
    'message',
    'scanned_at',
    'synced_at',
    'accepted_at',
    'ticket',
  ])
  expect(results[0]).toMatchObject({
    client_id: '1',
    event_slug: 'winter-ball',
    public_id: fresh!.publicId,
    message: 'Ticket redeemed',
    scanned_at: '2026-12-15T18:00:00.000Z',
    ticket: { redeemed: true, guest_list: true, attendee_name: 'Zoë Lindqvist' },
  })
  expect(results[0].accepted_at).toBe(results[0].ticket.redeemed_at)
  expect(results[1]).toMatchObject({ message: 'Already redeemed', accepted_at: null, ticket: { redeemed: true } })
  expect(results[2].ticket.redeemed_at).toBe(winner)
  expect(results[3]).toMatchObject({
    message: 'Order refunded',
    ticket: { redeemed: false, blocked_reason: 'Order refunded' },
  })
  expect(results[4]).toMatchObject({
    message: 'Ticket not found',
    ticket: null,
    public_id: 'nothing',
    accepted_at: null,
  })
  expect(reply.text).not.toContain('secret')
  expect(await isRedeemed(other, foreign.publicId)).toBe(false)
})

test('a batch sent again gets the same bytes and changes nothing', async () => {
  const venue = await openVenue()
  const [first, second] = await addOrder(venue, 'winter-ball', { admissions: [{}, {}] })
  const attempts = [
    attempt('a', first!.publicId),
    attempt('b', first!.publicId, { scanned_at: 'garbage' }),
    attempt('c', 'nothing'),
    attempt('d', second!.publicId),
  ]
  const once = await venue.door.post(PATH, { attempts })
  await venue.moveClock('1 hour')
  const twice = await venue.door.post(PATH, { attempts })
  expect(twice.text).toBe(once.text)
  expect(resultsOf(await sync(venue.door, attempts.toReversed()))).toEqual([
    'accepted',
    'not_found',
    'conflict',
    'accepted',
  ])

  // The same client_id with another ticket is still the first attempt, and another device's is another attempt.
  const [mixedUp] = await sync(venue.door, [attempt('a', second!.publicId)])
  expect(mixedUp).toMatchObject({
    result: 'accepted',
    public_id: first!.publicId,
    ticket: { public_id: first!.publicId },
  })
  const second_door = venue.client(venue.report.devices['Door 2'])
  expect(resultsOf(await sync(second_door, attempts))).toEqual(['conflict', 'conflict', 'not_found', 'conflict'])
})

test('what was said once stays said, while the ticket is shown as it is now', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball', { status: 'unpaid' })
  const [before] = await sync(venue.door, [attempt('a', publicId)])
  expect(before).toMatchObject({ result: 'blocked', message: 'Order unpaid' })

  await venue.app.database.pool.query(`update orders set status = 'paid' where account_id = $1`, [
    venue.report.account.id,
  ])
  const [after] = await sync(venue.door, [attempt('a', publicId)])
  expect(after).toMatchObject({ result: 'blocked', message: 'Order unpaid', ticket: { redeemable: true } })
  expect(resultsOf(await sync(venue.door, [attempt('b', publicId)]))).toEqual(['accepted'])
})

test('the same client_id twice in a batch is one attempt', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const [one, two] = await sync(venue.door, [attempt('a', publicId), attempt('a', publicId)])
  expect(two).toEqual(one)
  expect(one.result).toBe('accepted')
})

test('a time that cannot be read becomes the server’s own', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const times = [
    undefined,
    null,
    'garbage',
    42,
    {},
    '2026-13-45T99:00:00Z',
    '+275760-09-13T00:00:00Z',
    '',
    '2026-12-15',
  ]
  const results = await sync(
    venue.door,
    times.map((scanned_at, n) => attempt(`t${n}`, publicId, { scanned_at })),
  )
  for (const result of results) expect(result.scanned_at).toBe(result.synced_at)
  const [far] = await sync(venue.door, [attempt('far', publicId, { scanned_at: '9999-12-31T23:59:59Z' })])
  expect(far.scanned_at).toBe('9999-12-31T23:59:59.000Z')
})

test('a batch with a structural fault is refused whole', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const good = attempt('good', publicId)
  const faults: [unknown, string][] = [
    [{}, 'attempts must be a list'],
    [[good], 'attempts must be a list'],
    [null, 'attempts must be a list'],
    [{ attempts: 'no list' }, 'attempts must be a list'],
    [{ attempts: { 0: good } }, 'attempts must be a list'],
    [{ attempts: [good, 'no object'] }, 'attempts must be a list of objects'],
    [{ attempts: [good, { ...good, client_id: undefined }] }, "client_id can't be blank"],
    [{ attempts: [good, { ...good, client_id: ' ' }] }, "client_id can't be blank"],
    [{ attempts: [good, { ...good, client_id: ['x'] }] }, 'client_id is invalid'],
    [{ attempts: [good, { ...good, client_id: 'a\0b' }] }, 'client_id is invalid'],
    [
      { attempts: [good, { ...good, client_id: 'x'.repeat(10_000) }] },
      'client_id is too long (maximum is 255 characters)',
    ],
    [{ attempts: Array.from({ length: 10_001 }, () => good) }, 'attempts is too long (maximum is 10000 attempts)'],
  ]
  for (const [body, message] of faults) expect(await venue.door.post(PATH, body)).toRefuse(422, message)
  expect(await venue.door.ask('POST', PATH, { raw: '{"attempts": [' })).toRefuse(400)
  expect(await venue.door.ask('POST', PATH, { raw: Buffer.alloc(4 * 1024 * 1024 + 1, ' ') })).toRefuse(413)
  for (const client of [venue.reader, venue.stranger, venue.client(venue.report.devices['Lost phone'])]) {
    expect((await client.post(PATH, { attempts: [good] })).status).toBe(401)
  }
  expect(await isRedeemed(venue, publicId)).toBe(false)

  expect(await sync(venue.door, [])).toEqual([])
})

test('an attempt that names nothing is not found, whatever it is made of', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const odd = [
    { client_id: '1' },
    { client_id: '2', event_slug: 'winter-ball' },
    { client_id: '3', public_id: publicId },
    { client_id: '4', event_slug: null, public_id: publicId },
    { client_id: '5', event_slug: ['winter-ball'], public_id: { $ne: 1 } },
    { client_id: '6', event_slug: 'winter-ball', public_id: 'a\0b' },
    { client_id: '7', event_slug: 'winter-ball', public_id: "'); drop table admissions; --" },
    { client_id: '8', event_slug: 'winter-ball/..', public_id: `../${publicId}` },
    { client_id: 9, event_slug: 'x'.repeat(100_000), public_id: 12 },
    { client_id: '10', event_slug: 'winter-ball', public_id: '\ud800', result: 'accepted', account_id: 1 },
  ]
  expect(new Set(resultsOf(await sync(venue.door, odd)))).toEqual(new Set(['not_found']))
  expect(await isRedeemed(venue, publicId)).toBe(false)
})

test('ten thousand attempts fit into one batch', async () => {
  const venue = await openVenue()
  const tickets = await addOrder(venue, 'winter-ball', { admissions: Array.from({ length: 20 }, () => ({})) })
  const attempts = Array.from({ length: 10_000 }, (_, n) =>
    attempt(`client-${n}-${'x'.repeat(200)}`, tickets[n % 20]!.publicId, { scanned_at: '2026-12-15T18:03:40.123Z' }),
  )
  const results = await sync(venue.door, attempts)
  expect(resultsOf(results).filter((result) => result === 'accepted')).toHaveLength(20)
  expect(resultsOf(results).slice(0, 21)).toEqual([...Array.from({ length: 20 }, () => 'accepted'), 'conflict'])
  expect(results[9_999].client_id).toBe(attempts[9_999]!.client_id)
})

test('what a device refused is written down and lets nobody in, whatever the ticket is now', async () => {
  const venue = await openVenue()
  const paid = await addTicket(venue, 'winter-ball')
  const used = await addTicket(venue, 'winter-ball')
  const refused = { refused: 'Order unpaid' }
  const results = await sync(venue.door, [
    attempt('1', paid.publicId, refused),
    attempt('2', used.publicId),
    attempt('3', used.publicId, { refused: 'Already redeemed' }),
    attempt('4', 'nothing', { refused: '' }),
  ])
  expect(resultsOf(results)).toEqual(['blocked', 'accepted', 'blocked', 'not_found'])
  expect(results[0].message).toBe('Order unpaid')
  expect(await isRedeemed(venue, paid.publicId)).toBe(false)
  // No supervisor has to look at what was refused: nobody came in twice.
  expect((await venue.office.get('/admin/events/winter-ball/night')).body.conflicts).toEqual([])

  expect(resultsOf(await sync(venue.door, [attempt('1', paid.publicId)]))).toEqual(['blocked'])
  expect(resultsOf(await sync(venue.door, [attempt('5', paid.publicId)]))).toEqual(['accepted'])
  expect(resultsOf(await sync(venue.door, [attempt('5', paid.publicId, refused)]))).toEqual(['accepted'])
})

test('the log tells who let a ticket in', async () => {
  const venue = await openVenue()
  const ticket = await addTicket(venue, 'winter-ball')
  await sync(venue.door, [attempt('1', ticket.publicId), attempt('2', ticket.publicId)])
  const log = async (publicId: string) =>
    (await venue.door.get(`/scanner/events/winter-ball/attempts?public_id=${publicId}`)).body.attempts
  expect(await log(ticket.publicId)).toMatchObject([{ client_id: '1', scanner: { name: 'Door 1' } }])
  expect(await log('nothing')).toEqual([])
})
