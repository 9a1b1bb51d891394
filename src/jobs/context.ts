import type { App } from '../access/app.ts'
import type { Mailer } from '../mail/mailer.ts'
import { type Job, type JobDefinition, defineJob } from './job.ts'

/** What every job of Foyer has at hand. */
export interface JobContext {
  app: App
  mailer: Mailer
}

export const defineAppJob = <Payload>(definition: JobDefinition<JobContext, Payload>): Job<JobContext, Payload> =>
  defineJob(definition)
