import { hash } from 'node:crypto'
import { type CoalesceOptions, coalesce } from '../database/coalesce.ts'
import type { Database } from '../database/database.ts'
import type { Clock } from '../kernel/clock.ts'
import { MINUTE_MS } from '../kernel/durations.ts'
import { TooManyRequests } from '../kernel/refusals.ts'
import { type BudgetChange, type ChangedBudget, changeBudgets } from './budget-records.ts'

/** So many a minute for each key, counted by all processes on one database together. */
export interface SharedBudget {
  /** Spends before it is known how it ends, or refuses. What ends well is given back. */
  spend(key: string | number, count?: number): Promise<RefundableSpending>
  /**
   * For look-ups that mostly succeed and that every request makes. As long as nobody has missed lately nothing is spent
   * beforehand, so whoever knows what to ask for costs no statement; misses stay spent. From the first miss on,
   * everything is spent before it is looked up and given back if it was there, until the budget is whole again.
   */
  guess<T>(key: string | number, count: number, lookUp: () => Promise<LookupWithMisses<T>>): Promise<T>
}

export interface RefundableSpending {
  giveBack(count?: number): Promise<void>
}

export interface LookupWithMisses<T> {
  found: T
  /** How many of what was looked up is not there. */
  misses: number
}

interface SharedBudgetOptions {
  clock: Clock
  database: Database
  onTrouble: (error: Error) => void
}

const MINUTE_US = 60_000_000
const KEYS_MAX = 100_000
/** One connection is enough: what arrives meanwhile leaves together. */
const BATCHES: CoalesceOptions = { maxBatch: 64, concurrency: 1 }

/** What this process knows of a key. */
interface Account {
  digest: Buffer
  /** How many are at it, in whatever way; while somebody is, it is not forgotten. */
  users: number
  /** Spendings of one key wait for each other here rather than at the row. */
  last: Promise<unknown>
  /** Look-ups for which nothing was spent beforehand. */
  underWay: number
  waiting: (() => void)[]
  /** Until then something is spent, as far as we know. */
  watchedUntil: number
  /** Until then nothing is granted, so nobody needs to be asked. */
  refusedUntil: number
}

export const openSharedBudgets = ({ clock, database, onTrouble }: SharedBudgetOptions) => {
  const move = coalesce((moves: BudgetChange[]) => changeBudgets(database, moves), BATCHES)
  return (perMinute: number, name: string): SharedBudget =>
    openSharedBudget({ perMinute, name, move, onTrouble, now: () => clock.now().getTime() })
}

interface Opening {
  perMinute: number
  name: string
  move: (move: BudgetChange) => Promise<ChangedBudget>
  now: () => number
  onTrouble: (error: Error) => void
}

const openSharedBudget = ({ perMinute, name, move, now, onTrouble }: Opening): SharedBudget => {
  const unitUs = Math.floor(MINUTE_US / perMinute)
  const unitMs = unitUs / 1000
  const { use } = openAccounts(name, now)

  /** Moves of one key follow each other, so that a statement has each once. */
  const settle = async (account: Account, count: number): Promise<ChangedBudget> => {
    const before = account.last
    const { promise, resolve } = Promise.withResolvers<void>()
    account.last = promise
    try {
      await before
      if (count > 0) requireHope(account)
      return await move({ digest: account.digest, microseconds: count * unitUs })
    } finally {
      resolve()
    }
  }

  const requireHope = ({ refusedUntil }: Account) => {
    const waitMs = refusedUntil - now()
    if (waitMs > 0) throw new TooManyRequests(waitMs)
  }

  const spendFrom = async (account: Account, count: number) => {
    requireHope(account)
    if (count > perMinute) throw new TooManyRequests(MINUTE_MS)
    const { isGranted, fullInMs } = await settle(account, count)
    account.watchedUntil = now() + fullInMs
    if (isGranted) return
    account.refusedUntil = now() + fullInMs + unitMs - MINUTE_MS
    throw new TooManyRequests(fullInMs + count * unitMs - MINUTE_MS)
  }

  /** Whoever was right is not told otherwise because this failed; a minute later it makes no difference. */
  const giveBackTo = async (account: Account, count: number) => {
    account.refusedUntil = 0
    await settle(account, -count).catch(onTrouble)
  }

  const guessAtCost = async <T>(
    account: Account,
    count: number,
    lookUp: () => Promise<LookupWithMisses<T>>,
  ): Promise<T> => {
    await spendFrom(account, count)
    let misses = 0
    try {
      const guessed = await lookUp()
      misses = guessed.misses
      return guessed.found
    } finally {
      if (misses < count) await giveBackTo(account, count - misses)
    }
  }

  const guessFreely = async <T>(
    account: Account,
    count: number,
    lookUp: () => Promise<LookupWithMisses<T>>,
  ): Promise<T> => {
    account.underWay += count
    try {
      const { found, misses } = await lookUp()
      if (misses > 0) await spendFrom(account, misses)
      return found
    } finally {
      account.underWay -= count
      for (const wake of account.waiting.splice(0)) wake()
    }
  }

  const isWatched = ({ watchedUntil }: Account) => watchedUntil > now()

  /** Never more under way than the budget holds; and what is spent beforehand waits for what was not. */
  const mustWait = (account: Account, count: number) =>
    account.underWay > 0 && (isWatched(account) || account.underWay + count > perMinute)

  return {
    spend: (key, count = 1) =>
      use(key, async (account) => {
        await spendFrom(account, count)
        return { giveBack: (back = count) => use(key, (found) => giveBackTo(found, back)) }
      }),

    guess: (key, count, lookUp) =>
      use(key, async (account) => {
        while (mustWait(account, count)) await new Promise<void>((resolve) => account.waiting.push(resolve))
        return isWatched(account) ? guessAtCost(account, count, lookUp) : guessFreely(account, count, lookUp)
      }),
  }
}

const openAccounts = (name: string, now: () => number) => {
  const accounts = new Map<string | number, Account>()

  const accountOf = (key: string | number): Account => {
    const known = accounts.get(key)
    if (known) return known
    if (accounts.size >= KEYS_MAX) forgetUnused()
    const account: Account = {
      digest: hash('sha256', `${name}\n${key}`, 'buffer'),
      users: 0,
      last: Promise.resolve(),
      underWay: 0,
      waiting: [],
      watchedUntil: 0,
      refusedUntil: 0,
    }
    accounts.set(key, account)
    return account
  }

  /** What is forgotten here the database still knows. */
  const forgetUnused = () => {
    for (const [key, { users }] of accounts) if (users === 0) accounts.delete(key)
  }

  const use = async <T>(key: string | number, work: (account: Account) => Promise<T>): Promise<T> => {
    const account = accountOf(key)
    account.users++
    try {
      return await work(account)
    } finally {
      account.users--
      if (account.users === 0 && account.watchedUntil <= now()) accounts.delete(key)
    }
  }

  return { use }
}
