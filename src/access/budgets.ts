import type { Clock } from '../kernel/clock.ts'
import { Refusal } from '../kernel/refusals.ts'

export class TooManyRequests extends Refusal {
  readonly status = 429
  readonly retryAfterSeconds: number

  constructor(retryAfterSeconds: number) {
    super({ base: ['Too many requests'] })
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** So many a minute for each key, all of them at once if need be. */
export interface Budget {
  /** Spends one, or refuses. */
  spend(key: string | number): void
  /** Refuses when nothing is left, without spending: for what only costs when it fails. */
  require(key: string | number): void
}

const MINUTE_MS = 60_000
const KEYS_MAX = 100_000

/** Token buckets in memory, one per key. A bucket that would be full again is forgotten. */
const openBudget = (perMinute: number, clock: Clock): Budget => {
  const buckets = new Map<string | number, { left: number; at: number }>()

  const refill = (key: string | number) => {
    const now = clock.now().getTime()
    const bucket = buckets.get(key)
    const left = bucket ? Math.min(perMinute, bucket.left + ((now - bucket.at) * perMinute) / MINUTE_MS) : perMinute
    return { left, at: now }
  }

  const refuse = (left: number) => {
    throw new TooManyRequests(Math.max(1, Math.ceil(((1 - left) * MINUTE_MS) / perMinute / 1000)))
  }

  const forgetFull = () => {
    for (const key of buckets.keys()) if (refill(key).left >= perMinute) buckets.delete(key)
    if (buckets.size > KEYS_MAX) buckets.clear()
  }

  return {
    spend: (key) => {
      const bucket = refill(key)
      if (bucket.left < 1) refuse(bucket.left)
      if (buckets.size > KEYS_MAX) forgetFull()
      buckets.set(key, { left: bucket.left - 1, at: bucket.at })
    },
    require: (key) => {
      const { left } = refill(key)
      if (left < 1) refuse(left)
    },
  }
}

/** Limits that a real user never meets; only guessing and floods do. Each room names its own. */
export interface Budgets {
  /** The budget of this name, opened when it is first asked for. */
  of(name: string, perMinute: number): Budget
}

export const openBudgets = (enabled: boolean, clock: Clock): Budgets => {
  const budgets = new Map<string, Budget>()
  return {
    of: (name, perMinute) => {
      if (!enabled) return unlimited
      let budget = budgets.get(name)
      if (!budget) {
        budget = openBudget(perMinute, clock)
        budgets.set(name, budget)
      }
      return budget
    },
  }
}

const unlimited: Budget = { spend: () => {}, require: () => {} }
