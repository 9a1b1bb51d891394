import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { cloneDatabase, type ClonedDatabase } from '../../test/kit/database/database.ts'
import { openDatabase } from '../database/database.ts'
import type { Tables } from '../database/table-types.ts'
import type { Log } from '../kernel/log.ts'
import { drainJobs } from './drain.ts'
import { enqueue, enqueueMany } from './enqueue.ts'
import { defineJob, type Job, type JobHelpers } from './job.ts'
import { startWorker, type Worker } from './worker.ts'

interface App {
  done: unknown[]
}

let database: ClonedDatabase
let pool: pg.Pool
let kysely: Kysely<Tables>
let app: App
let lines: { level: string; fields: Record<string, unknown>; message: string }[]
let workers: Worker[]

const note = (level: string) => (fields: object, message: string) =>
  void lines.push({ level, fields: fields as Record<string, unknown>, message })
const log: Log = { isVerbose: true, debug: () => {}, info: note('info'), warn: note('warn'), error: note('error') }

beforeAll(async () => {
  database = await cloneDatabase()
  ;({ pool, kysely } = openDatabase(database.connection))
})

afterAll(async () => {
  await kysely.destroy()
  await database.drop()
})

beforeEach(() => {
  app = { done: [] }
  lines = []
  workers = []
})

afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  await pool.query('truncate graphile_worker._private_jobs, graphile_worker._private_job_queues cascade')
  await pool.query('truncate workers, graphile_worker._private_known_crontabs')
})

/** No claim about speed: it only ends what never comes. */
const SOON = { timeout: 30_000 }

const drain = (jobs: Job<App>[], concurrency = 4) =>
  drainJobs({ connection: database.connection, jobs, context: app, concurrency, log })

const work = async (jobs: Job<App>[], concurrency = 2, standstillMs?: number) => {
  const connection = { connection: database.connection, ...(standstillMs && { standstillMs }) }
  const worker = await startWorker({ ...connection, jobs, context: app, concurrency, log })
  workers.push(worker)
  return worker
}

const storedJobs = async () => {
  const { rows } = await pool.query(
    'select task_identifier as name, attempts, max_attempts, last_error, locked_by, run_at > now() as is_later from graphile_worker.jobs order by id',
  )
  return rows
}

const greet = defineJob({
  name: 'test.greet',
  payload: z.object({ guestId: z.number() }),
  run: async ({ guestId }, { context }: JobHelpers<App>) => void context.done.push(guestId),
})

/** A job that waits until the test lets it go on. */
const gatedJob = (name = 'test.gated') => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const job = defineJob({
    name,
    payload: z.object({}),
    run: async (_payload, { context }: JobHelpers<App>) => {
      begun.resolve()
      await gate.promise
      context.done.push(name)
    },
  })
  return { job, begun: begun.promise, open: gate.resolve }
}

const failingJob = (error: Error, attempts?: number) =>
  defineJob({
    name: 'test.fail',
    payload: z.object({}),
    attempts,
    run: async (_payload, { context, attempt, isLastAttempt }: JobHelpers<App>) => {
      context.done.push({ attempt, isLastAttempt })
      throw error
    },
  })

test('a job exists only if its transaction commits', async () => {
  const undone = kysely.transaction().execute(async (tx) => {
    await enqueue(tx, greet, { guestId: 1 })
    throw new Error('changed my mind')
  })
  await expect(undone).rejects.toThrow('changed my mind')
  expect(await storedJobs()).toEqual([])

  await kysely.transaction().execute((tx) => enqueue(tx, 'test.greet', { guestId: 2 }))
  expect(await drain([greet])).toBe(1)
  expect(app.done).toEqual([2])
  expect(await storedJobs()).toEqual([])
})

test('many jobs are enqueued by one statement', async () => {
  const statements: string[] = []
  const counting = new Kysely<unknown>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void statements.push(query.sql),
  })

  await enqueueMany(counting, greet, [{ guestId: 1 }, { guestId: 2 }, { guestId: 3 }])
  await enqueueMany(counting, greet, [])

  expect(statements).toHaveLength(1)
  expect(await drain([greet])).toBe(3)
  expect(app.done.toSorted()).toEqual([1, 2, 3])
})

test('jobs with one key are one job, and a later one waits for its time', async () => {
  await enqueue(kysely, greet, { guestId: 1 }, { jobKey: 'once' })
  await enqueue(kysely, greet, { guestId: 2 }, { jobKey: 'once' })
  await enqueue(kysely, greet, { guestId: 3 }, { runAt: new Date(Date.now() + 3_600_000) })

  expect(await drain([greet])).toBe(1)
  expect(app.done).toEqual([2])
  expect(await storedJobs()).toMatchObject([{ attempts: 0, is_later: true }])
})

test('a running worker takes up what is enqueued', async () => {
  await work([greet])
  await enqueue(kysely, greet, { guestId: 7 })

  await vi.waitFor(() => expect(app.done).toEqual([7]), SOON)
  await vi.waitFor(async () => expect(await storedJobs()).toEqual([]), SOON)
})

