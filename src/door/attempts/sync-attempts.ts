import type { CallerScope } from '../../access/scopes.ts'
import type { JudgedAttempt } from '../wire.ts'
import type { GivenAttempt } from './body.ts'
import {
  type Attempt,
  attemptRedemptions,
  findEventIds,
  findKeptAttempts,
  findKnownClientIds,
  lockAttemptsOf,
} from './records.ts'

/** Names no event, so that nothing is found under a slug that does not exist. */
const NO_EVENT = 0

/** What a device scanned while it was offline, in its own order. The same client_id twice is one attempt. */
export const syncAttempts = async (scope: CallerScope, given: readonly GivenAttempt[]): Promise<JudgedAttempt[]> => {
  if (given.length === 0) return []
  const events = await findEventIds(scope, [...new Set(given.map(({ eventSlug }) => eventSlug))])

  const attempts = new Map<string, Attempt>()
  for (const each of given) {
    if (attempts.has(each.clientId)) continue
    attempts.set(each.clientId, {
      accountId: scope.account.id,
      credentialId: scope.credential.id,
      eventId: events.get(each.eventSlug) ?? NO_EVENT,
      membershipId: null,
      eventSlug: each.eventSlug,
      identifier: { publicId: each.publicId, code: null },
      clientId: each.clientId,
      scannedAt: each.scannedAt,
    })
  }

  const judged = await attemptOnce(scope, attempts)
  return given.map(({ clientId }) => judged.get(clientId)!)
}

/** Attempts that were made before are answered as they were then, and not made again. */
export const attemptOnce = (
  scope: CallerScope,
  attempts: ReadonlyMap<string, Attempt>,
): Promise<Map<string, JudgedAttempt>> =>
  scope.transaction(async (tx) => {
    const credentialId = scope.credential.id
    await lockAttemptsOf(tx, credentialId)
    const known = await findKnownClientIds(tx, credentialId, [...attempts.keys()])
    const fresh = [...attempts.values()].filter(({ clientId }) => !known.has(clientId!))
    const judged = fresh.length > 0 ? await attemptRedemptions(tx.db, fresh) : []
    // Read last: a new attempt of this batch may have changed the ticket of an old one.
    const kept = known.size > 0 ? await findKeptAttempts(tx, credentialId, [...known]) : []
    return new Map([...judged, ...kept].map((attempt) => [attempt.clientId!, attempt]))
  })
