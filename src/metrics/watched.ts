import type { Job } from '../jobs/job.ts'
import type { Mailer } from '../mail/mailer.ts'
import type { InstallationMetrics } from './open-metrics.ts'

/** The same jobs, each run of which is counted. */
export const watchJobs = <Context>(jobs: readonly Job<Context>[], metrics: InstallationMetrics): Job<Context>[] =>
  jobs.map((job) => ({
    ...job,
    run: async (payload, helpers) => {
      const startedAt = performance.now()
      const count = (outcome: 'done' | 'failed') =>
        metrics.countJob(job.name, outcome, (performance.now() - startedAt) / 1000)
      try {
        await job.run(payload, helpers)
      } catch (error) {
        count('failed')
        throw error
      }
      count('done')
    },
  }))

export const watchMailer = (mailer: Mailer, metrics: InstallationMetrics): Mailer => ({
  close: mailer.close,
  send: async (mail) => {
    try {
      await mailer.send(mail)
    } catch (error) {
      metrics.countMail('failed')
      throw error
    }
    metrics.countMail('sent')
  },
})
