import { expect, test } from 'vitest'
import type { AskOptions, Reply } from '../../test/kit/venue/client.ts'
import { type AddedAdmission, addTicket } from '../../test/kit/venue/orders.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'

const SYNC = '/scanner/redemption_attempts'

const attemptOn = ({ publicId }: AddedAdmission, more: object = {}) => ({
  client_id: 'scan-1',
  event_slug: 'winter-ball',
  public_id: publicId,
  ...more,
})

/** Everything the door writes, of every account in the house. */
const writtenIn = async (venue: Venue) => {
  const { rows } = await venue.app.database.pool.query<{ written: unknown }>(
    `select json_build_array(
       (select json_agg(r order by id) from redemption_attempts r),
       (select json_agg(json_build_array(id, redeemed_at, updated_at) order by id) from admissions)) as written`,
  )
  return rows[0]!.written
}

const requireDoorsRefusal = (reply: Reply, status: number, what: string, keys = ['error']) => {
  expect(reply.status, `${what}: ${reply.text}`).toBe(status)
  expect(Object.keys(reply.body), what).toEqual(keys)
  expect(reply.body.error, what).toEqual(expect.stringMatching(/\w/))
  expect(reply.headers.get('content-type'), what).toBe('application/json; charset=utf-8')
}

type Body = (ticket: AddedAdmission) => AskOptions
const json =
  (make: (good: object) => unknown): Body =>
  (ticket) => ({ body: make(attemptOn(ticket)) })
const bytes =
  (raw: string | Buffer, headers: Record<string, string> = {}): Body =>
  () => ({ raw, headers })

const BATCHES: Record<string, [Body, status: number]> = {
  'no body at all': [() => ({}), 422],
  'an empty body': [bytes(''), 422],
  'a list instead of an object': [json((good) => [good]), 422],
  'a text': [json(() => 'attempts'), 422],
  'a number': [json(() => 7), 422],
  'attempts that are null': [json(() => ({ attempts: null })), 422],
  'attempts that are one attempt': [json((good) => ({ attempts: good })), 422],
  'attempts by number': [json((good) => ({ attempts: { 0: good, length: 1 } })), 422],
  'a list within a list': [json((good) => ({ attempts: [good, [good]] })), 422],
  'an attempt that is null': [json((good) => ({ attempts: [good, null] })), 422],
  '10,001 attempts': [
    json((good) => ({ attempts: Array.from({ length: 10_001 }, (_, n) => ({ ...good, client_id: `c${n}` })) })),
    422,
  ],
  'an attempt without client_id': [json((good) => ({ attempts: [good, { ...good, client_id: undefined }] })), 422],
  'a client_id that is null': [json((good) => ({ attempts: [good, { ...good, client_id: null }] })), 422],
  'a client_id that is true': [json((good) => ({ attempts: [good, { ...good, client_id: true }] })), 422],
  'a client_id that is an object': [json((good) => ({ attempts: [good, { ...good, client_id: {} }] })), 422],
  'a client_id of 256 characters': [
    json((good) => ({ attempts: [good, { ...good, client_id: 'é'.repeat(256) }] })),
    422,
  ],
  'a client_id of 10,000 characters': [
    json((good) => ({ attempts: [good, { ...good, client_id: 'x'.repeat(10_000) }] })),
    422,
  ],
  'a client_id with a zero byte': [json((good) => ({ attempts: [good, { ...good, client_id: 'a\0' }] })), 422],
  'a client_id of half a letter': [json((good) => ({ attempts: [good, { ...good, client_id: '\ud83d' }] })), 422],
  'JSON that breaks off': [bytes('{"attempts": ['), 400],
  'JSON that goes on': [bytes('{"attempts": []} {}'), 400],
  'JSON of a thousand levels': [bytes(`{"attempts": ${'['.repeat(1000)}${']'.repeat(1000)}}`), 400],
  'letters that are no UTF-8': [bytes(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])), 400],
  'another type of content': [bytes('attempts', { 'content-type': 'text/csv' }), 415],
  'more than four megabytes': [bytes(Buffer.alloc(4 * 1024 * 1024 + 1, ' ')), 413],
}

test.each(Object.keys(BATCHES))(
  'a batch of %s is refused in the door’s words, and nothing of it is done',
  async (name) => {
    const venue = await openVenue()
    const ticket = await addTicket(venue, 'winter-ball')
    const before = await writtenIn(venue)
    const [make, status] = BATCHES[name]!
    requireDoorsRefusal(await venue.door.ask('POST', SYNC, make(ticket)), status, name)
    expect(await writtenIn(venue)).toEqual(before)
  },
)

