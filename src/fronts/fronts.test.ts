import { existsSync, readdirSync } from 'node:fs'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../../test/kit/browser/fronts.ts'
import { askAtHost } from '../../test/kit/network/ask-at-host.ts'
import { signedIn } from '../../test/kit/venue/sessions.ts'
import { atShop } from '../../test/kit/venue/shop.ts'
import { openVenue, theApp } from '../../test/kit/venue/venue.ts'
import { DIST_FOLDER, buildFolder, readBuildStamp } from './build-stamp.ts'
import { readBuiltFront } from './built-front.ts'

const HTML = { headers: { accept: 'text/html' } }

beforeAll(buildFronts, 120_000)

const assetsOf = (page: string) => Array.from(new Set(page.match(/\/console\/assets\/[\w.-]+/g)))

const askFile = async (path: string, encoding: string) => {
  const { origin } = await theApp()
  const answer = await askAtHost(origin, path, {
    method: 'GET',
    headers: { host: 'localhost', 'accept-encoding': encoding },
  })
  return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) }
}

test('the address of the house leads the signed-in to the console and others to sign in; programs find nothing', async () => {
  const venue = await openVenue()
  const mara = await signedIn(venue, 'mara@neue-halle.example')
  const member = await mara.get('/', HTML)
  expect([member.status, member.headers.get('location')]).toEqual([303, '/console'])
  const stranger = await venue.stranger.get('/', HTML)
  expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/sign_in'])
  expect((await mara.get('/')).status).toBe(404)
  expect((await mara.get('/console/events')).status).toBe(404)
})

test('who takes anything is shown the console and the door app, where there is nothing else', async () => {
  const venue = await openVenue()
  const anything = { headers: { accept: '*/*' } }
  const mara = await signedIn(venue, 'mara@neue-halle.example')
  for (const path of ['/console/events', '/door']) {
    const page = await mara.get(path, anything)
    expect([page.status, page.headers.get('content-type')], path).toEqual([200, 'text/html; charset=utf-8'])
    expect((await mara.get(`${path}.json`, anything)).status, path).toBe(404)
  }
})

test('whoever is not signed in goes to sign in first, and comes back to the same view', async () => {
  const { stranger } = await openVenue()
  const reply = await stranger.get('/console/events/winter-ball?show=past', HTML)
  const back = '/sign_in?return_to=%2Fconsole%2Fevents%2Fwinter-ball%3Fshow%3Dpast'
  expect([reply.status, reply.headers.get('location')]).toEqual([303, back])
})

test('every view of the console is the same page, with a strict policy and a nonce of its own', async () => {
  const venue = await openVenue()
  const mara = await signedIn(venue, 'mara@neue-halle.example')
  const nonces = new Set<string>()
  for (const path of ['/console', '/console/', '/console/events', '/console/no/such/view', '/console/events']) {
    const reply = await mara.get(path, HTML)
    expect(reply.status, path).toBe(200)
    const policy = reply.headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("script-src 'self';")
    expect(policy).not.toContain('unsafe')
    expect(reply.headers.get('cache-control')).toContain('no-store')
    const nonce = /'nonce-([^']+)'/.exec(policy)![1]!
    expect(new Set(Array.from(reply.text.matchAll(/nonce="([^"]+)"/g), (match) => match[1]))).toEqual(new Set([nonce]))
    nonces.add(nonce)
    // No script stands in the page itself, and no style without the nonce.
    expect(reply.text).not.toMatch(/<script(?![^>]* src=)/)
    expect(reply.text).not.toMatch(/<style(?![^>]* nonce=)|\sstyle=|\son\w+=/)
  }
  expect(nonces.size).toBe(5)
})

test('hashed files are kept for ever, and leave in the encoding that is asked for', async () => {
  const venue = await openVenue()
  const { text } = await (await signedIn(venue, 'mara@neue-halle.example')).get('/console', HTML)
  const files = assetsOf(text)
  expect(files.length).toBeGreaterThanOrEqual(3)
  for (const file of files) {
    const plain = await askFile(file, 'identity')
    expect([file, plain.status, plain.headers.get('content-encoding')]).toEqual([file, 200, null])
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(plain.headers.get('vary')).toBe('Accept-Encoding')
    expect(plain.headers.get('x-content-type-options')).toBe('nosniff')

    const brotli = await askFile(file, 'gzip, deflate, br')
    expect(brotli.headers.get('content-encoding')).toBe('br')
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes)).toBe(true)
    const zipped = await askFile(file, 'gzip')
    expect(zipped.headers.get('content-encoding')).toBe('gzip')
    expect(gunzipSync(zipped.bytes).equals(plain.bytes)).toBe(true)
  }
})

