import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Kysely } from 'kysely'
import type pg from 'pg'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { openDatabase } from '../../src/database/database.ts'
import type { Tables } from '../../src/database/table-types.ts'
import { drainJobs } from '../../src/jobs/drain.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { openLog } from '../../src/kernel/log.ts'
import { cloneDatabase, type ClonedDatabase } from '../kit/database/database.ts'
import { withClient } from '../kit/database/template.ts'
import { gatedJob } from './worker-process.ts'

let database: ClonedDatabase
let pool: pg.Pool
let kysely: Kysely<Tables>
let children: ChildProcess[]

const log = openLog('silent')

beforeEach(async () => {
  children = []
  database = await cloneDatabase()
  ;({ pool, kysely } = openDatabase(database.connection))
  await pool.query('create table runs (runner text, ended_at timestamptz)')
  await pool.query('create table gates (runner text)')
})

afterEach(async () => {
  for (const child of children) await kill(child)
  await kysely.destroy()
  await database.drop()
})

const spawnWorker = (runner: string) => {
  const program = path.join(import.meta.dirname, 'worker-process.ts')
  const child = spawn(process.execPath, [program, JSON.stringify(database.connection), runner], { stdio: 'inherit' })
  children.push(child)
  return child
}

const kill = async (child: ChildProcess) => {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

const openGate = (runner: string) => pool.query('insert into gates values ($1)', [runner])
const runs = async () =>
  (await pool.query('select runner, ended_at is not null as has_ended from runs order by ctid')).rows
const countOf = async (table: string) => (await pool.query(`select from ${table}`)).rowCount
const hasBegun = (runner: string) =>
  vi.waitFor(async () => expect(await runs()).toContainEqual({ runner, has_ended: false }), { timeout: 30_000 })

test('the job of a worker killed without warning runs elsewhere within a minute', async () => {
  const victim = spawnWorker('victim')
  await enqueue(kysely, gatedJob, {}, { queueName: 'line' })
  await hasBegun('victim')
  await openGate('heir')
  const heir = await startWorker({
    connection: database.connection,
    jobs: [gatedJob],
    context: { pool, runner: 'heir' },
    log,
  })

  try {
    await kill(victim)
    const killedAt = performance.now()
    await vi.waitFor(async () => expect(await runs()).toContainEqual({ runner: 'heir', has_ended: true }), {
      timeout: 60_000,
      interval: 500,
    })
    expect(performance.now() - killedAt).toBeLessThan(60_000)
    await vi.waitFor(async () => expect(await countOf('graphile_worker.jobs')).toBe(0), { timeout: 30_000 })
  } finally {
    await heir.stop()
  }
  expect(await countOf('workers')).toBe(0)
}, 180_000)

test('a worker that was only paused finishes its job without harm to those who took it over', async () => {
  const sleeper = spawnWorker('sleeper')
  await enqueue(kysely, gatedJob, {}, { queueName: 'line' })
  await hasBegun('sleeper')

  sleeper.kill('SIGSTOP')
  await pool.query(`update workers set beat_at = beat_at - interval '31 seconds'`)
  const draining = drainJobs({
    connection: database.connection,
    jobs: [gatedJob],
    context: { pool, runner: 'heir' },
    log,
  })
  await hasBegun('heir')

  sleeper.kill('SIGCONT')
  await openGate('sleeper')
  await vi.waitFor(async () => expect(await countOf('graphile_worker.jobs')).toBe(0), { timeout: 30_000 })
  await openGate('heir')
  expect(await draining).toBe(1)
  expect(await runs()).toEqual([
    { runner: 'sleeper', has_ended: true },
    { runner: 'heir', has_ended: true },
  ])

  // Its row is back, and it goes on working: the next job of the queue is held up no longer than a minute.
  await vi.waitFor(async () => expect(await countOf('workers')).toBe(1), { timeout: 30_000 })
  await pool.query(`update graphile_worker._private_job_queues set locked_at = locked_at - interval '1 minute'`)
  await pool.query('delete from runs')
  await enqueue(kysely, gatedJob, {}, { queueName: 'line' })
  await vi.waitFor(async () => expect(await runs()).toEqual([{ runner: 'sleeper', has_ended: true }]), {
    timeout: 60_000,
  })
}, 180_000)

const isUp = () => vi.waitFor(async () => expect(await countOf('workers')).toBe(1), { timeout: 30_000 })

test('a process whose worker was stopped ends by itself', async () => {
  const child = spawnWorker('leaver')
  await isUp()

  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
  expect(await countOf('workers')).toBe(0)
}, 120_000)

test('a worker without its database lives on, and can be stopped', async () => {
  const child = spawnWorker('orphan')
  await isUp()
  await enqueue(kysely, gatedJob, {})
  await hasBegun('orphan')

  const name = database.connection.database
  await withClient({ ...database.connection, database: 'postgres' }, async (admin) => {
    await admin.query(`alter database ${name} with allow_connections false`)
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [name])
    // A few of the worker's attempts to come back.
    await pause(3_000)
    expect([child.exitCode, child.signalCode]).toEqual([null, null])

    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
    await admin.query(`alter database ${name} with allow_connections true`)
  })
}, 180_000)
