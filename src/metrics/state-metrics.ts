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

/** What is looked up when somebody asks, and not counted while it happens. A database that is away is told, not thrown. */
export const addStateMetrics = (registry: Registry, database: Database) => {
  const find = openStateReader(database.pool)
  addPools(registry, database)
  addReplica(registry, database)

  // Metrics are collected side by side; the first that asks makes all of them ask once.
  registry.registerMetric(
    new Gauge({
      name: 'foyer_database_up',
      help: 'Whether the database answers.',
      registers: [],
      async collect() {
        this.set((await find()) ? 1 : 0)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_lane_jobs',
      help: 'Jobs by lane and state, those of the house itself in the lane "house"; failed ones were given up.',
      labelNames: ['lane', 'state'],
      registers: [],
      async collect() {
        const state = await find()
        this.reset()
        if (!state) return
        for (const lane of [...Object.keys(LANES), HOUSE]) for (const each of STATES) this.set({ lane, state: each }, 0)
        for (const { lane, state: each, count } of state.jobs) this.set({ lane, state: each }, count)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_lane_oldest_ready_seconds',
      help: 'How long the job that has been due for longest has waited for its turn.',
      labelNames: ['lane'],
      registers: [],
      async collect() {
        const state = await find()
        this.reset()
        if (!state) return
        for (const lane of [...Object.keys(LANES), HOUSE]) this.set({ lane }, 0)
        for (const { lane, state: each, oldestSeconds } of state.jobs) {
          if (each === 'ready') this.set({ lane }, oldestSeconds)
        }
      },
    }),
  )
  addBackup(registry, find)
}

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

const addPools = (registry: Registry, { pools }: Database) => {
  registry.registerMetric(
    new Gauge({
      name: 'foyer_database_connections',
      help: 'Open connections by what they are for.',
      labelNames: ['pool', 'state'],
      registers: [],
      collect() {
        for (const [pool, { totalCount, idleCount }] of Object.entries(pools)) {
          this.set({ pool, state: 'idle' }, idleCount)
          this.set({ pool, state: 'busy' }, totalCount - idleCount)
        }
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_database_connections_max',
      help: 'How many may be open.',
      labelNames: ['pool'],
      registers: [],
      collect() {
        for (const [pool, { options }] of Object.entries(pools)) this.set({ pool }, options.max)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'foyer_database_connection_waiters',
      help: 'Who waits for one of them.',
      labelNames: ['pool'],
      registers: [],
      collect() {
        for (const [pool, { waitingCount }] of Object.entries(pools)) this.set({ pool }, waitingCount)
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
