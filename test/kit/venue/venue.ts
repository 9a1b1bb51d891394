import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { FastifyInstance } from 'fastify'
import type pg from 'pg'
import type { App } from '../../../src/access/app.ts'
import { openBudgets } from '../../../src/access/budgets.ts'
import { openDirectory } from '../../../src/access/directory.ts'
import { appsOfShards } from '../../../src/access/shards.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { openServer } from '../../../src/http/server/server.ts'
import { openWorkerPool } from '../../../src/jobs/connections.ts'
import { drainJobs } from '../../../src/jobs/drain.ts'
import { DEFAULT_CONCURRENCY } from '../../../src/jobs/worker.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { openLog } from '../../../src/kernel/log.ts'
import { deriveSecrets } from '../../../src/kernel/secrets.ts'
import { readSettings } from '../../../src/kernel/settings.ts'
import { openMailer } from '../../../src/mail/mailer.ts'
import { findWarnings } from '../../../src/installation/open-app.ts'
import { ENDPOINTS, JOBS } from '../../../src/main.ts'
import { paymentEndpoints } from '../../../src/payments/endpoints.ts'
import { paymentJobs } from '../../../src/payments/jobs.ts'
import type { Payments } from '../../../src/payments/payments.ts'
import { loadVenue } from '../../../src/venue-file/load-venue.ts'
import { cloneDatabase, moveClock } from '../database/database.ts'
import { afterEveryFile } from '../tidying.ts'
import { type Client, openClient } from './client.ts'
import { neueHalle, type VenueFile } from './neue-halle.ts'
import { type FurtherServer, openFurtherServer, spreadOver } from './sharded-app.ts'

/** A running Foyer on a database of its own; a test file opens one and shares it. */
export interface OpenApp {
  app: App
  /** The same on each of its servers, the first one first. */
  apps: App[]
  furtherServers: FurtherServer[]
  server: FastifyInstance
  origin: string
  dataFolder: string
  /** Lines Foyer logged, as they were written. */
  logged: string[]
  moveClock(interval: string): Promise<void>
  workOffJobs(): Promise<number>
  close(): Promise<void>
}

export interface TestAppOptions {
  environment?: Record<string, string>
  /** Instead of those of main.ts, for tests that want to be told what became of a payment. */
  payments?: Payments
  /** The names of further servers. */
  shards?: string[]
  /** By which the processes go, where it is not to be that of the machine; databases have their own. */
  clock?: Clock
}

export const openTestApp = async (options: TestAppOptions = {}): Promise<OpenApp> => {
  const clone = await cloneDatabase()
  const dataFolder = await mkdtemp(path.join(os.tmpdir(), 'foyer-test-'))
  const logged: string[] = []
  const settings = readSettings({
    FOYER_DATA: dataFolder,
    FOYER_RATE_LIMITS: 'off',
    FOYER_TEST_PAYMENTS: 'on',
    BASE_URL: 'http://localhost:3000',
    ...options.environment,
  })
  const database = openDatabase(clone.connection)
  const offset = { ms: 0 }
  const clock = options.clock ?? { now: () => new Date(Date.now() + offset.ms) }
  const alone: App = {
    settings,
    secrets: deriveSecrets('only for tests, and long enough for them'),
    clock,
    budgets: openBudgets({ isEnabled: settings.rateLimits, clock, database }),
    log: openLog('info', (line) => logged.push(line)),
    database,
    shards: null,
    directory: openDirectory(database),
    findWarnings: () => findWarnings({ settings, database, clock }),
    metrics: null,
    isStopping: () => false,
  }
  const names = options.shards ?? (process.env['FOYER_TEST_SHARDS'] ? ['two'] : [])
  const further = await Promise.all(names.map(openFurtherServer))
  const spread = further.length > 0 ? await spreadOver(alone, clone.connection, further) : null
  // Venues are on the last server: with FOYER_TEST_SHARDS every test is one of an account that is not on the first.
  const app = spread?.apps.at(-1) ?? alone
  const { endpoints, jobs } = worksOf(options.payments)
  const server = openServer(spread?.app ?? app, endpoints)
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  const clones = [clone, ...further.map((one) => one.clone)]
  const workerPools = new Map<App, pg.Pool>()

  return {
    app,
    apps: appsOfShards(app),
    furtherServers: further,
    server,
    origin,
    dataFolder,
    logged,
    moveClock: async (interval) => {
      for (const { database: each } of appsOfShards(app)) await moveClock(each.pool, interval)
      const { rows } = await database.pool.query<{ now: Date }>('select foyer_now() as now')
      offset.ms = rows[0]!.now.getTime() - Date.now()
    },
    workOffJobs: async () => {
      let count = 0
      for (const [n, each] of appsOfShards(app).entries()) {
        const { connection } = clones[n]!
        const pool = workerPools.get(each) ?? openWorkerPool(connection, DEFAULT_CONCURRENCY, each.log)
        workerPools.set(each, pool)
        count += await workOff(each, { connection, pool, jobs })
      }
      return count
    },
    close: async () => {
      await server.close()
      for (const pool of workerPools.values()) await pool.end()
      await spread?.close()
      for (const each of further) await each.close()
      await database.close()
      await clone.drop()
      await rm(dataFolder, { recursive: true, force: true })
    },
  }
}

const worksOf = (payments: Payments | undefined) => {
  if (!payments) return { endpoints: ENDPOINTS, jobs: JOBS }
  const others = ENDPOINTS.filter(({ section }) => section?.name !== 'Payments')
  return {
    endpoints: [...others, ...paymentEndpoints(payments)],
    jobs: [...JOBS.filter(({ name }) => !name.startsWith('payments.')), ...paymentJobs(payments)],
  }
}

/** Tests do so again and again, each time with connections that know the tables already. */
const workOff = async (app: App, worker: { connection: pg.ClientConfig; pool: pg.Pool; jobs: typeof JOBS }) => {
  const mailer = openMailer(app.settings)
  try {
    return await drainJobs({ ...worker, context: { app, mailer }, log: app.log })
  } finally {
    mailer.close()
  }
}

let shared: Promise<OpenApp> | undefined

/** Foyer of this test file, closed after its last test. */
export const theApp = (): Promise<OpenApp> => (shared ??= openTestApp())

afterEveryFile(async () => {
  const app = await shared
  shared = undefined
  await app?.close()
})

/** A venue of its own for one test: Neue Halle with its people, tokens and events, on the file's house. */
export const openVenue = async (change: (file: VenueFile) => void = () => {}) => openVenueAt(await theApp(), change)

/** The same on another house, and on the server of it that the app names. */
export const openVenueAt = async (running: OpenApp, change: (file: VenueFile) => void = () => {}) => {
  const file = neueHalle(`neue-halle-${randomBytes(5).toString('hex')}`)
  change(file)
  const report = await loadVenue(running.app, JSON.stringify(file))
  const client = (token?: string): Client => openClient(running.origin, { token })
  const withToken = (description: string) => client(report.api_tokens[description])

  return {
    ...running,
    file,
    report,
    client,
    /** The account's own write token. */
    office: withToken('office write'),
    reader: withToken('office read'),
    /** Cem's personal token: a co-organizer, assigned to the Winter Ball only. */
    partner: withToken('cem write'),
    door: client(report.devices['Door 1']),
    stranger: client(),
  }
}

export type Venue = Awaited<ReturnType<typeof openVenue>>
