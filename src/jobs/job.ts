import type { z } from 'zod'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../kernel/durations.ts'
import type { Log } from '../kernel/log.ts'
import type { Lane } from './lane.ts'

export interface JobHelpers<Context> {
  context: Context
  log: Log
  jobId: string
  /** 1 on the first run. An attempt that dies together with its process counts. */
  attempt: number
  /** Failing now is final, so a row that shows the outcome must be written now. */
  isLastAttempt: boolean
  /** Fires when the process is about to stop and this job will be handed to another. */
  signal: AbortSignal
}

/** Counted in UTC: '5 minutes' runs at :00, :05 and so on; '1 day' runs at midnight. */
export type JobPeriod = `${number} ${'minute' | 'hour' | 'day'}${'' | 's'}`

export interface JobDefinition<Context, Payload> {
  /** Room first, then what it does: 'vouchers.expire'. */
  name: string
  /** IDs only: the rows are the truth, and what the log shows of a job must never be a secret. */
  payload: z.ZodType<Payload>
  /** Where jobs of its kind wait, an account's beside the others'. Without one it is the house's own, like sweeping. */
  lane?: Lane
  /** Jobs of one account with the same key never run at once, in whichever process. Only in a lane. */
  serialKey?: (payload: Payload) => string
  /** How often it is tried at most. Between tries it waits e, e², e³ … seconds, at most six hours. */
  attempts?: number
  /** Done once for the installation, on its first server, and not on each that accounts live on. */
  isOfInstallation?: boolean
  /** Runs by itself, once per period across all processes, with an empty payload. */
  every?: JobPeriod
  run(payload: Payload, helpers: JobHelpers<Context>): Promise<void>
}

// A list of jobs mixes payloads of all kinds; each job parses its own before it runs.
// oxlint-disable-next-line typescript/no-explicit-any
export interface Job<Context, Payload = any> extends JobDefinition<Context, Payload> {
  attempts: number
  schedule: CronSchedule | null
}

export interface CronSchedule {
  cron: string
  periodMs: number
}

/** So many take almost two days: an outage over a night, or a weekend's half, loses nothing. */
const ATTEMPTS = 16

export const defineJob = <Context, Payload>(definition: JobDefinition<Context, Payload>): Job<Context, Payload> => ({
  ...definition,
  attempts: definition.attempts ?? ATTEMPTS,
  schedule: definition.every ? scheduleOf(definition.every) : null,
})

const UNITS = {
  minute: { perNextUnit: 60, ms: MINUTE_MS, cron: (count: number) => `*/${count} * * * *` },
  hour: { perNextUnit: 24, ms: HOUR_MS, cron: (count: number) => `0 */${count} * * *` },
  day: { perNextUnit: 1, ms: DAY_MS, cron: () => '0 0 * * *' },
}

const scheduleOf = (period: JobPeriod): CronSchedule => {
  const match = /^([1-9]\d*) (minute|hour|day)s?$/.exec(period)
  const count = Number(match?.[1])
  const unit = UNITS[match?.[2] as keyof typeof UNITS]
  // Other counts would leave an uneven gap where the hour or the day ends.
  if (!unit || unit.perNextUnit % count !== 0) {
    throw new Error(`A job's period must divide an hour or a day evenly, like "5 minutes"; it is "${period}".`)
  }
  return { cron: unit.cron(count), periodMs: count * unit.ms }
}
