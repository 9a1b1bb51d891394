import pg from 'pg'
import { GENERIC_PLAN_OPTIONS } from '../database/prepared.ts'
import { handleLostConnections } from '../database/lost-connections.ts'
import { describeError, type Log } from '../kernel/log.ts'

/** Besides a connection per job of Foyer: one that listens, one for heartbeats, one for the timetable, three for lanes. */
const CONNECTIONS_ASIDE = 6
const CONNECTION_TIMEOUT_MS = 5_000
const STATEMENT_TIMEOUT_MS = 30_000
const SILENCE_MS = 35_000

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void

/**
 * graphile-worker gives its listening connection back a second time when it is lost while the worker stops, and the
 * pool's complaint would end the process.
 */
class ForgivingPool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>
  override connect(callback: Connected): void
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    if (!callback) return super.connect()
    // Whoever waited in vain is given nothing to give back.
    super.connect((error, client, release) => callback(error, client, client ? onlyOnce(release) : release))
  }
}

const onlyOnce = (release: (error?: unknown) => void) => {
  let isReleased = false
  return (error?: unknown) => {
    if (isReleased) return
    isReleased = true
    release(error)
  }
}

/** Connections of the worker's own, so that a busy house never keeps it from showing that it lives. */
export const openWorkerPool = (connection: pg.PoolConfig, concurrency: number, log: Log): pg.Pool => {
  const pool = new ForgivingPool({
    application_name: 'foyer jobs',
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    keepAlive: true,
    ...connection,
    max: concurrency + CONNECTIONS_ASIDE,
    // All that a worker asks of its own is found by keys.
    options: GENERIC_PLAN_OPTIONS,
  })
  handleLostConnections(pool, {
    silenceMs: SILENCE_MS,
    onTrouble: (error) => log.warn(describeError(error), 'The worker lost a database connection'),
  })
  return pool
}
