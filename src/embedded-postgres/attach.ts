import { setTimeout as delay } from 'node:timers/promises'

import { Client, DatabaseError } from 'pg'

import { Misconfigured } from '../kernel/settings.ts'
import { ensureCluster, DATABASE_OWNER, refuseMissingCluster } from './cluster.ts'
import { withLock } from './lock.ts'
import type { DataDirectory } from './data-directory.ts'
import { findPostmaster, killPostmaster, SOCKET_PORT, startPostmaster, stopPostmaster } from './postmaster.ts'

export interface Connection {
  /** The folder of the server's socket. For a very long path it is good in this process only. */
  host: string
  port: number
  user: string
  password: string
  database: string
}

export interface AttachedProcess {
  place: DataDirectory
  host: string
  role: 'serve' | 'command'
  name: string
  /** A database that disappears while it is in use is not replaced by an empty one. */
  mayMake: boolean
}

/** Of a disk that is full whoever connects may be told at once, since the server keeps a list of its tables in a file. */
const NO_ROOM = '53100'

const LOCKS = 0x666f7965
/** Held shared by every process that uses the embedded database; whoever gets it alone may stop the server. */
const IN_USE = 1
/** Held by the one process that serves. */
const SERVING = 2

const ANSWER_PATIENCE = 5000
const RECOVERY_PATIENCE = 120_000
const SERVING_PATIENCE = 1000
const LEAVING_PATIENCE = 1000
const STARTS_MAX = 3
const ABSENT_LOOK = 15
const STARTING_LOOK = 50

export const connectionOf = ({ place, host }: AttachedProcess): Connection => ({
  host,
  port: SOCKET_PORT,
  user: DATABASE_OWNER,
  password: place.password,
  database: DATABASE_OWNER,
})

/** Adopts the running server or starts one, and says on the returned connection that it is in use. */
export const attachToServer = async (visitor: AttachedProcess, signal?: AbortSignal): Promise<Client> => {
  const options = { patience: RECOVERY_PATIENCE, ...(signal && { signal }) }
  const client = await withLock(visitor.place, options, () => reach(visitor, signal))
  try {
    if (visitor.role === 'serve') await startServing(visitor, client)
    return client
  } catch (error) {
    await detachFromServer(visitor, client)
    throw error
  }
}

/** Gives the database back; the last one out stops the server. */
export const detachFromServer = async (visitor: AttachedProcess, client: Client | null) => {
  try {
    await withLock(visitor.place, { patience: LEAVING_PATIENCE }, async () => {
      const last = client ?? (await tryConnect(visitor, LEAVING_PATIENCE)).client
      if (last && (await isAlone(last))) {
        const postmaster = await findPostmaster(visitor.place.cluster)
        if (postmaster) await stopPostmaster(visitor.place.cluster, postmaster)
      }
      if (last !== client) await last?.end()
    })
  } finally {
    await client?.end()
  }
}

/** Whoever starts a server and is not let in stops it again: nobody else can have come in meanwhile. */
const reach = async (visitor: AttachedProcess, signal?: AbortSignal): Promise<Client> => {
  const server = makeStarter(visitor)
  try {
    return await knockUntilLetIn(visitor, server, signal)
  } catch (error) {
    await server.stop()
    throw error
  }
}

const knockUntilLetIn = async (
  visitor: AttachedProcess,
  server: ReturnType<typeof makeStarter>,
  signal?: AbortSignal,
): Promise<Client> => {
  const { cluster } = visitor.place
  const begun = performance.now()
  let silentSince: number | null = null
  let refusal = ''

  while (performance.now() - begun < RECOVERY_PATIENCE) {
    // Whoever has just started a server waits for it a little: until it has said who it is, it cannot be stopped.
    if (!server.isYoung()) signal?.throwIfAborted()
    const triedAt = performance.now()
    const { client, answered, fault } = await tryConnect(visitor, ANSWER_PATIENCE)
    if (client && (await isWelcome(client))) return client
    refusal = fault ?? 'it is in use by somebody who wants to stop it'

    const postmaster = await findPostmaster(cluster)
    silentSince = postmaster && !answered ? (silentSince ?? triedAt) : null
    if (!postmaster) {
      await server.start()
    } else if (postmaster.isStopping) {
      if (!(await stopPostmaster(cluster, postmaster))) await killPostmaster(cluster, postmaster)
    } else if (silentSince !== null && performance.now() - silentSince >= ANSWER_PATIENCE) {
      await killPostmaster(cluster, postmaster)
    }
    // Every look makes a server that is starting begin a process to say so.
    await delay(answered ? STARTING_LOOK : ABSENT_LOOK)
  }
  throw new Error(
    `The embedded PostgreSQL in ${cluster} does not come up (${refusal}); postgres.log in the data folder says why.`,
  )
}

