import { describeError } from '../../kernel/log.ts'
import type { Lane, LaneLimits } from '../lane.ts'
import type { TaskContext } from '../tasks.ts'
import { type ClaimedJob, claimLaneJobs, requeueUnknownJobs } from './records.ts'
import { openClaimedJobRunner } from './work-off.ts'

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

/** A statement whose answer was lost may be carried out as long as this; connections of workers bound it by half of that. */
const UNSURE_MS = 60_000

export interface LaneOptions<Context> extends TaskContext<Context> {
  lane: Lane
  limits: LaneLimits
  workerId: string
  onStart?: (job: ClaimedJob) => void
}

/** Takes jobs of one lane, an account after the other, and runs as many at once as the limits allow. */
export const startLaneRunner = <Context>(options: LaneOptions<Context>): LaneRunner => {
  const { pool, lane, limits, workerId, log, onStart } = options
  const running = new Set<Promise<void>>()
  const countByAccount = new Map<number, number>()
  /** They have had as many as they may, and get more once enough of those have ended. */
  const fullAccounts = new Set<number>()
  const heldIds = new Set<number>()
  const stopping = new AbortController()
  const aborting = new AbortController()
  const workOff = openClaimedJobRunner(options, { stopping: stopping.signal, aborting: aborting.signal })
  let servedLast = 0
  let filling: Promise<void> | null = null
  let isWoken = false
  let isInTrouble = false
  /** Until then there may be jobs that were claimed for us without our hearing of it. */
  let unsureUntil = 0

  const refillAt = limits.refillAt ?? limits.perAccount - 1
  const countOf = (accountId: number) => countByAccount.get(accountId) ?? 0

  const claim = async (): Promise<void> => {
    const claimed = await claimLaneJobs(pool, {
      lane,
      workerId,
      servedLast,
      running: Array.from(countByAccount, ([id, count]) => [id, fullAccounts.has(id) ? limits.perAccount : count]),
      perAccount: limits.perAccount,
      most: limits.atOnce - running.size,
    })
    for (const job of claimed) start(job)
    servedLast = claimed.at(-1)?.accountId ?? servedLast
  }

  const hasRoom = () => !stopping.signal.aborted && running.size < limits.atOnce

  const fill = async () => {
    if (performance.now() < unsureUntil) await requeueUnknownJobs(pool, { lane, workerId, known: [...heldIds] })
    do {
      isWoken = false
      if (hasRoom()) await claim()
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
      unsureUntil = performance.now() + UNSURE_MS
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
    heldIds.add(job.id)
    countByAccount.set(job.accountId, countOf(job.accountId) + 1)
    if (countOf(job.accountId) >= limits.perAccount) fullAccounts.add(job.accountId)
    const run = workOff(job).finally(() => {
      const hadRoom = hasRoom()
      running.delete(run)
      heldIds.delete(job.id)
      const left = countOf(job.accountId) - 1
      if (left > 0) countByAccount.set(job.accountId, left)
      else countByAccount.delete(job.accountId)
      if (left <= refillAt) fullAccounts.delete(job.accountId)
      // Where there was room before, somebody else's jobs have been asked for already.
      if (!hadRoom || !fullAccounts.has(job.accountId)) wake()
    })
    running.add(run)
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
