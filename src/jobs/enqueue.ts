import type { Job } from './job.ts'
import { accountIdOfPayload, type LaneJob } from './lane.ts'
import { insertLaneJobs, type NewLaneJob } from './lanes/records.ts'
import { addJob, addJobs, type SqlExecutor, type NewJob } from './records.ts'

export type EnqueueOptions = Omit<NewJob, 'name' | 'payload'>

/** The job itself, or what is known of it where the job lives on a higher floor. */
type JobOrName<Payload> =
  | string
  | LaneJob<Payload>
  | Pick<Job<never, Payload>, 'name' | 'attempts' | 'payload' | 'lane' | 'serialKey'>

/** The job exists if, and only if, the transaction commits. */
export const enqueue = <Payload extends object>(
  tx: SqlExecutor,
  job: JobOrName<Payload>,
  payload: NoInfer<Payload>,
  options: EnqueueOptions = {},
): Promise<void> =>
  isInLane(job)
    ? insertLaneJobs(tx, [laneJob(job, payload, options)])
    : addJob(tx, { ...describe(job), ...options, payload })

/** One job per payload, in one statement. In a queue, or with one serial key, they run one at a time, but in no promised order. */
export const enqueueMany = async <Payload extends object>(
  tx: SqlExecutor,
  job: JobOrName<Payload>,
  payloads: NoInfer<Payload>[],
  options: Omit<EnqueueOptions, 'jobKey' | 'jobKeyMode'> = {},
): Promise<void> => {
  if (payloads.length === 0) return
  if (isInLane(job)) {
    return insertLaneJobs(
      tx,
      payloads.map((payload) => laneJob(job, payload, options)),
    )
  }
  await addJobs(
    tx,
    payloads.map((payload) => ({ ...describe(job), ...options, payload })),
  )
}

const isInLane = <Payload>(job: JobOrName<Payload>): job is LaneJob<Payload> =>
  typeof job !== 'string' && job.lane !== undefined

const laneJob = <Payload extends object>(
  { name, lane, serialKey }: LaneJob<Payload>,
  payload: Payload,
  { runAt, jobKey }: EnqueueOptions,
): NewLaneJob => ({
  lane,
  name,
  accountId: accountIdOfPayload(payload),
  payload,
  serialKey: serialKey?.(payload) ?? '',
  jobKey: jobKey ?? null,
  runAt: runAt ?? null,
})

const describe = <Payload>(job: JobOrName<Payload>) => {
  if (typeof job === 'string') return { name: job }
  return 'attempts' in job ? { name: job.name, maxAttempts: job.attempts } : { name: job.name }
}
