import type { EventScope, Tx } from '../../access/scopes.ts'
import { serializePerEvent } from '../../inventory/per-event.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { announceRejection } from './announce.ts'
import { lockSignupRequests, recordAdditionRejection, recordRejection, rereadRequest } from './reviews/records.ts'
import { type SignupRequest, pendingDecisionOf, refuseOtherDecision } from './rules.ts'

/** Rejects what waits: the request, or only the companions added to it. Nobody is written to. */
export const rejectRequest = (event: EventScope, publicId: string): Promise<SignupRequest> =>
  serializePerEvent(event, event.event.id, () => event.transaction((tx) => reject(tx, event, publicId)))

const reject = async (tx: Tx, event: EventScope, publicId: string): Promise<SignupRequest> => {
  const review = requireFound((await lockSignupRequests(tx, event.event.id, [publicId]))[0])
  const matter = pendingDecisionOf(review.request)
  if (matter.kind === 'request') {
    const request = { ...review.request, reviewedAt: await recordRejection(tx, review.request.id) }
    await announceRejection(tx, event, { request, addition: null })
    return request
  }

  if (matter.kind === 'decided') {
    refuseOtherDecision(matter.wasApproved, false)
    return rereadRequest(tx, review)
  }
  await recordAdditionRejection(tx, matter.addition.id)
  const request = await rereadRequest(tx, review)
  await announceRejection(tx, event, { request, addition: matter.addition.companions })
  return request
}
