import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Metrics } from '../kernel/metrics.ts'
import type { Secrets } from '../kernel/secrets.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Database } from '../database/database.ts'
import type { Shard, ShardMap } from '../database/shards.ts'
import type { Budgets } from './budgets.ts'
import type { Directory } from './directory.ts'

/** What one running Foyer is made of. */
export interface App {
  readonly settings: Settings
  readonly secrets: Secrets
  readonly clock: Clock
  readonly log: Log
  readonly budgets: Budgets
  /** The server at hand: the first one, or that of the account that is worked for. */
  readonly database: Database
  /** Null where there is one server. */
  readonly shards: Shards | null
  readonly directory: Directory
  /** What an operator should look at, a sentence each, for whoever asks for the state of the service in detail. */
  readonly findWarnings: () => Promise<string[]>
  /** Null where nobody watches. */
  readonly metrics: Metrics | null
  /** Whether Foyer was told to stop: it still answers, but nobody new should be sent to it. */
  readonly isStopping: () => boolean
}

/** The servers of an installation that has more than one. */
export interface Shards {
  /** The first is the directory. */
  readonly all: readonly Shard[]
  readonly map: ShardMap
  /** The installation as the accounts of a server see it: the same in everything but where rows are. */
  appOn(shard: Shard): App
}

/** What a scope carries of it. Rows are reached through the scope, so the ways to the database are left out. */
export type AppServices = Omit<App, 'database' | 'shards' | 'directory' | 'findWarnings' | 'isStopping'>
