import { type EventScope, type Tx, addAuditEntries } from '../../access/scopes.ts'
import { useGenericPlans } from '../../database/prepared.ts'
import { batchPerEvent } from '../../inventory/per-event.ts'
import { NotFound, Refusal } from '../../kernel/refusals.ts'
import { queueTickets } from '../../tickets-by-mail/queue-tickets.ts'
import { type AnnouncedRequest, announceApprovals } from './announce.ts'
import { approveTogether } from './approve-together.ts'
import type { ApprovalCase, Verdict } from './decide-approval.ts'
import { type LockedSignupRequest, lockSignupRequests, recordApprovals, reread } from './reviews/records.ts'
import type { SignupRequest } from './rules.ts'

/** Approves what waits: the request, or companions added to it. The party and its mail come with the decision. */
export const approveRequest = async (event: EventScope, publicId: string): Promise<SignupRequest> => {
  const outcome = await approvals({ event, publicId })
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

interface Asked {
  event: EventScope
  publicId: string
}

const approveAll = async (tx: Tx, asked: readonly Asked[]): Promise<(SignupRequest | Refusal)[]> => {
  const { event } = asked[0]!
  await useGenericPlans(tx.db)
  const publicIds = new Set(asked.map(({ publicId }) => publicId))
  const reviews = await lockSignupRequests(tx, event.event.id, [...publicIds])
  const byId = new Map(reviews.map((review) => [review.request.publicId, review]))
  const cases = asked.flatMap(({ publicId, event: scope }): ApprovalCase[] => {
    const review = byId.get(publicId)
    // Asked for twice at once: the second is told what the first was.
    return review && publicIds.delete(publicId) ? [{ review, event: scope }] : []
  })
  const verdicts = await approveTogether(tx, cases)

  const reviewedAt = await recordAll(tx, [...verdicts.values()])
  await addAuditEntries(
    tx,
    [...verdicts].flatMap(([{ event: scope }, verdict]) => (verdict.kind === 'issued' ? [scope] : [])),
  )
  const told = new Map<string, SignupRequest | Refusal>()
  for (const [{ review }, verdict] of verdicts)
    told.set(review.request.publicId, await tell(tx, review, verdict, reviewedAt))
  await announceApprovals(tx, event, () => approvedAmong(verdicts, told))
  return asked.map(({ publicId }) => told.get(publicId) ?? new NotFound())
}

/**
 * Approvals of one event that arrive together are one transaction, because they would wait for each other anyway. Each
 * is answered for itself: a refusal leaves no trace, so nobody else's approval has to be rolled back for it.
 */
const approvals = batchPerEvent(approveAll)

const recordAll = async (tx: Tx, verdicts: readonly Verdict[]): Promise<Date | null> => {
  const issued = verdicts.filter((verdict) => verdict.kind === 'issued')
  const approved = issued.flatMap(({ approval }) => approval ?? [])
  const reviewedAt = approved.length > 0 ? await recordApprovals(tx, approved) : null
  if (issued.length > 0)
    await queueTickets(
      tx,
      issued.map(({ order }) => order.id),
      'issued',
    )
  return reviewedAt
}

const tell = async (tx: Tx, review: LockedSignupRequest, verdict: Verdict, reviewedAt: Date | null) => {
  if (verdict.kind === 'refused') return verdict.refusal
  if (verdict.kind === 'repeated' || verdict.approval === null) return reread(tx, review)
  return { ...review.request, reviewedAt, orderId: verdict.order.id, orderPublicId: verdict.order.publicId }
}

const approvedAmong = (
  verdicts: Map<ApprovalCase, Verdict>,
  told: Map<string, SignupRequest | Refusal>,
): AnnouncedRequest[] =>
  [...verdicts].flatMap(([{ review }, verdict]) => {
    const request = told.get(review.request.publicId)
    if (verdict.kind !== 'issued' || !request || request instanceof Refusal) return []
    return { request, addition: verdict.approval ? null : verdict.order.admissions.length, order: verdict.order }
  })
