import { expect, onTestFinished, test } from 'vitest'
import { stopClock } from '../../test/kit/database/database.ts'
import { openClient } from '../../test/kit/venue/client.ts'
import { openSecondApp } from '../../test/kit/venue/second-app.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'
import { openTestApp, theApp } from '../../test/kit/venue/venue.ts'
import { TooManyRequests } from '../kernel/refusals.ts'
import { openBudgets } from './budgets.ts'
import { directoryOf } from './shards.ts'

const movable = () => {
  const clock = { at: 0, now: () => new Date(clock.at) }
  return clock
}

const open = async (clock = movable(), isEnabled = true) =>
  openBudgets({ isEnabled, clock, database: (await theApp()).app.database })

test('a budget may be spent at once, and comes back with the minute', async () => {
  const clock = movable()
  const guesses = (await open(clock)).of('guesses', 3)
  for (let i = 0; i < 3; i++) guesses.spend('door')
  expect(() => guesses.spend('door')).toThrow(TooManyRequests)
  guesses.spend('another door')

  clock.at += 20_000
  guesses.spend('door')
  expect(() => guesses.spend('door')).toThrow(TooManyRequests)

  clock.at += 120_000
  for (let i = 0; i < 3; i++) guesses.spend('door')
})

test('whoever is refused is told when to come back', async () => {
  const clock = movable()
  const guesses = (await open(clock)).of('guesses', 2)
  guesses.spend('door')
  guesses.spend('door')
  expect(() => guesses.spend('door')).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 30 }))
  clock.at += 29_000
  expect(() => guesses.spend('door')).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }))
})

test('a name opens one budget, and switched off there is none', async () => {
  const budgets = await open()
  budgets.of('guesses', 1).spend('door')
  expect(() => budgets.of('guesses', 1).spend('door')).toThrow(TooManyRequests)

  const off = await open(movable(), false)
  for (let i = 0; i < 10; i++) {
    off.of('guesses', 1).spend('door')
    await off.shared('guesses', 1).spend('door')
    expect(await off.shared('guesses', 1).guess('door', 1, async () => ({ found: null, misses: 1 }))).toBeNull()
  }
})

/** The budgets of two processes on one database. */
const openTwo = async () => {
  const running = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on' } })
  const second = await openSecondApp(running)
  onTestFinished(async () => {
    await second.close()
    await running.close()
  })
  return { running, here: running.app.budgets, there: second.budgets }
}

test('a shared budget is spent by all processes together, and comes back with the minute', async () => {
  const { running, here, there } = await openTwo()
  const [mine, yours] = [here.shared('passwords', 4), there.shared('passwords', 4)]
  await mine.spend('olga')
  await yours.spend('olga')
  await mine.spend('olga', 2)
  for (const budget of [yours, mine]) {
    const refusal = await budget.spend('olga').catch((error: TooManyRequests) => error)
    expect(refusal).toMatchObject({ status: 429 })
    expect((refusal as TooManyRequests).retryAfterSeconds).toBeOneOf([13, 14, 15])
  }
  await mine.spend('mara')
  await here.shared('codes', 4).spend('olga')

  await running.moveClock('16 seconds')
  await mine.spend('olga')
  await expect(yours.spend('olga')).rejects.toThrow(TooManyRequests)
  await running.moveClock('2 minutes')
  await yours.spend('olga', 4)
})

test('of a burst no more gets through than the budget holds, however many processes it comes to', async () => {
  const { running, here, there } = await openTwo()
  for (const { database } of running.apps) await stopClock(database.pool)
  const tries = await Promise.allSettled(
    Array.from({ length: 200 }, (_, n) => (n % 2 ? here : there).shared('passwords', 10).spend('olga')),
  )
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(10)
})

test('what was right is given back, to be spent elsewhere', async () => {
  const { here, there } = await openTwo()
  for (let n = 0; n < 10; n++) {
    const spending = await (n % 2 ? here : there).shared('passwords', 2).spend('olga', 2)
    await spending.giveBack()
  }
  await here.shared('passwords', 2).spend('olga', 2)
  await expect(there.shared('passwords', 2).spend('olga')).rejects.toThrow(TooManyRequests)
})

