import type { Server } from 'node:http'
import type { App } from '../access/app.ts'
import type { Job } from '../jobs/job.ts'
import type { Mailer } from '../mail/mailer.ts'
import { metricsEndpoint } from './endpoints.ts'
import { listenForScrapes } from './listener.ts'
import { openMetrics } from './open-metrics.ts'
import { addStateMetrics } from './state-metrics.ts'
import { watchJobs, watchMailer } from './watched.ts'

export interface MetricsAddress {
  /** Null: whoever reaches the port may read. */
  token: string | null
  /** Null: at the address of everything else. */
  port: number | null
  host: string
}

/** All that is counted of an installation, and where it can be read. */
export const openInstallationMetrics = ({ token, port, host }: MetricsAddress) => {
  const metrics = openMetrics()
  const { registry, observeStatement } = metrics
  let server: Server | null = null
  return {
    metrics,
    observeStatement,
    endpoints: token !== null && port === null ? [metricsEndpoint(registry, token)] : [],
    watchJobs: <Context>(jobs: readonly Job<Context>[]) => watchJobs(jobs, metrics),
    watchMailer: (mailer: Mailer) => watchMailer(mailer, metrics),
    start: async ({ database, shards, log }: App) => {
      addStateMetrics(registry, shards?.all ?? [{ name: null, database }])
      if (port !== null) server = await listenForScrapes(registry, { host, port, token, log })
    },
    stop: async () => {
      server?.close()
      server?.closeAllConnections()
    },
  }
}
