import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { runOnce, type WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { openWorkerPool } from './connections.ts'
import { startHeartbeat } from './heartbeat.ts'
import { openLanes } from './lanes/open-lanes.ts'
import { addPeriodicJobs, countRunningJobs } from './records.ts'
import { graphileLogger, periodicJobs, graphileTasksOf } from './tasks.ts'
import { DEFAULT_CONCURRENCY, graphilePresetOf, type WorkerOptions } from './worker.ts'

export interface DrainOptions<Context> extends WorkerOptions<Context> {
  /** Connections of the worker that are open already, and stay so. */
  pool?: pg.Pool
}

const OTHERS_MOST_MS = 10_000
const OTHERS_LOOK_MS = 50

/**
 * Works off every job that is due, each periodic one included, and says how many it tried. What a running server
 * took first is waited for, so that whoever calls this can rely on the work being done. A job that fails is tried
 * again at its own time, like everywhere.
 */
export const drainJobs = async <Context>(options: DrainOptions<Context>): Promise<number> => {
  const { connection, jobs, log, concurrency = DEFAULT_CONCURRENCY } = options
  const pool = options.pool ?? openWorkerPool(connection, concurrency, log)
  const tasks = graphileTasksOf({ ...options, pool })
  const presence = await startHeartbeat(pool, log)
  const tried = new Set<string>()
  const troubles: unknown[] = []

  const events: WorkerEvents = new EventEmitter()
  events.on('job:start', ({ job }) => tried.add(job.id))
  events.on('worker:getJob:error', ({ error }) => troubles.push(error))
  events.on('pool:fatalError', ({ error }) => troubles.push(error))
  const lanes = openLanes({
    ...options,
    pool,
    workerId: presence.processId,
    onStart: ({ id }) => tried.add(`lane job ${id}`),
  })

  const runner = {
    pgPool: pool,
    taskList: tasks,
    concurrency,
    events,
    logger: graphileLogger(log),
    noHandleSignals: true,
    preset: graphilePresetOf(presence),
  }

  /** Whether it found a job it had not tried before. A pass may end early, while the last job still holds its queue. */
  const pass = async () => {
    const before = tried.size
    const hasTasks = Object.keys(tasks).length > 0
    await Promise.all([hasTasks && runOnce(runner), ...lanes.runners.map((lane) => lane.settle())])
    if (troubles.length > 0) throw troubles[0]
    return tried.size > before
  }

  const names = jobs.map((job) => job.name)
  const lookAwayAt = performance.now() + OTHERS_MOST_MS

  /** Whether others were at work; what they did may have brought new jobs. */
  const waitForOthers = async () => {
    let sawOthers = false
    while (performance.now() < lookAwayAt && (await countRunningJobs(pool, names)) > 0) {
      sawOthers = true
      await pause(OTHERS_LOOK_MS)
    }
    return sawOthers
  }

  try {
    await presence.show()
    await addPeriodicJobs(pool, periodicJobs(jobs))
    while ((await pass()) || (await waitForOthers())) continue
    return tried.size
  } finally {
    await lanes.stop()
    await presence.leave()
    if (!options.pool) await pool.end()
  }
}
