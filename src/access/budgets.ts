import type { Database } from '../database/database.ts'
import type { Clock } from '../kernel/clock.ts'
import { MINUTE_MS } from '../kernel/durations.ts'
import { TooManyRequests } from '../kernel/refusals.ts'
import { type SharedBudget, openSharedBudgets } from './shared-budget.ts'

/** So many a minute for each key, all of them at once if need be; counted in this process alone. */
export interface Budget {
  /** Spends one, or refuses. */
  spend(key: string | number): void
}

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

  const forgetFull = () => {
    for (const key of buckets.keys()) if (refill(key).left >= perMinute) buckets.delete(key)
    if (buckets.size > KEYS_MAX) buckets.clear()
  }

  return {
    spend: (key) => {
      const { left, at } = refill(key)
      if (left < 1) throw new TooManyRequests(((1 - left) * MINUTE_MS) / perMinute)
      if (buckets.size > KEYS_MAX) forgetFull()
      buckets.set(key, { left: left - 1, at })
    },
  }
}

/** Limits that a real user never meets; only guessing and floods do. Each room names its own. */
export interface Budgets {
  /** The budget of this name, opened when it is first asked for: for floods, which each process bears by itself. */
  of(name: string, perMinute: number): Budget
  /** The same across all processes on one database: for passwords, codes and links that could be guessed. */
  shared(name: string, perMinute: number): SharedBudget
}

export interface BudgetOptions {
  isEnabled: boolean
  clock: Clock
  database: Database
  /** Told when something that turned out right could not be given back. */
  onTrouble?: (error: Error) => void
}

export const openBudgets = ({ isEnabled, clock, database, onTrouble = () => {} }: BudgetOptions): Budgets => {
  if (!isEnabled) return { of: () => unlimited, shared: () => unlimitedShared }
  const openShared = openSharedBudgets({ clock, database, onTrouble })
  return { of: byName((perMinute) => openBudget(perMinute, clock)), shared: byName(openShared) }
}

const byName = <T>(open: (perMinute: number, name: string) => T) => {
  const opened = new Map<string, T>()
  return (name: string, perMinute: number): T => {
    let budget = opened.get(name)
    if (!budget) {
      budget = open(perMinute, name)
      opened.set(name, budget)
    }
    return budget
  }
}

const unlimited: Budget = { spend: () => {} }

const unlimitedShared: SharedBudget = {
  spend: async () => ({ giveBack: async () => {} }),
  guess: async (_key, _count, lookUp) => (await lookUp()).found,
}
