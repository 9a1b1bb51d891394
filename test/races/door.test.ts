import type pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import type { Client } from '../kit/venue/client.ts'
import { type AddedAdmission, addOrder } from '../kit/venue/orders.ts'
import { randomOf, shuffledBy } from '../kit/seed.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'

const SYNC = '/scanner/redemption_attempts'

/** The full run takes many more of each. */
const ROUNDS = Number(process.env['FOYER_DOOR_ROUNDS'] ?? 8)
const REDEEMERS = Number(process.env['FOYER_REDEEMERS'] ?? 40)
const REPLAYED = Number(process.env['FOYER_REPLAYED_ATTEMPTS'] ?? 2_200)
const BATCHES = Number(process.env['FOYER_BATCHES'] ?? 48)
const FULL_RUN = { timeout: 60_000 + ROUNDS * REDEEMERS * 100 + REPLAYED * 5 + BATCHES * 500 }

const attempt = (clientId: string, publicId: string) => ({
  client_id: clientId,
  event_slug: 'winter-ball',
  public_id: publicId,
})

const ticketsOf = (venue: Venue, count: number): Promise<AddedAdmission[]> =>
  addOrder(venue, 'winter-ball', { admissions: Array.from({ length: count }, () => ({})) })

/** Devices and tokens: each is an actor of its own. */
const doorsOf = (venue: Venue): Client[] => [
  venue.door,
  venue.client(venue.report.devices['Door 2']),
  venue.office,
  venue.client(venue.report.api_tokens['mara write']),
]

const random = randomOf('doors')
const shuffled = <T>(list: readonly T[]): T[] => shuffledBy(random, list)

/** Changes what a function of the database says, until the test is over. */
const withFunction = async (venue: Venue, signature: string, change: (definition: string) => string) => {
  const { pool } = venue.app.database
  const { rows } = await pool.query<{ text: string }>('select pg_get_functiondef($1::regprocedure) as text', [
    signature,
  ])
  const { text } = rows[0]!
  const changed = change(text)
  expect(changed).not.toBe(text)
  await pool.query(changed)
  restore.push(() => pool.query(text))
}

const withStatement = async (venue: Venue, statement: string, back: string) => {
  const { pool } = venue.app.database
  await pool.query(statement)
  restore.push(() => pool.query(back))
}

/** What was written without it may contradict it, and is forgotten. */
const withoutIndex = async (venue: Venue, name: string) => {
  const { rows } = await venue.app.database.pool.query<{ text: string }>(
    'select pg_get_indexdef($1::regclass) as text',
    [name],
  )
  await withStatement(venue, `drop index ${name}`, `delete from redemption_attempts; ${rows[0]!.text}`)
}

let restore: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const back of restore.toReversed()) await back()
  restore = []
})

const ATTEMPT =
  'attempt_redemptions(bigint[], bigint[], bigint[], bigint[], text[], text[], text[], text[], timestamptz[])'

let rounds = 0

/** Everybody wants the same ticket: by its ID, its code, with a key, and by sync. How many were let in? */
const storm = async (venue: Venue, { publicId, code }: AddedAdmission, redeemers: number): Promise<number> => {
  const doors = doorsOf(venue)
  const round = rounds++
  const tries = Array.from({ length: redeemers }, async (_, n) => {
    const door = doors[n % doors.length]!
    const id = n % 2 ? publicId : code
    switch (n % 5) {
      case 0:
        return (await door.post(`/scanner/tickets/${id}/redemption`)).status === 200
      case 1:
        return (await door.post(`/scanner/events/winter-ball/tickets/${id}/redemption`)).status === 200
      case 2: {
        const headers = { 'idempotency-key': `key-${round}-${n}` }
        return (await door.post(`/scanner/tickets/${id}/redemption`, undefined, { headers })).status === 200
      }
      default: {
        const attempts = [attempt(`sync-${round}-${n}`, publicId), attempt(`sync-${round}-${n}-again`, publicId)]
        const { body } = await door.post(SYNC, { attempts })
        return body.redemption_attempts.some((each: { result: string }) => each.result === 'accepted')
      }
    }
  })
  return (await Promise.all(tries)).filter(Boolean).length
}

test('one ticket, many redeemers, online and by sync: exactly one is let in', FULL_RUN, async () => {
  const venue = await openVenue()
  for (const ticket of await ticketsOf(venue, ROUNDS)) {
    expect(await storm(venue, ticket, REDEEMERS)).toBe(1)
    const { rows } = await venue.app.database.pool.query(
      `select count(*)::int as attempts, count(*) filter (where result = 'accepted')::int as accepted
       from redemption_attempts where account_id = $1 and public_id = $2`,
      [venue.report.account.id, ticket.publicId],
    )
    // Two of five come by sync, and each of those tries twice.
    expect(rows[0]).toEqual({ attempts: REDEEMERS * 1.4, accepted: 1 })
  }
})

