import type { App } from '../../access/app.ts'
import { openAccountForJob } from '../../access/job-scope.ts'
import type { AccountScope, Rows, Tx } from '../../access/scopes.ts'

/** A row that stands for something to be sent to somebody outside. */
export interface DeliverySteps<Claimed, Outcome> {
  /** Takes the row for this attempt, with what is to be sent; nothing when it is over, not due, or somebody is at it. */
  claim(tx: Tx): Promise<Claimed | undefined>
  /** In how many seconds the row may be claimed; null when it is over. */
  findWait(rows: Rows): Promise<number | null>
  /** Sends it, outside of any transaction. A failure is an outcome too. */
  attempt(scope: AccountScope, claimed: Claimed): Promise<Outcome>
  /** Writes the outcome, if the claim is still the latest, and whatever follows from it. */
  record(scope: AccountScope, tx: Tx, claimed: Claimed, outcome: Outcome): Promise<void>
  queue(tx: Tx, runAt: Date): Promise<void>
}

/**
 * One attempt at a delivery. The row is the truth: it is claimed before anything goes out, and the outcome counts only
 * for the latest claim. Answers with the outcome; null when there was nothing to do now.
 */
export const attemptDelivery = async <Claimed, Outcome>(
  app: App,
  accountId: number,
  delivery: DeliverySteps<Claimed, Outcome>,
): Promise<Outcome | null> => {
  const scope = await openAccountForJob(app, accountId)
  if (!scope) return null
  const claimed = await scope.transaction((tx) => delivery.claim(tx))
  if (!claimed) {
    await comeBack(scope, delivery)
    return null
  }
  const outcome = await delivery.attempt(scope, claimed)
  await scope.transaction((tx) => delivery.record(scope, tx, claimed, outcome))
  return outcome
}

/** Woken too early, or while another worker that may have died holds the claim: nobody else would think of it. */
const comeBack = async <Claimed, Outcome>(scope: AccountScope, delivery: DeliverySteps<Claimed, Outcome>) => {
  const seconds = await delivery.findWait(scope.rows)
  if (seconds !== null) await scope.transaction((tx) => delivery.queue(tx, timeInSeconds(seconds)))
}

export const timeInSeconds = (seconds: number): Date => new Date(Date.now() + Math.max(seconds, 1) * 1000)
