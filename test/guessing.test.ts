import { expect, onTestFinished, test } from 'vitest'
import { bodyOf } from './kit/network/read-eml.ts'
import { loadVenue } from '../src/venue-file/load-venue.ts'
import { type Reply, openClient } from './kit/venue/client.ts'
import { hashPassword } from '../src/access/passwords.ts'
import { directoryOf } from '../src/access/shards.ts'
import { stopClock } from './kit/database/database.ts'
import { type VenueFile, neueHalle } from './kit/venue/neue-halle.ts'
import { mailsTo } from './kit/venue/outbox.ts'
import { openSecondApp } from './kit/venue/second-app.ts'
import { cookiesOf, form } from './kit/venue/sessions.ts'
import { openTestApp } from './kit/venue/venue.ts'

const PASSWORD = 'ein gutes Passwort'
const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'

/**
 * Neue Halle in an installation where limits count, in a moment that does not pass, so that no budget fills up again; behind
 * one proxy, so that a test may come from wherever it likes.
 */
const openStrictVenue = async (change: (file: VenueFile) => void = () => {}) => {
  const running = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on', FOYER_TRUST_PROXY: '1' } })
  const file = neueHalle('neue-halle')
  for (const person of file['people']) person.password = PASSWORD
  change(file)
  const report = await loadVenue(running.app, JSON.stringify(file))
  for (const { database } of running.apps) await stopClock(database.pool)
  const second = await openSecondApp(running)
  onTestFinished(async () => {
    await second.close()
    await running.close()
  })

  const from = (ip: string, origin = running.origin, cookie = '') => {
    const headers = { 'x-forwarded-for': ip, ...(cookie && { cookie }) }
    const client = openClient(origin)
    const ask = (method: string, path: string, options: Parameters<typeof client.ask>[2] = {}) =>
      client.ask(method, path, { ...options, headers: { ...options.headers, ...headers } })
    return {
      ask,
      get: (path: string) => ask('GET', path, { headers: { accept: 'text/html' } }),
      signIn: (email: string, password: string) => ask('POST', '/sign_in', form({ email, password })),
    }
  }
  return { ...running, report, second, from }
}

const many = async (count: number, ask: (n: number) => Promise<Reply>) =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n)))

const statusesOf = (replies: Reply[]) => [...new Set(replies.map(({ status }) => status))].toSorted()

const countOf = (replies: Reply[], status: number) => replies.filter((reply) => reply.status === status).length

const [OFFICE, HOTEL] = ['192.0.2.1', '198.51.100.1']

test('a burst of passwords does not pass whole: it is spent before it is checked', async () => {
  const { server, from } = await openStrictVenue()
  // Without a wire between, so that all of them are there before the first is checked.
  const signIn = async (ip: string, password: string) => {
    const { statusCode } = await server.inject({
      method: 'POST',
      url: '/sign_in',
      headers: { host: 'localhost:3000', 'x-forwarded-for': ip, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ email: OLGA, password }).toString(),
    })
    return statusCode
  }
  const wrong = Array.from({ length: 99 }, (_, n) => signIn(`203.0.113.${n}`, `guess ${n}`))
  const right = signIn(HOTEL, PASSWORD)
  expect(await right).toBe(429)
  expect((await Promise.all(wrong)).filter((status) => status === 422)).toHaveLength(30)

  const mara = await many(100, (n) => from(OFFICE).signIn(MARA, `guess ${n}`))
  expect(countOf(mara, 422)).toBe(10)
})

test('right passwords cost nothing, however many sign in from one address', async () => {
  const { from } = await openStrictVenue()
  for (let n = 0; n < 15; n++) expect((await from(OFFICE).signIn(OLGA, PASSWORD)).status).toBe(303)
})

test('whoever guesses at one person locks out neither others on the same network nor that person elsewhere', async () => {
  const { from } = await openStrictVenue()
  await many(40, (n) => from(OFFICE).signIn(OLGA, `guess ${n}`))
  expect((await from(OFFICE).signIn(OLGA, PASSWORD)).status).toBe(429)
  expect((await from(OFFICE).signIn(MARA, PASSWORD)).status).toBe(303)
  expect((await from(HOTEL).signIn(OLGA, PASSWORD)).status).toBe(303)
})

