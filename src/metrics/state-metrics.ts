import { Gauge, type Registry } from 'prom-client'
import type pg from 'pg'
import type { Database } from '../database/database.ts'
import { LANES } from '../jobs/lane.ts'
import { type LastBackup, type WaitingJobs, findLastBackup, findWaitingJobs } from './records.ts'

export const addInfo = (registry: Registry, version: string) =>
  new Gauge({
    name: 'foyer_info',
    help: 'Which version runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version }, 1)

/** Scraped more often than this, the same is told again. */
const FRESH_MS = 5_000
const HOUSE = 'house'
const STATES = ['ready', 'later', 'running', 'failed'] as const

interface DatabaseState {
  jobs: WaitingJobs[]
  backup: LastBackup | null
}

/** A server that is watched; without company it needs no name. */
export interface WatchedServer {
  name: string | null
  database: Database
}

/** What is looked up when somebody asks, and not counted while it happens. A database that is away is told, not thrown. */
export const addStateMetrics = (registry: Registry, servers: readonly WatchedServer[]) => {
  const watched = servers.map(({ name, database }) => ({
    labels: labelsOf(name),
    find: openStateReader(database.pool),
  }))
  const byServer = servers.flatMap(({ name }) => (name === null ? [] : ['shard'])).slice(0, 1)
  addPools(registry, servers, byServer)
  addReplica(registry, servers[0]!.database)

  // Metrics are collected side by side; the first that asks makes all of them ask once.
  registry.registerMetric(
    new Gauge({
      name: 'foyer_database_up',
      help: 'Whether the database answers.',
      labelNames: byServer,
      registers: [],
      async collect() {
        for (const { labels, find } of watched) this.set(labels, (await find()) ? 1 : 0)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_lane_jobs',
      help: 'Jobs by lane and state, those of the house itself in the lane "house"; failed ones were given up.',
      labelNames: [...byServer, 'lane', 'state'],
      registers: [],
      async collect() {
        const states = await Promise.all(watched.map(async ({ labels, find }) => ({ labels, state: await find() })))
        this.reset()
        for (const { labels, state } of states) {
          if (!state) continue
          for (const lane of LANES_AND_HOUSE) for (const each of STATES) this.set({ ...labels, lane, state: each }, 0)
          for (const { lane, state: each, count } of state.jobs) this.set({ ...labels, lane, state: each }, count)
        }
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_lane_oldest_ready_seconds',
      help: 'How long the job that has been due for longest has waited for its turn.',
      labelNames: [...byServer, 'lane'],
      registers: [],
      async collect() {
        const states = await Promise.all(watched.map(async ({ labels, find }) => ({ labels, state: await find() })))
        this.reset()
        for (const { labels, state } of states) {
          if (!state) continue
          for (const lane of LANES_AND_HOUSE) this.set({ ...labels, lane }, 0)
          for (const { lane, state: each, oldestSeconds } of state.jobs) {
            if (each === 'ready') this.set({ ...labels, lane }, oldestSeconds)
          }
        }
      },
    }),
  )
  addBackup(registry, watched[0]!.find)
}

const LANES_AND_HOUSE = [...Object.keys(LANES), HOUSE]

const labelsOf = (shard: string | null): Record<string, string> => (shard === null ? {} : { shard })

const addBackup = (registry: Registry, find: () => Promise<DatabaseState | null>) => {
  const gauge = (name: string, help: string, of: (backup: LastBackup) => number) =>
    registry.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        async collect() {
          const backup = (await find())?.backup
          this.set(backup ? of(backup) : 0)
        },
      }),
    )
  gauge('foyer_backup_last_success_timestamp_seconds', 'When the last good backup began; 0: there is none.', (backup) =>
    Math.round(backup.startedAt.getTime() / 1000),
  )
  gauge('foyer_backup_last_size_bytes', 'How large it is.', ({ bytes }) => bytes)
  gauge('foyer_backup_last_duration_seconds', 'How long it took.', ({ seconds }) => seconds)
}

/** Where there is none, or while it is away, it has no lag to tell. */
const addReplica = (registry: Registry, { replica }: Database) => {
  registry.registerMetric(
    new Gauge({
      name: 'foyer_replica_lag_seconds',
      help: 'How far the standby that is read from is behind; nothing while it does not answer.',
      registers: [],
      collect() {
        this.set(replica?.lagSeconds() ?? NaN)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_replica_reads',
      help: 'Reads that a standby may answer, by who did since the start.',
      labelNames: ['server'],
      registers: [],
      collect() {
        for (const server of ['replica', 'primary'] as const) this.set({ server }, replica?.asked[server] ?? 0)
      },
    }),
  )
}

const addPools = (registry: Registry, servers: readonly WatchedServer[], byServer: string[]) => {
  const pools = servers.flatMap(({ name, database }) =>
    Object.entries(database.pools).map(([pool, it]) => ({ labels: { ...labelsOf(name), pool }, it })),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_database_connections',
      help: 'Open connections by what they are for.',
      labelNames: [...byServer, 'pool', 'state'],
      registers: [],
      collect() {
        for (const { labels, it } of pools) {
          this.set({ ...labels, state: 'idle' }, it.idleCount)
          this.set({ ...labels, state: 'busy' }, it.totalCount - it.idleCount)
        }
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_database_connections_max',
      help: 'How many may be open.',
      labelNames: [...byServer, 'pool'],
      registers: [],
      collect() {
        for (const { labels, it } of pools) this.set(labels, it.options.max)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_database_connection_waiters',
      help: 'Who waits for one of them.',
      labelNames: [...byServer, 'pool'],
      registers: [],
      collect() {
        for (const { labels, it } of pools) this.set(labels, it.waitingCount)
      },
    }),
  )
}

const openStateReader = (pool: pg.Pool) => {
  let readAt = -Infinity
  let reading: Promise<DatabaseState | null> | null = null
  return (): Promise<DatabaseState | null> => {
    const now = performance.now()
    if (!reading || now - readAt > FRESH_MS) {
      readAt = now
      reading = readState(pool).catch(() => null)
    }
    return reading
  }
}

const readState = async (pool: pg.Pool): Promise<DatabaseState> => {
  const [jobs, backup] = await Promise.all([findWaitingJobs(pool), findLastBackup(pool)])
  return { jobs, backup }
}
