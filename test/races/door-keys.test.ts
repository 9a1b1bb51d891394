import { afterEach, expect, test } from 'vitest'
import { type Client, openClient } from '../kit/venue/client.ts'
import { closeGate, openSecondServer } from '../kit/database/second-server.ts'
import { type AddedAdmission, addOrder } from '../kit/venue/orders.ts'
import { randomOf, shuffledBy } from '../kit/seed.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'

/** The full run takes many more. */
const ROUNDS = Number(process.env['FOYER_DOOR_ROUNDS'] ?? 8)
const REDEEMERS = Number(process.env['FOYER_REDEEMERS'] ?? 40)
const FULL_RUN = { timeout: 60_000 + ROUNDS * REDEEMERS * 100 }

const random = randomOf('keys at the door')

const ticketsOf = (venue: Venue, count: number): Promise<AddedAdmission[]> =>
  addOrder(venue, 'winter-ball', { admissions: Array.from({ length: count }, () => ({})) })

/** The same device at two servers of one database. */
const openTwoServers = async () => {
  const venue = await openVenue()
  const second = await openSecondServer(venue.app)
  closing.push(second.close)
  const doors = [venue.door, openClient(second.origin, { token: venue.report.devices['Door 1']! })]
  return { venue, doors }
}

let closing: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const close of closing.toReversed()) await close()
  closing = []
})

const redeem = (door: Client, identifier: string, key?: string) =>
  door.post(
    `/scanner/events/winter-ball/tickets/${identifier}/redemption`,
    undefined,
    key === undefined ? {} : { headers: { 'idempotency-key': key } },
  )

const sync = async (door: Client, attempts: [key: string, publicId: string][]): Promise<string[]> => {
  const { body } = await door.post('/scanner/redemption_attempts', {
    attempts: attempts.map(([client_id, public_id]) => ({ client_id, event_slug: 'winter-ball', public_id })),
  })
  return body.redemption_attempts.map((each: { result: string }) => each.result)
}

const attemptsAt = async (venue: Venue, publicIds: string[]) => {
  const { rows } = await venue.app.database.pool.query<{ attempts: number; accepted: number; redeemed: number }>(
    `select count(*)::int as attempts, count(*) filter (where result = 'accepted')::int as accepted,
       (select count(redeemed_at)::int from admissions where account_id = $1 and public_id = any ($2)) as redeemed
     from redemption_attempts where account_id = $1 and public_id = any ($2)`,
    [venue.report.account.id, publicIds],
  )
  return rows[0]!
}

let rounds = 0

/** How often one key was answered in two ways. Each is sent several times at once, at both servers, by ID and by code. */
const contradictions = async (doors: Client[], { publicId, code }: AddedAdmission, redeemers: number) => {
  const round = rounds++
  const keys = Array.from({ length: redeemers / 4 }, (_, n) => `key-${round}-${n}`)
  const tries = shuffledBy(random, [...keys, ...keys, ...keys, ...keys])
  const replies = await Promise.all(
    tries.map(async (key, n) => {
      const door = doors[n % 2]!
      if (n % 5 === 4) return { key, isIn: (await sync(door, [[key, publicId]]))[0] === 'accepted' }
      return { key, isIn: (await redeem(door, n % 3 ? publicId : code, key)).status === 200 }
    }),
  )
  const said = Map.groupBy(replies, ({ key }) => key)
  const kinds = [...said.values()].map((each) => new Set(each.map(({ isIn }) => isIn)))
  return {
    keys,
    doubled: kinds.filter(({ size }) => size > 1).length,
    accepted: kinds.filter((kind) => kind.has(true)),
  }
}

test(
  'one ticket, many keys, each sent often and everywhere at once: one key is let in, and always told so',
  FULL_RUN,
  async () => {
    const { venue, doors } = await openTwoServers()
    for (const ticket of await ticketsOf(venue, ROUNDS)) {
      const { keys, doubled, accepted } = await contradictions(doors, ticket, REDEEMERS)
      expect([doubled, accepted.length]).toEqual([0, 1])
      expect(await attemptsAt(venue, [ticket.publicId])).toEqual({ attempts: keys.length, accepted: 1, redeemed: 1 })
    }
  },
)

test(
  'control: without the guard of the key somebody who was let in is told otherwise',
  { timeout: 60_000 },
  async () => {
    const { venue, doors } = await openTwoServers()
    const { pool } = venue.app.database
    const { rows } = await pool.query<{ text: string }>(
      `select pg_get_indexdef('a_device_makes_an_attempt_once'::regclass) as text`,
    )
    await pool.query('drop index a_device_makes_an_attempt_once')
    closing.push(() => pool.query(`delete from redemption_attempts; ${rows[0]!.text}`))

    let count = 0
    for (const ticket of await ticketsOf(venue, 60)) {
      count += (await contradictions(doors, ticket, 40)).doubled
      if (count > 0) break
    }
    expect(count).toBeGreaterThan(0)
  },
)