test('guessing from many addresses at one person, and from one at everybody, is bounded too', async () => {
  const { from } = await openStrictVenue()
  const everywhere = await many(50, (n) => from(`203.0.113.${n}`).signIn(OLGA, `guess ${n}`))
  expect(countOf(everywhere, 422)).toBe(30)
  const everybody = await many(80, (n) => from(HOTEL).signIn(`guess-${n}@neue-halle.example`, 'password'))
  expect(countOf(everybody, 422)).toBe(60)
  expect(statusesOf(everybody)).toEqual([422, 429])
})

test('in a browser where a person has signed in before, nobody else can use up their tries', async () => {
  const { from, origin } = await openStrictVenue()
  const cookie = cookiesOf(await from(OFFICE).signIn(OLGA, PASSWORD))
  for (const email of [OLGA, MARA]) await many(30, (n) => from(OFFICE).signIn(email, `guess ${n}`))
  expect((await from(OFFICE).signIn(OLGA, PASSWORD)).status).toBe(429)

  const known = from(OFFICE, origin, cookie)
  expect((await known.signIn(OLGA, PASSWORD)).status).toBe(303)
  expect((await known.signIn(MARA, PASSWORD)).status).toBe(429)
  const forged = from(
    OFFICE,
    origin,
    cookie.replace(/foyer_known=\d+/, (name) => `${name}1`),
  )
  expect((await forged.signIn(OLGA, PASSWORD)).status).toBe(429)

  const guesses = await many(40, (n) => known.signIn(OLGA, `guess ${n}`))
  expect(countOf(guesses, 422)).toBe(10)
})

test('the browsers in which a person has signed in share a budget, and are unknown under another password', async () => {
  const venue = await openStrictVenue()
  const { from, origin, app } = venue
  const cookies: string[] = []
  for (let n = 0; n < 8; n++) cookies.push(cookiesOf(await from(HOTEL).signIn(OLGA, PASSWORD)))
  const guessInAll = async (count: number) =>
    (
      await Promise.all(
        cookies.map((cookie) => many(count, (n) => from(OFFICE, origin, cookie).signIn(OLGA, `guess ${n}`))),
      )
    ).flat()
  // Eight browsers would have eighty.
  expect(countOf(await guessInAll(10), 422)).toBe(60)

  const { pool } = directoryOf(app)
  const forgetGuesses = () => pool.query('delete from spent_budgets')
  const change = 'update people set password_digest = $1 where email = $2'
  const { rows } = await pool.query<{ digest: string }>(
    'select password_digest as digest from people where email = $1',
    [OLGA],
  )
  await forgetGuesses()
  await pool.query(change, [await hashPassword('ein anderes Passwort'), OLGA])
  const { origin: elsewhere } = venue.second
  const guessElsewhere = () =>
    Promise.all(cookies.map((cookie) => from(OFFICE, elsewhere, cookie).signIn(OLGA, PASSWORD)))
  await many(10, (n) => from(OFFICE, elsewhere).signIn(OLGA, `guess ${n}`))
  expect(statusesOf(await guessElsewhere())).toEqual([429])

  await pool.query(change, [rows[0]!.digest, OLGA])
  expect(statusesOf(await guessElsewhere())).toEqual([303])
})

test('two processes share one budget for passwords, codes and links', async () => {
  const { from, origin, second, report } = await openStrictVenue()
  for (let n = 0; n < 10; n++) {
    expect((await from(OFFICE, n % 2 ? origin : second.origin).signIn(OLGA, 'wrong')).status).toBe(422)
  }
  for (const place of [origin, second.origin]) {
    expect((await from(OFFICE, place).signIn(OLGA, PASSWORD)).status).toBe(429)
  }

  const lookUp = (place: string, n: number) =>
    openClient(place, { token: report.api_tokens['office read'] }).post('/admin/voucher_lookup', { code: `WRONG-${n}` })
  expect(countOf(await many(100, (n) => lookUp(n % 2 ? origin : second.origin, n)), 404)).toBe(30)

  const open = (place: string, n: number) => from(OFFICE, place).get(`/sign_in/links/guess-${n}`)
  const links = await many(100, (n) => open(n % 2 ? origin : second.origin, n))
  expect(statusesOf(links)).toEqual([410, 429])
  expect(countOf(links, 410)).toBe(30)
})

