import { Counter, Histogram, Registry, collectDefaultMetrics } from 'prom-client'
import type { StatementObserver } from '../database/statement-observer.ts'
import type { Metrics } from '../kernel/metrics.ts'
import { VERSION } from '../kernel/version.ts'
import { addInfo } from './state-metrics.ts'

/** Everything that is counted, and how rooms, jobs and mails tell of it. */
export interface InstallationMetrics extends Metrics {
  readonly registry: Registry
  readonly observeStatement: StatementObserver
  countJob(name: string, outcome: 'done' | 'failed', seconds: number): void
  countMail(outcome: 'sent' | 'failed'): void
}

/** From what the door needs to what somebody gives up on. */
const REQUEST_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10]
const STATEMENT_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.1, 0.5, 2.5, 10]
const JOB_SECONDS = [0.01, 0.1, 0.5, 1, 5, 30, 120, 600]

export const openMetrics = (): InstallationMetrics => {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  addInfo(registry, VERSION)

  const requests = new Histogram({
    name: 'foyer_http_request_duration_seconds',
    help: 'Requests by the pattern of their route and by status; streams last as long as somebody listens.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const statements = new Histogram({
    name: 'foyer_database_statement_duration_seconds',
    help: 'Statements from asking to the answer, by what their connection is for.',
    labelNames: ['pool'],
    buckets: STATEMENT_SECONDS,
    registers,
  })
  const failedStatements = new Counter({
    name: 'foyer_database_statement_failures_total',
    help: 'Statements that were answered with an error, or not at all.',
    labelNames: ['pool'],
    registers,
  })
  const jobs = new Histogram({
    name: 'foyer_job_duration_seconds',
    help: 'Runs of jobs by outcome; one that failed is tried again until it is given up.',
    labelNames: ['job', 'outcome'],
    buckets: JOB_SECONDS,
    registers,
  })
  const mails = new Counter({
    name: 'foyer_mails_total',
    help: 'Attempts to hand a mail to the mail server.',
    labelNames: ['outcome'],
    registers,
  })
  const webhooks = new Counter({
    name: 'foyer_webhook_deliveries_total',
    help: 'Attempts to deliver a webhook.',
    labelNames: ['outcome'],
    registers,
  })
  const scans = new Counter({
    name: 'foyer_door_scans_total',
    help: 'Tickets judged at the door, at once or synced later, by result.',
    labelNames: ['way', 'result'],
    registers,
  })

  const showsZeroOf = (counter: Counter<'outcome'>, outcomes: readonly string[]) => {
    for (const outcome of outcomes) counter.inc({ outcome }, 0)
  }
  showsZeroOf(mails, ['sent', 'failed'])
  showsZeroOf(webhooks, ['delivered', 'failed'])

  return {
    registry,
    countRequest: (method, route, status, seconds) => requests.observe({ method, route, status }, seconds),
    countWebhook: (outcome) => webhooks.inc({ outcome }),
    countScan: (way, result) => scans.inc({ way, result }),
    countJob: (job, outcome, seconds) => jobs.observe({ job, outcome }, seconds),
    countMail: (outcome) => mails.inc({ outcome }),
    observeStatement: (pool) => {
      const startedAt = performance.now()
      return (error) => {
        statements.observe({ pool }, (performance.now() - startedAt) / 1000)
        if (error) failedStatements.inc({ pool })
      }
    },
  }
}
