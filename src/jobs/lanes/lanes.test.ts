import type { Kysely } from 'kysely'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { cloneDatabase, type ClonedDatabase } from '../../../test/kit/database/database.ts'
import { makeJobsDue } from '../../../test/kit/process/jobs.ts'
import { openDatabase } from '../../database/database.ts'
import type { Tables } from '../../database/table-types.ts'
import { openLog } from '../../kernel/log.ts'
import { drainJobs } from '../drain.ts'
import { enqueue, enqueueMany } from '../enqueue.ts'
import { defineJob, type JobHelpers } from '../job.ts'
import { freeDeadWorkers } from '../records.ts'
import { startWorker, type Worker } from '../worker.ts'
import type { LaneSettings } from './open-lanes.ts'
import { claimLaneJobs, requeueJobsOfWorker } from './records.ts'
import { startLaneRunner } from './run-lane.ts'

interface Call {
  accountId: number
  n: number
  key?: string
}

let database: ClonedDatabase
let pool: pg.Pool
let kysely: Kysely<Tables>
let begun: Call[]
let under: Call[]
let gate: PromiseWithResolvers<void>
let workers: Worker[]
/** What goes wrong with a call. */
let fail: (call: Call) => void

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ pool, kysely } = openDatabase(database.connection))
})

afterAll(async () => {
  await kysely.destroy()
  await database.drop()
})

beforeEach(() => {
  begun = []
  under = []
  workers = []
  fail = () => {}
  gate = Promise.withResolvers()
})

afterEach(async () => {
  gate.resolve()
  await Promise.all(workers.map((worker) => worker.stop()))
  await pool.query('truncate lane_jobs; truncate workers')
})

const run = async (call: Call) => {
  begun.push(call)
  under.push(call)
  try {
    fail(call)
    await gate.promise
  } finally {
    under.splice(under.indexOf(call), 1)
  }
}

const payload = z.object({ accountId: z.number(), n: z.number(), key: z.string().optional() })
const mail = defineJob({ name: 'test.mail', lane: 'mail', payload, attempts: 3, run })
const call = defineJob({
  name: 'test.call',
  lane: 'webhooks',
  payload,
  serialKey: ({ key = '' }: Call) => key,
  run: async (told: Call, _helpers: JobHelpers<object>) => run(told),
})

const options = (lanes?: LaneSettings) => ({
  connection: database.connection,
  jobs: [mail, call],
  context: {},
  log: openLog('silent'),
  ...(lanes && { lanes }),
})

const work = async (lanes?: LaneSettings) => {
  const worker = await startWorker(options(lanes))
  workers.push(worker)
  return worker
}

const burst = (accountId: number, count: number, key?: string) =>
  Array.from({ length: count }, (_, n) => ({ accountId, n, ...(key && { key }) }))

const stored = async () =>
  (await pool.query('select name, state, attempts, locked_by, last_error from lane_jobs order by id')).rows

const soon = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 20 })

test('a burst of one account does not delay the next job of another', async () => {
  gate.resolve()
  await enqueueMany(kysely, mail, burst(1, 300))
  await enqueue(kysely, mail, { accountId: 2, n: 0 })
  await work({ mail: { atOnce: 4, perAccount: 4 } })
  await soon(() => expect(begun).toHaveLength(301))
  expect(begun.findIndex(({ accountId }) => accountId === 2)).toBeLessThan(8)
})

test('accounts take turns, however many of them bring however much', async () => {
  gate.resolve()
  for (const [accountId, count] of [300, 200, 100, 5, 1].entries())
    await enqueueMany(kysely, mail, burst(accountId + 1, count))
  await work({ mail: { atOnce: 2, perAccount: 2 } })
  await soon(() => expect(begun).toHaveLength(606))
  // Five of each and one of the last: nobody is served twice in a round.
  const first = begun.slice(0, 21).map(({ accountId }) => accountId)
  expect([1, 2, 3, 4, 5].map((id) => first.filter((each) => each === id).length)).toEqual([5, 5, 5, 5, 1])
})

test('slow jobs of one account take no more than their share, and another lane does not even notice', async () => {
  await enqueueMany(kysely, call, burst(1, 50))
  await work({ webhooks: { atOnce: 6, perAccount: 4 }, mail: { atOnce: 1, perAccount: 1 } })
  await soon(() => expect(under).toHaveLength(4))

  await enqueue(kysely, call, { accountId: 2, n: 0 })
  await enqueue(kysely, mail, { accountId: 1, n: 0 })
  await soon(() =>
    expect(
      begun
        .slice(4)
        .map(({ accountId }) => accountId)
        .toSorted(),
    ).toEqual([1, 2]),
  )
  expect(under).toHaveLength(6)
})

test('jobs with one key run one at a time, in whichever process, and hold up no others of the account', async () => {
  const seen: number[] = []
  fail = ({ accountId, key }) =>
    void seen.push(under.filter((each) => each.key === key && each.accountId === accountId).length)
  gate.resolve()
  await enqueueMany(kysely, call, [...burst(1, 40, 'slow'), ...burst(1, 40, 'other'), ...burst(2, 40, 'slow')])
  await Promise.all([work(), work(), work()])
  await soon(() => expect(begun).toHaveLength(120))
  expect(new Set(seen)).toEqual(new Set([1]))
  await soon(async () => expect(await stored()).toEqual([]))
})

