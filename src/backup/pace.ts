import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { isDatabaseBusy } from './records.ts'
import { restAfter } from './rules.ts'

/** Work is not interrupted for less. */
const SLICE_MS = 5
const LOOK_MS = 100
/** How much the newest look counts against all before it. */
const NEWEST = 0.2

export interface Pace {
  /** Called between two bits of work; rests if others need the database. */
  giveWay(): Promise<void>
}

/**
 * A backup takes a database and a core to themselves for as long as nobody else wants them. `looking` is a connection of its own
 * to the same server.
 */
export const keepPace = (looking: pg.ClientBase): Pace => {
  let busyShare: number | null = null
  let lookedAt = -Infinity
  let worksSince = performance.now()
  return {
    giveWay: async () => {
      const now = performance.now()
      const workedMs = now - worksSince
      if (workedMs < SLICE_MS) return
      if (now - lookedAt >= LOOK_MS) {
        const found = (await isDatabaseBusy(looking)) ? 1 : 0
        busyShare = busyShare === null ? found : busyShare + (found - busyShare) * NEWEST
        lookedAt = now
      }
      const restMs = restAfter(workedMs, busyShare ?? 0)
      if (restMs > 0) await delay(restMs)
      worksSince = performance.now()
    },
  }
}