test('a payload that does not fit fails for good and says why', async () => {
  await enqueue(kysely, 'test.greet', { guestId: 'seven secrets' })

  expect(await drain([greet])).toBe(1)
  expect(await storedJobs()).toMatchObject([
    { attempts: 1, max_attempts: 1, last_error: expect.stringContaining('guestId') },
  ])
  expect(lines).toContainEqual({
    level: 'error',
    message: 'Job failed for good',
    fields: expect.objectContaining({
      job: 'test.greet',
      reason: expect.stringMatching(/test\.greet does not fit: guestId/),
    }),
  })
  expect(JSON.stringify(lines)).not.toContain('seven secrets')
})

test('a job that fails stays for its retry and is counted once', async () => {
  const job = failingJob(new Error('the printer is on fire'))
  await enqueue(kysely, job, {})

  expect(await drain([job])).toBe(1)
  expect(app.done).toEqual([{ attempt: 1, isLastAttempt: false }])
  expect(await storedJobs()).toMatchObject([
    { attempts: 1, max_attempts: 16, last_error: 'the printer is on fire', is_later: true, locked_by: null },
  ])
})

test('an error that is permanent is not tried again', async () => {
  const job = failingJob(Object.assign(new Error('no such address'), { permanent: true }))
  await enqueue(kysely, job, {})

  await drain([job])
  expect(await storedJobs()).toMatchObject([{ attempts: 1, max_attempts: 1 }])
})

test("a job enqueued by its name alone keeps to the job's number of attempts", async () => {
  const job = failingJob(new Error('again'), 2)
  await enqueue(kysely, 'test.fail', {})

  await drain([job])
  await pool.query('update graphile_worker._private_jobs set run_at = now()')
  await drain([job])

  expect(app.done).toEqual([
    { attempt: 1, isLastAttempt: false },
    { attempt: 2, isLastAttempt: true },
  ])
  expect(await storedJobs()).toMatchObject([{ attempts: 2, max_attempts: 2 }])
})

test('draining runs each periodic job once', async () => {
  const sweep = defineJob({
    name: 'test.sweep',
    payload: z.strictObject({}),
    every: '5 minutes',
    run: async (_payload, { context }: JobHelpers<App>) => void context.done.push('swept'),
  })
  const expire = defineJob({ ...sweep, name: 'test.expire', every: '1 day' })

  expect(await drain([sweep, expire, greet])).toBe(2)
  expect(app.done).toEqual(['swept', 'swept'])
  expect(await drain([sweep])).toBe(1)
})

test('several who drain at once do not stand in each other’s way', async () => {
  const sweeps = Array.from({ length: 20 }, (_, n) =>
    defineJob({
      name: `test.sweep-${n}`,
      payload: z.strictObject({}),
      every: '5 minutes',
      run: async (_payload, { context }: JobHelpers<App>) => void context.done.push(n),
    }),
  )
  for (let round = 0; round < 10; round++) {
    await Promise.all([sweeps, sweeps.toReversed(), sweeps, sweeps.toReversed()].map((jobs) => drain(jobs)))
  }
  expect(new Set(app.done).size).toBe(20)
  expect(await storedJobs()).toEqual([])
})

test('draining follows jobs that bring new jobs, and queues to their end', async () => {
  const chain = defineJob({
    name: 'test.chain',
    payload: z.object({ left: z.number() }),
    run: async ({ left }, { context }: JobHelpers<App>) => {
      context.done.push(left)
      if (left > 0) await enqueue(kysely, 'test.chain', { left: left - 1 }, { queueName: 'chain' })
    },
  })
  await enqueue(kysely, chain, { left: 3 })
  await enqueueMany(kysely, greet, [{ guestId: 10 }, { guestId: 11 }, { guestId: 12 }], { queueName: 'in-line' })

  expect(await drain([chain, greet])).toBe(7)
  expect(app.done.filter((entry) => Number(entry) < 10)).toEqual([3, 2, 1, 0])
  expect(app.done.filter((entry) => Number(entry) >= 10).toSorted()).toEqual([10, 11, 12])
})

test('draining waits for what a running worker took first', async () => {
  const { job, begun, open } = gatedJob()
  await work([job])
  await enqueue(kysely, job, {})
  await begun

  const draining = drain([job])
  setTimeout(open, 200)
  expect(await draining).toBe(0)
  expect(app.done).toEqual(['test.gated'])
})

test('a database that is not there is an error for whoever drains', async () => {
  const nowhere = { ...database.connection, database: 'nowhere' }
  await expect(drainJobs({ connection: nowhere, jobs: [greet], context: app, log })).rejects.toThrow('does not exist')
})

test('stopping waits for the job that runs', async () => {
  const { job, begun, open } = gatedJob()
  const worker = await work([job])
  await enqueue(kysely, job, {})
  await begun

  const stopping = worker.stop()
  setTimeout(open, 300)
  await stopping
  expect(app.done).toEqual(['test.gated'])
  expect(await storedJobs()).toEqual([])
  expect((await pool.query('select from workers')).rowCount).toBe(0)
})

