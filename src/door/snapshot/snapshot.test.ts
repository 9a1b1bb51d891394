import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { SECRETS, tellsNoSecret } from '../../../test/kit/venue/door-secrets.ts'
import { addOrder, addTicket } from '../../../test/kit/venue/orders.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

test('a snapshot explains blocked tickets too', async () => {
  const venue = await openVenue()
  const states = {
    'Order archived': { archived: true },
    'Order refunded': { status: 'refunded' },
    'Order cancelled': { status: 'cancelled' },
    'Order disputed': { status: 'disputed' },
    'Order unpaid': { status: 'unpaid' },
    'Ticket cancelled': { admissions: [{ status: 'cancelled' }] },
    'Ticket refunded': { admissions: [{ status: 'refunded' }] },
    'Already redeemed': { admissions: [{ redeemedAt: new Date() }] },
  }
  for (const order of Object.values(states)) await addTicket(venue, 'winter-ball', { ...SECRETS, ...order })
  await addTicket(venue, 'winter-ball', { origin: 'guest_list', status: 'booking_cancelled' })
  await addTicket(venue, 'winter-ball')
  await addTicket(venue, 'spring-night')

  const reply = await venue.door.get('/scanner/events/winter-ball/snapshot')
  expect(Object.keys(reply.body)).toEqual(['generated_at', 'event', 'tickets'])
  expect(reply.body.event.slug).toBe('winter-ball')
  expect(Math.abs(Date.parse(reply.body.generated_at) - Date.now())).toBeLessThan(5000)
  expect(reply.body.tickets.map((ticket: { blocked_reason: string | null }) => ticket.blocked_reason)).toEqual([
    ...Object.keys(states),
    'Order cancelled',
    null,
  ])
  for (const ticket of reply.body.tickets) {
    expect(ticket.redeemable).toBe(ticket.blocked_reason === null)
    expect(ticket.redeemed).toBe(ticket.blocked_reason === 'Already redeemed')
  }
  tellsNoSecret(reply.text)
  expect(reply.headers.get('cache-control')).toBe('private, no-store')

  expect(await venue.door.get('/scanner/events/nowhere/snapshot')).toRefuse(404, 'Not found')
  expect((await venue.door.get('/scanner/events/last-summer/snapshot')).body.tickets).toEqual([])
})