const knows = async () => ({ found: 'a ticket', misses: 0 })
const misses = async () => ({ found: null, misses: 1 })

test('whoever knows what to ask for is never refused and costs no statement', async () => {
  const { running, here } = await openTwo()
  const codes = here.shared('codes', 5)
  await Promise.all(Array.from({ length: 300 }, async () => expect(await codes.guess(1, 1, knows)).toBe('a ticket')))
  const { rows } = await directoryOf(running.app).pool.query('select * from spent_budgets')
  expect(rows).toEqual([])
})

test('of a burst of guesses no more are looked up than the budget holds, and once it is used up nothing is, anywhere', async () => {
  const { here, there } = await openTwo()
  const [mine, yours] = [here.shared('codes', 30), there.shared('codes', 30)]
  let lookedUp = 0
  const guess = async () => {
    lookedUp++
    await new Promise((resolve) => setTimeout(resolve, 5))
    return { found: null, misses: 1 }
  }
  const tries = await Promise.allSettled(Array.from({ length: 200 }, () => mine.guess(1, 1, guess)))
  expect(lookedUp).toBeLessThanOrEqual(31)
  expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(lookedUp)
  await expect(mine.guess(1, 1, knows)).rejects.toThrow(TooManyRequests)

  // A process that has heard of no miss yet learns of them with its first.
  await expect(yours.guess(1, 1, misses)).rejects.toThrow(TooManyRequests)
  await expect(yours.guess(1, 1, knows)).rejects.toThrow(TooManyRequests)
})

test('after a miss what is right still passes, is given back, and counts for nothing', async () => {
  const { here } = await openTwo()
  const codes = here.shared('codes', 3)
  expect(await codes.guess(1, 1, misses)).toBeNull()
  for (let n = 0; n < 20; n++) expect(await codes.guess(1, 2, async () => ({ found: n, misses: 0 }))).toBe(n)
  await expect(codes.guess(1, 1, () => Promise.reject(new Error('the database is away')))).rejects.toThrow('away')
  expect(await codes.guess(1, 2, async () => ({ found: null, misses: 2 }))).toBeNull()
  await expect(codes.guess(1, 1, knows)).rejects.toThrow(TooManyRequests)
})

test('budgets of which nothing is spent any more are swept', async () => {
  const { running, here } = await openTwo()
  const count = async () => {
    const { rows } = await directoryOf(running.app).pool.query('select count(*)::int as n from spent_budgets')
    return rows[0]?.['n'] as number
  }
  await here.shared('passwords', 1).spend('olga')
  await running.workOffJobs()
  expect(await count()).toBe(1)
  await running.moveClock('2 hours')
  await running.workOffJobs()
  expect(await count()).toBe(0)
})

test('tokens nobody knows are guessed only so often from one address, and a door behind it is not locked out', async () => {
  const now = new Date()
  const running = await openTestApp({ environment: { FOYER_RATE_LIMITS: 'on' }, clock: { now: () => now } })
  onTestFinished(() => running.close())
  const { report } = await openVenueIn(running)
  const door = openClient(running.origin, { token: report.devices['Door 1'] })
  const guess = (n: number) => openClient(running.origin, { token: `a-guess-${n}` }).get('/admin/events')
  const replies = await Promise.all(Array.from({ length: 610 }, (_, n) => guess(n)))
  const refused = replies.find((reply) => reply.status !== 401)!
  expect(refused).toRefuse(429, { base: ['Too many requests'] })
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)

  const beside = await Promise.all(
    Array.from({ length: 400 }, async (_, n) =>
      n % 10 ? void (await guess(n)) : (await door.get('/scanner/me')).status,
    ),
  )
  expect(new Set(beside)).toEqual(new Set([undefined, 200]))
})
