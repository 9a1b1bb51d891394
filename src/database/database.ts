import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type PgNotifications, openPgNotifications } from './pg-notifications.ts'
import { GENERIC_PLAN_OPTIONS, KeyedTransactionsDialect, discardOldPlans } from './prepared.ts'
import { type Replica, openReplica } from './replica.ts'
import { endPool, handleLostConnections } from './lost-connections.ts'
import { type PoolName, type StatementObserver, clientFor } from './statement-observer.ts'
import type { Tables } from './table-types.ts'

export interface Database {
  readonly pool: pg.Pool
  /** A few connections for look-ups that every request makes: planned once, and never behind somebody's long query. */
  readonly lookups: pg.Pool
  readonly kysely: Kysely<Tables>
  /** The same connections for transactions that find a few rows by their keys, planned as look-ups are. */
  readonly keyedTransactions: Kysely<Tables>
  /** A few connections for short statements that find rows by their keys, planned as look-ups are. */
  readonly keyLookups: Kysely<Tables>
  readonly pgNotifications: PgNotifications
  /** A standby for what is only read; null where there is none. */
  readonly replica: Replica | null
  /** All connections but the one that listens, by what they are for. */
  readonly pools: Readonly<Partial<Record<PoolName, pg.Pool>>>
  close(): Promise<void>
}

export interface DatabaseOptions {
  /** Told about connections that were lost while nobody was using them; the pool replaces them by itself. */
  onTrouble?: (error: Error) => void
  onStatement?: StatementObserver | undefined
  /** Where a standby is. */
  replica?: pg.PoolConfig | null
}

const CONNECTIONS_MAX = 20
const STATEMENT_TIMEOUT_MS = 30_000
const CONNECTION_TIMEOUT_MS = 3_000
/** A little longer than a statement may last. */
const SILENCE_MS = 35_000
const LOOKUP_SILENCE_MS = 5_000

export const openDatabase = (
  connection: pg.PoolConfig,
  { onTrouble, onStatement, replica: standby = null }: DatabaseOptions = {},
): Database => {
  const pool = new pg.Pool({
    max: CONNECTIONS_MAX,
    application_name: 'foyer',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    ...connection,
    Client: clientFor('requests', onStatement),
    types: { getTypeParser },
  })

  handleLostConnections(pool, { silenceMs: SILENCE_MS, onTrouble })

  const sameConnection = { ...pool.options, password: pool.options.password }
  const forKeys = (name: PoolName) => ({ ...sameConnection, Client: clientFor(name, onStatement) })
  const lookups = openByKeys(forKeys('lookups'), LOOKUP_CONNECTIONS, LOOKUP_SILENCE_MS)
  const keyLookupPool = openByKeys(forKeys('keys'), KEY_LOOKUP_CONNECTIONS, SILENCE_MS)

  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const keyedTransactions = new Kysely<Tables>({ dialect: new KeyedTransactionsDialect({ pool }) })
  const keyLookups = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: keyLookupPool }) })
  const pgNotifications = openPgNotifications(connection)
  for (const each of [pool, lookups, keyLookupPool]) discardOldPlans(each)
  for (const each of [pool, keyLookupPool]) each.on('release', pgNotifications.markDirty)
  const replica =
    standby &&
    openReplica({
      connection: standby,
      primary: lookups,
      Client: clientFor('replica', onStatement),
      types: { getTypeParser },
    })
  const close = async () => {
    await replica?.close()
    // Kysely ends the pool it was given, but only if it ever used it.
    const endMain = async () => {
      await kysely.destroy()
      if (!pool.ending) await pool.end()
    }
    await Promise.all([pgNotifications.close(), endPool(pool, endMain), endPool(lookups), endPool(keyLookupPool)])
  }
  const pools = { requests: pool, lookups, keys: keyLookupPool, ...(replica ? { replica: replica.pool } : {}) }
  return { pool, lookups, kysely, keyedTransactions, keyLookups, pgNotifications, replica, pools, close }
}

const LOOKUP_CONNECTIONS = 3
const KEY_LOOKUP_CONNECTIONS = 5

const openByKeys = (connection: pg.PoolConfig, max: number, silenceMs: number) => {
  const pool = new pg.Pool({ ...connection, max, options: GENERIC_PLAN_OPTIONS })
  handleLostConnections(pool, { silenceMs })
  return pool
}

/** Numbers of PostgreSQL's own types; they never change. */
const TYPES = {
  int8: 20,
  timestamptz: 1184,
  date: 1082,
  interval: 1186,
  int8Array: 1016,
  dateArray: 1182,
  intervalArray: 1187,
  numericArray: 1231,
  textArray: 1009,
}

const END_OF_TIME = 8.64e15

const asIs = (text: string) => text
const parseTexts = pg.types.getTypeParser(TYPES.textArray) as (text: string) => (string | null)[]
const parseInt8s = (text: string) => parseTexts(text).map((item) => (item === null ? null : Number(item)))

