import { setImmediate } from 'node:timers/promises'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { exportOf } from '../../test/kit/venue/moved-venue.ts'
import { signedIn } from '../../test/kit/venue/sessions.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'
import { openAccountByCommand } from '../access/operator.ts'
import { directoryOf } from '../access/shards.ts'
import { exportVenue } from './export-venue.ts'

test('owners and the account’s write tokens get the whole account as a file, and nobody else does', async () => {
  const venue = await openVenue()
  const { office, reader, partner, door, stranger, report, client } = venue
  const reply = await office.get('/admin/export')
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(reply.headers.get('cache-control')).toBe('private, no-store')
  expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="${report.account.subdomain}.json"`)
  expect(reply.body).toMatchObject({
    account: { name: 'Neue Halle', subdomain: report.account.subdomain, currency: 'EUR', time_zone: 'Europe/Berlin' },
    people: [
      { name: 'Olga Owner', email: 'olga@neue-halle.example', role: 'owner', state: 'active', events: [] },
      { role: 'manager' },
      { role: 'co_organizer', events: ['winter-ball'] },
      { role: 'scanner' },
      { role: 'promoter' },
      { name: 'Dora Gone', state: 'deactivated' },
    ],
    devices: [
      { name: 'Door 1', revoked: false },
      { name: 'Door 2', revoked: false },
      { name: 'Lost phone', revoked: true },
    ],
  })
  expect(await exportOf(venue, report.account.subdomain)).toBe(reply.text)

  const olga = await signedIn(venue, 'olga@neue-halle.example')
  expect((await olga.get('/admin/export')).status).toBe(200)
  expect((await client(report.api_tokens['olga write']).get('/admin/export')).status).toBe(200)
  for (const other of [reader, door, stranger]) expect(await other.get('/admin/export')).toRefuse(401)
  for (const other of [partner, client(report.api_tokens['mara write'])])
    expect(await other.get('/admin/export')).toRefuse(403)
})

test('every export is written down, by whom and with what', async () => {
  const venue = await openVenue()
  await venue.office.get('/admin/export')
  await exportOf(venue, venue.report.account.subdomain)
  expect((await venue.office.get('/admin/audit_log')).body.entries).toMatchObject([
    { action: 'export account by command', actor: null, credential: null },
    { action: 'GET /admin/export', actor: { name: 'Olga Owner' }, credential: { description: 'office write' } },
  ])
})

const withSecrets = () =>
  openVenue((file) => {
    file['people'][0].password = 'a password that nobody knows'
    file['invitations'] = [{ email: 'nora@partner.example', role: 'manager' }]
    file['events'][0].signup_links = [{ key: 'friends', ticket: 'ga' }]
    file['events'][0].signup_requests = [
      { link: 'friends', name: 'Ada', email: 'ada@guest.example', status: 'approved' },
    ]
    file['vouchers'] = [{ key: 'v', amount: '5.00' }]
  })

test('codes and answers are in the file, secrets are not', async () => {
  const venue = await withSecrets()
  const { office, report, app } = venue
  const { body: webhook } = await office.post('/admin/webhook_endpoints', {
    webhook_endpoint: { url: 'https://books.example/foyer', kinds: ['guest_party.created'] },
  })
  const file = (await office.get('/admin/export')).text
  expect(file).toContain(report.vouchers['v']!.code)

  const { rows: passwords } = await directoryOf(app).pool.query(
    'select password_digest as secret from people where password_digest is not null',
  )
  const { rows } = await app.database.pool.query(
    `select encode(digest, 'hex') as secret from credential_digests
     union all select encode(sealed_token, f) from invitations, unnest(array['hex', 'base64']) as f
     union all select encode(sealed_token, f) from signup_links, unnest(array['hex', 'base64']) as f
     union all select encode(sealed_page_token, f) from signup_requests, unnest(array['hex', 'base64']) as f
     union all select encode(code_sealed, f) from vouchers, unnest(array['hex', 'base64']) as f`,
  )
  const secrets = [
    ...[...passwords, ...rows].map(({ secret }) => secret as string),
    ...Object.values(report.api_tokens),
    ...Object.values(report.devices),
    report.events['winter-ball']!.signup_links['friends']!.public_url.split('/').at(-1)!,
    'a password that nobody knows',
    webhook.secret,
  ]
  expect(secrets.length).toBeGreaterThan(20)
  expect(secrets.filter((secret) => typeof secret !== 'string' || file.includes(secret))).toEqual([])
})

test('nothing of another account is in the file', async () => {
  const theirs = await openVenue((file) => {
    const text = JSON.stringify(file)
      .replaceAll('Neue Halle', 'Stranger Hall')
      .replaceAll('winter-ball', 'strange-ball')
      .replaceAll('General admission', 'Strange ticket')
    Object.assign(file, JSON.parse(text))
    file['events'][0].orders = [{ key: 'o', customer_name: 'Strange Rita', items: [{ ticket: 'ga' }] }]
    file['events'][0].guest_parties = [{ key: 'p', customer_name: 'Strange Party', ticket: 'ga' }]
    file['tasks'] = [{ title: 'Strange task' }]
    file['vouchers'] = [{ key: 'v', code: 'STRANGE00000', amount: '5.00' }]
  })
  const { office } = await openVenue()
  expect((await office.get('/admin/export')).text).not.toMatch(/strange/i)
  expect((await theirs.office.get('/admin/export')).text.match(/strange/gi)!.length).toBeGreaterThan(6)
})

const ORDERS = Number(process.env['FOYER_EXPORTED_ORDERS'] ?? 5_000)

const withManyOrders = () =>
  openVenue((file) => {
    const event = file['events'][3]
    event.tickets = [{ key: 'ga', title: 'General admission', price: '15.00' }]
    event.orders = Array.from({ length: ORDERS }, (_, n) => ({
      key: `o${n}`,
      customer_name: `Guest ${n}`,
      customer_email: `guest${n}@guest.example`,
      items: [{ ticket: 'ga' }, { ticket: 'ga', attendee_name: `Companion ${n}` }],
    }))
  })

const streamOf = async ({ app, report }: Venue) =>
  exportVenue(await openAccountByCommand(app, report.account.subdomain, 'export'), async () => {})

const busyConnections = ({ app }: Venue) => app.database.pool.totalCount - app.database.pool.idleCount

test('many orders are read as the reader takes them, all of one moment, and the connection is given back', async () => {
  const venue = await withManyOrders()
  const { office, app, report } = venue
  await text(await streamOf(venue))

  const file = await streamOf(venue)
  const pieces = file[Symbol.asyncIterator]()
  let written = (await pieces.next()).value.toString()
  expect(busyConnections(venue)).toBe(1)

  await office.post('/admin/tasks', { task: { title: 'Made meanwhile' } })
  await app.database.pool.query(
    `update orders set customer_name = 'Changed meanwhile'
     where account_id = $1 and id = (select max(id) from orders where account_id = $1)`,
    [report.account.id],
  )

  const before = process.memoryUsage()
  let most = 0
  for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) {
    written += piece.value.toString()
    const { heapUsed, external } = process.memoryUsage()
    most = Math.max(most, heapUsed + external - before.heapUsed - before.external - written.length)
  }
  expect(most).toBeLessThan(64 * 1024 * 1024)
  expect(written).not.toContain('meanwhile')
  const { orders } = JSON.parse(written).events.find((event: { slug: string }) => event.slug === 'last-summer')
  expect(orders).toHaveLength(ORDERS)
  expect(new Set(orders.map((order: { order_code: string }) => order.order_code)).size).toBe(ORDERS)
  await expect.poll(() => busyConnections(venue)).toBe(0)
})

test('a reader who goes away frees the connection, and the next one is served', async () => {
  const venue = await withManyOrders()
  const file = await streamOf(venue)
  await file[Symbol.asyncIterator]().next()
  expect(busyConnections(venue)).toBe(1)
  file.destroy()
  await expect.poll(() => busyConnections(venue)).toBe(0)

  const leaving = new AbortController()
  const reply = await fetch(`${venue.origin}/admin/export`, {
    headers: { authorization: `Bearer ${venue.report.api_tokens['office write']}` },
    signal: leaving.signal,
  })
  await reply.body!.getReader().read()
  leaving.abort()
  await setImmediate()
  expect((await venue.office.get('/admin/export')).status).toBe(200)
  await expect.poll(() => busyConnections(venue)).toBe(0)
  expect(venue.logged.filter((line) => line.includes('An export was not finished'))).toEqual([])
})

test('an export that fails on the way ends without its end, and is logged', async () => {
  const venue = await withManyOrders()
  const file = await streamOf(venue)
  await file[Symbol.asyncIterator]().next()
  await venue.app.database.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
  )
  await expect(text(file)).rejects.toThrow(/terminat|connection error|EPIPE/)
  await expect.poll(() => venue.logged.some((line) => line.includes('An export was not finished'))).toBe(true)
  expect((await venue.office.get('/admin/export')).status).toBe(200)
})