test('a job that outlasts the grace is returned, its attempt uncounted, for another to run', async () => {
  const { job, begun, open } = gatedJob()
  const worker = await work([job])
  await enqueue(kysely, job, {}, { maxAttempts: 1, queueName: 'one-by-one' })
  await begun

  const startedAt = performance.now()
  await worker.stop()
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  expect(await storedJobs()).toMatchObject([{ attempts: 0, locked_by: null, is_later: false }])

  open()
  expect(await drain([job])).toBe(1)
  expect(await storedJobs()).toEqual([])
})

test('a periodic job that was missed is made up for once, however many processes start', async () => {
  const nightly = defineJob({
    name: 'test.nightly',
    payload: z.object({}),
    every: '1 hour',
    run: async (_payload, { context }: JobHelpers<App>) => void context.done.push('made up for'),
  })
  await pool.query(
    `insert into graphile_worker._private_known_crontabs (identifier, known_since, last_execution)
     values ('test.nightly', now() - interval '1 week', now() - interval '1 day')`,
  )

  await Promise.all([work([nightly]), work([nightly]), work([nightly])])
  await vi.waitFor(() => expect(app.done).toEqual(['made up for']), SOON)
  await enqueue(kysely, greet, { guestId: 1 })
  await work([greet])
  await vi.waitFor(() => expect(app.done).toEqual(['made up for', 1]), SOON)
})

test('a period that does not divide its hour or day is refused', () => {
  const every = (period: string) => () => defineJob({ ...greet, every: period as '1 hour' }).schedule
  expect(every('5 minutes')()).toEqual({ cron: '*/5 * * * *', periodMs: 300_000 })
  expect(every('6 hours')()?.cron).toBe('0 */6 * * *')
  expect(every('7 minutes')).toThrow('evenly')
  expect(every('2 days')).toThrow('evenly')
  expect(every('often')).toThrow('evenly')
})

test('two jobs of one name are refused', async () => {
  await expect(drain([greet, greet])).rejects.toThrow('Two jobs are named test.greet')
})

test('the worker survives the database going away in the middle of a job', async () => {
  const { job, begun, open } = gatedJob()
  await work([job, greet])
  await enqueue(kysely, job, {})
  await begun

  const admin = new pg.Client({ ...database.connection, database: 'postgres' })
  await admin.connect()
  const { database: name } = database.connection
  await admin.query(`alter database ${name} with allow_connections false`)
  await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
  open()
  await vi.waitFor(() => expect(app.done).toEqual(['test.gated']), SOON)
  // Long enough for the worker to notice that it cannot write the outcome down.
  await vi.waitFor(
    () => expect(lines.map((line) => line.message)).toContain('The worker could not start and tries again'),
    SOON,
  )
  await admin.query(`alter database ${name} with allow_connections true`)
  await admin.end()

  await sql`select 1`.execute(kysely).catch(() => {})
  await vi.waitFor(() => enqueue(kysely, greet, { guestId: 5 }), SOON)
  await vi.waitFor(() => expect(app.done).toContain(5), SOON)
  // The finished job could not be written down, so it runs once more: at least once, never lost.
  await vi.waitFor(async () => expect(await storedJobs()).toEqual([]), SOON)
}, 120_000)

test('a worker that gets stuck is replaced, one whose hands are all busy is not, and every job runs once', async () => {
  const { job, begun, open } = gatedJob()
  // Longer than from one look for jobs to the next.
  await work([job, greet], 1, 3_500)
  await enqueue(kysely, job, {})
  await begun
  const isReplaced = () => lines.some(({ message }) => message.includes('is replaced'))
  await new Promise((resolve) => setTimeout(resolve, 4_500))
  open()
  await vi.waitFor(async () => expect(await storedJobs()).toEqual([]), SOON)
  expect(isReplaced()).toBe(false)

  // Whoever looks for jobs waits here for something that does not come.
  const holder = await pool.connect()
  await holder.query('begin; lock table graphile_worker._private_jobs in access exclusive mode')
  await vi.waitFor(() => expect(isReplaced()).toBe(true), SOON)
  await holder.query('commit')
  holder.release()
  await enqueue(kysely, greet, { guestId: 7 })
  await vi.waitFor(async () => expect(await storedJobs()).toEqual([]), SOON)
  expect(app.done).toEqual(['test.gated', 7])
}, 120_000)

test('a worker whose first look for jobs fails is replaced by one that works', async () => {
  // graphile-worker asks for the IDs of its tasks once, and remembers a failure for ever.
  await pool.query(`
    create function lose_connection() returns trigger language plpgsql as $$ begin raise 'lost'; end $$;
    create trigger lose_connection before insert on graphile_worker._private_tasks execute function lose_connection()`)
  await work([greet])
  await vi.waitFor(() => expect(lines.some(({ message }) => message.includes('is replaced'))).toBe(true), SOON)
  await pool.query('drop function lose_connection cascade')
  await enqueue(kysely, greet, { guestId: 8 })
  await vi.waitFor(() => expect(app.done).toEqual([8]), SOON)
}, 120_000)