test('a snapshot of many batches is whole, compressed when asked, and not sent again when nothing changed', async () => {
  const venue = await openVenue()
  await addOrder(venue, 'winter-ball', { admissions: Array.from({ length: 3 }, () => ({})) })
  const { pool } = venue.app.database
  await pool.query(
    `insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_title, position)
     select account_id, event_id, order_id, 'many-' || n,
       translate(lpad(n::text, 8, '0'), '0123456789', 'ABCDEFGHJK'), ticket_title, n + 10
     from (select * from admissions where account_id = $1 limit 1) a, generate_series(1, 2247) n`,
    [venue.report.account.id],
  )
  const path = '/scanner/events/winter-ball/snapshot'
  const plain = await venue.door.get(path, { headers: { 'accept-encoding': 'identity' } })
  expect(new Set(plain.body.tickets.map((ticket: { public_id: string }) => ticket.public_id)).size).toBe(2250)

  const authorization = `Bearer ${venue.report.devices['Door 1']}`
  for (const [accepted, encoding, decode] of [
    ['gzip', 'gzip', gunzipSync],
    ['gzip, br', 'br', brotliDecompressSync],
  ] as const) {
    const zipped = await venue.server.inject({ url: path, headers: { authorization, 'accept-encoding': accepted } })
    expect(zipped.headers['content-encoding']).toBe(encoding)
    expect(zipped.rawPayload.length).toBeLessThan(plain.text.length / 5)
    expect(JSON.parse(decode(zipped.rawPayload).toString()).tickets).toEqual(plain.body.tickets)
  }
  const refused = await venue.server.inject({ url: path, headers: { authorization, 'accept-encoding': 'gzip;q=0' } })
  expect(refused.headers['content-encoding']).toBeUndefined()

  const tag = plain.headers.get('etag')!
  expect(tag).toMatch(/^W\/"/)
  const again = await venue.door.get(path, { headers: { 'if-none-match': tag } })
  expect([again.status, again.text]).toEqual([304, ''])

  await venue.door.post('/scanner/tickets/many-7/redemption')
  expect((await venue.door.get(path, { headers: { 'if-none-match': tag } })).status).toBe(200)
})

test('a snapshot shows each ticket as it is shown alone, to the millisecond and in every script', async () => {
  const venue = await openVenue()
  for (const customerName of ['Zoë Lindqvist', 'Łukasz Żółć', '王小明', 'عمر خالد', '𝒜𝒹𝒶 🎟️', 'Ann "\\" Lee']) {
    const redeemedAt = new Date('2026-03-01T09:59:59.999Z')
    await addOrder(venue, 'winter-ball', { customerName, admissions: [{}, { redeemedAt }] })
  }
  const { pool } = venue.app.database
  await pool.query(`update admissions set updated_at = updated_at + interval '999999 microseconds'`)

  for (const encoding of ['identity', 'gzip']) {
    const headers = { 'accept-encoding': encoding }
    const { tickets } = (await venue.door.get('/scanner/events/winter-ball/snapshot', { headers })).body
    expect(tickets).toHaveLength(12)
    for (const ticket of tickets) {
      expect((await venue.door.get(`/scanner/tickets/${ticket.public_id}`)).body).toEqual(ticket)
    }
  }
})

test('a refresh brings what changed since the last snapshot, whatever changed it', async () => {
  const venue = await openVenue()
  const old = await addTicket(venue, 'winter-ball', { customerName: 'Quiet One' })
  const { publicId } = await addTicket(venue, 'winter-ball')
  const { pool } = venue.app.database
  const path = '/scanner/events/winter-ball/snapshot'
  const settle = () => venue.moveClock('10 seconds')
  const changes = async (since: string) => {
    const { body } = await venue.door.get(`${path}?since=${encodeURIComponent(since)}`)
    expect(body.since).toBe(since)
    return body.tickets.map((ticket: { public_id: string }) => ticket.public_id)
  }
  const now = async () => (await venue.door.get(path)).body.generated_at

  await settle()
  let since = await now()
  expect(await changes(since)).toEqual([])

  const account = venue.report.account.id
  const visible = [
    `update orders set customer_name = 'Zoë L.' where account_id = $1 and customer_name like 'Zoë%'`,
    `update orders set staff_note = 'VIP' where account_id = $1 and customer_name = 'Zoë L.'`,
    `update orders set status = 'disputed' where account_id = $1 and customer_name = 'Zoë L.'`,
    `update orders set status = 'paid' where account_id = $1 and customer_name = 'Zoë L.'`,
    `update orders set archived_at = foyer_now() where account_id = $1 and customer_name = 'Zoë L.'`,
    `update orders set archived_at = null where account_id = $1 and customer_name = 'Zoë L.'`,
  ]
  for (const change of visible) {
    await settle()
    since = await now()
    await pool.query(change, [account])
    expect(await changes(since)).toEqual([publicId])
  }
  await settle()
  since = await now()
  await venue.door.post(`/scanner/tickets/${publicId}/redemption`)
  expect(await changes(since)).toEqual([publicId])

  for (const change of [
    `update tickets set color = '#000000' where account_id = $1 and title = 'General admission'`,
    `update events set title = 'Winter Gala' where account_id = $1 and slug = 'winter-ball'`,
  ]) {
    await settle()
    since = await now()
    await pool.query(change, [account])
    expect((await changes(since)).toSorted()).toEqual([old.publicId, publicId].toSorted())
  }
  expect((await venue.door.get(`${path}?since=yesterday`)).body).not.toHaveProperty('since')
})

test('a change that was under way during a snapshot is in the next refresh, however late it is committed', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  await venue.moveClock('1 hour')
  const client = await venue.app.database.pool.connect()
  try {
    await client.query('begin')
    await client.query('select pg_sleep(2.5)')
    const { rows } = await client.query<{ began: Date }>('select foyer_now() as began')
    const snapshot = await venue.door.get('/scanner/events/winter-ball/snapshot')
    expect(Date.parse(snapshot.body.generated_at)).toBeLessThanOrEqual(rows[0]!.began.getTime())

    await client.query('update admissions set redeemed_at = foyer_now() where public_id = $1', [publicId])
    await client.query('commit')
    const refresh = await venue.door.get(`/scanner/events/winter-ball/snapshot?since=${snapshot.body.generated_at}`)
    expect(refresh.body.tickets.map((ticket: { public_id: string }) => ticket.public_id)).toEqual([publicId])
    // The tag notices it as well, although the newest time of the event may be a later one.
    const tag = snapshot.headers.get('etag')!
    expect(
      (await venue.door.get('/scanner/events/winter-ball/snapshot', { headers: { 'if-none-match': tag } })).status,
    ).toBe(200)
  } finally {
    client.release()
  }
})

test('whatever a statement says, a ticket’s updated_at only moves forward', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const write = async (set: string) => {
    const { rows } = await venue.app.database.pool.query<{ before: Date; after: Date }>(
      `update admissions a set ${set} from admissions b
       where a.account_id = $1 and a.public_id = $2 and b.account_id = a.account_id and b.id = a.id
       returning b.updated_at as before, a.updated_at as after`,
      [venue.report.account.id, publicId],
    )
    return rows[0]!.after.getTime() - rows[0]!.before.getTime()
  }

  expect(await write(`attendee_name = 'Somebody'`)).toBeGreaterThan(0)
  expect(await write(`updated_at = a.updated_at - interval '1 day'`)).toBeGreaterThan(0)
  expect(await write(`updated_at = a.updated_at`)).toBeGreaterThan(0)
  expect(await write(`updated_at = after_touch(a.updated_at)`)).toBeGreaterThan(0)
  expect(await write(`updated_at = a.updated_at + interval '1 hour'`)).toBe(3_600_000)
  expect(await write(`updated_at = after_touch(a.updated_at)`)).toBe(1)
})
