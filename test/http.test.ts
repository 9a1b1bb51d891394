import http from 'node:http'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { openClient } from './kit/venue/client.ts'
import { openVenue, theApp } from './kit/venue/venue.ts'

/** A request as it is written here, byte for byte. */
const speak = (origin: string, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin)
    const socket = net.connect(Number(port), hostname, () => socket.write(text))
    let heard = ''
    socket.setEncoding('utf8').on('data', (data: string) => (heard += data))
    socket.on('end', () => resolve(heard)).on('error', reject)
  })

const atHost = (origin: string, host: string, path: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve, reject) => {
    http
      .get(origin + path, { headers: { host } }, (response) => {
        let body = ''
        response.setEncoding('utf8').on('data', (data: string) => (body += data))
        response.on('end', () => resolve({ status: response.statusCode!, body }))
      })
      .on('error', reject)
  })

test('the scheme of the credential is read without regard to case, and nothing else passes for a bearer', async () => {
  const { client, report, stranger } = await openVenue()
  const token = report.api_tokens['office read']!

  const asked = (authorization: string) => stranger.get('/admin/events', { headers: { authorization } })
  expect(await asked(`bearer ${token}`)).toMatchObject({ status: 200 })
  expect(await asked(`BEARER ${token}`)).toMatchObject({ status: 200 })
  for (const wrong of [
    'Bearer',
    'Bearer ',
    `Token ${token}`,
    `Basic ${token}`,
    token,
    `Bearer ${token}, x`,
    `Bearer ${token}x`,
  ]) {
    expect(await asked(wrong), wrong).toRefuse(401, { base: ['Authentication required'] })
  }
  expect((await stranger.get(`/admin/events?access_token=${token}`)).status).toBe(401)
  expect((await client(token).get('/admin/events')).status).toBe(200)
})

test('a refused credential is told how to do better', async () => {
  const { stranger, door } = await openVenue()
  expect((await stranger.get('/admin/events')).headers.get('www-authenticate')).toBe('Bearer realm="Foyer"')
  expect((await door.get('/admin/events')).headers.get('www-authenticate')).toBe(
    'Bearer realm="Foyer", error="insufficient_scope"',
  )
})

test('a revoked token and a revoked device are refused, and so is a member who was deactivated', async () => {
  const { client, report, app } = await openVenue()
  expect((await client(report.api_tokens['old']).get('/admin/events')).status).toBe(401)
  expect((await client(report.devices['Lost phone']).get('/scanner/me')).status).toBe(401)

  const manager = client(report.api_tokens['mara write'])
  expect((await manager.get('/admin/events')).status).toBe(200)
  await app.database.pool.query(
    'update memberships set deactivated_at = foyer_now() where account_id = $1 and id = $2',
    [report.account.id, report.people['mara@neue-halle.example']!.membership_id],
  )
  expect((await manager.get('/admin/events')).status).toBe(401)
})

test('an assignment that is removed or added counts at the next request of a token that exists', async () => {
  const { partner, app, report } = await openVenue()
  const [account, membership] = [report.account.id, report.people['cem@partner.example']!.membership_id]
  expect((await partner.get('/admin/events')).body.events).toMatchObject([{ slug: 'winter-ball' }])
  expect(await partner.get('/admin/events/spring-night')).toRefuse(404, { base: ['Not found'] })

  await app.database.pool.query('delete from assignments where account_id = $1 and membership_id = $2', [
    account,
    membership,
  ])
  expect(await partner.get('/admin/events/winter-ball')).toRefuse(404, { base: ['Not found'] })

  await app.database.pool.query('insert into assignments (account_id, membership_id, event_id) values ($1, $2, $3)', [
    account,
    membership,
    report.events['spring-night']!.id,
  ])
  expect((await partner.get('/admin/events/spring-night')).status).toBe(200)
})

test('an event of another account and one that does not exist are told apart by nobody', async () => {
  const { office } = await openVenue()
  await openVenue((file) => (file['events'][3].slug = 'their-own'))
  const [foreign, missing] = [await office.get('/admin/events/their-own'), await office.get('/admin/events/nowhere')]
  expect(foreign).toRefuse(404, { base: ['Not found'] })
  expect(foreign.text).toBe(missing.text)
})

