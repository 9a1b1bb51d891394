import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken, pairDevice } from '../../src/access/operator.ts'
import { appsOfShards } from '../../src/access/shards.ts'
import { checkConsistency } from '../../src/consistency/check-consistency.ts'
import { digestOf } from '../../src/access/tokens.ts'
import { FileFault } from '../../src/loading/fault.ts'
import { cookiesOf, form, linkTo, withHeaders } from '../kit/venue/sessions.ts'
import { atShop } from '../kit/venue/shop.ts'
import { type OpenApp, type Venue, openTestApp, openVenueAt } from '../kit/venue/venue.ts'

const PASSWORD = 'ein gutes Passwort'
/** Works for both venues. */
const BOTH = 'bo@both.example'

let house: OpenApp
let here: Venue
let there: Venue

const addBo = (file: { people: object[] }) =>
  void file.people.push({ name: 'Bo Both', email: BOTH, password: PASSWORD, role: 'manager' })

beforeAll(async () => {
  house = await openTestApp({ shards: ['two'] })
  // Beyond what 32 bits hold, as after years of drawing every 1024th number.
  await house.apps[1]!.database.pool.query(
    `select setval(format('public.%I', sequencename)::regclass, 8589934593, false) from pg_sequences where schemaname = 'public'`,
  )
  here = await openVenueAt({ ...house, app: house.apps[0]! }, addBo as never)
  there = await openVenueAt({ ...house, app: house.apps[1]! }, addBo as never)
})

afterAll(() => house.close())

const countAt = async (n: number, statement: string, values: unknown[]) => {
  const { rows } = await house.apps[n]!.database.pool.query<{ count: number }>(statement, values)
  return rows[0]!.count
}

const addParty = async (venue: Venue) => {
  const party = { customer_name: 'Ada Lovelace', ticket_id: venue.report.events['winter-ball']!.tickets['ga'] }
  const { status, body } = await venue.office.post('/admin/events/winter-ball/guest_parties', { guest_party: party })
  expect(status).toBe(201)
  return body
}

const venues = () => [
  { venue: here, at: 0, elsewhere: 1 },
  { venue: there, at: 1, elsewhere: 0 },
]

test('an account lives whole on its server, and nothing of it stands on the other', async () => {
  for (const { venue, at, elsewhere } of venues()) {
    for (const table of ['events', 'memberships', 'credentials', 'payment_methods', 'credential_digests', 'orders']) {
      const statement = `select count(*)::int as count from ${table} where account_id = $1`
      expect.soft(await countAt(elsewhere, statement, [venue.report.account.id]), table).toBe(0)
      if (table !== 'orders') {
        expect.soft(await countAt(at, statement, [venue.report.account.id]), table).toBeGreaterThan(0)
      }
    }
  }
  expect(there.report.events['winter-ball']!.id).toBeGreaterThan(2 ** 32)
  expect(there.report.events['winter-ball']!.id % 1024).toBe(1)
  expect(here.report.events['winter-ball']!.id % 1024).toBe(0)
})

test('tokens, devices, shops and events of both are served by one process', async () => {
  for (const { venue } of venues()) {
    const { body: events } = await venue.office.get('/admin/events')
    expect(events.events.map(({ id }: { id: number }) => id)).toContain(venue.report.events['winter-ball']!.id)
    const party = await addParty(venue)
    const path = `/scanner/events/winter-ball/tickets/${party.admissions[0].public_id}/redemption`
    expect(await venue.door.post(path)).toMatchObject({ status: 200 })
    expect(await atShop(venue).get('/events.json')).toMatchObject({ status: 200 })
    expect(await venue.client('foyer_api_nobody').get('/admin/events')).toRefuse(401)
  }
  expect(await here.office.get('/admin/events/winter-ball')).toMatchObject({ status: 200 })
  expect(await checkConsistency(house.app)).toEqual([])
})

test('requests for both that arrive together are each answered from the right server', async () => {
  const asked = Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? here : there))
  const answers = await Promise.all(asked.map((venue) => venue.office.get('/admin/account')))
  expect(answers.map(({ body }) => body.subdomain)).toEqual(asked.map(({ report }) => report.account.subdomain))
})

