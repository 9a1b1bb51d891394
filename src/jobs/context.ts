import type { House } from '../access/house.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type Job, type JobDefinition, defineJob } from './job.ts'

/** What every job of the house has at hand. */
export interface JobContext {
  house: House
  mailer: Mailer
}

export const houseJob = <Payload>(definition: JobDefinition<JobContext, Payload>): Job<JobContext, Payload> =>
  defineJob(definition)
