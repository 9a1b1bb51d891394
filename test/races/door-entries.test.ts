import { afterEach, expect, test } from 'vitest'
import type { App } from '../../src/access/app.ts'
import { checkAll } from '../kit/database/consistency.ts'
import { openSecondServer, withoutLocks } from '../kit/database/second-server.ts'
import { randomOf, shuffledBy } from '../kit/seed.ts'
import { type Client, openClient } from '../kit/venue/client.ts'
import { type AddedAdmission, addTicket } from '../kit/venue/orders.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'

const SYNC = '/scanner/redemption_attempts'

/** The full run takes many more. */
const ROUNDS = Number(process.env['FOYER_ENTRY_ROUNDS'] ?? 8)
const FULL_RUN = { timeout: 60_000 + ROUNDS * 3_000 }

const random = randomOf('entries')
let tidy: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const each of tidy.toReversed()) await each()
  tidy = []
})

interface Doors {
  venue: Venue
  /** Each an actor of its own, at one of two servers. */
  clients: Client[]
}

const openDoors = async (change?: (statement: string) => string): Promise<Doors> => {
  const venue = await openVenue((file) => {
    file['events'].find((each: { slug: string }) => each.slug === 'winter-ball').reentry = true
  })
  const servers = [
    await openSecondServer(venue.app, change, { pauseMs: change ? 4 : 0 }),
    await openSecondServer(venue.app, change, { pauseMs: change ? 4 : 0 }),
  ] as const
  tidy.push(...servers.map(({ close }) => close))
  const { devices, api_tokens: tokens } = venue.report
  const callers = [devices['Door 1'], devices['Door 2'], tokens['office write'], tokens['mara write']]
  return { venue, clients: callers.map((token, n) => openClient(servers[n % 2]!.origin, { token })) }
}

/** What one client_id was told, however often it asked. */
type Told = Map<string, Set<string>>

let rounds = 0

/** Everybody does everything to the same admission at once, each of it twice: in, out, back, and all three by sync. */
const meddle = async (clients: readonly Client[], { publicId }: AddedAdmission): Promise<Told> => {
  const round = rounds++
  const told: Told = new Map()
  const note = (id: string, what: string) => told.set(id, (told.get(id) ?? new Set()).add(what))
  const path = (what: string) => `/scanner/tickets/${publicId}/${what}`
  const acts = clients.flatMap((client, n) => {
    const id = (what: string) => `${what}-${round}-${n}`
    const attempt = (what: string, more: object = {}) => ({
      client_id: id(`sync-${what}`),
      event_slug: 'winter-ball',
      public_id: publicId,
      ...more,
    })
    const say = async (what: string, body: object) => {
      const { status } = await client.post(path(what), { client_id: id(what), ...body })
      note(`${n} ${id(what)}`, String(status))
    }
    return [
      async () => {
        const headers = { 'idempotency-key': id('entry') }
        const { status } = await client.post(path('redemption'), undefined, { headers })
        note(`${n} ${id('entry')}`, String(status))
      },
      () => say('exit', {}),
      () => say('annulment', { reason: 'Scanned by mistake' }),
      async () => {
        const { status, body } = await client.post(SYNC, {
          attempts: [
            attempt('in'),
            attempt('out', { kind: 'exit' }),
            attempt('again'),
            attempt('back', { kind: 'annulment', reason: 'Wrong person' }),
          ],
        })
        expect(status).toBe(200)
        for (const { client_id, result } of body.redemption_attempts) note(`${n} ${client_id}`, result)
      },
    ]
  })
  await Promise.all(shuffledBy(random, [...acts, ...acts]).map((act) => act()))
  return told
}

interface Accepted {
  kind: 'entry' | 'exit' | 'annulment'
  number: number
}

