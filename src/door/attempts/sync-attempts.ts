import type { CallerScope } from '../../access/scopes.ts'
import { attemptIdempotently } from './attempt-once.ts'
import type { Attempt } from './attempt.ts'
import type { AttemptInput } from './body.ts'
import { findVisibleEventIds, recordConflicts } from './records.ts'
import type { JudgedAttempt } from './wire.ts'

/** Names no event, so that nothing is found under a slug that does not exist. */
const NO_EVENT = 0

/**
 * What a device scanned while it was offline, in its own order. The same client_id twice is one attempt. The device is the
 * caller itself, or one whose scans the caller hands in.
 */
export const syncAttempts = async (
  scope: CallerScope,
  given: readonly AttemptInput[],
  credentialId = scope.credential.id,
): Promise<JudgedAttempt[]> => {
  if (given.length === 0) return []
  const events = await findVisibleEventIds(scope, [...new Set(given.map(({ eventSlug }) => eventSlug))])

  const attempts = new Map<string, Attempt>()
  for (const each of given) {
    if (attempts.has(each.clientId)) continue
    attempts.set(each.clientId, {
      accountId: scope.account.id,
      credentialId,
      eventId: events.get(each.eventSlug) ?? NO_EVENT,
      membershipId: scope.boundMembershipId,
      eventSlug: each.eventSlug,
      identifier: { publicId: each.publicId, code: null },
      clientId: each.clientId,
      scannedAt: each.scannedAt,
      kind: each.kind,
      reason: each.reason,
      refused: each.refused,
    })
  }

  const judged = await attemptIdempotently(scope, credentialId, [...attempts.values()], async (tx, all) => {
    // Whom the device refused as well, after it had not heard the server's answer, is nobody's concern any more.
    const conflicts = all.flatMap(({ result, clientId }) =>
      result === 'conflict' && clientId && attempts.get(clientId)?.refused === null ? [clientId] : [],
    )
    if (conflicts.length > 0) await recordConflicts(tx, credentialId, conflicts)
  })
  const { metrics } = scope.app
  if (metrics) for (const { result } of judged) metrics.countScan('sync', result)
  const results = new Map(judged.map((attempt) => [attempt.clientId, attempt]))
  return given.map(({ clientId }) => results.get(clientId)!)
}
