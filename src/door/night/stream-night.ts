import { Readable } from 'node:stream'
import type { AppServices } from '../../access/app.ts'
import type { EventScope } from '../../access/scopes.ts'
import { describeError } from '../../kernel/log.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { readNight } from './read-night.ts'
import { findNightVersion } from './records.ts'
import { showNight } from './wire.ts'

const LOOK_MS = 1_000
const KEEP_ALIVE_MS = 10_000
const RETRY_MS = 2_000
/** Whoever reads this far behind comes back later. */
const BACKLOG_MAX = 1024 * 1024

interface Watcher {
  listeners: Set<() => void>
  stop: () => void
}

const watchers = new WeakMap<AppServices, Map<number, Watcher>>()

/**
 * Calls back after changes to what the night shows. However many watch an event in this process, it is looked at once a
 * second: a notice for every redemption would cost those who redeem.
 */
const watchNight = async (scope: EventScope, hear: () => void): Promise<() => void> => {
  const known = watchers.get(scope.app) ?? new Map<number, Watcher>()
  watchers.set(scope.app, known)
  const { id } = scope.event
  if (!known.has(id)) {
    const version = await findNightVersion(scope)
    if (!known.has(id)) known.set(id, openWatcher(scope, version))
  }
  const watcher = known.get(id)!
  watcher.listeners.add(hear)
  return () => {
    watcher.listeners.delete(hear)
    if (watcher.listeners.size > 0) return
    watcher.stop()
    if (known.get(id) === watcher) known.delete(id)
  }
}

const openWatcher = (scope: EventScope, first: string): Watcher => {
  const listeners = new Set<() => void>()
  let version = first
  let isLooking = false
  const look = async () => {
    if (isLooking) return
    isLooking = true
    try {
      const now = await findNightVersion(scope)
      if (now !== version) for (const hear of listeners) hear()
      version = now
    } catch (error) {
      scope.app.log.warn(describeError(error), 'a night could not be looked at')
    } finally {
      isLooking = false
    }
  }
  const timer = setInterval(() => void look(), LOOK_MS)
  return { listeners, stop: () => clearInterval(timer) }
}

interface NightListener {
  event: EventScope
  readmit: () => Promise<{ event: EventScope }>
  closing: AbortSignal
}

/**
 * The whole night, at once and then after changes, at most once a second, until the listener leaves, the server stops or
 * the credential dies: who listens is looked up anew before every message.
 */
export const streamNight = async ({ event, readmit, closing }: NightListener): Promise<Readable> => {
  const stream = new Readable({ read: () => {} })
  let hasEnded = false
  let saidAt = 0
  let next: NodeJS.Timeout | null = null

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
      return (await readmit()).event
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      end()
      return null
    }
  }

  const tell = async () => {
    saidAt = performance.now()
    const scope = await readmitted()
    if (scope) say(`event: night\ndata: ${JSON.stringify(showNight(await readNight(scope)))}\n\n`)
  }

  const attempt = (work: () => Promise<unknown>) => {
    work().catch((error: unknown) => {
      event.app.log.warn(describeError(error), 'a night could not be told')
    })
  }

  const tellSoon = () => {
    next ??= setTimeout(
      () => {
        next = null
        attempt(tell)
      },
      Math.max(0, saidAt + LOOK_MS - performance.now()),
    )
  }

  const leave = await watchNight(event, tellSoon)
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
  attempt(tell)
  if (closing.aborted) end()
  return stream
}
