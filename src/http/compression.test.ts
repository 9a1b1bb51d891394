import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { SESSION_COOKIE } from '../access/cookies.ts'
import { sessionToken } from '../../test/kit/venue/sessions.ts'
import { hostOf } from '../../test/kit/venue/shop.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'
import { acceptedEncoding } from './compression.ts'

interface Heard {
  status: number
  headers: IncomingMessage['headers']
  bytes: Buffer
  text: string
}

const DECODERS = { br: brotliDecompressSync, gzip: gunzipSync, identity: (bytes: Buffer) => bytes }

/** Nothing is decoded on the way here, as it is by fetch. */
const ask = async (
  { origin }: Pick<Venue, 'origin'>,
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<Heard> => {
  const { hostname, port } = new URL(origin)
  const asking = request({ method, hostname, port, path, headers, agent: false }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const bytes = Buffer.concat((await answer.toArray()) as Buffer[])
  const encoding = (answer.headers['content-encoding'] ?? 'identity') as keyof typeof DECODERS
  const text = bytes.length > 0 ? DECODERS[encoding](bytes).toString() : ''
  return { status: answer.statusCode!, headers: answer.headers, bytes, text }
}

const openBusyVenue = async () => {
  const venue = await openVenue((file) => {
    file['events'][0].description = `<p>${'Dance until morning, and then some. '.repeat(60)}</p>`
    for (let n = 0; n < 40; n++) {
      file['events'].push({ slug: `night-${n}`, title: `Night ${n}`, starts_at: '+P40D' })
    }
  })
  const bearer = (description: string) => ({ authorization: `Bearer ${venue.report.api_tokens[description]}` })
  return { venue, reader: bearer('office read'), office: bearer('office write'), shop: { host: hostOf(venue) } }
}

test('pages, JSON lists, the description and files of rows are compressed for whoever asks', async () => {
  const { venue, reader, shop } = await openBusyVenue()
  const html = { accept: 'text/html' }
  const asked: [string, Record<string, string>][] = [
    ['/events', shop],
    ['/events', { ...shop, ...html }],
    ['/events/winter-ball', shop],
    ['/events/winter-ball', { ...shop, ...html }],
    ['/admin/events', reader],
    ['/admin/vouchers.csv', reader],
    ['/sign_in', html],
    ['/docs', html],
    ['/docs/reference.js', {}],
    ['/openapi.json', {}],
  ]
  for (const [path, headers] of asked) {
    const plain = await ask(venue, path, headers)
    expect([plain.status, plain.headers['content-encoding']], path).toEqual([200, undefined])
    for (const [accepted, encoding] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0.5, gzip', 'gzip'],
    ]) {
      const small = await ask(venue, path, { ...headers, 'accept-encoding': accepted! })
      expect([small.status, small.headers['content-encoding']], `${path} ${accepted}`).toEqual([200, encoding])
      expect(small.text, path).toBe(plain.text)
      if (plain.bytes.length > 1024) expect(small.bytes.length, path).toBeLessThan(plain.bytes.length / 2)
      // Sent a second time, from what was kept of it.
      expect((await ask(venue, path, { ...headers, 'accept-encoding': accepted! })).text, path).toBe(plain.text)
    }
    for (const { headers: told } of [
      plain,
      await ask(venue, path, { ...headers, 'accept-encoding': 'zstd, br;q=0' }),
    ]) {
      expect(told['content-encoding'], path).toBeUndefined()
      expect(told['vary'], path).toMatch(/\bAccept-Encoding\b/)
    }
  }
})

test('the tag of a feed answer holds for all its encodings, and 304 has neither a body nor an encoding', async () => {
  const { venue, shop } = await openBusyVenue()
  const tags = new Set<string | undefined>()
  for (const encoding of ['identity', 'gzip', 'br']) {
    const headers = { ...shop, 'accept-encoding': encoding }
    const { headers: told } = await ask(venue, '/events/winter-ball', headers)
    tags.add(told.etag)
    const known = await ask(venue, '/events/winter-ball', { ...headers, 'if-none-match': told.etag! })
    expect([known.status, known.bytes.length, known.headers['content-encoding']]).toEqual([304, 0, undefined])
    expect(known.headers['vary']).toBe('Accept, Accept-Encoding')
  }
  expect([...tags]).toEqual([expect.stringMatching(/^W\//)])
})

test('HEAD tells the length of what GET would send', async () => {
  const { venue, reader, shop } = await openBusyVenue()
  for (const [path, more] of [
    ['/events', shop],
    ['/admin/events', reader],
  ] as const) {
    const headers = { ...more, 'accept-encoding': 'br' }
    const [got, told] = [await ask(venue, path, headers), await ask(venue, path, headers, 'HEAD')]
    expect(told.headers).toMatchObject({ 'content-encoding': 'br', 'content-length': String(got.bytes.length) })
  }
})

test('small answers and images leave as they are', async () => {
  const { venue, reader } = await openBusyVenue()
  const headers = { ...reader, 'accept-encoding': 'br' }
  expect((await ask(venue, '/scanner/me', headers)).headers['content-encoding']).toBeUndefined()
  expect((await ask(venue, '/healthz', headers)).headers['content-encoding']).toBeUndefined()
  expect((await ask(venue, '/admin/events/no-such-event', headers)).headers['content-encoding']).toBeUndefined()
})

test('events of a stream come one by one and are never held back by compression', async () => {
  const { venue, office } = await openBusyVenue()
  const { hostname, port } = new URL(venue.origin)
  const asking = request({
    hostname,
    port,
    path: '/admin/tasks/stream',
    headers: { ...office, accept: 'text/event-stream', 'accept-encoding': 'br, gzip' },
    agent: false,
  }).end()
  const [stream] = (await once(asking, 'response')) as [IncomingMessage]
  expect(stream.headers['content-encoding']).toBeUndefined()
  expect(stream.headers['content-type']).toMatch(/^text\/event-stream/)
  const heard = async (word: string) => {
    let text = ''
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      text += String(chunk)
      if (text.includes(word)) return true
    }
    return false
  }
  expect(await heard('event: ready')).toBe(true)
  await venue.office.post('/admin/tasks', { task: { title: 'Wristbands' } })
  expect(await heard('event: task')).toBe(true)
  stream.destroy()
})

test('what other sites have a signed-in browser ask for is not compressed: its length would tell on it', async () => {
  const { venue } = await openBusyVenue()
  const token = await sessionToken(venue, 'olga@neue-halle.example')
  const asked = async (path: string, more: Record<string, string>) => {
    const cookie = `${SESSION_COOKIE}=${token}`
    const { status, headers } = await ask(venue, path, { cookie, 'accept-encoding': 'gzip, br', ...more })
    return [status, headers['content-encoding']]
  }
  for (const path of ['/admin/events', '/account']) {
    expect(await asked(path, { 'sec-fetch-site': 'same-origin' }), path).toEqual([200, 'br'])
    expect(await asked(path, { 'sec-fetch-site': 'none' }), path).toEqual([200, 'br'])
    for (const site of ['cross-site', 'same-site', '']) {
      expect(await asked(path, { 'sec-fetch-site': site }), path).toEqual([200, undefined])
    }
    expect(await asked(path, {}), path).toEqual([200, undefined])
  }
  // What everybody sees alike has nothing to tell.
  expect(await asked('/openapi.json', { 'sec-fetch-site': 'cross-site' })).toEqual([200, 'br'])
})

test('answers to what changes something are not compressed: they hold secrets beside what was sent', async () => {
  const { venue, office } = await openBusyVenue()
  const { hostname, port } = new URL(venue.origin)
  const asking = request({
    method: 'POST',
    hostname,
    port,
    path: '/admin/tasks',
    headers: { ...office, 'accept-encoding': 'br', 'content-type': 'application/json' },
    agent: false,
  }).end(JSON.stringify({ task: { title: 'Long', description: `<p>${'long '.repeat(500)}</p>` } }))
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  expect([answer.statusCode, answer.headers['content-encoding']]).toEqual([201, undefined])
  answer.resume()
})

test.each([
  [undefined, null],
  ['', null],
  ['identity', null],
  ['*', 'br'],
  ['*;q=0', null],
  ['gzip;q=0, *', 'br'],
  ['br;q=0, *', 'gzip'],
  ['GZIP', 'gzip'],
  ['gzip;q=1.0, br;q=0.9', 'gzip'],
  ['deflate, gzip;q=0.0', null],
  [`${'x,'.repeat(5000)}gzip`, null],
])('of %s is chosen %s', (header, encoding) => {
  expect(acceptedEncoding(header)).toBe(encoding)
})