test('a right link opens from an address where others tried too many wrong ones', async () => {
  const venue = await openStrictVenue()
  const { from, report, origin } = venue
  const office = openClient(origin, { token: report.api_tokens['olga write'] })
  await from(HOTEL).ask('POST', '/sign_in', form({ email: OLGA, by: 'link' }))
  await from(HOTEL).ask('POST', '/password', form({ email: OLGA }))
  const invited = { email: 'nora@partner.example', role: 'manager' }
  expect((await office.post('/admin/invitations', { invitation: invited })).status).toBe(201)
  const paired = await office.post('/admin/device_pairings', { device_pairing: { name: 'Side door' } })
  await venue.workOffJobs()
  const pathsTo = async (address: string) =>
    (await mailsTo(venue, address)).map(
      (mail) => new URL(/https?:\/\/\S+/.exec(bodyOf(mail, 'text/plain')!)![0]).pathname,
    )
  const links = [...(await pathsTo(OLGA)), ...(await pathsTo('nora@partner.example'))]
  expect(links).toHaveLength(3)

  for (const link of links) {
    const guesses = await many(50, (n) => from(OFFICE).get(link.replace(/[^/]+$/, `guess-${n}`)))
    expect(statusesOf(guesses)).toContain(429)
    expect((await from(OFFICE).get(link)).status).toBe(200)
  }

  const pair = (secret: string) =>
    from(OFFICE).ask('POST', '/scanner/pairings', {
      body: { pairing_secret: secret },
      headers: { accept: 'application/json' },
    })
  expect(statusesOf(await many(50, (n) => pair(`guess-${n}`)))).toEqual([404, 429])
  expect((await pair(paired.body.pairing_secret)).status).toBe(201)
})

test('access codes of the feed are guessed only so often from an address, and a right one costs nothing', async () => {
  const { from, report } = await openStrictVenue()
  const { host } = new URL(report.account.shop_url)
  const feed = (ip: string, query: string) =>
    from(ip).ask('GET', `/events/winter-ball${query}`, { headers: { host, accept: 'application/json' } })
  const titlesOf = (reply: Reply) => reply.body.tickets.map(({ title }: { title: string }) => title)

  for (let n = 0; n < 200; n++) expect(titlesOf(await feed(HOTEL, '?code=backstage'))).toContain('Crew')

  const codes = (n: number) => Array.from({ length: 100 }, (_, each) => `code[]=guess${n}-${each}`).join('&')
  const replies = await many(20, (n) => feed(OFFICE, `?${codes(n)}`))
  expect(statusesOf(replies)).toEqual([200, 429])
  expect(countOf(replies, 200)).toBe(1)
  const single = await many(60, (n) => feed(OFFICE, `?code=single-${n}`))
  expect(countOf(single, 200)).toBe(20)
  expect(single.find(({ status }) => status === 429)!.headers.get('cache-control')).toContain('no-store')

  // Nobody tells a right code from a guess there for a moment; without one, and elsewhere, nothing has changed.
  expect((await feed(OFFICE, '?code=backstage')).status).toBe(429)
  expect((await feed(OFFICE, '')).status).toBe(200)
  expect(titlesOf(await feed(HOTEL, '?code=backstage&code=typo'))).toContain('Crew')
  expect((await feed(HOTEL, '?code=backstage')).headers.get('cache-control')).toBe('public, max-age=60')
})

/** The shop of this venue, as it is asked from an address. */
const shopFrom = ({ from, report }: Awaited<ReturnType<typeof openStrictVenue>>) => {
  const { host } = new URL(report.account.shop_url)
  return (ip: string, method: string, path: string, options: Parameters<ReturnType<typeof from>['ask']>[2] = {}) =>
    from(ip).ask(method, path, { ...options, headers: { host, ...options.headers } })
}

