import type { Rows, Tx } from '../access/scopes.ts'
import { endExpiredHolds, insertHold, takeClaim } from './records.ts'
import type { Bound, Claim } from './rules.ts'

/** Takes all that is asked for, or nothing; then it says what was short. */
export const claim = (tx: Tx, asked: Claim): Promise<Bound | null> =>
  tryAgainWithoutExpiredHolds(
    tx,
    asked.eventId,
    () => takeClaim(tx, asked),
    (refused) => refused,
  )

/** The same for a checkout under way, until its time is over. */
export const hold = (tx: Tx, asked: Claim & { until: Date }): Promise<Bound | null> =>
  tryAgainWithoutExpiredHolds(
    tx,
    asked.eventId,
    () => insertHold(tx, asked),
    (refused) => refused,
  )

/** A hold whose time is over refuses nobody: on shortage such holds are ended, and the claim is tried once more. */
export const tryAgainWithoutExpiredHolds = async <Outcome>(
  rows: Rows,
  eventId: number,
  attempt: () => Promise<Outcome>,
  refusedBy: (outcome: Outcome) => Bound | null,
): Promise<Outcome> => {
  const outcome = await attempt()
  if (refusedBy(outcome) === null) return outcome
  return (await endExpiredHolds(rows, eventId)) > 0 ? attempt() : outcome
}