const historyOf = async ({ app, report }: Venue, publicId: string): Promise<Accepted[]> => {
  const { rows } = await app.database.pool.query<Accepted>(
    `select kind, entry_number as number from redemption_attempts
     where account_id = $1 and public_id = $2 and result = 'accepted'
     order by entry_number, (kind <> 'entry')`,
    [report.account.id, publicId],
  )
  return rows
}

/** Who comes in was outside, who goes out or never came was inside; each entry is ended once. Null for what cannot be. */
const replay = (history: readonly Accepted[]) => {
  let [number, exits, isInside] = [0, 0, false]
  for (const act of history) {
    if (act.kind === 'entry') {
      if (isInside || act.number !== number + 1) return null
      number++
      isInside = true
      continue
    }
    if (!isInside || act.number !== number) return null
    isInside = false
    if (act.kind === 'exit') exits++
  }
  return { isInside, isRedeemed: isInside || exits > 0 }
}

/** Tickets that a test wrote straight into the database are in no counter of the inventory. */
const findFaults = async (app: App) => (await checkAll(app)).filter(({ what }) => what === 'entries')

test(
  'an admission that many let in, out and back at once, online and by sync, has one legal history',
  FULL_RUN,
  async () => {
    const { venue, clients } = await openDoors()
    let [inside, arrived] = [0, 0]
    for (let round = 0; round < ROUNDS; round++) {
      const ticket = await addTicket(venue, 'winter-ball')
      const told = await meddle(clients, ticket)
      const history = await historyOf(venue, ticket.publicId)
      const end = replay(history)
      expect(end, JSON.stringify(history)).not.toBeNull()
      // The same client_id hears the same, and is one attempt.
      for (const [id, words] of told) expect([id, words.size]).toEqual([id, 1])
      const { rows } = await venue.app.database.pool.query(
        `select count(*)::int as attempts, count(*) filter (where result = 'accepted')::int as accepted
         from redemption_attempts where account_id = $1 and public_id = $2`,
        [venue.report.account.id, ticket.publicId],
      )
      expect(rows[0].attempts).toBe(told.size)
      const successes = Array.from(told.values()).filter((words) => words.has('200') || words.has('accepted'))
      expect(rows[0].accepted).toBe(successes.length)

      const { body } = await venue.door.get(`/scanner/tickets/${ticket.publicId}`)
      expect([body.redeemed, body.redeemable]).toEqual([end!.isRedeemed, !end!.isInside])
      inside += Number(end!.isInside)
      arrived += Number(end!.isRedeemed)
    }
    expect((await venue.door.get('/scanner/events/winter-ball/stats')).body.arrived).toBe(arrived)
    expect((await venue.office.get('/admin/events/winter-ball/night')).body).toMatchObject({ arrived, inside })
    expect(await findFaults(venue.app)).toEqual([])
  },
)

test('control: without the lock and the guards an entry is ended twice', { timeout: 120_000 }, async () => {
  const { venue, clients } = await openDoors(withoutLocks)
  const { pool } = venue.app.database
  for (const index of ['an_entry_is_ended_once', 'a_ticket_is_accepted_once']) {
    const { rows } = await pool.query<{ text: string }>('select pg_get_indexdef($1::regclass) as text', [index])
    await pool.query(`drop index ${index}`)
    tidy.push(() => pool.query(`delete from redemption_attempts; ${rows[0]!.text}`))
  }
  for (const trigger of ['an_entry_is_ended_by_the_log', 'a_redemption_is_written_once']) {
    await pool.query(`alter table admissions disable trigger ${trigger}`)
    tidy.push(() => pool.query(`alter table admissions enable trigger ${trigger}`))
  }

  let isBroken = false
  for (let round = 0; round < 40 && !isBroken; round++) {
    const ticket = await addTicket(venue, 'winter-ball')
    await meddle(clients, ticket)
    isBroken = replay(await historyOf(venue, ticket.publicId)) === null
  }
  expect(isBroken).toBe(true)
  expect(await findFaults(venue.app)).not.toEqual([])
})
