import type { FastifyInstance } from 'fastify'
import type { App } from '../access/app.ts'
import type { StatementObserver } from '../database/statement-observer.ts'
import type { Endpoint } from '../http/endpoint.ts'
import type { JobContext } from '../jobs/context.ts'
import type { Job } from '../jobs/job.ts'
import { openLog } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Settings } from '../kernel/settings.ts'
import type { TracingSettings } from '../kernel/tracing-settings.ts'
import type { Mailer } from '../mail/mailer.ts'

/** How a running Foyer is watched: who is told what, and where it can be read. */
export interface Monitoring {
  readonly metrics: Metrics | null
  readonly observeStatement: StatementObserver | undefined
  readonly endpoints: readonly Endpoint[]
  addHooks(server: FastifyInstance): void
  watchJobs(jobs: readonly Job<JobContext>[]): Job<JobContext>[]
  watchMailer(mailer: Mailer): Mailer
  /** Begins to tell. */
  start(app: App): Promise<void>
  stop(): Promise<void>
}

const NOTHING: Monitoring = {
  metrics: null,
  observeStatement: undefined,
  endpoints: [],
  addHooks: () => {},
  watchJobs: (jobs) => [...jobs],
  watchMailer: (mailer) => mailer,
  start: async () => {},
  stop: async () => {},
}

/** Metrics and traces are loaded only where somebody asks for them. */
export const openMonitoring = async (settings: Settings): Promise<Monitoring> => {
  const { metricsToken, metricsPort, tracing } = settings
  const ways: Monitoring[] = []
  if (metricsToken !== null || metricsPort !== null) ways.push(await monitorByMetrics(settings))
  if (tracing) ways.push(await monitorByTraces(settings, tracing))
  return ways.reduce(together, NOTHING)
}

const monitorByMetrics = async ({ metricsToken: token, metricsPort: port, host }: Settings): Promise<Monitoring> => {
  const { openInstallationMetrics } = await import('../metrics/installation-metrics.ts')
  const opened = openInstallationMetrics({ token, port, host })
  return { ...NOTHING, ...opened }
}

const monitorByTraces = async (
  { trustedProxies, logLevel }: Settings,
  tracing: TracingSettings,
): Promise<Monitoring> => {
  const [{ openTracer }, { openTracing }] = await Promise.all([
    import('../tracing/open-tracer.ts'),
    import('../tracing/tracing.ts'),
  ])
  const { tracer, close } = openTracer(tracing, openLog(logLevel))
  const { addHooks, traceJobs, observeStatement } = openTracing(tracer, { believesClients: trustedProxies !== null })
  return { ...NOTHING, addHooks, watchJobs: traceJobs, observeStatement, stop: close }
}

const together = (one: Monitoring, other: Monitoring): Monitoring => ({
  metrics: one.metrics ?? other.metrics,
  observeStatement: observeByBoth(one.observeStatement, other.observeStatement),
  endpoints: [...one.endpoints, ...other.endpoints],
  addHooks: (server) => {
    one.addHooks(server)
    other.addHooks(server)
  },
  watchJobs: (jobs) => other.watchJobs(one.watchJobs(jobs)),
  watchMailer: (mailer) => other.watchMailer(one.watchMailer(mailer)),
  start: async (app) => {
    await one.start(app)
    await other.start(app)
  },
  stop: async () => {
    await Promise.all([one.stop(), other.stop()])
  },
})

const observeByBoth = (
  one: StatementObserver | undefined,
  other: StatementObserver | undefined,
): StatementObserver | undefined => {
  if (!one || !other) return one ?? other
  return (pool, text) => {
    const [first, second] = [one(pool, text), other(pool, text)]
    return (error) => {
      first(error)
      second(error)
    }
  }
}