test('whoever may not redeem does nothing: a read token, a lost device, another venue’s device, nobody', async () => {
  const venue = await openVenue()
  const other = await openVenue()
  const ticket = await addTicket(venue, 'winter-ball')
  const online = [`/scanner/tickets/${ticket.publicId}/redemption`, `/scanner/tickets/${ticket.code}/redemption`]
  const scoped = `/scanner/events/winter-ball/tickets/${ticket.publicId}/redemption`
  const before = await writtenIn(venue)

  const unable = [
    venue.reader,
    venue.client(venue.report.api_tokens['cem read']),
    venue.client(venue.report.api_tokens['pia write']),
    venue.client('foyer_door_garbage'),
    venue.stranger,
  ]
  const lost = venue.client(venue.report.devices['Lost phone'])
  for (const client of [...unable, lost]) {
    const keys = client === lost ? ['error', 'revoked'] : ['error']
    for (const path of [...online, scoped]) requireDoorsRefusal(await client.post(path), 401, path, keys)
    for (const attempts of [[attemptOn(ticket)], 'no list', [{}]]) {
      requireDoorsRefusal(await client.post(SYNC, { attempts }), 401, SYNC, keys)
    }
    requireDoorsRefusal(await client.ask('POST', SYNC, { raw: '{' }), 401, SYNC, keys)
  }
  // A token counts in its header and nowhere else.
  const token = venue.report.devices['Door 1']!
  for (const name of ['token', 'access_token', 'api_token', 'authorization']) {
    const path = `${online[0]}?${name}=${token}`
    requireDoorsRefusal(await venue.stranger.post(path, { [name]: token }), 401, path)
    const headers = { cookie: `${name}=${token}`, 'x-api-key': token }
    requireDoorsRefusal(await venue.stranger.post(online[0]!, undefined, { headers }), 401, name)
  }
  expect(await writtenIn(venue)).toEqual(before)

  for (const path of [...online, scoped]) requireDoorsRefusal(await other.door.post(path), 404, path)
  const reply = await other.door.post(SYNC, { attempts: [attemptOn(ticket)] })
  expect(reply.body.redemption_attempts).toMatchObject([{ result: 'not_found', ticket: null, accepted_at: null }])
  for (const path of [
    `/scanner/tickets/${ticket.publicId}`,
    `/scanner/tickets/${ticket.code}`,
    `/scanner/tickets/${ticket.code.toLowerCase()}`,
  ]) {
    requireDoorsRefusal(await other.door.get(path), 404, path)
  }
  expect((await other.door.get('/scanner/events/winter-ball/snapshot')).body.tickets).toEqual([])
  expect((await other.door.get('/scanner/search?q=lindqvist')).body.tickets).toEqual([])
  expect((await venue.door.get(`/scanner/tickets/${ticket.publicId}`)).body).toMatchObject({ redeemed: false })
})

const IDENTIFIERS = {
  'with a slash': 'a%2Fb',
  'with a backslash': 'a%5Cb',
  'that climbs': '..%2F..%2Fadmin%2Fevents',
  'of a zero byte': '%00',
  'with a zero byte': 'ABCD%00EFGH',
  'of SQL': "'%20or%20'1'='1",
  'that drops a table': "x'%3B%20drop%20table%20admissions%3B%20--",
  'of a percent sign': '%25',
  'of a line break': '%0A',
  'of half a letter': '%F0%9F',
  'of a picture': '%F0%9F%92%83',
  'of 256 letters': 'x'.repeat(256),
  'of 10,000 letters': 'x'.repeat(10_000),
}