test('on the way to a purchase access codes are guessed no more often, wherever they are tried', async () => {
  const ask = shopFrom(await openStrictVenue())
  const page = { headers: { accept: 'text/html' } }
  const formWith = (codes: string[]) => {
    const fields = new URLSearchParams({ 'checkout[event_slug]': 'winter-ball' })
    for (const code of codes) fields.append('checkout[code][]', code)
    return fields.toString()
  }
  const ways: [string, number, (ip: string, codes: string[]) => Promise<Reply>][] = [
    [
      '192.0.2.11',
      200,
      (ip, codes) =>
        ask(ip, 'GET', `/events/winter-ball/tickets?${codes.map((code) => `code[]=${code}`).join('&')}`, page),
    ],
    ['192.0.2.12', 200, (ip, codes) => ask(ip, 'GET', `/events/winter-ball/line?${formWith(codes)}`, page)],
    [
      '192.0.2.13',
      422,
      (ip, codes) => ask(ip, 'POST', '/checkouts', { body: { checkout: { event_slug: 'winter-ball', code: codes } } }),
    ],
    ['192.0.2.14', 422, (ip, codes) => ask(ip, 'POST', '/checkouts', { ...form({}), raw: formWith(codes) })],
  ]
  const codesOf = (n: number) => Array.from({ length: 20 }, (_, each) => `guess${n}-${each}`)
  for (const [ip, status, guess] of ways) {
    const replies = await many(10, (n) => guess(ip, codesOf(n)))
    expect([ip, countOf(replies, status), countOf(replies, 429)]).toEqual([ip, 6, 4])
    expect((await ask(ip, 'GET', '/events/winter-ball?code=backstage')).status).toBe(429)
    expect((await guess(ip, [])).status).toBe(status)
  }
})

test('codes of vouchers are guessed no more often on the page of a checkout than over the API', async () => {
  const venue = await openStrictVenue((file) => {
    file['vouchers'] = [{ key: 'v', amount: '5.00' }]
  })
  const ask = shopFrom(venue)
  const { ga } = venue.report.events['winter-ball']!.tickets
  const checkout = { event_slug: 'winter-ball', items: [{ ticket_id: ga, quantity: 1 }] }
  const { token } = (await ask(OFFICE, 'POST', '/checkouts', { body: { checkout } })).body
  const tryCode = (ip: string, code: string) =>
    ask(ip, 'POST', `/checkouts/${token}`, form({ intent: 'voucher', code, 'checkout[customer_name]': 'Berit' }))

  const guesses = await many(30, (n) => tryCode(OFFICE, `GUESS${String(n).padStart(11, '0')}`))
  expect([countOf(guesses, 422), countOf(guesses, 429)]).toEqual([20, 10])
  expect(guesses.find(({ status }) => status === 429)!.headers.get('retry-after')).toBeTruthy()
  const { code } = venue.report.vouchers['v']!
  expect((await ask(OFFICE, 'POST', `/checkouts/${token}/vouchers`, { body: { code } })).status).toBe(429)
  expect((await tryCode(HOTEL, code)).status).toBe(303)
})

test('guesses at codes of events that have none cost nothing', async () => {
  const { from, report } = await openStrictVenue()
  const { host } = new URL(report.account.shop_url)
  const replies = await many(300, (n) =>
    from(OFFICE).ask('GET', `/events/spring-night?code=guess-${n}`, { headers: { host, accept: 'application/json' } }),
  )
  expect(statusesOf(replies)).toEqual([200])
})

test('FOYER_RATE_LIMITS=off lifts them all', async () => {
  const running = await openTestApp()
  onTestFinished(() => running.close())
  const report = await loadVenue(running.app, JSON.stringify(neueHalle('neue-halle')))
  const stranger = openClient(running.origin)
  const { host } = new URL(report.account.shop_url)
  const office = openClient(running.origin, { token: report.api_tokens['office read'] })
  const door = openClient(running.origin, { token: report.devices['Door 1'] })
  const asked: [number, (n: number) => Promise<Reply>, number][] = [
    [30, () => stranger.ask('POST', '/sign_in', form({ email: OLGA, password: 'wrong' })), 422],
    [50, (n) => stranger.get(`/sign_in/links/guess-${n}`), 410],
    [50, (n) => stranger.post('/scanner/pairings', { pairing_secret: `guess-${n}` }), 404],
    [50, (n) => office.post('/admin/voucher_lookup', { code: `WRONG-${n}` }), 404],
    [400, (n) => door.get(`/scanner/tickets/unknown-${n}`), 404],
    [200, (n) => stranger.get(`/events/winter-ball?code=guess-${n}`, { headers: { host } }), 200],
    [700, (n) => openClient(running.origin, { token: `guess-${n}` }).get('/admin/events'), 401],
  ]
  for (const [count, ask, status] of asked) expect(statusesOf(await many(count, ask))).toEqual([status])
})
