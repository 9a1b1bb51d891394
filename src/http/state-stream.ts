import { Readable } from 'node:stream'
import type { AppServices } from '../access/app.ts'
import { describeError } from '../kernel/log.ts'
import { Refusal } from '../kernel/refusals.ts'

const KEEP_ALIVE_MS = 10_000
const RETRY_MS = 2_000
/** What could not be told, as while the database is away, is told so much later. */
const TELL_AGAIN_MS = 3_000
/** Whoever reads this far behind comes back later. */
const BACKLOG_MAX = 1024 * 1024

export const STREAM_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'private, no-store',
  // A proxy that collects answers would hold the news back.
  'x-accel-buffering': 'no',
}

/** What was read after a change, for everybody who watches: one of them reads it, the others get the same. */
type SharedReading = <State>(read: () => Promise<State>) => Promise<State>

type ChangeListener = (reading: SharedReading) => void

interface Watcher {
  listeners: Set<ChangeListener>
  stop: () => void
}

const openSharedReading = (): SharedReading => {
  let reading: Promise<unknown> | null = null
  return <State>(read: () => Promise<State>) => {
    reading ??= read().catch((error: unknown) => {
      // Whoever asks next tries for itself.
      reading = null
      throw error
    })
    return reading as Promise<State>
  }
}

const watchers = new WeakMap<AppServices, Map<string, Watcher>>()

export interface WatchedState {
  app: AppServices
  /**
   * What is watched: however many watch the same in this process, it is looked at once, and read once after a change.
   * So the name tells apart whatever two listeners may not see alike.
   */
  name: string
  /** A text that changes with what is watched. */
  findVersion: () => Promise<string>
  everyMs: number
}

/** Calls back after changes. A notice for every write would cost those who write. */
const watch = async (watched: WatchedState, hear: ChangeListener): Promise<() => void> => {
  const known = watchers.get(watched.app) ?? new Map<string, Watcher>()
  watchers.set(watched.app, known)
  const { name } = watched
  if (!known.has(name)) {
    const version = await watched.findVersion()
    if (!known.has(name)) known.set(name, openWatcher(watched, version))
  }
  const watcher = known.get(name)!
  watcher.listeners.add(hear)
  return () => {
    watcher.listeners.delete(hear)
    if (watcher.listeners.size > 0) return
    watcher.stop()
    if (known.get(name) === watcher) known.delete(name)
  }
}

const openWatcher = ({ app, name, findVersion, everyMs }: WatchedState, first: string): Watcher => {
  const listeners = new Set<ChangeListener>()
  let version = first
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      const now = await findVersion()
      const reading = openSharedReading()
      if (now !== version) for (const hear of listeners) hear(reading)
      version = now
    } catch (error) {
      app.log.warn(describeError(error), `${name} could not be looked at`)
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => void look(), everyMs)
  return { listeners, stop: () => clearInterval(timer) }
}

const formatMessage = (event: string, state: unknown) => `event: ${event}\ndata: ${JSON.stringify(state)}\n\n`

interface StateListener<Given, State> {
  watched: WatchedState
  /** The name of the server-sent event. */
  event: string
  read: (given: Given) => Promise<State>
  /** What of it this listener may see, where not all see the same; told only where that has changed. */
  show?: (state: State, given: Given) => unknown
  readmit: () => Promise<Given>
  closing: AbortSignal
}

/**
 * The whole state, at once and then after changes, until the listener leaves, the server stops or the credential dies:
 * who listens is looked up anew before every message.
 */
export const streamState = async <Given, State>({
  watched,
  event,
  read,
  show,
  readmit,
  closing,
}: StateListener<Given, State>): Promise<Readable> => {
  const stream = new Readable({ read: () => {} })
  let hasEnded = false
  let saidAt = 0
  let next: NodeJS.Timeout | null = null
  let newest = openSharedReading()
  let told: string | null = null

  const end = () => {
    hasEnded = true
    stream.push(null)
  }

  const say = (text: string) => {
    if (hasEnded || stream.destroyed) return
    stream.push(text)
    if (stream.readableLength > BACKLOG_MAX) stream.destroy()
  }

  const readmitted = async () => {
    try {
      return await readmit()
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      end()
      return null
    }
  }

  const tell = async () => {
    saidAt = performance.now()
    const reading = newest
    const given = await readmitted()
    if (!given) return
    if (!show) return say(await reading(async () => formatMessage(event, await read(given))))
    const message = formatMessage(event, show(await reading(() => read(given)), given))
    if (message !== told) say(message)
    told = message
  }

  const attempt = (work: () => Promise<unknown>, onFailure = () => {}) => {
    work().catch((error: unknown) => {
      watched.app.log.warn(describeError(error), `${watched.name} could not be told`)
      onFailure()
    })
  }

  const tellWithin = (ms: number) => {
    if (hasEnded || stream.destroyed) return
    next ??= setTimeout(() => {
      next = null
      tellNow()
    }, ms)
  }

  // The version has moved on: nobody would look at this state again before the next change.
  const tellNow = () => attempt(tell, () => tellWithin(TELL_AGAIN_MS))

  const tellSoon = (reading: SharedReading) => {
    newest = reading
    tellWithin(Math.max(0, saidAt + watched.everyMs - performance.now()))
  }

  const leave = await watch(watched, tellSoon)
  const heart = setInterval(() => {
    say(':\n\n')
    attempt(readmitted)
  }, KEEP_ALIVE_MS)
  closing.addEventListener('abort', end)
  stream.once('close', () => {
    leave()
    clearInterval(heart)
    if (next) clearTimeout(next)
    closing.removeEventListener('abort', end)
  })

  say(`retry: ${RETRY_MS}\n\n`)
  tellNow()
  if (closing.aborted) end()
  return stream
}
