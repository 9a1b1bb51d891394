import { closeSync, openSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

import type { Client } from 'pg'

import { prepareDataDirectory, truncateLongLog } from './data-directory.ts'
import { findPostmaster, SOCKET_PORT } from './postmaster.ts'
import { connectionOf, attachToServer, detachFromServer } from './attach.ts'
import type { Connection, AttachedProcess } from './attach.ts'

export interface EmbeddedServer {
  readonly connection: Connection
  close(): Promise<void>
}

interface EmbeddedOptions {
  role: 'serve' | 'command'
  /** Shown in pg_stat_activity as "foyer <name> <process id>". */
  name: string
  onTrouble?: (message: string) => void
}

const SOCKET_PATH_MAX = 107
const GLANCE_EVERY = 1000
const RETRY_AT_MOST = 1000

/** Opens the database that lives in the data folder, beside whoever else uses it, and keeps it running until closed. */
export const openEmbeddedServer = async (dataFolder: string, options: EmbeddedOptions): Promise<EmbeddedServer> => {
  const place = await prepareDataDirectory(path.resolve(dataFolder))
  const { host, release } = reachableHost(place.cluster)
  const visitor: AttachedProcess = { place, host, role: options.role, name: options.name, mayMake: true }
  try {
    const stop = superviseVisit(visitor, await attachToServer(visitor), options.onTrouble ?? (() => {}))
    return { connection: connectionOf(visitor), close: once(() => stop().finally(release)) }
  } catch (error) {
    release()
    throw error
  }
}

/** While it is open, a server that dies or is stopped from outside is brought back. */
const superviseVisit = (visitor: AttachedProcess, first: Client, onTrouble: (message: string) => void) => {
  const closing = new AbortController()
  let client: Client | null = null
  let recovery: Promise<void> = Promise.resolve()
  let said = ''

  const say = (message: string) => {
    if (message !== said) onTrouble(message)
    said = message
  }

  const hold = (next: Client) => {
    client = next
    next.once('end', () => {
      client = null
      if (!closing.signal.aborted) recovery = recover()
    })
  }

  const recover = async () => {
    say('The embedded PostgreSQL is gone; bringing it back.')
    for (let wait = 50; !closing.signal.aborted; wait = Math.min(wait * 2, RETRY_AT_MOST)) {
      try {
        hold(await attachToServer({ ...visitor, mayMake: false }, closing.signal))
        say('The embedded PostgreSQL is back.')
        return
      } catch (error) {
        if (closing.signal.aborted) return
        say(`The embedded PostgreSQL could not be brought back yet: ${(error as Error).message}`)
        await delay(wait, undefined, { signal: closing.signal }).catch(() => {})
      }
    }
  }

  const glance = async () => {
    try {
      truncateLongLog(visitor.place)
      // A server that was told to stop receives nobody any more, yet waits for those who are in.
      if ((await findPostmaster(visitor.place.cluster))?.isStopping) await client?.end()
    } catch (error) {
      say(`The embedded PostgreSQL cannot be watched: ${(error as Error).message}`)
    }
  }
  const glances = setInterval(() => void glance(), GLANCE_EVERY).unref()

  hold(first)
  return async () => {
    clearInterval(glances)
    closing.abort()
    await recovery
    await detachFromServer(visitor, client).catch((error: Error) => {
      say(`The embedded PostgreSQL was left running: ${error.message}`)
    })
  }
}

/** The kernel takes only short socket paths; a longer one is reached through a descriptor of its folder. */
const reachableHost = (cluster: string) => {
  if (Buffer.byteLength(path.join(cluster, `.s.PGSQL.${SOCKET_PORT}`)) <= SOCKET_PATH_MAX) {
    return { host: cluster, release: () => {} }
  }
  const folder = openSync(path.dirname(cluster), 'r')
  return { host: `/proc/self/fd/${folder}/${path.basename(cluster)}`, release: () => closeSync(folder) }
}

const once = (work: () => Promise<void>) => {
  let done: Promise<void> | null = null
  return () => (done ??= work())
}
