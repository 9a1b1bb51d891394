import { EventEmitter } from 'node:events'
import { run, type Runner, type WorkerEvents, type WorkerPool } from 'graphile-worker'
import type pg from 'pg'
import { endPool } from '../database/lost-connections.ts'
import { type PgNotifications, openPgNotifications } from '../database/pg-notifications.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { sleepUnlessAborted } from '../kernel/sleep.ts'
import { openWorkerPool } from './connections.ts'
import { startHeartbeat, type WorkerHeartbeat } from './heartbeat.ts'
import type { Job } from './job.ts'
import { LANES_CHANNEL } from './lane.ts'
import { type Lanes, type LaneSettings, openLanes } from './lanes/open-lanes.ts'
import { requeueJobsOfWorkers } from './records.ts'
import { watchForStandstill } from './standstill.ts'
import { graphileLogger, graphileTasksOf, cronItemsOf } from './tasks.ts'

export interface WorkerOptions<Context> {
  connection: pg.PoolConfig
  jobs: Job<Context>[]
  context: Context
  /** How many jobs without a lane run at once. */
  concurrency?: number
  /** Other limits than the usual ones. */
  lanes?: LaneSettings
  /** After which time without a look for jobs graphile-worker is replaced. */
  standstillMs?: number
  log: Log
}

export interface Worker {
  /** Takes no new jobs, gives the running ones three seconds, and returns the rest for another process to run. */
  stop(): Promise<void>
}

export const DEFAULT_CONCURRENCY = 2

/** How often lanes look for jobs whose time has come; new ones are announced. */
const LOOK_EVERY_MS = 2_000
const GRACE_MS = 3_000
/** Jobs that listen to their signal get a moment to end by themselves. */
const ABORT_AFTER_MS = 2_000
const LAST_WORDS_MS = 500
const RESTART_FIRST_MS = 500
const RESTART_MOST_MS = 5_000
const STABLE_AFTER_MS = 60_000
const ABANDON_MS = 10_000

/**
 * Works until it is stopped: when graphile-worker gives up, as it does when the database goes away, or gets stuck, it
 * starts anew.
 */
