import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { atShop } from '../../test/kit/venue/shop.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'

const openShop = async () => {
  const venue = await openVenue()
  const shop = atShop(venue)
  await shop.get('/events')
  await expect.poll(() => venue.app.database.pgNotifications.barrier(), { interval: 20 }).not.toBeNull()
  return { venue, shop }
}

/** What left Foyer byte for byte, but for the time of day. */
const ask = async ({ origin, report }: Venue, method: string, path: string, more: Record<string, string> = {}) => {
  const { hostname, port } = new URL(origin)
  const host = `${report.account.subdomain}.localhost:${port}`
  const asking = request({ method, host: hostname, port, path, headers: { host, ...more } }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  const body = (await answer.toArray()).join('')
  const { date: _, ...headers } = answer.headers
  return { status: answer.statusCode, headers, body }
}

const keptOf = async ({ app, report }: Venue) => {
  await app.database.pgNotifications.barrier()
  const shop = app.directory.cachedShop({ subdomain: report.account.subdomain })
  return (shop?.cache.entries.get('answers') ?? new Map()) as Map<string, unknown>
}

/** Something was written through this process, so nothing is repeated until the database was asked again. */
const markDirty = ({ app }: Venue) => app.database.pgNotifications.markDirty()

test.each([
  ['/events', 'application/json'],
  ['/events', 'text/html'],
  ['/events/winter-ball', '*/*'],
  ['/events/winter-ball', 'text/html,application/xhtml+xml;q=0.9'],
  ['/events/winter-ball.json', 'text/html'],
  ['/events/winter-ball.ics', '*/*'],
])('%s for %s is repeated as it went out the first time', async (path, accept) => {
  const { venue } = await openShop()
  let whole = await ask(venue, 'GET', path, { accept })
  expect(whole.status).toBe(200)
  // Where the database hesitates for seconds all that was kept is forgotten, and kept anew.
  const keepAgain = async () => {
    whole = await ask(venue, 'GET', path, { accept })
    return [...(await keptOf(venue)).keys()]
  }
  await expect.poll(keepAgain, { timeout: 10_000 }).toContain(`${path} ${accept}`)
  expect(await ask(venue, 'GET', path, { accept })).toEqual(whole)
  expect(await ask(venue, 'HEAD', path, { accept })).toEqual({ ...whole, body: '' })

  const known = { accept, 'if-none-match': whole.headers.etag! }
  const repeated = await ask(venue, 'GET', path, known)
  markDirty(venue)
  expect(repeated).toEqual(await ask(venue, 'GET', path, known))
  expect([repeated.status, repeated.body]).toEqual([304, ''])
})

test('nothing is repeated to another method, another shop, or after a change', async () => {
  const { venue, shop } = await openShop()
  const other = await openVenue((file) => {
    file['events'][0].title = 'Their Ball'
  })
  const repeated = await shop.get('/events/winter-ball')
  expect((await keptOf(venue)).size).toBeGreaterThan(0)
  expect((await shop.ask('POST', '/events/winter-ball')).status).toBe(405)
  expect((await atShop(other).get('/events/winter-ball')).body.title).toBe('Their Ball')

  const { pool } = venue.app.database
  await pool.query(`update events set title = 'Summer Ball' where slug = 'winter-ball' and account_id = $1`, [
    venue.report.account.id,
  ])
  expect(repeated.body.title).toBe('Winter Ball')
  expect((await shop.get('/events/winter-ball')).body.title).toBe('Summer Ball')
})

test('addresses with codes, long ones and refusals are not kept, and any number of others fills nothing', async () => {
  const { venue, shop } = await openShop()
  const before = (await keptOf(venue)).size
  await shop.get('/events/winter-ball?code=backstage')
  await shop.get('/events/no-such-ball')
  await shop.get('/events/winter-ball', { headers: { accept: `application/json;x=${'y'.repeat(500)}` } })
  expect((await keptOf(venue)).size).toBe(before)

  for (let n = 0; n < 450; n++) await shop.get('/events', { headers: { accept: `application/json;v=${n}` } })
  const { size } = await keptOf(venue)
  expect(size).toBeGreaterThan(0)
  expect(size).toBeLessThanOrEqual(200)
})