test('nothing but what was built is handed out', async () => {
  for (const name of [
    'missing-12345678.js',
    '..%2f..%2fpackage.json',
    '%2e%2e%2findex.html',
    'index.html',
    '%00',
    '',
  ]) {
    expect((await askFile(`/console/assets/${name}`, 'br')).status, name).toBe(404)
  }
})

test('a shop has no console, and other methods are refused', async () => {
  const venue = await openVenue()
  const shop = atShop(venue)
  for (const path of ['/console', '/console/events', '/console/session']) {
    expect((await shop.get(path, HTML)).status, path).toBe(404)
  }
  const posted = await venue.office.post('/console/events', {})
  expect([posted.status, posted.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
})

test('the console knows who is signed in, and nobody else does', async () => {
  const venue = await openVenue()
  const cem = await signedIn(venue, 'cem@partner.example')
  const { status, body } = await cem.get('/console/session')
  expect(status).toBe(200)
  expect(body).toEqual({
    person: { name: 'Cem Partner', email: 'cem@partner.example' },
    role: 'co_organizer',
    membership_id: venue.report.people['cem@partner.example']!.membership_id,
    account: {
      name: 'Neue Halle',
      subdomain: venue.report.account.subdomain,
      currency: 'EUR',
      time_zone: 'Europe/Berlin',
      shop_url: venue.report.account.shop_url,
    },
    other_accounts: expect.any(Array),
    build: readBuildStamp(),
  })
  expect(await venue.stranger.get('/console/session')).toRefuse(401)
  expect(await venue.office.get('/console/session')).toRefuse(401)
})

test('the service worker of the console loads nothing, and stays out of the way of the one at the door', async () => {
  const { stranger } = await openVenue()
  const worker = await stranger.get('/console/workers/service-worker.js')
  expect(worker.status).toBe(200)
  expect(worker.headers.get('content-type')).toContain('text/javascript')
  expect(worker.headers.get('cache-control')).toBe('no-cache')
  expect(worker.headers.get('content-security-policy')).toBe("default-src 'none'")
  expect(worker.headers.get('service-worker-allowed')).toBe('/console/')
  expect((await stranger.get('/console/workers/index.html')).status).toBe(404)
  expect(worker.text).not.toMatch(/\bimport\b|addEventListener\([`'"]fetch/)
})

const FIRST_LOAD_MAX = 220 * 1024

test('the first view, its room included, weighs at most 220 KB', async () => {
  const { page, files } = (await readBuiltFront('console'))!
  const wanted = new Set(assetsOf(page).map((path) => path.split('/').at(-1)!))
  const rooms = Array.from(files.keys()).filter((name) => name.startsWith('events-view-'))
  expect(rooms.length).toBeGreaterThanOrEqual(1)
  for (const name of [...wanted, ...rooms]) {
    wanted.add(name)
    if (!name.endsWith('.js')) continue
    // What a chunk imports at once comes along with it; what it imports later does not.
    for (const [, other] of files
      .get(name)!
      .plain.toString()
      .matchAll(/(?:from|import)\s*"\.\/([\w.-]+)"/g))
      wanted.add(other!)
  }
  const weight = Array.from(wanted, (name) => files.get(name)!.gzip!.length).reduce((sum, bytes) => sum + bytes, 0)
  expect(weight).toBeLessThanOrEqual(FIRST_LOAD_MAX)
  expect(weight).toBeGreaterThan(50 * 1024)
})

test('what is built stands under the stamp of its sources, whole', async () => {
  expect(existsSync(buildFolder(readBuildStamp()))).toBe(true)
  expect(readdirSync(DIST_FOLDER).filter((name) => /^[0-9a-f]{16}$/.test(name)).length).toBeGreaterThanOrEqual(1)
})