test.each(Object.entries(IDENTIFIERS))('an identifier %s names no ticket and no event', async (name, identifier) => {
  const venue = await openVenue()
  await addTicket(venue, 'winter-ball')
  const before = await venue.door.get('/scanner/events/winter-ball/snapshot')
  const status = name === 'of half a letter' ? 400 : 404
  for (const [method, path] of [
    ['GET', `/scanner/tickets/${identifier}`],
    ['GET', `/scanner/events/${identifier}/snapshot`],
    ['GET', `/scanner/events/${identifier}/tickets`],
    ['GET', `/scanner/events/${identifier}/attempts`],
    ['POST', `/scanner/tickets/${identifier}/redemption`],
    ['POST', `/scanner/events/winter-ball/tickets/${identifier}/redemption`],
    ['POST', `/scanner/events/${identifier}/tickets/ABCDEFGH/redemption`],
  ] as const) {
    requireDoorsRefusal(await venue.door.ask(method, path), status, `${method} ${path.slice(0, 100)}`)
  }
  const isBlank = name === 'of a line break'
  for (const path of ['/scanner/tickets?query=', '/scanner/search?q=']) {
    const reply = await venue.door.get(`${path}nobody&event_slug=${identifier}`)
    if (isBlank) expect(reply.body).toEqual({ event: null, tickets: [] })
    else requireDoorsRefusal(reply, 404, path)
    expect((await venue.door.get(path + identifier)).body, path).toEqual({ event: null, tickets: [] })
  }
  const after = await venue.door.get('/scanner/events/winter-ball/snapshot')
  expect(after.body.tickets).toEqual(before.body.tickets)
})

test('a query that is twice there, or no page or time, is a plain answer', async () => {
  const venue = await openVenue()
  await addTicket(venue, 'winter-ball')
  for (const path of [
    '/scanner/search?q=a&q=b',
    '/scanner/search?q[]=a&q[x]=b',
    '/scanner/tickets?query=a&query=b&event_slug=winter-ball',
    '/scanner/events/winter-ball/attempts?page=0',
    '/scanner/events/winter-ball/attempts?page=-1',
    '/scanner/events/winter-ball/attempts?page=99999999999999999999',
    '/scanner/events/winter-ball/attempts?page=x',
    '/scanner/events/winter-ball/snapshot?since=9999-12-31T23:59:59Z',
    '/scanner/events/winter-ball/snapshot?since=0001-01-01T00:00:00Z',
    '/scanner/events/winter-ball/snapshot?since=%00',
    '/scanner/events/winter-ball/snapshot?since=a&since=b',
  ]) {
    const reply = await venue.door.get(path)
    expect([200, 422], path).toContain(reply.status)
    if (reply.status === 422) requireDoorsRefusal(reply, 422, path)
  }
})

test('times at the ends of the calendar are taken or replaced, and refuse nobody', async () => {
  const venue = await openVenue()
  const ticket = await addTicket(venue, 'winter-ball')
  const times = {
    '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
    '0001-01-01T00:00:00Z': '0001-01-01T00:00:00.000Z',
    '9999-12-31T23:59:59-14:00': null,
    '0001-01-01T00:00:00+14:00': null,
    '10000-01-01T00:00:00Z': null,
    '-000001-01-01T00:00:00Z': null,
    '2026-06-30T23:59:60Z': null,
    Infinity: null,
  }
  const attempts = Object.keys(times).map((scanned_at, n) => attemptOn(ticket, { client_id: `t${n}`, scanned_at }))
  const { status, body } = await venue.door.post(SYNC, { attempts })
  expect(status).toBe(200)
  const told = body.redemption_attempts.map((each: { scanned_at: string; synced_at: string }) =>
    each.scanned_at === each.synced_at ? null : each.scanned_at,
  )
  expect(told).toEqual(Object.values(times))
  expect((await venue.door.get('/scanner/events/winter-ball/attempts')).status).toBe(200)
})

test('a key that is no key is malformed, and redeems nothing; a body that nobody asked for changes nothing', async () => {
  const venue = await openVenue()
  const ticket = await addTicket(venue, 'winter-ball')
  const path = `/scanner/tickets/${ticket.publicId}/redemption`
  const before = await writtenIn(venue)
  for (const key of ['k'.repeat(256), 'k'.repeat(10_000)]) {
    const reply = await venue.door.post(path, undefined, { headers: { 'idempotency-key': key } })
    requireDoorsRefusal(reply, 400, 'a long key')
  }
  expect(await writtenIn(venue)).toEqual(before)

  const another = await addTicket(venue, 'winter-ball', { customerName: 'Another' })
  const reply = await venue.door.post(path, { public_id: another.publicId, redeemed: false, scanned_at: '1999-01-01' })
  expect(reply).toMatchObject({ status: 200, body: { public_id: ticket.publicId, redeemed: true } })
  expect((await venue.door.get(`/scanner/tickets/${another.publicId}`)).body.redeemed).toBe(false)
})
