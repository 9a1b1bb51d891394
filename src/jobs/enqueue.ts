import type { Job } from './job.ts'
import { addJob, addJobs, type Executor, type NewJob } from './records.ts'

export type EnqueueOptions = Omit<NewJob, 'name' | 'payload'>

/** The job itself, or its name where the job lives on a higher floor. */
type JobOrName<Payload> = string | Pick<Job<never, Payload>, 'name' | 'attempts' | 'payload'>

/** The job exists if, and only if, the transaction commits. */
export const enqueue = <Payload extends object>(
  tx: Executor,
  job: JobOrName<Payload>,
  payload: NoInfer<Payload>,
  options: EnqueueOptions = {},
): Promise<void> => addJob(tx, { ...describe(job), ...options, payload })

/** One job per payload, in one statement. In a queue they run one at a time, but in no promised order. */
export const enqueueMany = async <Payload extends object>(
  tx: Executor,
  job: JobOrName<Payload>,
  payloads: NoInfer<Payload>[],
  options: Omit<EnqueueOptions, 'jobKey' | 'jobKeyMode'> = {},
): Promise<void> => {
  if (payloads.length === 0) return
  await addJobs(
    tx,
    payloads.map((payload) => ({ ...describe(job), ...options, payload })),
  )
}

const describe = <Payload>(job: JobOrName<Payload>) =>
  typeof job === 'string' ? { name: job } : { name: job.name, maxAttempts: job.attempts }