test('of two that would run at once in spite of their key the database lets one', async () => {
  await enqueueMany(kysely, call, burst(1, 2, 'slow'))
  const both = pool.query(`update lane_jobs set state = 'running', locked_by = 'x', locked_at = clock_timestamp()`)
  await expect(both).rejects.toThrow('lane_jobs_of_one_serial_key_run_one_at_a_time')
})

test('one who failed waits for its next try while the others go on, and in the end is given up with its error', async () => {
  fail = ({ n }) => {
    if (n === 0) throw new Error('nobody at home')
  }
  gate.resolve()
  await enqueueMany(kysely, mail, burst(1, 3))
  expect(await drainJobs(options())).toBe(3)
  expect(await stored()).toMatchObject([{ state: 'later', attempts: 1, last_error: 'nobody at home', locked_by: null }])
  expect(await drainJobs(options())).toBe(0)

  for (const [state, attempts] of [
    ['later', 2],
    ['failed', 3],
    ['failed', 3],
  ]) {
    await makeJobsDue(pool)
    await drainJobs(options())
    expect(await stored()).toMatchObject([{ state, attempts }])
  }
})

test('an error that is permanent, and a payload that does not fit, are not tried again', async () => {
  fail = () => {
    throw Object.assign(new Error('no such address'), { permanent: true })
  }
  await enqueue(kysely, mail, { accountId: 1, n: 0 })
  await enqueue(kysely, mail, { accountId: 1, n: 'seven' as unknown as number })
  await drainJobs(options())
  expect(await stored()).toMatchObject([
    { state: 'failed', last_error: 'no such address' },
    { state: 'failed', last_error: expect.stringContaining('does not fit') },
  ])
})

test('a job with the key of one that waits takes its place', async () => {
  gate.resolve()
  const later = new Date(Date.now() + 3_600_000)
  await enqueue(kysely, mail, { accountId: 1, n: 1 }, { jobKey: 'gift', runAt: later })
  expect(await drainJobs(options())).toBe(0)
  await enqueue(kysely, mail, { accountId: 1, n: 2 }, { jobKey: 'gift' })
  await enqueue(kysely, mail, { accountId: 2, n: 3 }, { jobKey: 'gift' })
  expect(await drainJobs(options())).toBe(2)
  expect(begun.map(({ n }) => n).toSorted()).toEqual([2, 3])
})

test('a job that this version does not know is left to one that does', async () => {
  await enqueue(kysely, { name: 'test.from-tomorrow', lane: 'mail' }, { accountId: 1 })
  await drainJobs(options())
  expect(await stored()).toMatchObject([{ state: 'later', attempts: 0, locked_by: null }])
})

test('a stop returns what outlasts it, uncounted, and another process runs it', async () => {
  await enqueueMany(kysely, mail, burst(1, 2))
  const worker = await work()
  await soon(() => expect(under).toHaveLength(2))
  await worker.stop()
  expect(await stored()).toMatchObject([
    { state: 'ready', attempts: 0, locked_by: null },
    { state: 'ready', attempts: 0, locked_by: null },
  ])
  gate.resolve()
  expect(await drainJobs(options())).toBe(2)
  expect(await stored()).toEqual([])
})

test('what a dead process held is run again, and what kills every process is given up', async () => {
  gate.resolve()
  await enqueueMany(kysely, mail, burst(1, 2))
  await pool.query(
    `update lane_jobs set state = 'running', locked_by = 'dead', locked_at = clock_timestamp(), attempts = payload['n']::int * 2 + 1`,
  )
  await pool.query(`insert into workers values ('dead', array['dead'], clock_timestamp() - interval '31 seconds')`)
  expect(await freeDeadWorkers(pool)).toEqual(['dead'])
  expect(await drainJobs(options())).toBe(2)
  expect(begun.map(({ n }) => n)).toEqual([0])
  expect(await stored()).toMatchObject([{ state: 'failed', last_error: 'Its process ended during the last attempt' }])
})

test('with ten thousand waiting a turn is still found at once', async () => {
  await enqueueMany(kysely, mail, burst(1, 10_000))
  await enqueueMany(
    kysely,
    call,
    Array.from({ length: 1_000 }, (_, n) => ({ accountId: n % 50, n, key: `endpoint ${n % 20}` })),
  )
  const claim = (lane: string) =>
    pool.query(`select from claim_lane_jobs($1, $2, 0, '{}', '{}', 4, 1)`, [lane, 'somebody'])
  for (const lane of ['mail', 'webhooks']) {
    await claim(lane)
    const startedAt = performance.now()
    for (let n = 0; n < 20; n++) await claim(lane)
    expect((performance.now() - startedAt) / 20).toBeLessThan(25)
  }
})

