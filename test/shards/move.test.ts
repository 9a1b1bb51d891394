import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkConsistency } from '../../src/consistency/check-consistency.ts'
import { type MoveOptions, moveAccount } from '../../src/shards/move-account.ts'
import { cookiesOf, form, linkTo, withHeaders } from '../kit/venue/sessions.ts'
import { atShop } from '../kit/venue/shop.ts'
import { type OpenApp, type Venue, openTestApp, openVenueAt } from '../kit/venue/venue.ts'
import { countRowsOf } from './doors.ts'

const PASSWORD = 'ein gutes Passwort'

let house: OpenApp

beforeAll(async () => {
  house = await openTestApp({ shards: ['two', 'three'] })
})

afterAll(() => house.close())

const openAt = (n: number) => openVenueAt({ ...house, app: house.apps[n]! })

const NAMES = ['main', 'two', 'three'] as const

const addParty = async (venue: Venue, name = 'Ada Lovelace') => {
  const party = { customer_name: name, ticket_id: venue.report.events['winter-ball']!.tickets['ga'] }
  return venue.office.post('/admin/events/winter-ball/guest_parties', { guest_party: party })
}

const letIn = (venue: Venue, { body }: Awaited<ReturnType<typeof addParty>>) =>
  venue.door.post(`/scanner/events/winter-ball/tickets/${body.admissions[0].public_id}/redemption`)

/** How many rows of the account each server has, over all tables. */
const rowsByServer = async ({ report }: Venue) => {
  const counts = []
  for (const { database } of house.apps) counts.push(await countRowsOf(database.pool, report.account.id))
  return counts
}

/** Nobody reads beside it, so nobody is waited for. */
const move = (venue: Venue, to: string, onStep: MoveOptions['onStep'] = () => {}) =>
  moveAccount(house.apps[0]!, { subdomain: venue.report.account.subdomain, to }, { onStep, graceMs: 10 })

test('an account goes from server to server with all it has, and nobody who works for it notices', async () => {
  const email = 'nina@wandering.example'
  const venue = await openVenueAt({ ...house, app: house.apps[0]! }, (file) => {
    file['people'].push({ name: 'Nina Neu', email, password: PASSWORD, role: 'manager' })
  })
  const signIn = () => venue.stranger.ask('POST', '/sign_in', form({ email, password: PASSWORD }))
  const session = withHeaders(venue.stranger, { cookie: cookiesOf(await signIn()) })
  const parties = [await addParty(venue)]
  const ids: number[] = []

  for (const to of ['two', 'three', 'main', 'three'] as const) {
    const before = await rowsByServer(venue)
    const { rows } = await move(venue, to)
    expect(rows).toBe(before.reduce((sum, count) => sum + count))
    const after = await rowsByServer(venue)
    expect(after).toEqual(NAMES.map((name) => (name === to ? rows : 0)))

    expect((await session.get('/admin/account')).body.subdomain).toBe(venue.report.account.subdomain)
    expect(await atShop(venue).get('/events.json')).toMatchObject({ status: 200 })
    expect(await letIn(venue, parties.at(-1)!)).toMatchObject({ status: 200 })
    expect((await signIn()).status).toBe(303)
    const party = await addParty(venue)
    expect(party.status).toBe(201)
    parties.push(party)
    const { body } = await venue.office.post('/admin/invitations', {
      invitation: { email: `${to}-${ids.length}@new.example`, role: 'manager' },
    })
    ids.push(body.id)
  }
  // Later ones have higher numbers, wherever they were drawn.
  expect(ids).toEqual(ids.toSorted((a, b) => a - b))
  expect(await checkConsistency(house.app)).toEqual([])
})

test('jobs that wait move along and are done once', async () => {
  const venue = await openAt(1)
  const email = `jobs-${venue.report.account.id}@new.example`
  await venue.office.post('/admin/invitations', { invitation: { email, role: 'manager' } })
  await move(venue, 'three')
  await house.workOffJobs()
  const path = await linkTo(house, email)
  expect((await venue.stranger.get(path, { headers: { accept: 'text/html' } })).text).toContain('Join Neue Halle')
})