test('control: without the lock and the guards somebody gets in twice', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  // Judged by what the statement saw when it began, as it would be by a program that reads first and writes then.
  const seen = '(select b.redeemed_at from admissions b where b.account_id = a.account_id and b.id = a.id)'
  await withFunction(venue, ATTEMPT, (text) =>
    text
      .replace('for no key update of a', '')
      .replace('case when a.left_at is null then a.redeemed_at end) is null', `${seen}) is null`),
  )
  await withStatement(
    venue,
    'alter table admissions disable trigger a_redemption_is_written_once',
    'alter table admissions enable trigger a_redemption_is_written_once',
  )
  await withoutIndex(venue, 'a_ticket_is_accepted_once')

  let most = 0
  for (const ticket of await ticketsOf(venue, 60)) {
    most = Math.max(most, await storm(venue, ticket, 20))
    if (most > 1) break
  }
  expect(most).toBeGreaterThan(1)
})

test('a batch that is sent again, reordered and doubled never changes a result', FULL_RUN, async () => {
  const venue = await openVenue()
  const tickets = await ticketsOf(venue, 40)
  const ids = [...tickets.map(({ publicId }) => publicId), 'nobody-1', 'nobody-2']
  const doors = doorsOf(venue).slice(0, 2)

  const said = new Map<string, string>()
  const tell = async (door: number, attempts: ReturnType<typeof attempt>[]) => {
    const { status, body } = await doors[door]!.post(SYNC, { attempts })
    expect(status).toBe(200)
    for (const each of body.redemption_attempts) {
      const key = `${door} ${each.client_id}`
      const { ticket: _, ...result } = each
      const text = JSON.stringify(result)
      expect(said.get(key) ?? text).toBe(text)
      said.set(key, text)
    }
  }

  const nights = doors.map((_, door) =>
    Array.from({ length: 80 }, (_, n) => attempt(`scan-${n}`, ids[(n * 5 + door) % ids.length]!)),
  )
  let sent = 0
  while (sent < REPLAYED) {
    sent += nights.length * (80 + 80 + 60)
    await Promise.all(
      nights.flatMap((night, door) => [
        tell(door, night),
        tell(door, shuffled(night)),
        tell(door, shuffled([...night, ...night]).slice(0, 60)),
      ]),
    )
  }
  const accepted = [...said.values()].filter((text) => text.includes('"accepted"'))
  expect([said.size, accepted.length]).toEqual([160, 40])
})

test('control: without the device’s lock and its key the same scan is judged twice', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  await withFunction(venue, 'lock_attempts_of(bigint)', (text) => text.replace(/SELECT pg_advisory[^;]*;/, 'SELECT;'))
  await withoutIndex(venue, 'a_device_makes_an_attempt_once')

  let contradictions = 0
  for (let round = 0; round < 40 && contradictions === 0; round++) {
    const attempts = (await ticketsOf(venue, 5)).map(({ publicId }, n) => attempt(`${round}-${n}`, publicId))
    const replies = await Promise.all(Array.from({ length: 6 }, () => venue.door.post(SYNC, { attempts })))
    const results = replies.map(({ body }) =>
      body.redemption_attempts.map((each: { result: string }) => each.result).join(),
    )
    contradictions += new Set(results).size - 1
  }
  expect(contradictions).toBeGreaterThan(0)
})

/** Four devices with the same tickets, each in an order of its own, while others redeem some of them online. */
const permutations = async (venue: Venue, tickets: AddedAdmission[]) => {
  const round = rounds++
  const replies = await Promise.all([
    ...doorsOf(venue).flatMap((door, n) =>
      [1, 2].map((batch) =>
        door.post(SYNC, {
          attempts: shuffled(tickets).map(({ publicId }, m) => attempt(`${round}-${n}-${batch}-${m}`, publicId)),
        }),
      ),
    ),
    ...shuffled(tickets)
      .slice(0, 20)
      .map(({ code }) => venue.door.post(`/scanner/tickets/${code}/redemption`)),
  ])
  return replies.map((reply) => reply.status)
}

test('permuted batches from several devices never wait for each other in a circle', FULL_RUN, async () => {
  const venue = await openVenue()
  for (let batches = 0; batches < BATCHES; batches += 8) {
    const statuses = await permutations(venue, await ticketsOf(venue, 60))
    expect(statuses.filter((status) => status !== 200 && status !== 422)).toEqual([])
  }
})