/** Starts the server, and once more when it ends at once, but not for ever. */
const makeStarter = ({ place, mayMake }: AttachedProcess) => {
  let running: Awaited<ReturnType<typeof startPostmaster>> | null = null
  let startedAt = -Infinity
  let starts = 0

  const start = async () => {
    const fault = running?.ended()
    // A server that was just spawned writes its postmaster.pid a moment later.
    if (running && !fault) return
    if (starts === STARTS_MAX) throw new Error(`The embedded PostgreSQL does not start: ${fault}`)

    await (mayMake ? ensureCluster(place) : refuseMissingCluster(place))
    running = await startPostmaster(place)
    startedAt = performance.now()
    starts++
  }

  /** Of a server that somebody else has started nothing is stopped. */
  const stop = async () => {
    const postmaster = running && (await findPostmaster(place.cluster))
    if (postmaster) await stopPostmaster(place.cluster, postmaster)
  }

  return { start, stop, isYoung: () => performance.now() - startedAt < LEAVING_PATIENCE }
}

const isWelcome = async (client: Client) => {
  const held = await holds(client, 'pg_try_advisory_lock_shared', IN_USE).catch(orLost)
  if (!held) await client.end()
  return held
}

interface Attempt {
  client: Client | null
  /** Somebody is in, if not yet or no longer receiving. */
  answered: boolean
  fault: string | null
}

/** Tries the door once: a client when it opens. */
const tryConnect = async (visitor: AttachedProcess, patience: number, database = DATABASE_OWNER): Promise<Attempt> => {
  const client = new Client({
    ...connectionOf(visitor),
    database,
    ssl: false,
    application_name: `foyer ${visitor.name} ${process.pid}`,
    connectionTimeoutMillis: patience,
  })
  // A connection that breaks also ends; whoever holds it listens for that.
  client.on('error', () => {})
  try {
    await client.connect()
    return { client, answered: true, fault: null }
  } catch (error) {
    void client.end().catch(() => {})
    const { code, message } = error as { code?: string; message: string }
    if (code === '3D000' && database === DATABASE_OWNER) return createDatabase(visitor, patience)
    if (code === NO_ROOM) {
      throw new Error(`The embedded PostgreSQL has no room left on its disk: ${message}.`, { cause: error })
    }
    if (code === '28P01') {
      throw new Misconfigured(
        `The password in ${visitor.place.dataFolder}/postgres-password is not the one of the embedded database.`,
      )
    }
    return { client: null, answered: error instanceof DatabaseError, fault: message }
  }
}

const createDatabase = async (visitor: AttachedProcess, patience: number) => {
  const { client } = await tryConnect(visitor, patience, 'postgres')
  try {
    await client?.query(`create database ${DATABASE_OWNER}`)
  } catch (error) {
    orLost(error as Error)
  } finally {
    await client?.end()
  }
  return tryConnect(visitor, patience)
}

const startServing = async (visitor: AttachedProcess, client: Client) => {
  const deadline = performance.now() + SERVING_PATIENCE
  // The lock of a server that was killed a moment ago may still be held until its connection is cleared away.
  while (!(await holds(client, 'pg_try_advisory_lock', SERVING))) {
    if (performance.now() > deadline) {
      const other = await findServing(client)
      throw new Misconfigured(
        `Another Foyer already serves the data folder ${visitor.place.dataFolder}${other ? ` (${other})` : ''}.`,
      )
    }
    await delay(50)
  }
}

const findServing = async (client: Client) => {
  const found = await client.query<{ application_name: string | null }>(
    `select application_name from pg_locks join pg_stat_activity using (pid)
     where locktype = 'advisory' and classid = $1 and objid = $2 and objsubid = 2 and granted`,
    [LOCKS, SERVING],
  )
  return found.rows[0]?.application_name?.replace(/ (\d+)$/, ', process $1')
}

const isAlone = async (client: Client) => {
  try {
    await client.query('select pg_advisory_unlock_all()')
    return await holds(client, 'pg_try_advisory_lock', IN_USE)
  } catch (error) {
    return orLost(error as Error)
  }
}

const holds = async (client: Client, attempt: string, lock: number) => {
  const result = await client.query<{ held: boolean }>(`select ${attempt}($1, $2) as held`, [LOCKS, lock])
  return result.rows[0]?.held === true
}

/** A connection that broke is no fault of the statement: the server is being stopped or has died. */
const orLost = (error: Error): false => {
  if (error instanceof DatabaseError && !error.code?.startsWith('57')) throw error
  return false
}
