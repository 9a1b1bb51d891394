import type { Readable } from 'node:stream'
import type { AppServices } from '../access/app.ts'
import type { CallerScope } from '../access/scopes.ts'
import { TooManyRequests } from '../kernel/refusals.ts'

/** A stream looks at the board whenever it changes, so many of them make every change dear. Counted in this process. */
const STREAMS_PER_CREDENTIAL = 30
const STREAMS_PER_ACCOUNT = 300
const WAIT_MS = 10_000

const counts = new WeakMap<AppServices, Map<string, number>>()

const countsOf = (app: AppServices) => {
  const known = counts.get(app) ?? new Map<string, number>()
  counts.set(app, known)
  return known
}

/** Opens a stream that counts until it is closed, or refuses. */
export const openStreamWithinLimits = async (scope: CallerScope, open: () => Promise<Readable>): Promise<Readable> => {
  const opened = countsOf(scope.app)
  const ceilings: [string, number][] = [
    [`credential ${scope.credential.id}`, STREAMS_PER_CREDENTIAL],
    [`account ${scope.account.id}`, STREAMS_PER_ACCOUNT],
  ]
  const isFull = ceilings.some(([key, most]) => (opened.get(key) ?? 0) >= most)
  if (isFull && scope.app.settings.rateLimits) throw new TooManyRequests(WAIT_MS)

  for (const [key] of ceilings) opened.set(key, (opened.get(key) ?? 0) + 1)
  const leave = () => {
    for (const [key] of ceilings) {
      const left = opened.get(key)! - 1
      if (left === 0) opened.delete(key)
      else opened.set(key, left)
    }
  }
  try {
    return (await open()).once('close', leave)
  } catch (error) {
    leave()
    throw error
  }
}
