import type { Kysely } from 'kysely'
import type { CallerScope, Tx } from '../../access/scopes.ts'
import type { Tables } from '../../database/table-types.ts'
import type { Attempt } from './attempt.ts'
import { endEntries } from './ended/end-entries.ts'
import { lockTickets } from './ended/records.ts'
import { attemptRedemptions, attemptRedemptionsOnce } from './judged/records.ts'
import { findEarlierAttempts, findKnownClientIds } from './kept/records.ts'
import { lockAttemptsOfDevice } from './records.ts'
import type { JudgedAttempt } from './wire.ts'

/**
 * Attempts of one device, each client_id once; those that were made before are answered as they were then, and not made
 * again. Nothing else is attempted by the same device meanwhile.
 */
export const attemptIdempotently = (
  scope: CallerScope,
  credentialId: number,
  attempts: readonly Attempt[],
  onJudged: (tx: Tx, judged: readonly JudgedAttempt[]) => Promise<void> = async () => {},
): Promise<JudgedAttempt[]> =>
  scope.transaction(
    async (tx) => {
      await lockAttemptsOfDevice(tx, credentialId)
      const clientIds = attempts.flatMap(({ clientId }) => clientId ?? [])
      const known = await findKnownClientIds(tx, credentialId, clientIds)
      const fresh = attempts.filter(({ clientId }) => clientId === null || !known.has(clientId))
      const judged = await attemptInOrder(scope, tx, fresh)
      if (known.size === 0) {
        await onJudged(tx, judged)
        return judged
      }

      // Read last: a new attempt of this batch may have changed the ticket of an old one.
      const again = attempts.filter(({ clientId }) => clientId !== null && known.has(clientId))
      const all = [...judged, ...requireAll(await findEarlierAttempts(tx.db, again))]
      await onJudged(tx, all)
      return all
    },
    { isKeyed: true },
  )

/** An entry that may be let in; what a device refused is only written down. */
const isEntry = ({ kind, refused }: Attempt) => kind === 'entry' && refused === null

/** Entries that follow each other are judged together, and so are the ends of entries and what was refused. */
const attemptInOrder = async (scope: CallerScope, tx: Tx, attempts: readonly Attempt[]): Promise<JudgedAttempt[]> => {
  // One statement locks its tickets in one order; what takes several locks all of them first.
  if (!attempts.every(isEntry)) await lockTickets(tx, attempts)
  const judged: JudgedAttempt[] = []
  for (let first = 0; first < attempts.length;) {
    const areEntries = isEntry(attempts[first]!)
    const next = attempts.findIndex((attempt, n) => n > first && isEntry(attempt) !== areEntries)
    const run = attempts.slice(first, next === -1 ? undefined : next)
    judged.push(...(areEntries ? await attemptRedemptions(tx.db, run) : await endEntries(scope, tx, run)))
    first += run.length
  }
  return judged
}

const requireAll = (kept: readonly (JudgedAttempt | null)[]): JudgedAttempt[] =>
  kept.map((attempt) => {
    if (!attempt) throw new Error('An attempt that was known is gone')
    return attempt
  })

/** The same for attempts of many callers, by position; null for one whose device is syncing just now. */
export const attemptEachIdempotently = async (
  db: Kysely<Tables>,
  attempts: readonly Attempt[],
): Promise<(JudgedAttempt | null)[]> => {
  const judged = await attemptRedemptionsOnce(db, attempts)
  const left = attempts.flatMap((attempt, index) => (judged[index] ? [] : [{ attempt, index }]))
  if (left.length === 0) return judged

  const kept = await findEarlierAttempts(
    db,
    left.map(({ attempt }) => attempt),
  )
  for (const [n, { index }] of left.entries()) judged[index] = kept[n]!
  return judged
}
