import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkConsistency } from '../../src/consistency/check-consistency.ts'
import { moveAccount } from '../../src/shards/move-account.ts'
import { type OpenApp, type Venue, openTestApp, openVenueAt } from '../kit/venue/venue.ts'

let house: OpenApp

beforeAll(async () => {
  house = await openTestApp({ shards: ['two', 'three'] })
})

afterAll(() => house.close())

const poolOf = (n: number) => house.apps[n]!.database.pool

const openAt = (n: number) => openVenueAt({ ...house, app: house.apps[n]! })

const move = (venue: Venue, to: string, onStep: (step: string) => Promise<void> = async () => {}) =>
  moveAccount(house.apps[0]!, { subdomain: venue.report.account.subdomain, to }, { onStep, graceMs: 10 })

/** One ticket more is counted than there are. */
const breakCounter = async (venue: Venue, server: number, by: number) => {
  const { rowCount } = await poolOf(server).query(
    `update tickets set claimed_count = claimed_count + $2
     where account_id = $1 and id = (select min(id) from tickets where account_id = $1)`,
    [venue.report.account.id, by],
  )
  expect(rowCount).toBe(1)
}

const STEPS = ['drain', 'pause', 'copy', 'commit', 'arrive', 'resume', 'clear', 'end']

test('at no step of a move the audit tells of anything, whichever way the account goes', async () => {
  const venue = await openAt(1)
  for (const to of ['main', 'three', 'two']) {
    const told = new Map<string, unknown>()
    await move(venue, to, async (step) => void told.set(step, await checkConsistency(house.app)))
    expect([...told.keys()]).toEqual(STEPS)
    expect([...told.values()].flat()).toEqual([])
  }
})

test('at every step of a move it still tells of what is wrong', async () => {
  const venue = await openAt(1)
  await breakCounter(venue, 1, 1)
  const told = new Map<string, { accountId: number; what: string }[]>()
  await move(venue, 'three', async (step) => void told.set(step, await checkConsistency(house.app)))
  expect([...told.keys()]).toEqual(STEPS)
  for (const [step, findings] of told) {
    const found = new Set(findings.map(({ accountId, what }) => `${accountId} ${what}`))
    expect([step, found]).toEqual([step, new Set([`${venue.report.account.id} ticket`])])
  }
  await breakCounter(venue, 2, -1)
  expect(await checkConsistency(house.app)).toEqual([])
})

test('an account that moves to a server that the audit has behind it is looked at all the same', async () => {
  const venue = await openAt(2)
  await breakCounter(venue, 2, 1)
  const between = await poolOf(1).connect()
  try {
    await between.query('begin; lock table tickets in access exclusive mode')
    const findings = checkConsistency(house.app)
    // It has looked at the first server, and waits at the second.
    await vi.waitFor(async () => {
      const { rows } = await between.query(
        `select from pg_locks where relation = 'tickets'::regclass and not granted
         and database = (select oid from pg_database where datname = current_database())`,
      )
      expect(rows).toHaveLength(1)
    }, 30_000)
    await move(venue, 'main')
    await between.query('rollback')
    expect(await findings).toEqual([expect.objectContaining({ accountId: venue.report.account.id, what: 'ticket' })])
  } finally {
    between.release()
  }
  await breakCounter(venue, 0, -1)
  expect(await checkConsistency(house.app)).toEqual([])
})

test('rows that were left behind are told, and nothing is told once they are gone', async () => {
  const venue = await openAt(1)
  const { id } = venue.report.account
  await move(venue, 'three')
  // A row that somebody brought back by hand, past the guard of accounts that have left.
  const client = await poolOf(1).connect()
  try {
    await client.query('set session_replication_role = replica')
    await client.query(
      `insert into accounts (id, name, subdomain, currency, time_zone) values ($1, 'Left', 'left-behind', 'EUR', 'Europe/Berlin')`,
      [id],
    )
    expect(await checkConsistency(house.app)).toEqual([{ accountId: id, what: 'left behind by a move' }])
    await client.query('delete from accounts where id = $1', [id])
    expect(await checkConsistency(house.app)).toEqual([])
  } finally {
    await client.query('reset session_replication_role')
    client.release()
  }
})
