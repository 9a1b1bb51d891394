import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { sleepUnlessAborted } from '../kernel/sleep.ts'
import { coalesce } from './coalesce.ts'
import { type Client } from './client.ts'
import { endClient, endPool, handleLostConnections } from './lost-connections.ts'
import { discardOldPlans } from './prepared.ts'
import type { Tables } from './table-types.ts'

/** A standby that answers what is only read. */
export interface Replica {
  readonly pool: pg.Pool
  readonly kysely: Kysely<Tables>
  /**
   * Whether it has everything that was committed before this was asked. It is waited for, but only a moment: while it is
   * more than a second behind, or away, nobody waits at all.
   */
  hasCaughtUp(): Promise<boolean>
  /** It failed while somebody read from it: the primary is asked until it has been heard of again. */
  distrust(): void
  /** How many seconds it is behind; null: it does not answer, or is none. */
  lagSeconds(): number | null
  /** How often it was asked whether it has caught up, by the answer. */
  readonly asked: { readonly replica: number; readonly primary: number }
  close(): Promise<void>
}

interface ReplicaOptions {
  connection: pg.PoolConfig
  /** Where the primary is asked how far it has written: short statements only. */
  primary: pg.Pool
  Client: typeof Client
  types: pg.CustomTypesConfig
}

const CONNECTIONS_MAX = 20
const STATEMENT_TIMEOUT_MS = 30_000
const CONNECTION_TIMEOUT_MS = 2_000
const SILENCE_MS = 35_000
const WATCH_EVERY_MS = 1_000
const ANSWER_MS = 2_000
const LAG_MOST_SECONDS = 1
/** What is usual between two machines is a few milliseconds. */
const CATCH_UP_MS = 100
const LOOK_AGAIN_MS = 5
const CALLS_MOST = 10_000
/** An hour of what the primary had written, second by second. */
const MARKS_MOST = 3_600

interface Mark {
  at: number
  lsn: bigint
}

export const openReplica = ({ connection, primary, Client, types }: ReplicaOptions): Replica => {
  const pool = new pg.Pool({
    max: CONNECTIONS_MAX,
    application_name: 'foyer reads',
    statement_timeout: STATEMENT_TIMEOUT_MS,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    keepAlive: true,
    ...connection,
    Client,
    types,
  })
  handleLostConnections(pool, { silenceMs: SILENCE_MS })
  discardOldPlans(pool)
  const kysely = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })

  let watcher: pg.Client | null = null
  let lag: number | null = null
  let marks: Mark[] = []
  const asked = { replica: 0, primary: 0 }
  const closing = new AbortController()

  const lose = () => {
    lag = null
    const client = watcher
    watcher = null
    if (client) void endClient(client).catch(() => {})
  }

  const connect = async () => {
    const client = new pg.Client({
      ...connection,
      application_name: 'foyer watches replica',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
    })
    client.on('error', () => {
      if (watcher === client) lose()
    })
    watcher = client
    await client.connect()
    return client
  }

  const look = async () => {
    const at = performance.now()
    const written = await findWritten(primary)
    const replayed = await findReplayed(watcher ?? (await connect()))
    if (replayed === null) {
      lag = null
      return
    }
    marks = [...marks, { at, lsn: written }].filter(({ lsn }) => lsn > replayed).slice(0, MARKS_MOST)
    lag = marks.length === 0 ? 0 : (performance.now() - marks[0]!.at) / 1000
  }

  const watch = async () => {
    do await look().catch(lose)
    while (await sleepUnlessAborted(closing.signal, WATCH_EVERY_MS, { isHeld: false }))
  }

  const catchUp = async (): Promise<boolean> => {
    const client = watcher
    if (!client || lag === null || lag > LAG_MOST_SECONDS) return false
    const written = await findWritten(primary)
    const patience = performance.now() + CATCH_UP_MS
    try {
      for (;;) {
        const replayed = await findReplayed(client)
        if (replayed === null) return false
        if (replayed >= written) return true
        if (performance.now() > patience) return false
        await delay(LOOK_AGAIN_MS)
      }
    } catch {
      // The primary is asked, and the replica once it answers again.
      lose()
      return false
    }
  }
  const ask = coalesce(
    async (calls: undefined[]) => {
      const hasIt = await catchUp()
      return calls.map(() => hasIt)
    },
    { maxBatch: CALLS_MOST, concurrency: 2 },
  )

  const watching = watch()
  return {
    pool,
    kysely,
    asked,
    hasCaughtUp: async () => {
      const hasIt = await ask(undefined)
      asked[hasIt ? 'replica' : 'primary']++
      return hasIt
    },
    distrust: lose,
    lagSeconds: () => lag,
    close: async () => {
      closing.abort()
      await watching
      lose()
      const end = async () => {
        await kysely.destroy()
        if (!pool.ending) await pool.end()
      }
      await endPool(pool, end)
    },
  }
}

const WRITTEN = { name: 'written', text: `select pg_current_wal_flush_lsn() - '0/0'::pg_lsn as lsn` }

/** How far the primary's log is on its disk: whatever was told as committed is before that. */
const findWritten = async (primary: pg.Pool): Promise<bigint> => {
  const { rows } = await primary.query<{ lsn: string | null }>(WRITTEN)
  const { lsn } = rows[0]!
  if (lsn === null) throw new Error('The primary does not say how far it has written')
  return BigInt(lsn)
}

const REPLAYED = {
  name: 'replayed',
  text: `select case when pg_is_in_recovery() then pg_last_wal_replay_lsn() - '0/0'::pg_lsn end as lsn`,
}

/** How far a standby has come; null for a server that follows nobody, like one that was promoted. */
const findReplayed = async (client: pg.Client): Promise<bigint | null> => {
  const { rows } = await client.query<{ lsn: string | null }>(REPLAYED)
  const { lsn } = rows[0]!
  return lsn === null ? null : BigInt(lsn)
}

const LAG_WORTH_TELLING_SECONDS = 10

export const findReplicaWarnings = (replica: Replica | null): string[] => {
  if (!replica) return []
  const lag = replica.lagSeconds()
  if (lag === null)
    return ['The server of DATABASE_READ_URL does not answer or is no standby; the primary does its work.']
  if (lag < LAG_WORTH_TELLING_SECONDS) return []
  return [`The server of DATABASE_READ_URL is ${Math.round(lag)} seconds behind; the primary does its work.`]
}