test('the same slug in two accounts leads each caller to its own event', async () => {
  const [ours, theirs] = [await openVenue(), await openVenue((file) => (file['events'][0].title = 'Their Ball'))]
  expect((await ours.office.get('/admin/events/winter-ball')).body.title).toBe('Winter Ball')
  expect((await theirs.office.get('/admin/events/winter-ball')).body.title).toBe('Their Ball')
})

test('the suffix .json means what the Accept header means', async () => {
  const { reader, door } = await openVenue()
  expect((await reader.get('/admin/events.json')).body.events).toHaveLength(4)
  expect((await reader.get('/admin/events/winter-ball.json?x=1')).body.slug).toBe('winter-ball')
  expect((await door.get('/scanner/me.json', { headers: { accept: 'text/plain' } })).status).toBe(200)
})

test('the door answers an Accept header that leaves out JSON with 406, in its own shape', async () => {
  const { door } = await openVenue()
  expect(await door.get('/scanner/me', { headers: { accept: 'image/png' } })).toRefuse(
    406,
    'This address answers with JSON',
  )
  expect((await door.get('/scanner/me', { headers: { accept: '*/*' } })).status).toBe(200)
})

test('an unknown path is 404, a known one with another method 405 with the methods it has', async () => {
  const { office, door, stranger } = await openVenue()
  expect(await stranger.get('/nothing/here')).toRefuse(404, { base: ['Not found'] })
  expect(await door.get('/scanner/nothing')).toRefuse(404, 'Not found')
  const wrong = await office.delete('/admin/events')
  expect(wrong).toRefuse(405, { base: ['Method not allowed'] })
  expect(wrong.headers.get('allow')).toBe('GET, POST, HEAD, OPTIONS')
})

test('Allow tells every method of an address and no other, whether it is asked by mistake or on purpose', async () => {
  const venue = await openVenue()
  const { office, report } = venue
  const told = async (path: string, method = 'OPTIONS', headers = {}) => {
    const reply = await office.ask(method, path, { headers })
    return [reply.status, reply.headers.get('allow'), reply.text]
  }
  expect(await told('/admin/events')).toEqual([204, 'GET, POST, HEAD, OPTIONS', ''])
  expect(await told('/scanner/tickets/some-ticket/redemption')).toEqual([204, 'POST, OPTIONS', ''])
  expect((await told('/scanner/tickets/some-ticket/redemption', 'HEAD')).slice(0, 2)).toEqual([405, 'POST, OPTIONS'])
  expect((await told('/admin/tasks/some-task', 'POST'))[1]).toBe('GET, PATCH, DELETE, HEAD, OPTIONS')
  expect((await told('/mcp', 'PUT'))[1]).toBe('POST, OPTIONS')
  expect((await told('/nothing/here')).slice(0, 2)).toEqual([404, null])

  const host = new URL(report.account.shop_url).host
  expect((await told('/events', 'OPTIONS', { host })).slice(0, 2)).toEqual([204, 'GET, HEAD, OPTIONS'])
  expect((await told('/sitemap.xml', 'OPTIONS', { host })).slice(0, 2)).toEqual([204, 'GET, HEAD, OPTIONS'])
  expect((await told('/admin/events', 'OPTIONS', { host })).slice(0, 2)).toEqual([404, null])
})

test('a request that names two Hosts is a 400, at the console and at a shop, the same name twice included', async () => {
  const { origin, report } = await openVenue()
  const shop = new URL(report.account.shop_url).host
  for (const hosts of [
    ['localhost:3000', shop],
    [shop, 'localhost:3000'],
    [shop, shop],
  ]) {
    const lines = hosts.map((host, n) => `${n === 0 ? 'Host' : 'hOST'}: ${host}\r\n`).join('')
    const heard = await speak(origin, `GET /events HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`)
    expect(heard).toMatch(/^HTTP\/1\.1 400 /)
    expect(heard).toContain('"The request names more than one Host"')
    expect(heard).toContain('x-content-type-options: nosniff')
  }
  const once = `GET /events HTTP/1.1\r\nHost: ${shop}\r\nX-Host: other\r\nConnection: close\r\n\r\n`
  expect(await speak(origin, once)).toMatch(/^HTTP\/1\.1 200 /)
})