test('somebody who works for both signs in, changes over, signs out, and is one person', async () => {
  const reply = await house.server.inject({
    method: 'POST',
    url: '/sign_in',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ email: BOTH, password: PASSWORD }).toString(),
  })
  expect([reply.statusCode, reply.headers.location]).toEqual([303, '/sign_in/account'])
  const choosing = withHeaders(here.stranger, { cookie: String(reply.headers['set-cookie']).split(';')[0]! })
  const page = await choosing.get('/sign_in/account', { headers: { accept: 'text/html' } })
  const ids = [here, there].map(({ report }) => report.people[BOTH]!.membership_id)
  for (const id of ids) expect(page.text).toContain(`value="${id}"`)
  expect(here.report.people[BOTH]!.user_id).toBe(there.report.people[BOTH]!.user_id)

  const chosen = await choosing.ask('POST', '/sign_in/account', form({ membership_id: String(ids[1]) }))
  const session = withHeaders(there.stranger, { cookie: cookiesOf(chosen) })
  expect((await session.get('/admin/account')).body.subdomain).toBe(there.report.account.subdomain)
  expect((await session.get('/console/session')).body.other_accounts).toMatchObject([{ membership_id: ids[0] }])
  const own = await session.get('/account', { headers: { accept: 'text/html' } })
  expect(own.text).toContain('this browser')

  const switched = await session.ask('POST', '/account/switch', form({ membership_id: String(ids[0]) }))
  const other = withHeaders(here.stranger, { cookie: cookiesOf(switched) })
  expect((await other.get('/admin/account')).body.subdomain).toBe(here.report.account.subdomain)
  expect(await session.get('/admin/account')).toRefuse(401)
  await other.ask('POST', '/sign_out', form({}))
  expect(await other.get('/admin/account')).toRefuse(401)
})

test('many who choose an account on another server at once are all signed in to it', async () => {
  const reply = await here.stranger.ask('POST', '/sign_in', form({ email: BOTH, password: PASSWORD }))
  const fields = { membership_id: String(there.report.people[BOTH]!.membership_id) }
  const choices = Array.from({ length: 40 }, () =>
    here.stranger.ask('POST', '/sign_in/account', form(fields, { cookie: cookiesOf(reply) })),
  )
  for (const chosen of await Promise.all(choices)) {
    const session = withHeaders(there.stranger, { cookie: cookiesOf(chosen) })
    expect((await session.get('/admin/account')).body.subdomain).toBe(there.report.account.subdomain)
  }
})

