import type { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { giveUpLeavingConnections } from './given-up-connections.ts'

/** What pg keeps to itself: its socket, and whether the server has answered everything that was asked. */
interface Inside {
  connection: { stream: Socket }
  readyForQuery: boolean
}

class Silence extends Error {
  override readonly name = 'Silence'
  readonly code = 'ETIMEDOUT'
}

const socketsOf = new WeakMap<pg.Pool, Set<Socket>>()

/**
 * A network that swallows everything looks like a server that thinks for ever: the server's own timeouts cannot be
 * heard, and the kernel goes on hoping for a quarter of an hour. A connection that owes an answer and stays silent for
 * longer than any statement may last is cut, so that whoever waits is told and the pool opens another.
 */
const cutSilentConnections = (pool: pg.Pool, ms: number): void => {
  const sockets = new Set<Socket>()
  socketsOf.set(pool, sockets)
  pool.on('connect', (client) => {
    const inside = client as unknown as Inside
    const { stream } = inside.connection
    sockets.add(stream)
    stream.once('close', () => sockets.delete(stream))
    stream.setTimeout(ms)
    // Each time, not once: a connection that was idle for so long owes nothing, but may the next time.
    stream.on('timeout', () => {
      if (!inside.readyForQuery) stream.destroy(new Silence(`The database has been silent for ${ms} ms`))
    })
  })
}

interface Watch {
  silenceMs: number
  /** Told about connections that were lost while nobody was using them, and were not being given up anyway. */
  onTrouble?: ((error: Error) => void) | undefined
}

/** Without listeners a lost connection would end the process. One that is in use fails its query as well. */
export const handleLostConnections = (pool: pg.Pool, { silenceMs, onTrouble }: Watch): void => {
  pool.on('error', (error) => {
    if (!pool.ending) onTrouble?.(error)
  })
  pool.on('connect', (client) => client.on('error', () => {}))
  cutSilentConnections(pool, silenceMs)
  giveUpLeavingConnections(pool)
}

const LAST_WORDS_MS = 500

/** Ends a pool in good order, but does not wait for ever for a server that no longer says good-bye. */
export const endPool = (pool: pg.Pool, end: () => Promise<void> = () => pool.end()): Promise<void> =>
  orCut(end(), () => {
    for (const socket of socketsOf.get(pool) ?? []) socket.destroy()
  })

export const endClient = (client: pg.Client): Promise<void> =>
  orCut(client.end(), () => (client as unknown as Inside).connection.stream.destroy())

const orCut = async (ending: Promise<void>, cut: () => void) => {
  const patience = new AbortController()
  const late = delay(LAST_WORDS_MS, true, { signal: patience.signal }).catch(() => false)
  const isLate = await Promise.race([ending.then(() => false), late])
  patience.abort()
  if (isLate) cut()
}
