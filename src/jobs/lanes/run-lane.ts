import { setTimeout as pause } from 'node:timers/promises'
import { describeError } from '../../kernel/log.ts'
import type { Job } from '../job.ts'
import { type Lane, LANES, type LaneLimits } from '../lane.ts'
import { type TaskRunner, runJob } from '../tasks.ts'
import {
  type ClaimedJob,
  claimLaneJobs,
  deleteLaneJob,
  giveBackLaneJob,
  recordLaneFailure,
  returnLaneJobs,
} from './records.ts'

export interface LaneRunner {
  /** There may be something to do. */
  wake(): void
  /** Works until nothing is left that could run now; rejects when the database cannot be asked. */
  settle(): Promise<void>
  /** Takes no more jobs, and comes back when those that run have ended. */
  stop(): Promise<void>
  /** Tells the jobs that still run to end. */
  abort(): void
}

export interface LaneOptions<Context> extends TaskRunner<Context> {
  lane: Lane
  limits: LaneLimits
  workerId: string
  onStart?: (job: ClaimedJob) => void
}

const WRITE_AGAIN_MS = 1_000
/** A process of another version may know the job. */
const UNKNOWN_WAITS_SECONDS = 60

/** Takes jobs of one lane, an account after the other, and runs as many at once as the limits allow. */
export const openLane = <Context>(options: LaneOptions<Context>): LaneRunner => {
  const { pool, lane, limits, workerId, log, onStart } = options
  const known = new Map(options.jobs.map((job) => [job.name, job]))
  const running = new Set<Promise<void>>()
  const countByAccount = new Map<number, number>()
  const stopping = new AbortController()
  const aborting = new AbortController()
  let servedLast = 0
  let filling: Promise<void> | null = null
  let isWoken = false
  let isInTrouble = false

  const isFull = (accountId: number) => (countByAccount.get(accountId) ?? 0) >= limits.perAccount

  /** Whether there may be more: of accounts that were not asked, or of those who were served and may have another. */
  const claim = async (): Promise<boolean> => {
    const fullAccounts = Array.from(countByAccount.keys()).filter(isFull)
    const most = limits.atOnce - running.size
    const claimed = await claimLaneJobs(pool, { lane, workerId, servedLast, fullAccounts, most })
    for (const job of claimed) start(job)
    servedLast = claimed.at(-1)?.accountId ?? servedLast
    return claimed.length === most || claimed.some(({ accountId }) => !isFull(accountId))
  }

  const hasRoom = () => !stopping.signal.aborted && running.size < limits.atOnce

  const fill = async () => {
    do {
      isWoken = false
      while (hasRoom() && (await claim())) continue
    } while (isWoken && hasRoom())
  }

  /** One at a time: whoever comes meanwhile has it look again. */
  const fillOnce = (): Promise<void> => {
    isWoken = true
    return (filling ??= fill().finally(() => {
      filling = null
    }))
  }

  const look = async () => {
    try {
      await fillOnce()
      isInTrouble = false
    } catch (error) {
      // One line per outage is enough; it is asked again in a moment.
      if (!isInTrouble) log.warn({ lane, ...describeError(error) }, 'A lane could not look for its jobs')
      isInTrouble = true
    }
  }

  const wake = () => {
    if (!stopping.signal.aborted) void look()
  }

  const start = (job: ClaimedJob) => {
    onStart?.(job)
    countByAccount.set(job.accountId, (countByAccount.get(job.accountId) ?? 0) + 1)
    const run = work(job).finally(() => {
      running.delete(run)
      const left = countByAccount.get(job.accountId)! - 1
      if (left > 0) countByAccount.set(job.accountId, left)
      else countByAccount.delete(job.accountId)
      wake()
    })
    running.add(run)
  }

  const work = async (claimed: ClaimedJob) => {
    const job = known.get(claimed.name)
    if (!job) return writeDown(() => giveBackLaneJob(pool, claimed, workerId, UNKNOWN_WAITS_SECONDS))
    const failure = await runClaimed(options, job, claimed, aborting.signal)
    await writeDown(() => {
      if (!failure) return deleteLaneJob(pool, claimed, workerId)
      // Being cut short by a stop is not the job's fault.
      if (aborting.signal.aborted) return giveBackLaneJob(pool, claimed, workerId, 0)
      return recordLaneFailure(pool, claimed, workerId, failure)
    })
  }

  /** What was done must not be done again because the database was away for a moment. */
  const writeDown = async (write: () => Promise<void>) => {
    for (;;) {
      try {
        return await write()
      } catch (error) {
        log.warn({ lane, ...describeError(error) }, 'The outcome of a job could not be written down yet')
        if (stopping.signal.aborted) return
        await pause(WRITE_AGAIN_MS)
      }
    }
  }

  return {
    wake,
    settle: async () => {
      const isBusy = () => running.size > 0 || filling !== null
      do {
        await fillOnce()
        if (running.size > 0) await Promise.race(running)
      } while (isBusy())
    },
    stop: async () => {
      stopping.abort()
      await filling?.catch(() => {})
      await Promise.all(running)
    },
    abort: () => aborting.abort(),
  }
}

/** Those who died on their last attempt, and took their process along, are not tried for ever. */
const runClaimed = async <Context>(
  workshop: TaskRunner<Context>,
  job: Job<Context>,
  { id, attempt, payload }: ClaimedJob,
  signal: AbortSignal,
) => {
  if (attempt > job.attempts) return { message: 'Its process ended during the last attempt', isFinal: true }
  const failure = await runJob(workshop, job, payload, { jobId: `l${id}`, attempt, attemptsMax: job.attempts, signal })
  return (
    failure && { message: failure.error instanceof Error ? failure.error.message : 'unknown', isFinal: failure.isFinal }
  )
}

export interface Lanes {
  runners: LaneRunner[]
  wake(lane?: string): void
  stop(): Promise<void>
  abort(): void
  /** Returns what still runs, uncounted, for another process. */
  handOver(): Promise<void>
}

export type LaneSettings = Partial<Record<Lane, LaneLimits>>

export const openLanes = <Context>(
  options: Omit<LaneOptions<Context>, 'lane' | 'limits'> & { lanes?: LaneSettings },
): Lanes => {
  const runners = new Map(
    Object.entries({ ...LANES, ...options.lanes }).map(([lane, limits]) => [
      lane,
      openLane({ ...options, lane: lane as Lane, limits }),
    ]),
  )
  return {
    runners: [...runners.values()],
    wake: (lane) => {
      for (const [name, runner] of runners) if (!lane || lane === name) runner.wake()
    },
    stop: async () => void (await Promise.all([...runners.values()].map((runner) => runner.stop()))),
    abort: () => {
      for (const runner of runners.values()) runner.abort()
    },
    handOver: () => returnLaneJobs(options.pool, options.workerId),
  }
}