test('one claim gives every account one after the other, and then again, as many as each may have', async () => {
  await enqueueMany(kysely, mail, [...burst(1, 9), ...burst(2, 1), ...burst(3, 9), ...burst(4, 9)])
  const claimed = await claimLaneJobs(pool, {
    lane: 'mail',
    workerId: 'somebody',
    servedLast: 1,
    running: [
      [3, 4],
      [4, 2],
    ],
    perAccount: 4,
    most: 6,
  })
  expect(claimed.map(({ accountId }) => accountId)).toEqual([2, 4, 1, 4, 1, 1])
  const firstOfFirst = claimed.filter(({ accountId }) => accountId === 1).map((job) => (job.payload as Call).n)
  expect(firstOfFirst).toEqual([0, 1, 2])
})

/** Connections of a worker that tell how often it asked for jobs. */
const countClaims = () => {
  let claims = 0
  const query = (asked: { name?: string }, ...rest: unknown[]) => {
    if (asked.name === 'claim-lane-jobs') claims += 1
    return (pool.query as (...all: unknown[]) => Promise<unknown>)(asked, ...rest)
  }
  return { counting: { query } as unknown as pg.Pool, claims: () => claims }
}

test('an account that had all it may gets several at once when enough of them have ended, and others need not wait', async () => {
  const ends = Array.from({ length: 20 }, () => Promise.withResolvers<void>())
  const slow = defineJob({
    name: 'test.slow',
    lane: 'mail',
    payload,
    run: async (told: Call, _helpers: JobHelpers<object>) => {
      begun.push(told)
      if (told.accountId === 1) await ends[told.n]!.promise
    },
  })
  const { counting, claims } = countClaims()
  await enqueueMany(kysely, slow, burst(1, 12))
  const limits = { atOnce: 16, perAccount: 8, refillAt: 4 }
  const runner = startLaneRunner({
    ...options(),
    jobs: [slow],
    pool: counting,
    lane: 'mail',
    limits,
    workerId: 'somebody',
  })
  const left = async () => (await stored()).length
  runner.wake()
  await soon(() => expect(begun).toHaveLength(8))
  expect(claims()).toBe(1)

  for (const n of [0, 1, 2]) ends[n]!.resolve()
  await soon(async () => expect(await left()).toBe(9))
  expect([begun.length, claims()]).toEqual([8, 1])

  await enqueue(kysely, slow, { accountId: 2, n: 0 })
  runner.wake()
  await soon(() => expect(begun.at(-1)?.accountId).toBe(2))
  expect(begun).toHaveLength(9)

  await soon(async () => expect(await left()).toBe(9))
  const before = claims()
  ends[3]!.resolve()
  await soon(() => expect(begun).toHaveLength(13))
  expect(claims() - before).toBeLessThanOrEqual(2)
  for (const { resolve } of ends) resolve()
  await runner.settle()
  await runner.stop()
  expect(await stored()).toEqual([])
})

test('jobs whose end is just being written down are neither waited for nor handed over with the others', async () => {
  await enqueueMany(kysely, mail, burst(1, 3))
  const claim = { lane: 'mail', servedLast: 0, running: [], perAccount: 4, most: 4 } as const
  const claimed = await claimLaneJobs(pool, { ...claim, workerId: 'gone' })
  expect(claimed).toHaveLength(3)
  const ending = await pool.connect()
  try {
    for (const handOver of [() => requeueJobsOfWorker(pool, 'gone'), () => freeDeadWorkers(pool)]) {
      await pool.query(`update lane_jobs set locked_at = clock_timestamp() - interval '61 seconds', locked_by = 'gone',
        state = 'running', attempts = 1`)
      await ending.query('begin')
      await ending.query('select from lane_jobs where id = $1 for update', [claimed[1]!.id])
      await handOver()
      await ending.query('commit')
      expect((await stored()).map(({ state, locked_by }) => [state, locked_by])).toEqual([
        ['ready', null],
        ['running', 'gone'],
        ['ready', null],
      ])
    }
  } finally {
    ending.release()
  }
})

test('jobs whose claim was carried out, but never answered, are given back and run', async () => {
  gate.resolve()
  let lost = 0
  /** The database does what it is told, and the line breaks before it can say so. */
  const query = async (asked: { name?: string }, ...rest: unknown[]) => {
    const answer: unknown = await (pool.query as (...all: unknown[]) => unknown)(asked, ...rest)
    if (asked.name === 'claim-lane-jobs' && lost++ === 0) throw new Error('Connection terminated unexpectedly')
    return answer
  }
  const cut = { query } as unknown as pg.Pool
  await enqueue(kysely, mail, { accountId: 1, n: 1 })
  const limits = { atOnce: 8, perAccount: 4 }
  const runner = startLaneRunner({ ...options(), pool: cut, lane: 'mail', limits, workerId: 'cut off' })
  runner.wake()
  await soon(async () => {
    const { rows } = await pool.query('select state, locked_by from lane_jobs')
    expect([lost, rows]).toEqual([1, [{ state: 'running', locked_by: 'cut off' }]])
  })
  expect(begun).toEqual([])
  await soon(() => {
    runner.wake()
    expect(begun).toEqual([{ accountId: 1, n: 1 }])
  })
  await runner.stop()
  expect((await pool.query('select from lane_jobs')).rows).toEqual([])
})