export const startWorker = async <Context>(options: WorkerOptions<Context>): Promise<Worker> => {
  const { connection, jobs, log, concurrency = DEFAULT_CONCURRENCY, standstillMs } = options
  const pool = openWorkerPool(connection, concurrency, log)
  const tasks = graphileTasksOf({ ...options, pool })
  const timetable = cronItemsOf(jobs)
  const presence = await startHeartbeat(pool, log)
  const lanes = openLanes({ ...options, pool, workerId: presence.processId })
  const pgNotifications = openPgNotifications(connection)
  const stopping = new AbortController()
  const firstStart = Promise.withResolvers<void>()
  let runner: Runner | null = null
  let workerPool: WorkerPool | null = null

  const events: WorkerEvents = new EventEmitter()
  events.on('pool:create', (created) => {
    workerPool = created.workerPool
  })

  const runOnce = async () => {
    runner = await run({
      pgPool: pool,
      taskList: tasks,
      parsedCronItems: timetable,
      concurrency,
      events,
      logger: graphileLogger(log),
      noHandleSignals: true,
      preset: graphilePresetOf(presence),
    })
    if (stopping.signal.aborted) await stopRunner(runner)
    firstStart.resolve()
    await runner.promise
    if (!stopping.signal.aborted) log.warn({}, 'The worker stopped by itself and starts again')
  }

  /** What it held is given back, as far as it still answers. */
  const abandon = async (reason: string) => {
    log.warn({ workers: presence.workerIds(), reason }, 'The worker got stuck and is replaced')
    const ended = Promise.resolve(workerPool?.forcefulShutdown('It got stuck')).catch((error: unknown) =>
      log.warn(describeError(error), 'The worker that got stuck could not be ended'),
    )
    await settlesWithin(ABANDON_MS, ended)
  }

  const work = async () => {
    const watch = watchForStandstill(events, { concurrency, standstillMs })
    const running = runOnce().catch((error: unknown) =>
      log.warn(describeError(error), 'The worker could not start and tries again'),
    )
    const reason = await Promise.race([running.then(() => null), watch.whenStuck])
    watch.end()
    if (reason) await abandon(reason)
    runner = null
    firstStart.resolve()
  }

  const keepWorking = async () => {
    let delay = RESTART_FIRST_MS
    while (!stopping.signal.aborted) {
      const startedAt = performance.now()
      await work()
      if (performance.now() - startedAt > STABLE_AFTER_MS) delay = RESTART_FIRST_MS
      await sleepUnlessAborted(stopping.signal, delay)
      delay = Math.min(delay * 2, RESTART_MOST_MS)
    }
  }

  const close = async () => {
    stopping.abort()
    restLanes()
    if (runner) void stopRunner(runner)
    const working = Promise.all([keepingOn, stopLanes(lanes)])
    const isDone =
      (await settlesWithin(GRACE_MS, working)) ||
      (await settlesWithin(
        LAST_WORDS_MS,
        returnRunning().then(() => working),
      ))
    // Whoever could not say good-bye is missed in time by the others.
    const leaving = presence.leave()
    if (isDone) await settlesWithin(LAST_WORDS_MS, leaving)
    await Promise.all([pgNotifications.close(), endPool(pool)])
  }

  const returnRunning = async () => {
    try {
      log.warn({ workers: presence.workerIds() }, 'Jobs still run; they are returned for another worker')
      await Promise.all([requeueJobsOfWorkers(pool, presence.workerIds()), lanes.handOver()])
      await workerPool?.forcefulShutdown('The process stops')
    } catch (error) {
      log.warn(describeError(error), 'The worker could not return its jobs; they are freed when it is missed')
    }
  }

  const keepingOn = keepWorking()
  let closing: Promise<void> | null = null
  await firstStart.promise
  // Only now are others sure to know who holds what the lanes take.
  const restLanes = keepAwake(lanes, pgNotifications)
  return { stop: () => (closing ??= close()) }
}

const keepAwake = (lanes: Lanes, pgNotifications: PgNotifications) => {
  const leave = pgNotifications.listen(LANES_CHANNEL, {
    hear: (lane) => lanes.wake(lane),
    forget: () => {},
    resume: () => lanes.wake(),
  })
  const looking = setInterval(() => lanes.wake(), LOOK_EVERY_MS)
  lanes.wake()
  return () => {
    leave()
    clearInterval(looking)
  }
}

const stopLanes = async (lanes: Lanes) => {
  const abort = setTimeout(() => lanes.abort(), ABORT_AFTER_MS)
  await lanes.stop()
  clearTimeout(abort)
}

/** Refused when the runner is stopping already, which is what was wanted. */
const stopRunner = (runner: Runner) => runner.stop().catch(() => {})

/**
 * Without the delays graphile-worker does not wait for the statement that ends a job, and a lost connection at that
 * moment would be a rejection nobody handles; with them it closes down in order and is started anew.
 */
export const graphilePresetOf = (presence: WorkerHeartbeat): GraphileConfig.Preset => ({
  plugins: [
    {
      name: 'FoyerPresence',
      version: '1.0.0',
      worker: { hooks: { startWorker: (_context, { worker }) => presence.announce(worker.workerPool.id) } },
    },
  ],
  worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0, gracefulShutdownAbortTimeout: ABORT_AFTER_MS },
})

const settlesWithin = async (ms: number, work: Promise<unknown>): Promise<boolean> => {
  const timeout = new AbortController()
  const inTime = work.then(() => true)
  try {
    return await Promise.race([inTime, sleepUnlessAborted(timeout.signal, ms).then(() => false)])
  } finally {
    timeout.abort()
  }
}