const parseTimestamp = pg.types.getTypeParser(TYPES.timestamptz) as (text: string) => Date | number

/**
 * A server on UTC writes what Date reads by itself but for a T, many times faster than a pattern does. pg reads infinity
 * as a number; the end of JavaScript's time compares the same and is a Date like all others.
 */
const parseTimestamptz = (text: string) => {
  if (text[10] === ' ' && text.endsWith('+00')) return new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`)
  const time = parseTimestamp(text)
  return typeof time === 'number' ? new Date(Math.sign(time) * END_OF_TIME) : time
}

/** Where pg's own parsers differ from table-types.ts: a Date would move a calendar day, a float would round a numeric. */
const OWN_PARSERS = new Map<number, (text: string) => unknown>([
  [TYPES.int8, Number],
  [TYPES.timestamptz, parseTimestamptz],
  [TYPES.int8Array, parseInt8s],
  [TYPES.date, asIs],
  [TYPES.dateArray, parseTexts],
  [TYPES.interval, asIs],
  [TYPES.intervalArray, parseTexts],
  [TYPES.numericArray, parseTexts],
])

const getTypeParser = ((type: number, format: 'text' = 'text') =>
  OWN_PARSERS.get(type) ?? pg.types.getTypeParser(type, format)) as typeof pg.types.getTypeParser

/**
 * admin_shutdown, crash_shutdown, cannot_connect_now; query_canceled: it took too long; read_only_sql_transaction: another
 * server is taking over; io_error; ZM001: the account is moving to another server (0032-shards.sql). Classes: connection
 * exceptions, and whatever the server has run out of, like its disk.
 */
const UNAVAILABLE_STATES = new Set(['57P01', '57P02', '57P03', '57014', '25006', '58030', 'ZM001'])
const UNAVAILABLE_CLASSES = new Set(['08', '53'])

/** serialization_failure, deadlock_detected: it was in somebody's way, and is rolled back for certain. */
const WAY_STATES = new Set(['40001', '40P01'])

const LOST_CONNECTION_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** A server whose certificate is not to be trusted, or no longer, as Node names the reasons. */
const UNTRUSTED_CODES =
  /^(ERR_TLS_CERT_ALTNAME_|CERT_|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT_IN_CHAIN$|UNABLE_TO_(GET_ISSUER_CERT|VERIFY_LEAF_SIGNATURE))/

/** What pg and pg-pool say without a code. */
const LOST_CONNECTION_MESSAGES =
  /^(The server does not support SSL connections$|Connection terminated|timeout expired$|Query read timeout$|timeout exceeded when trying to connect$|Client has encountered a connection error|Client was closed and is not queryable$|Cannot use a pool after calling end)/

/** Whether the database is out of reach or just going down or coming up: worth trying again in a moment. */
export const isDatabaseUnavailable = (error: unknown): boolean => {
  if (!(error instanceof Error)) return false
  if (error instanceof AggregateError) return error.errors.some(isDatabaseUnavailable)

  const { code, syscall } = error as NodeJS.ErrnoException
  if (error instanceof pg.DatabaseError) {
    return UNAVAILABLE_CLASSES.has(code?.slice(0, 2) ?? '') || UNAVAILABLE_STATES.has(code ?? '') || isInTheWay(error)
  }
  if (code && (LOST_CONNECTION_CODES.has(code) || UNTRUSTED_CODES.test(code))) return true
  // The socket's folder or file is missing: an embedded server that is not up.
  if (syscall === 'connect') return true
  return LOST_CONNECTION_MESSAGES.test(error.message) || isDatabaseUnavailable(error.cause)
}

const isInTheWay = ({ code }: pg.DatabaseError) => WAY_STATES.has(code ?? '')

/** As 0032-shards.sql says it. */
const ACCOUNT_MOVING = /^the account (\d+) is moving to another server$/

/** The account of which nothing can be written just now, where that is why a statement was refused. */
export const movingAccountOf = (error: unknown): number | null => {
  if (!(error instanceof pg.DatabaseError) || error.code !== 'ZM001') return null
  const accountId = ACCOUNT_MOVING.exec(error.message)?.[1]
  return accountId === undefined ? null : Number(accountId)
}

const UNIQUE_VIOLATION = '23505'

export const isUniqueViolation = (error: unknown, constraint?: string): boolean =>
  error instanceof pg.DatabaseError &&
  error.code === UNIQUE_VIOLATION &&
  (constraint === undefined || error.constraint === constraint)

/** The name of the constraint that said no. */
export const constraintOf = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError ? error.constraint : undefined

/**
 * Data exceptions, broken constraints, deadlocks: the statement was at fault or in somebody's way, and its transaction is
 * rolled back for certain.
 */
export const isStatementFault = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (/^2[23]/.test(error.code ?? '') || isInTheWay(error))
