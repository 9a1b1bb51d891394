import {
  Logger,
  parseCronItems,
  type JobHelpers as LibraryHelpers,
  type ParsedCronItem,
  type TaskList,
} from 'graphile-worker'
import type pg from 'pg'
import { HOUR_MS } from '../kernel/durations.ts'
import { describeError, type Log } from '../kernel/log.ts'
import type { Job } from './job.ts'
import { type PeriodicJob, endRetries } from './records.ts'

export interface TaskContext<Context> {
  pool: pg.Pool
  jobs: Job<Context>[]
  context: Context
  log: Log
}

/** The jobs as graphile-worker runs them: all that have no lane of their own. */
export const graphileTasksOf = <Context>(workshop: TaskContext<Context>): TaskList => {
  const names = new Set<string>()
  const tasks: TaskList = {}
  for (const job of workshop.jobs) {
    if (names.has(job.name)) throw new Error(`Two jobs are named ${job.name}.`)
    names.add(job.name)
    if (!job.lane) tasks[job.name] = (payload, helpers) => perform(workshop, job, payload, helpers)
  }
  return tasks
}

class BadPayload extends Error {
  override readonly name = 'BadPayload'
  readonly permanent = true
}

/** Rooms mark an error that no retry can heal with `permanent`. */
const isPermanent = (error: unknown) => error instanceof Error && 'permanent' in error && error.permanent === true

interface Attempt {
  jobId: string
  /** 1 on the first run. */
  attempt: number
  attemptsMax: number
  signal: AbortSignal
}

interface Failure {
  error: unknown
  /** Nothing is tried again. */
  isFinal: boolean
}

/** Runs a job once, says in the log how that went, and tells what kept it from being done. */
export const runJob = async <Context>(
  { context, log }: Pick<TaskContext<Context>, 'context' | 'log'>,
  job: Job<Context>,
  given: unknown,
  { jobId, attempt, attemptsMax, signal }: Attempt,
): Promise<Failure | null> => {
  const isLastAttempt = attempt >= Math.min(job.attempts, attemptsMax)
  const fields = { job: job.name, job_id: jobId, attempt }
  const startedAt = performance.now()
  const elapsed = () => ({ duration_ms: Math.round(performance.now() - startedAt) })

  try {
    await job.run(readPayload(job, given), { context, log, jobId, attempt, isLastAttempt, signal })
    log.info({ ...fields, ...elapsed() }, 'Job done')
    return null
  } catch (error) {
    const isFinal = isLastAttempt || isPermanent(error)
    log[isFinal ? 'error' : 'warn'](
      { ...fields, ...elapsed(), ...describeError(error) },
      isFinal ? 'Job failed for good' : 'Job failed and will be tried again',
    )
    return { error, isFinal }
  }
}

const perform = async <Context>(
  workshop: TaskContext<Context>,
  job: Job<Context>,
  given: unknown,
  helpers: LibraryHelpers,
) => {
  const { id: jobId, attempts: attempt, max_attempts: attemptsMax } = helpers.job
  const failure = await runJob(workshop, job, given, { jobId, attempt, attemptsMax, signal: helpers.abortSignal })
  if (!failure) return
  if (failure.isFinal && attempt < attemptsMax) await giveUp(workshop, helpers)
  throw failure.error
}

const readPayload = (job: Job<never>, given: unknown) => {
  const { _cron, ...own } = given as { _cron?: unknown }
  const parsed = job.payload.safeParse(own)
  if (parsed.success) return parsed.data

  const faults = parsed.error.issues.map((issue) => `${issue.path.join('.') || 'payload'}: ${issue.message}`)
  throw new BadPayload(`The payload of ${job.name} does not fit: ${faults.join('; ')}`)
}

const giveUp = async (workshop: Pick<TaskContext<unknown>, 'pool' | 'log'>, { job }: LibraryHelpers) => {
  try {
    await endRetries(workshop.pool, job.id, job.attempts)
    job.max_attempts = job.attempts
  } catch (error) {
    // The job is tried once more than it should be, and ends there.
    workshop.log.warn(
      { job: job.task_identifier, job_id: job.id, ...describeError(error) },
      'A failed job could not be given up',
    )
  }
}

const periodicKey = (name: string) => `periodic/${name}`

export const periodicJobs = (jobs: Job<never>[]): PeriodicJob[] =>
  jobs.filter((job) => job.schedule).map(({ name, attempts }) => ({ name, attempts, key: periodicKey(name) }))

/** graphile-worker schedules each tick once, however many processes follow the same timetable. */
export const cronItemsOf = (jobs: Job<never>[]): ParsedCronItem[] =>
  parseCronItems(
    jobs.flatMap(({ name, schedule, attempts }) =>
      schedule
        ? {
            task: name,
            match: schedule.cron,
            options: {
              jobKey: periodicKey(name),
              maxAttempts: attempts,
              // Made up for after a standstill, unless the next turn is near anyway.
              backfillPeriod: schedule.periodMs >= HOUR_MS ? schedule.periodMs : 0,
            },
          }
        : [],
    ),
  )

const MESSAGE_MAX = 300

/** What the library has to say about itself. Its details hold whole jobs and stay out, and failed jobs are told above. */
export const graphileLogger = (log: Log) =>
  new Logger(() => (level, message, details) => {
    if (details?.['failure']) return
    log[level === 'error' || level === 'warning' ? 'warn' : 'debug'](
      { from: 'graphile-worker' },
      message.split('\n')[0]!.slice(0, MESSAGE_MAX),
    )
  })
