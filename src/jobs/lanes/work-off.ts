import { setTimeout as pause } from 'node:timers/promises'
import { coalesce } from '../../database/coalesce.ts'
import { describeError } from '../../kernel/log.ts'
import type { Job } from '../job.ts'
import type { Lane } from '../lane.ts'
import { type TaskContext, runJob } from '../tasks.ts'
import { type ClaimedJob, deleteLaneJobs, postponeLaneJob, recordLaneFailure } from './records.ts'

const WRITE_AGAIN_MS = 1_000
/** A process of another version may know the job. */
const UNKNOWN_WAITS_SECONDS = 60

interface LaneWorker<Context> extends TaskContext<Context> {
  lane: Lane
  workerId: string
}

interface Signals {
  /** No more jobs are taken. */
  stopping: AbortSignal
  /** Those that run are to end. */
  aborting: AbortSignal
}

/** Runs a job that was claimed, and writes down what became of it. */
export const openClaimedJobRunner = <Context>(worker: LaneWorker<Context>, { stopping, aborting }: Signals) => {
  const { pool, lane, workerId, log } = worker
  const known = new Map(worker.jobs.map((job) => [job.name, job]))
  const deleteTogether = coalesce(
    async (done: ClaimedJob[]) => {
      await deleteLaneJobs(pool, done, workerId)
      return done.map(() => {})
    },
    { concurrency: 1 },
  )

  const workOff = async (claimed: ClaimedJob) => {
    const job = known.get(claimed.name)
    if (!job) return writeDown(() => postponeLaneJob(pool, claimed, workerId, UNKNOWN_WAITS_SECONDS))
    const failure = await runClaimed(worker, job, claimed, aborting)
    await writeDown(() => {
      if (!failure) return deleteTogether(claimed)
      // Being cut short by a stop is not the job's fault.
      if (aborting.aborted) return postponeLaneJob(pool, claimed, workerId, 0)
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
        if (stopping.aborted) return
        await pause(WRITE_AGAIN_MS)
      }
    }
  }

  return workOff
}

/** Those who died on their last attempt, and took their process along, are not tried for ever. */
const runClaimed = async <Context>(
  workshop: TaskContext<Context>,
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