test(
  'one key for two tickets at once redeems one of them, and nobody beside them notices',
  { timeout: 60_000 },
  async () => {
    const { venue, doors } = await openTwoServers()
    for (let round = 0; round < 8; round++) {
      const [one, other, ...bystanders] = await ticketsOf(venue, 12)
      const key = `two-${round}`
      const [mixed, others] = await Promise.all([
        Promise.all([0, 1, 2, 3].map((n) => redeem(doors[n % 2]!, (n < 2 ? one! : other!).publicId, key))),
        Promise.all(
          bystanders.map(({ publicId, code }, n) =>
            redeem(doors[n % 2]!, n % 3 ? publicId : code, n % 4 ? `by-${round}-${n}` : undefined),
          ),
        ),
      ])
      expect(mixed.map((reply) => reply.status).toSorted()).toEqual([200, 200, 409, 409])
      expect(new Set(mixed.slice(0, 2).map((reply) => reply.status)).size).toBe(1)
      expect(await attemptsAt(venue, [one!.publicId, other!.publicId])).toEqual({
        attempts: 1,
        accepted: 1,
        redeemed: 1,
      })
      expect(others.map((reply) => reply.status)).toEqual(bystanders.map(() => 200))
    }
  },
)

test('one key for a ticket that does not exist is one attempt, however often it is sent at once', async () => {
  const { venue, doors } = await openTwoServers()
  const replies = await Promise.all(Array.from({ length: 12 }, (_, n) => redeem(doors[n % 2]!, 'nobody', 'nothing')))
  expect(new Set(replies.map((reply) => reply.status))).toEqual(new Set([404]))
  expect((await attemptsAt(venue, ['nobody'])).attempts).toBe(1)
})

test('a device that scans while it syncs waits for itself and for nobody else', { timeout: 60_000 }, async () => {
  const { venue, doors } = await openTwoServers()
  const [first, second, third, fourth] = await ticketsOf(venue, 4)
  const { pool } = venue.app.database
  const syncing = await pool.connect()
  try {
    await syncing.query('begin')
    await syncing.query(
      `select lock_attempts_of(id) from credentials where account_id = $1 and description = 'Door 1'`,
      [venue.report.account.id],
    )
    const own = [redeem(doors[0]!, first!.publicId, 'own-1'), redeem(doors[1]!, second!.code, 'own-2')]
    let answered = 0
    for (const reply of own) void reply.then(() => answered++)
    const others = venue.client(venue.report.devices['Door 2'])
    expect((await redeem(others, third!.publicId, 'own-1')).status).toBe(200)
    expect((await redeem(doors[0]!, fourth!.publicId)).status).toBe(200)
    expect(answered).toBe(0)

    await syncing.query('commit')
    expect((await Promise.all(own)).map((reply) => reply.status)).toEqual([200, 200])
  } finally {
    syncing.release()
  }
})

test('redemptions with a key that arrive together leave together', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  const tickets = await ticketsOf(venue, 40)
  const gate = await closeGate(venue.app.database.pool, 'redemption_attempts')
  const scanning = Promise.all(tickets.map(({ publicId }) => redeem(venue.door, publicId, `gathered-${publicId}`)))
  await gate.waiting(1)
  // Whoever asks now is answered after all of them have got to where they wait.
  await Promise.all(tickets.map(() => venue.door.get('/scanner/me')))
  const { rows } = await venue.app.database.pool.query<{ waiting: number }>(
    `select count(distinct pid)::int as waiting from pg_locks where not granted
     and pid in (select pid from pg_stat_activity where datname = current_database())`,
  )
  // Two batches, and by themselves each would be one.
  expect(rows[0]!.waiting).toBeLessThanOrEqual(2)
  await gate.open()
  expect(new Set((await scanning).map((reply) => reply.status))).toEqual(new Set([200]))
})

test('a batch that is cut off in the middle leaves neither a redemption nor a key', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  const { pool } = venue.app.database
  const tickets = await ticketsOf(venue, 24)
  const publicIds = tickets.map(({ publicId }) => publicId)
  const scanAll = () =>
    Promise.all(tickets.map(({ publicId, code }, n) => redeem(venue.door, n % 4 ? publicId : code, `cut-${publicId}`)))

  const gate = await closeGate(pool, 'redemption_attempts')
  const scanning = scanAll()
  // Those by ID and those by code are a batch each.
  await gate.waiting(2, scanning)
  while (!(await isOver(scanning))) {
    await pool.query(
      `select pg_terminate_backend(pid) from pg_locks
       where not granted and pid in (select pid from pg_stat_activity where datname = current_database())`,
    )
  }
  expect(new Set((await scanning).map((reply) => reply.status))).toEqual(new Set([503]))
  expect(await attemptsAt(venue, publicIds)).toEqual({ attempts: 0, accepted: 0, redeemed: 0 })

  await gate.open()
  for (let again = 0; again < 2; again++) {
    expect(new Set((await scanAll()).map((reply) => reply.status))).toEqual(new Set([200]))
    expect(await attemptsAt(venue, publicIds)).toEqual({ attempts: 24, accepted: 24, redeemed: 24 })
  }
})

const isOver = (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), new Promise<boolean>((resolve) => setImmediate(() => resolve(false)))])
