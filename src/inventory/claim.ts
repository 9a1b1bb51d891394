import type { Rows, Tx } from '../access/scopes.ts'
import { tryClaimInventory } from './claims/records.ts'
import { endExpiredHolds, tryInsertHolds } from './holds/records.ts'
import type { ClaimRequest, HoldOutcome, HoldRequest, Shortage } from './rules.ts'

/** Takes all that is asked for, or nothing; then it says what was short. A hold whose time is over refuses nobody. */
export const claim = async (tx: Tx, asked: ClaimRequest): Promise<Shortage | null> => {
  const refused = await tryClaimInventory(tx, asked)
  if (refused === null || (await endExpiredHolds(tx, asked.eventId)) === 0) return refused
  return tryClaimInventory(tx, asked)
}

/** The same for a checkout under way, until its time is over. */
export const hold = async (tx: Tx, asked: ClaimRequest & { until: Date }): Promise<Shortage | null> =>
  (await holdEach(tx, asked.eventId, [[asked]], asked.until))[0]!.refused

/** The same for several checkouts of one event, in their order: each gets all of its items, or nothing. */
export const holdEach = async (
  rows: Rows,
  eventId: number,
  requests: readonly HoldRequest[],
  until: Date,
): Promise<HoldOutcome[]> => {
  const outcomes = await tryInsertHolds(rows, eventId, requests, until)
  const short = outcomes.flatMap(({ refused }, n) => (refused === null ? [] : [n]))
  if (short.length === 0 || (await endExpiredHolds(rows, eventId)) === 0) return outcomes

  const again = short.map((n) => requests[n]!)
  const second = await tryInsertHolds(rows, eventId, again, until)
  short.forEach((n, position) => (outcomes[n] = second[position]!))
  return outcomes
}