test('a new password ends what was opened with the old one on every server', async () => {
  const email = `nina-${randomBytes(4).toString('hex')}@both.example`
  const add = (file: { people: object[] }) =>
    void file.people.push({ name: 'Nina Neu', email, password: PASSWORD, role: 'manager' })
  const venue = await openVenueAt({ ...house, app: house.apps[1]! }, add as never)
  const signIn = (password: string) => venue.stranger.ask('POST', '/sign_in', form({ email, password }))
  const session = withHeaders(venue.stranger, { cookie: cookiesOf(await signIn(PASSWORD)) })
  expect(await session.get('/admin/events')).toMatchObject({ status: 200 })

  await venue.stranger.ask('POST', '/password', form({ email }))
  await house.workOffJobs()
  const path = await linkTo(house, email)
  const page = await venue.stranger.get(path, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(await venue.stranger.ask('POST', path, form({ password: 'ein anderes Passwort' }))).toMatchObject({
    status: 303,
  })
  expect(await session.get('/admin/events')).toRefuse(401)
  expect((await signIn(PASSWORD)).status).toBe(422)
  expect((await signIn('ein anderes Passwort')).status).toBe(303)
})

test('invitations make members, be they new or known to the other server only', async () => {
  const invite = async (email: string) => {
    const { body } = await there.office.post('/admin/invitations', { invitation: { email, role: 'manager' } })
    expect(body.id).toBeGreaterThan(2 ** 32)
    await house.workOffJobs()
    return linkTo(house, email)
  }
  const email = `nora-${randomBytes(4).toString('hex')}@new.example`
  const path = await invite(email)
  const fields = { 'invitation[name]': 'Nora Neu', 'invitation[password]': PASSWORD }
  const accepted = await there.stranger.ask('POST', path, form(fields))
  const nora = withHeaders(there.stranger, { cookie: cookiesOf(accepted) })
  expect((await nora.get('/admin/account')).body.subdomain).toBe(there.report.account.subdomain)
  expect((await there.stranger.ask('POST', '/sign_in', form({ email, password: PASSWORD }))).status).toBe(303)

  const known = `mara-${randomBytes(4).toString('hex')}@here.example`
  await openVenueAt({ ...house, app: house.apps[0]! }, (file) => {
    file['people'].push({ name: 'Mara Bekannt', email: known, password: PASSWORD, role: 'manager' })
  })
  const link = await invite(known)
  const page = await there.stranger.get(link, { headers: { accept: 'text/html' } })
  expect(page.text).toContain('Mara Bekannt')
  expect(page.text).not.toContain('invitation[password]')
  expect((await there.stranger.ask('POST', link, form({}))).headers.get('location')).toBe('/sign_in?joined=1')
  const { body } = await there.office.get('/admin/memberships')
  expect(body.active.map((each: { user: { email: string } }) => each.user.email)).toContain(known)
})

test('a subdomain, an address and a token lead to one account, on whichever server', async () => {
  const shout = `shop-${randomBytes(4).toString('hex')}.example`
  for (const [first, second] of [
    [here, there],
    [there, here],
  ] as const) {
    const at = (venue: Venue) => ({ ...house, app: house.apps[venue === here ? 0 : 1]! })
    const load = openVenueAt(at(second), (file) => void (file['account'].subdomain = first.report.account.subdomain))
    await expect(load).rejects.toThrow(FileFault)

    const host = `${first === here ? 'a' : 'b'}-${shout}`
    const patch = (venue: Venue, domains: string[]) =>
      venue.office.patch('/admin/account', { account: { custom_domains: domains } })
    expect(await patch(first, [host])).toMatchObject({ status: 200 })
    expect(await patch(second, [host])).toRefuse(422)
    expect(await atShop(first, host).get('/events.json')).toMatchObject({ status: 200 })
    expect(await patch(first, [])).toMatchObject({ status: 200 })
    expect(await patch(second, [host])).toMatchObject({ status: 200 })
    expect(await patch(second, [])).toMatchObject({ status: 200 })

    const token = `foyer_chosen_${randomBytes(24).toString('hex')}`
    const choose = (venue: Venue) =>
      openVenueAt(at(venue), (file) => void (file['api_tokens'][0].token = token)).then(
        () => 'loaded',
        (error: unknown) => (error instanceof FileFault ? 'refused' : error),
      )
    expect(await choose(first)).toBe('loaded')
    expect(await choose(second)).toBe('refused')
  }
})

test('what was told to the directory for a transaction that failed is taken back', async () => {
  const host = `free-${randomBytes(4).toString('hex')}.example`
  const taken = `taken-${randomBytes(4).toString('hex')}.example`
  await here.office.patch('/admin/account', { account: { custom_domains: [taken] } })
  expect(await there.office.patch('/admin/account', { account: { custom_domains: [host, taken] } })).toRefuse(422)
  const { rows } = await house.apps[0]!.database.pool.query(
    `select from directory_entries where kind = 'host' and key = $1`,
    [Buffer.from(host)],
  )
  expect(rows).toEqual([])
})

test('the command line finds an account on whichever server', async () => {
  for (const { venue, at } of venues()) {
    const { subdomain } = venue.report.account
    const token = await createToken(house.apps[0]!, { subdomain, permission: 'read', description: 'by command' })
    expect(await venue.client(token).get('/admin/events')).toMatchObject({ status: 200 })
    const device = await pairDevice(house.apps[0]!, { subdomain, name: 'by command' })
    expect(await venue.client(device).get('/scanner/events')).toMatchObject({ status: 200 })
    const statement = 'select count(*)::int as count from credential_digests where digest = $1'
    expect(await countAt(at, statement, [digestOf(token)])).toBe(1)
    expect(await countAt(1 - at, statement, [digestOf(token)])).toBe(0)
  }
})

test('while a server is away its accounts are told to come again, and all others are served', async () => {
  const { wire } = house.furtherServers[0]!
  wire.refuse()
  try {
    const refused = await there.office.get('/admin/events')
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await there.door.get('/scanner/events')).status).toBe(503)
    expect((await atShop(there).get('/events.json')).status).toBe(503)
    expect(await here.office.get('/admin/events')).toMatchObject({ status: 200 })
    expect(await here.door.get('/scanner/events')).toMatchObject({ status: 200 })
    expect(await atShop(here).get('/events.json')).toMatchObject({ status: 200 })
    expect(await here.stranger.get('/readyz')).toMatchObject({ status: 200 })
    const reply = await here.stranger.ask('POST', '/sign_in', form({ email: BOTH, password: PASSWORD }))
    expect(reply.headers.get('location')).toBe('/console')
  } finally {
    wire.mend()
  }
  await expect.poll(async () => (await there.office.get('/admin/events')).status).toBe(200)
  expect(appsOfShards(house.app)).toHaveLength(2)
})