test('a compressed body is 415 and says what to do, after access and path were judged; nothing changes', async () => {
  const { office, reader, stranger } = await openVenue()
  const raw = gzipSync(JSON.stringify({ task: { title: 'Zipped' } }))
  const headers = { 'content-encoding': 'gzip' }
  const refused = await office.ask('POST', '/admin/tasks', { raw, headers })
  expect(refused).toRefuse(415, { base: ['The body must not be compressed; send it without Content-Encoding'] })
  expect(refused.headers.get('accept-encoding')).toBe('identity')
  expect((await stranger.ask('POST', '/admin/tasks', { raw, headers })).status).toBe(401)
  expect((await reader.ask('POST', '/admin/tasks', { raw, headers })).status).toBe(401)
  expect((await office.ask('PATCH', '/admin/tasks/no-such-task', { raw, headers })).status).toBe(404)
  expect((await office.ask('POST', '/mcp', { raw, headers })).status).toBe(415)
  expect((await office.get('/admin/tasks')).body.tasks).toEqual([])

  const plain = { raw: JSON.stringify({ task: { title: 'Plain' } }), headers: { 'content-encoding': 'identity' } }
  expect((await office.ask('POST', '/admin/tasks', plain)).status).toBe(201)
})

test('a path that is malformed, endless or holds a zero byte is a plain 4xx', async () => {
  const { office } = await openVenue()
  expect((await office.get('/admin/events/%ff')).status).toBe(400)
  expect((await office.get('/admin/events/%00')).status).toBe(404)
  expect((await office.get(`/admin/events/${'a'.repeat(5000)}`)).status).toBe(404)
  expect((await office.get("/admin/events/winter-ball'--")).status).toBe(404)
})

test('every answer forbids sniffing, framing, caching and referring', async () => {
  const { reader } = await openVenue()
  for (const path of [
    '/admin/events',
    '/admin/events/%ff',
    '/scanner/tickets/%ff',
    `/admin/events/${'a'.repeat(5000)}`,
  ]) {
    const { headers } = await reader.get(path)
    expect(Object.fromEntries(headers), path).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'private, no-store',
      'content-type': 'application/json; charset=utf-8',
    })
  }
})

test("a shop's address serves nothing of the console, and the console nothing of a shop", async () => {
  const { origin, report } = await openVenue(
    (file) => (file['account'].custom_domains = [`tickets-${Date.now()}.example`]),
  )
  const shop = new URL(report.account.shop_url).host
  expect((await atHost(origin, shop, '/healthz')).status).toBe(404)
  expect((await atHost(origin, shop, '/admin/events')).status).toBe(404)
  expect((await atHost(origin, 'nobody.localhost', '/admin/events')).status).toBe(404)
  expect((await atHost(origin, '192.0.2.7', '/healthz')).status).toBe(200)
  expect((await atHost(origin, 'door.intern', '/healthz')).status).toBe(200)
})

test('a custom domain belongs to the shop from the moment it is known', async () => {
  const domain = `tickets-${Date.now()}.example`
  const { origin } = await theApp()
  expect((await atHost(origin, domain, '/healthz')).status).toBe(200)
  await openVenue((file) => (file['account'].custom_domains = [domain]))
  expect((await atHost(origin, domain.toUpperCase(), '/healthz')).status).toBe(404)
})

test('what is no HTTP at all is a 400, and the server goes on', async () => {
  const { origin } = await theApp()
  expect(await speak(origin, 'HELLO\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 /)
  expect((await openClient(origin).get('/healthz')).body).toEqual({ status: 'ok' })
})

test('the log has a line for each request, with the pattern of its route and no secret', async () => {
  const { client, report, logged } = await openVenue()
  const token = report.api_tokens['office read']!
  await client(token).get('/admin/events/winter-ball?secret=hush')

  const line = JSON.parse(logged.at(-1)!) as Record<string, unknown>
  expect(line).toMatchObject({ level: 'info', method: 'GET', route: '/admin/events/:event_slug', status: 200 })
  expect(line).toMatchObject({ account: report.account.id })
  expect(logged.join('')).not.toContain(token)
  expect(logged.join('')).not.toContain('hush')
})
