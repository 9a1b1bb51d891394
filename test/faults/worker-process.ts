import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { z } from 'zod'
import { openDatabase } from '../../src/database/database.ts'
import { defineJob, type JobHelpers } from '../../src/jobs/job.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { openLog } from '../../src/kernel/log.ts'

/** A job that writes down who runs it, and goes on once the gate of that runner is open. */
export const gatedJob = defineJob({
  name: 'faults.gated',
  payload: z.object({}),
  run: async (_payload, { context: { pool, runner } }: JobHelpers<{ pool: pg.Pool; runner: string }>) => {
    await pool.query('insert into runs (runner) values ($1)', [runner])
    while ((await pool.query('select from gates where runner = $1', [runner])).rowCount === 0) await pause(50)
    await pool.query('update runs set ended_at = clock_timestamp() where runner = $1', [runner])
  },
})

/** Run as a process of its own: node worker-process.ts <connection as JSON> <name of the runner>. */
if (import.meta.main) {
  const connection = JSON.parse(process.argv[2]!) as pg.PoolConfig
  const { pool, close } = openDatabase(connection)
  const context = { pool, runner: process.argv[3]! }
  const worker = await startWorker({ connection, jobs: [gatedJob], context, log: openLog('silent') })
  // The process is not told to exit: it must end by itself once nothing is left to do.
  process.once('SIGTERM', () => void Promise.all([worker.stop(), close()]))
}
