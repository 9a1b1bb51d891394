import type { Kysely } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { cloneDatabase, type ClonedDatabase } from '../../test/kit/database/database.ts'
import { openDatabase } from '../database/database.ts'
import type { Tables } from '../database/table-types.ts'
import { openLog } from '../kernel/log.ts'
import { drainJobs } from './drain.ts'
import { enqueue, enqueueMany } from './enqueue.ts'
import { defineJob } from './job.ts'
import { freeAbandonedQueues, freeDeadWorkers } from './records.ts'
import { startWorker } from './worker.ts'

let database: ClonedDatabase
let pool: pg.Pool
let kysely: Kysely<Tables>

const log = openLog('silent')
const greet = defineJob({ name: 'test.greet', payload: z.object({ guestId: z.number() }), run: async () => {} })
const options = () => ({ connection: database.connection, jobs: [greet], context: {}, log })

beforeEach(async () => {
  database = await cloneDatabase()
  ;({ pool, kysely } = openDatabase(database.connection))
})

afterEach(async () => {
  await kysely.destroy()
  await database.drop()
})

const lockFor = (workerId: string, age: string) =>
  pool.query(
    `with jobs as (update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - $2::interval, attempts = 1)
     update graphile_worker._private_job_queues set locked_by = $1, locked_at = now() - $2::interval`,
    [workerId, age],
  )

const beatOf = (workerId: string, age: string) =>
  pool.query(`insert into workers values ($1 || '-process', array[$1], clock_timestamp() - $2::interval)`, [
    workerId,
    age,
  ])

test('the jobs of a process that fell silent are freed, by one of those who notice', async () => {
  await enqueue(kysely, greet, { guestId: 1 }, { queueName: 'line' })
  await lockFor('pool-dead', '5 seconds')
  await beatOf('pool-dead', '31 seconds')
  await beatOf('pool-alive', '20 seconds')

  const freed = await Promise.all([freeDeadWorkers(pool), freeDeadWorkers(pool), freeDeadWorkers(pool)])
  expect(freed.flat()).toEqual(['pool-dead'])
  expect(await drainJobs(options())).toBe(1)
})

test('a lock whose owner nobody knows is freed after a minute', async () => {
  await enqueue(kysely, greet, { guestId: 1 })
  await lockFor('pool-unknown', '50 seconds')
  expect(await freeDeadWorkers(pool)).toEqual([])

  await lockFor('pool-unknown', '61 seconds')
  expect(await freeDeadWorkers(pool)).toEqual(['pool-unknown'])
})

test('a long job of a living process is left alone', async () => {
  await enqueue(kysely, greet, { guestId: 1 })
  await lockFor('pool-alive', '3 hours')
  await beatOf('pool-alive', '1 second')

  expect(await freeDeadWorkers(pool)).toEqual([])
  const { rows } = await pool.query('select locked_by from graphile_worker.jobs')
  expect(rows).toEqual([{ locked_by: 'pool-alive' }])
})

test('a queue that stayed locked without a running job is opened again', async () => {
  await enqueueMany(kysely, greet, [{ guestId: 1 }, { guestId: 2 }], { queueName: 'line' })
  await pool.query(
    `update graphile_worker._private_job_queues set locked_by = 'pool-alive', locked_at = now() - interval '50 seconds'`,
  )
  await freeAbandonedQueues(pool)
  expect(await drainJobs(options())).toBe(0)

  await pool.query(`update graphile_worker._private_job_queues set locked_at = now() - interval '61 seconds'`)
  expect(await drainJobs(options())).toBe(2)
})

test('a process whose row was deleted writes it again with its next beat', async () => {
  const worker = await startWorker(options())
  await vi.waitFor(async () => expect((await pool.query('select from workers')).rowCount).toBe(1), {
    timeout: 30_000,
  })
  await pool.query('delete from workers')

  await vi.waitFor(async () => expect((await pool.query('select from workers')).rowCount).toBe(1), {
    timeout: 60_000,
    interval: 250,
  })
  await worker.stop()
}, 120_000)