test('while it is paused nothing can be written, and everything can be read', async () => {
  const venue = await openAt(1)
  const other = await openAt(1)
  const party = await addParty(venue)
  let isSeen = false
  await move(venue, 'two-and-a-half').catch((error: Error) => expect(error.message).toContain('no shard'))
  await move(venue, 'main', async (step) => {
    if (step !== 'copy') return
    isSeen = true
    const refused = await letIn(venue, party)
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
    expect((await addParty(venue)).status).toBe(503)
    expect(await venue.office.get('/admin/events')).toMatchObject({ status: 200 })
    expect((await addParty(other)).status).toBe(201)
    await expect(move(venue, 'three')).rejects.toThrow('by somebody else')
  })
  expect(isSeen).toBe(true)
  expect(await letIn(venue, party)).toMatchObject({ status: 200 })
})

class Killed extends Error {}

/** As if the mover were killed there: its connections have ended, with its locks, and it says nothing more. */
const killAt = async (venue: Venue, to: string, at: string) => {
  const gone = Promise.withResolvers<never>()
  const killed = move(venue, to, async (step) => {
    if (step !== at) return
    for (const { database } of house.apps) {
      await database.pool.query(
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity
         where application_name = 'foyer move' and datname = current_database()`,
      )
    }
    gone.reject(new Killed())
    await new Promise(() => {})
  })
  await expect(Promise.race([killed, gone.promise])).rejects.toThrow(Killed)
}

test.each(['drain', 'pause', 'copy', 'commit', 'arrive', 'resume', 'clear', 'end'])(
  'a move that is killed before it comes to "%s" is settled by the next who looks',
  async (step) => {
    const venue = await openAt(1)
    const party = await addParty(venue)
    const whole = (await rowsByServer(venue))[1]
    await killAt(venue, 'three', step)
    await house.workOffJobs()
    const counts = await rowsByServer(venue)
    const hasArrived = ['resume', 'clear', 'end'].includes(step)
    expect(counts[0]).toBe(0)
    expect(counts[hasArrived ? 1 : 2]).toBe(0)
    expect(counts[hasArrived ? 2 : 1]).toBeGreaterThanOrEqual(whole! - 1)
    expect(await letIn(venue, party)).toMatchObject({ status: 200 })
    expect((await addParty(venue)).status).toBe(201)

    await move(venue, 'main')
    expect((await rowsByServer(venue)).slice(1)).toEqual([0, 0])
    expect((await addParty(venue)).status).toBe(201)
  },
)

test('a target that goes away in the middle leaves the account where it was, open', async () => {
  const venue = await openAt(1)
  const { wire } = house.furtherServers[1]!
  await expect(move(venue, 'three', (step) => (step === 'commit' ? wire.refuse() : undefined))).rejects.toThrow(
    'Connection terminated',
  )
  expect((await addParty(venue)).status).toBe(201)
  wire.mend()
  await expect
    .poll(async () => (await move(venue, 'three').catch(() => ({ rows: 0 }))).rows, { timeout: 60_000 })
    .toBeGreaterThan(0)
  expect((await addParty(venue)).status).toBe(201)
})

/** Its connection to the directory is gone, and with it the lock; those to the other servers stay. */
const loseDirectory = ({ report }: Venue) =>
  house.apps[0]!.database.pool.query(
    `select pg_terminate_backend(l.pid) from pg_locks l
     where l.locktype = 'advisory' and l.objid = hashtext($1)::oid
       and l.database = (select oid from pg_database where datname = current_database())`,
    [String(report.account.id)],
  )

test.concurrent.each([
  ['drain', 'two'],
  ['pause', 'two'],
  ['copy', 'three'],
  ['resume', 'two'],
  ['clear', 'two'],
] as const)(
  'a mover that has lost the directory before it comes to "%s" does no harm to an account that was moved to "%s" by others',
  async (step, to) => {
    const venue = await openAt(1)
    let party = await addParty(venue)
    let isSeen = false
    const lost = move(venue, 'three', async (each) => {
      if (each !== step) return
      isSeen = true
      expect((await loseDirectory(venue)).rowCount).toBe(1)
      // Whoever comes next settles what it left, and goes on to where the account would be hurt.
      await expect.poll(() => move(venue, 'main').then(() => 'moved', String), { timeout: 60_000 }).toBe('moved')
      await move(venue, to)
      party = await addParty(venue)
      expect(party.status).toBe(201)
    })
    await expect(lost).rejects.toThrow(/terminat|not queryable/)
    expect(isSeen).toBe(true)
    const counts = await rowsByServer(venue)
    expect(counts.map((count) => count > 0)).toEqual(NAMES.map((name) => name === to))
    expect(await letIn(venue, party)).toMatchObject({ status: 200 })
    expect((await addParty(venue)).status).toBe(201)
  },
)