test('control: locked in the order they are sent, they do', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  await withFunction(venue, ATTEMPT, (text) => text.replace('order by a.account_id, a.id', ''))
  const failures: number[] = []
  for (let round = 0; round < 10 && failures.length === 0; round++) {
    const statuses = await permutations(venue, await ticketsOf(venue, 60))
    failures.push(...statuses.filter((status) => status >= 500))
  }
  expect(failures.length).toBeGreaterThan(0)
})

test('a party is cancelled or comes in, never both', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  for (let round = 0; round < 12; round++) {
    const { body: party } = await venue.office.post('/admin/events/winter-ball/guest_parties', {
      guest_party: {
        customer_name: 'Mara Lead',
        party_size: 2,
        ticket_id: venue.report.events['winter-ball']!.tickets['ga'],
      },
    })
    const [first, second] = party.admissions
    const path = `/admin/events/winter-ball/guest_parties/${party.public_id}/cancellation`
    const [cancelled, online, synced] = await Promise.all([
      venue.office.post(path),
      venue.door.post(`/scanner/tickets/${first.public_id}/redemption`),
      venue.door.post(SYNC, { attempts: [attempt(`cancel-${round}`, second.public_id)] }),
    ])
    const isIn = online.status === 200 || synced.body.redemption_attempts[0].result === 'accepted'
    expect([cancelled.status === 200, isIn].filter(Boolean)).toHaveLength(1)
    expect([online.status, cancelled.status]).not.toContain(500)
  }
})

const refundOrderOf = (client: pg.PoolClient, venue: Venue, publicId: string) =>
  client.query(
    `update orders o set status = 'refunded' from admissions a
     where a.account_id = $1 and a.public_id = $2 and o.account_id = a.account_id and o.id = a.order_id`,
    [venue.report.account.id, publicId],
  )

test('an order that is refunded meanwhile lets nobody in afterwards', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  const { pool } = venue.app.database
  for (let round = 0; round < 5; round++) {
    const [ticket] = await ticketsOf(venue, 1)
    const client = await pool.connect()
    try {
      await client.query('begin')
      await refundOrderOf(client, venue, ticket!.publicId)
      const online = venue.door.post(`/scanner/tickets/${ticket!.publicId}/redemption`)
      const synced = venue.office.post(SYNC, { attempts: [attempt(`refund-${round}`, ticket!.publicId)] })
      while (!(await hasWaiting(venue, 2))) await new Promise((resolve) => setImmediate(resolve))
      await client.query('commit')

      expect((await online).body.error).toBe('Order refunded')
      expect((await synced).body.redemption_attempts[0]).toMatchObject({ result: 'blocked', message: 'Order refunded' })
    } finally {
      client.release()
    }
  }
})

/**
 * Many tickets are redeemed at once while their orders are refunded one by one. Who got in on an order that had been
 * refunded before? A refund holds the order's tickets, so it sees whoever came before it.
 */
const intruders = async (venue: Venue): Promise<number> => {
  const { pool } = venue.app.database
  const tickets = await Promise.all(Array.from({ length: 120 }, async () => (await ticketsOf(venue, 1))[0]!))
  const refund = async (publicId: string): Promise<boolean> => {
    const client = await pool.connect()
    try {
      await client.query('begin')
      await refundOrderOf(client, venue, publicId)
      const { rows } = await client.query<{ in: boolean }>(
        'select redeemed_at is not null as in from admissions where account_id = $1 and public_id = $2',
        [venue.report.account.id, publicId],
      )
      await client.query('commit')
      return rows[0]!.in
    } finally {
      client.release()
    }
  }
  const late = await Promise.all(
    shuffled(tickets).map(async ({ publicId }) => {
      const [reply, wasIn] = await Promise.all([
        venue.door.post(`/scanner/events/winter-ball/tickets/${publicId}/redemption`),
        refund(publicId),
      ])
      return reply.status === 200 && !wasIn
    }),
  )
  return late.filter(Boolean).length
}

test('refunds in the middle of many redemptions let nobody in afterwards', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  for (let round = 0; round < 6; round++) expect(await intruders(venue)).toBe(0)
})

test('control: if a refund did not touch its tickets, somebody would', { timeout: 60_000 }, async () => {
  const venue = await openVenue()
  await withStatement(
    venue,
    'alter table orders disable trigger touch_admissions_of_order',
    'alter table orders enable trigger touch_admissions_of_order',
  )
  let count = 0
  for (let round = 0; round < 20 && count === 0; round++) count += await intruders(venue)
  expect(count).toBeGreaterThan(0)
})

const hasWaiting = async (venue: Venue, count: number) => {
  const { rows } = await venue.app.database.pool.query<{ waiting: number }>(
    `select count(distinct pid)::int as waiting from pg_locks where not granted
     and pid in (select pid from pg_stat_activity where datname = current_database())`,
  )
  return rows[0]!.waiting >= count
}
