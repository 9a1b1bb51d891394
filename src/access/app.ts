import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Secrets } from '../kernel/secrets.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Database } from '../database/database.ts'
import type { Budgets } from './budgets.ts'
import type { Directory } from './directory.ts'

/** What one running Foyer is made of. */
export interface App {
  readonly settings: Settings
  readonly secrets: Secrets
  readonly clock: Clock
  readonly log: Log
  readonly budgets: Budgets
  readonly database: Database
  readonly directory: Directory
  /** What an operator should look at, a sentence each, for whoever asks for the state of the service in detail. */
  readonly findWarnings: () => Promise<string[]>
  /** Null where nobody watches. */
  readonly metrics: Metrics | null
  /** Whether Foyer was told to stop: it still answers, but nobody new should be sent to it. */
  readonly isStopping: () => boolean
}

/** What a scope carries of it. Rows are reached through the scope, so the ways to the database are left out. */
export type AppServices = Omit<App, 'database' | 'directory' | 'findWarnings' | 'isStopping'>
