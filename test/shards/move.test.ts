import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkConsistency } from '../../src/consistency/check-consistency.ts'
import { moveAccount } from '../../src/shards/move-account.ts'
import { cookiesOf, form, linkTo, withHeaders } from '../kit/venue/sessions.ts'
import { atShop } from '../kit/venue/shop.ts'
import { type OpenApp, type Venue, openTestApp, openVenueAt } from '../kit/venue/venue.ts'

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
  for (const { database } of house.apps) {
    const { rows: tables } = await database.pool.query<{ name: string; id: string }>(
      `select c.relname as name, a.attname as id from pg_class c join pg_attribute a on a.attrelid = c.oid
         and a.attname = case when c.relname = 'accounts' then 'id' else 'account_id' end
       where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
         and c.relname not in ('account_shards', 'account_moves', 'account_pauses', 'directory_entries')`,
    )
    let count = 0
    for (const { name, id } of tables) {
      const { rows } = await database.pool.query<{ count: number }>(
        `select count(*)::int as count from ${name} where ${id} = $1`,
        [report.account.id],
      )
      count += rows[0]!.count
    }
    counts.push(count)
  }
  return counts
}

const move = (venue: Venue, to: string, onStep?: Parameters<typeof moveAccount>[2]) =>
  moveAccount(house.apps[0]!, { subdomain: venue.report.account.subdomain, to }, onStep)

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

/** As if the mover were killed there: its connections end, and it says nothing more. */
const killAt = async (venue: Venue, to: string, at: string) => {
  const gone = Promise.withResolvers<never>()
  const killed = move(venue, to, async (step) => {
    if (step !== at) return
    for (const { database } of house.apps) {
      await database.pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
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
  await expect.poll(async () => (await move(venue, 'three').catch(() => ({ rows: 0 }))).rows).toBeGreaterThan(0)
  expect((await addParty(venue)).status).toBe(201)
})

/** A hundred and more in the long run: `npm run test:long -- --only R24`. */
const MOVES = Number(process.env['FOYER_MOVES'] ?? 3)

test('nobody is let in twice and nobody is forgotten while an account moves under doors that scan', async () => {
  const venue = await openVenueAt({ ...house, app: house.apps[1]! }, (file) => {
    file['events'][0].capacity = 100_000
    file['events'][0].tickets[0].stock = 100_000
  })
  const over = new AbortController()
  const accepted: string[] = []

  /** Whoever is told to come again does, with the same ticket. */
  const scan = async (lane: number) => {
    for (let n = 0; !over.signal.aborted; n++) {
      const party = await untilAnswered(() => addParty(venue, `Guest ${lane}/${n}`))
      expect(party.status).toBe(201)
      const entry = await untilAnswered(() => letIn(venue, party))
      expect(entry.status).toBe(200)
      accepted.push(party.body.admissions[0].public_id)
    }
  }
  const untilAnswered = async <T extends { status: number }>(ask: () => Promise<T>): Promise<T> => {
    for (;;) {
      const reply = await ask()
      if (reply.status !== 503) return reply
      await pause(20)
    }
  }
  const scanning = Promise.all(Array.from({ length: 4 }, (_, lane) => scan(lane)))
  for (let n = 0; n < MOVES; n++) await move(venue, NAMES[n % NAMES.length]!)
  over.abort()
  await scanning

  expect(accepted.length).toBeGreaterThan(MOVES)
  const { database } = house.apps[(MOVES - 1) % NAMES.length]!
  const { rows } = await database.pool.query<{ id: string; entries: number }>(
    `select a.public_id as id, count(t.*)::int as entries from admissions a
     left join redemption_attempts t
       on t.account_id = a.account_id and t.public_id = a.public_id and t.result = 'accepted'
     where a.account_id = $1 and a.redeemed_at is not null group by a.public_id`,
    [venue.report.account.id],
  )
  expect(new Set(rows.map(({ id }) => id))).toEqual(new Set(accepted))
  expect(rows.filter(({ entries }) => entries !== 1)).toEqual([])
  expect(await checkConsistency(house.app)).toEqual([])
})
