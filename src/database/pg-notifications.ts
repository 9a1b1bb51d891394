import pg from 'pg'
import { oneByOne } from '../kernel/one-by-one.ts'
import { coalesce } from './coalesce.ts'
import { openFreshnessTracker } from './freshness.ts'
import { type Listener, openListenerRegistry, listenAndVerify } from './listeners.ts'
import { endClient } from './lost-connections.ts'

/**
 * What transactions of any process announce with NOTIFY, heard over one connection of its own. Whoever remembers
 * something drops it when a change is announced, and asks first whether everything has been heard.
 */
export interface PgNotifications {
  /** From now on the listener is told, until the answer is called; the connection is opened with the first one. */
  listen(channel: string, listener: Listener): () => void
  /** The same for those who wait for news and remember nothing: comes back once everything from now on is heard. */
  follow(channel: string, hear: (payload: string | null) => void): Promise<() => void>
  /**
   * Comes back once every change that was committed before the call has been told, with the time of the database.
   * Null while the connection is down: then nothing may be trusted that is only remembered.
   */
  barrier(): Promise<Date | null>
  /**
   * The same for every change that was made through this process. Those of other processes have been told as well, but
   * for what is on its way at this moment; so most of the time it costs nothing.
   */
  ensureFresh(): Date | Promise<Date | null>
  /** The time of the database where it need not be asked for that; null where it must. */
  freshAt(): Date | null
  /** Something may have been written through this process, and what it announced may still be on its way. */
  markDirty(): void
  close(): Promise<void>
}

/** Nobody can be told anything at the moment, which counts as the database being away. */
class AnnouncementsLost extends Error {
  readonly code = 'ECONNRESET'
}

const RETRY_LEAST_MS = 250
const RETRY_MOST_MS = 5_000
const ANSWER_MS = 2_000
const CALLS_MOST = 10_000

export const openPgNotifications = (connection: pg.ClientConfig): PgNotifications => {
  const listeners = openListenerRegistry()
  const heard = new Set<string>()
  let hearing: pg.Client | null = null
  let opening: Promise<void> | null = null
  let retry: NodeJS.Timeout | undefined
  let pause = RETRY_LEAST_MS
  let isClosed = false
  const freshness = openFreshnessTracker()
  /** What the open connection is asked. */
  const inTurn = oneByOne()

  const lose = (client: pg.Client) => {
    if (hearing !== client) return
    hearing = null
    freshness.lose()
    heard.clear()
    for (const listener of listeners.all()) listener.forget()
    tryLater()
  }

  const tryLater = () => {
    if (isClosed) return
    clearTimeout(retry)
    retry = setTimeout(open, pause).unref()
    pause = Math.min(pause * 2, RETRY_MOST_MS)
  }

  const open = () => {
    if (isClosed || hearing || opening) return
    opening = connect().finally(() => {
      opening = null
    })
  }

  const connect = async () => {
    const client = new pg.Client({
      application_name: 'foyer announcements',
      connectionTimeoutMillis: ANSWER_MS,
      query_timeout: ANSWER_MS,
      keepAlive: true,
      ...connection,
    })
    client.on('error', () => lose(client))
    client.on('end', () => lose(client))
    try {
      await client.connect()
      for (const channel of listeners.channels()) {
        heard.add(channel)
        await listenAndVerify(client, channel)
      }
    } catch {
      // Whatever kept it from opening, it is tried again; until then nothing is remembered.
      heard.clear()
      hangUp(client)
      return tryLater()
    }
    if (isClosed) return hangUp(client)
    client.on('notification', listeners.tell)
    hearing = client
    pause = RETRY_LEAST_MS
    for (const listener of listeners.all()) listener.resume?.()
  }

  /** On the connection that is open: the question whether everything was heard is asked after this one. */
  const hearToo = async (client: pg.Client, channel: string) => {
    heard.add(channel)
    try {
      await inTurn(() => listenAndVerify(client, channel))
    } catch {
      lose(client)
      hangUp(client)
    }
  }

  const listen = (channel: string, listener: Listener) => {
    const leave = listeners.add(channel, listener)
    if (hearing && !heard.has(channel)) void hearToo(hearing, channel)
    open()
    return leave
  }

  const barrier = coalesce(
    async (calls: undefined[]) => {
      const now = await inTurn(ask)
      return calls.map(() => now)
    },
    { maxBatch: CALLS_MOST, concurrency: 1 },
  )

  const ask = async () => {
    const client = hearing
    if (!client) return null
    const askedAt = freshness.begin()
    try {
      const { rows } = await client.query<{ now: Date }>(BARRIER_QUERY)
      if (hearing !== client) return null
      const { now } = rows[0]!
      freshness.record(now, askedAt)
      return now
    } catch {
      lose(client)
      hangUp(client)
      return null
    }
  }

  return {
    listen,
    follow: async (channel, hear) => {
      const leave = listen(channel, { hear, forget: () => {}, resume: () => hear(null) })
      await opening
      if (await barrier(undefined)) return leave
      leave()
      throw new AnnouncementsLost()
    },
    barrier: () => barrier(undefined),
    ensureFresh: () => freshness.now() ?? barrier(undefined),
    freshAt: freshness.now,
    markDirty: freshness.markDirty,
    close: async () => {
      isClosed = true
      clearTimeout(retry)
      await opening
      const client = hearing
      hearing = null
      if (client) await endClient(client)
    },
  }
}

/**
 * A server tells a connection what was announced before it says that it is ready for the next query, so the answer
 * to any query at all marks the point up to which everything has been heard.
 */
const BARRIER_QUERY = { name: 'catch-up', text: 'select foyer_now() as now' }

const hangUp = (client: pg.Client) => {
  client.end().catch(() => {})
}
