import { Readable } from 'node:stream'

/** How long a server may take for an answer; where bytes stream, how long it may stand still. */
export const CALL_TIMEOUT_MS = 10_000

/** The server stood still for longer than it may. */
export class CallStalled extends Error {
  override readonly name = 'CallStalled'
}

export interface IdleTimeout {
  signal: AbortSignal
  /** Rejects when the time is over. The signal alone does not do: what stands between it and the call may be collected. */
  expired: Promise<never>
  /** From now on the server is waited for. */
  start(): void
  stop(): void
}

const stalled = (): Error => new CallStalled('There was no progress')

/**
 * Limits how long a server neither takes nor gives anything while it is its turn, not how long a call lasts. `error` is
 * what a reader of a body that stands still is told.
 */
export const createIdleTimeout = ({ ms = CALL_TIMEOUT_MS, error = stalled } = {}): IdleTimeout => {
  const controller = new AbortController()
  const expired = Promise.withResolvers<never>()
  expired.promise.catch(() => {})
  let timer: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(timer)
  const expire = () => {
    controller.abort()
    expired.reject(error())
  }
  const start = () => {
    stop()
    timer = setTimeout(expire, ms)
  }
  return { signal: controller.signal, expired: expired.promise, start, stop }
}

/** Bytes for the server: it is its turn whenever it has been handed some. */
export const limitIdleSending = (bytes: Readable, idle: IdleTimeout): Readable =>
  Readable.from(sending(bytes, idle), { objectMode: false })

async function* sending(bytes: Readable, idle: IdleTimeout) {
  idle.stop()
  for await (const chunk of bytes) {
    idle.start()
    yield chunk
    idle.stop()
  }
  idle.start()
}

/** Bytes from the server: it is its turn whenever it is asked for more. */
export const limitIdleReceiving = (bytes: Readable, idle: IdleTimeout): Readable =>
  Readable.from(receiving(bytes, idle), { objectMode: false })

async function* receiving(bytes: Readable, idle: IdleTimeout) {
  const chunks = bytes[Symbol.asyncIterator]()
  try {
    for (;;) {
      idle.start()
      const next = await Promise.race([chunks.next(), idle.expired])
      idle.stop()
      if (next.done) return
      yield next.value
    }
  } finally {
    idle.stop()
    bytes.destroy()
  }
}
