import type { Tx } from '../access/scopes.ts'
import { claimInventory } from './claims/records.ts'
import { endExpiredHolds, claimAndHold } from './holds/records.ts'
import type { Shortage, Claim } from './rules.ts'

/** Takes all that is asked for, or nothing; then it says what was short. */
export const claim = (tx: Tx, asked: Claim): Promise<Shortage | null> =>
  tryAgainWithoutExpiredHolds(tx, asked.eventId, () => claimInventory(tx, asked))

/** The same for a checkout under way, until its time is over. */
export const hold = (tx: Tx, asked: Claim & { until: Date }): Promise<Shortage | null> =>
  tryAgainWithoutExpiredHolds(tx, asked.eventId, () => claimAndHold(tx, asked))

/** A hold whose time is over refuses nobody: on shortage such holds are ended, and the claim is tried once more. */
const tryAgainWithoutExpiredHolds = async (
  tx: Tx,
  eventId: number,
  attempt: () => Promise<Shortage | null>,
): Promise<Shortage | null> => {
  const refused = await attempt()
  if (refused === null) return null
  return (await endExpiredHolds(tx, eventId)) > 0 ? attempt() : refused
}
