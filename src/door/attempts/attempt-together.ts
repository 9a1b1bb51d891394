import type { Kysely } from 'kysely'
import type { CallerScope } from '../../access/scopes.ts'
import { coalesce } from '../../database/coalesce.ts'
import { isStatementFault, movingAccountOf } from '../../database/database.ts'
import type { Tables } from '../../database/table-types.ts'
import { redeemUncontested } from './at-once/records.ts'
import { attemptEachIdempotently, attemptIdempotently } from './attempt-once.ts'
import type { Attempt } from './attempt.ts'
import { waitForSyncOfDevice } from './records.ts'
import type { JudgedAttempt } from './wire.ts'

/**
 * Online attempts that arrive together leave together, with an Idempotency-Key or without. Most are done at once; the rest
 * line up again, to be judged one after the other. Only where a device syncs at the same moment its attempts wait, and
 * where the database will not have a whole batch each is made alone. Of an account that moves to another server nobody else
 * notices anything.
 */
export const attemptBatched = async (scope: CallerScope, attempt: Attempt): Promise<JudgedAttempt> => {
  const { redeem, judge, untilSynced } = linesOf(scope.keyLookups.db)
  const judged = (isPlain(attempt) ? (await redeem(attempt))() : null) ?? (await judge(attempt))()
  if (judged) return judged
  await untilSynced(scope)
  return (await judge(attempt))() ?? (await attemptIdempotently(scope, attempt.credentialId, [attempt]))[0]!
}

/** A ticket that was scanned, by somebody whom the whole account is open to. */
const isPlain = ({ identifier, membershipId }: Attempt) => identifier.code === null && membershipId === null

/** Null for what could not be answered this way. */
type Answered = (JudgedAttempt | null)[]

/** The answer of one among many, or what kept it from being answered. */
type Answer = () => JudgedAttempt | null

interface Lines {
  redeem(attempt: Attempt): Promise<Answer>
  judge(attempt: Attempt): Promise<Answer>
  untilSynced(scope: CallerScope): Promise<void>
}

/**
 * The lines in front of each database. While one batch is flushed to disk the next one is redeemed; they wait for no
 * ticket of each other's. What has to be judged waits for tickets, so there is one batch of it at a time.
 */
const lines = new WeakMap<Kysely<Tables>, Lines>()

const linesOf = (db: Kysely<Tables>): Lines => {
  let known = lines.get(db)
  if (!known) {
    known = {
      redeem: coalesce(
        besideMovingAccounts((attempts) => redeemTogether(db, attempts)),
        { concurrency: 2 },
      ),
      judge: coalesce(
        besideMovingAccounts((attempts) => judgeTogether(db, attempts)),
        { concurrency: 1 },
      ),
      untilSynced: openWaitingRoom(),
    }
    lines.set(db, known)
  }
  return known
}

/**
 * Scans of all accounts of a server leave together, and of one that is moving to another none can be written. Those are told
 * to come again, and the others go without them.
 */
const besideMovingAccounts =
  (run: (attempts: Attempt[]) => Promise<Answered>) =>
  async (attempts: Attempt[]): Promise<Answer[]> => {
    const refused = new Map<number, unknown>()
    for (;;) {
      const others = attempts.filter(({ accountId }) => !refused.has(accountId))
      try {
        const answered = others.length > 0 ? await run(others) : []
        if (refused.size === 0) return answered.map((judged) => () => judged)
        const byAttempt = new Map(others.map((attempt, n) => [attempt, answered[n]!]))
        return attempts.map((attempt) => () => {
          if (refused.has(attempt.accountId)) throw refused.get(attempt.accountId)
          return byAttempt.get(attempt) ?? null
        })
      } catch (error) {
        const moving = movingAccountOf(error)
        if (moving === null || !others.some(({ accountId }) => accountId === moving)) throw error
        refused.set(moving, error)
      }
    }
  }

/** Of several attempts with one key the first goes along; the others are told what became of it, or that it is another's. */
const redeemTogether = async (db: Kysely<Tables>, attempts: Attempt[]): Promise<Answered> => {
  const firsts = withoutRepeats(attempts)
  const judged = await unlessAtFault(firsts, (batch) => redeemUncontested(db, batch))
  if (firsts.length === attempts.length) return judged
  const byAttempt = new Map(firsts.map((attempt, index) => [attempt, judged[index]]))
  return attempts.map((attempt) => byAttempt.get(attempt) ?? null)
}

const withoutRepeats = (attempts: Attempt[]): Attempt[] => {
  const keys = new Set<string>()
  return attempts.filter(({ credentialId, clientId }) => {
    if (clientId === null) return true
    const before = keys.size
    return keys.add(`${credentialId} ${clientId}`).size > before
  })
}

/** A key that another process made known meanwhile is found when the batch is judged once more. */
const judgeTogether = (db: Kysely<Tables>, attempts: Attempt[]): Promise<Answered> =>
  attemptEachIdempotently(db, attempts).catch((error: unknown) => {
    if (!isStatementFault(error)) throw error
    return unlessAtFault(attempts, (batch) => attemptEachIdempotently(db, batch))
  })

/** What the database would not have, it has not done. Whose fault it was shows when each is attempted alone. */
const unlessAtFault = (attempts: Attempt[], run: (attempts: Attempt[]) => Promise<Answered>): Promise<Answered> =>
  run(attempts).catch((error: unknown) => {
    if (!isStatementFault(error)) throw error
    return attempts.map(() => null)
  })

/** However many requests of a device wait until it has synced, one connection does. */
const openWaitingRoom = () => {
  const waiting = new Map<number, Promise<void>>()
  return (scope: CallerScope): Promise<void> => {
    const { id } = scope.credential
    let synced = waiting.get(id)
    if (!synced) {
      synced = waitForSyncOfDevice(scope.rows, id).finally(() => waiting.delete(id))
      waiting.set(id, synced)
    }
    return synced
  }
}
