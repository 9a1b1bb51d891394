import pg from 'pg'
import { cutSilentConnections } from '../database/silence.ts'
import { describeError, type Log } from '../kernel/log.ts'

/** Besides a connection per running job: one that listens, one for heartbeats, one for the timetable. */
const CONNECTIONS_ASIDE = 3
const CONNECTION_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
const SILENCE_MS = 35_000

/** Connections of the worker's own, so that a busy house never keeps it from showing that it lives. */
export const openConnections = (connection: pg.PoolConfig, concurrency: number, log: Log): pg.Pool => {
  const pool = new pg.Pool({
    application_name: 'foyer jobs',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    ...connection,
    max: concurrency + CONNECTIONS_ASIDE,
  })
  // Without listeners a lost connection would end the process. One that is in use fails its query as well.
  pool.on('error', (error) => log.warn(describeError(error), 'The worker lost a database connection'))
  pool.on('connect', (client) => client.on('error', () => {}))
  cutSilentConnections(pool, SILENCE_MS)
  return pool
}
