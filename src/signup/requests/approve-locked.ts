import type { EventScope, Tx } from '../../access/scopes.ts'
import { NotFound, Refusal } from '../../kernel/refusals.ts'
import { queueTicketMails } from '../../tickets-by-mail/queue-tickets.ts'
import { type RequestForWebhook, announceApprovals } from './announce.ts'
import { approveBatch } from './approve-together.ts'
import type { LockedApprovalCase, ApprovalVerdict } from './decide-approval.ts'
import { type LockedSignupRequest, lockSignupRequests, recordApprovals, rereadRequest } from './reviews/records.ts'
import type { SignupRequest } from './rules.ts'

/** A request as somebody asks for its approval: one event for all, but each with its own caller. */
export interface ApprovalRequest {
  event: EventScope
  publicId: string
}

export interface ApprovalOutcomes {
  /** One for each that was asked for, in this order. A refusal has left no trace. */
  outcomes: (SignupRequest | Refusal)[]
  /** Those whose approval issued something now, once each. */
  issuedFor: EventScope[]
}

/** Approves requests of one event in the transaction that is given. */
export const approveInTransaction = async (tx: Tx, asked: readonly ApprovalRequest[]): Promise<ApprovalOutcomes> => {
  const { event } = asked[0]!
  const publicIds = new Set(asked.map(({ publicId }) => publicId))
  const reviews = await lockSignupRequests(tx, event.event.id, [...publicIds])
  const byId = new Map(reviews.map((review) => [review.request.publicId, review]))
  const cases = asked.flatMap(({ publicId, event: scope }): LockedApprovalCase[] => {
    const review = byId.get(publicId)
    // Asked for twice at once: the second is told what the first was.
    return review && publicIds.delete(publicId) ? [{ review, event: scope }] : []
  })
  const verdicts = await approveBatch(tx, cases)

  const reviewedAt = await recordAll(tx, [...verdicts.values()])
  const told = new Map<string, SignupRequest | Refusal>()
  for (const [{ review }, verdict] of verdicts)
    told.set(review.request.publicId, await tell(tx, review, verdict, reviewedAt))
  await announceApprovals(tx, event, () => approvedAmong(verdicts, told))
  return {
    outcomes: asked.map(({ publicId }) => told.get(publicId) ?? new NotFound()),
    issuedFor: [...verdicts].flatMap(([{ event: scope }, verdict]) => (verdict.kind === 'issued' ? [scope] : [])),
  }
}

const recordAll = async (tx: Tx, verdicts: readonly ApprovalVerdict[]): Promise<Date | null> => {
  const issued = verdicts.filter((verdict) => verdict.kind === 'issued')
  const approved = issued.flatMap(({ approval }) => approval ?? [])
  const reviewedAt = approved.length > 0 ? await recordApprovals(tx, approved) : null
  if (issued.length > 0)
    await queueTicketMails(
      tx,
      issued.map(({ order }) => order.id),
      'issued',
    )
  return reviewedAt
}

const tell = async (tx: Tx, review: LockedSignupRequest, verdict: ApprovalVerdict, reviewedAt: Date | null) => {
  if (verdict.kind === 'refused') return verdict.refusal
  if (verdict.kind === 'repeated' || verdict.approval === null) return rereadRequest(tx, review)
  return { ...review.request, reviewedAt, orderId: verdict.order.id, orderPublicId: verdict.order.publicId }
}

const approvedAmong = (
  verdicts: Map<LockedApprovalCase, ApprovalVerdict>,
  told: Map<string, SignupRequest | Refusal>,
): RequestForWebhook[] =>
  [...verdicts].flatMap(([{ review }, verdict]) => {
    const request = told.get(review.request.publicId)
    if (verdict.kind !== 'issued' || !request || request instanceof Refusal) return []
    return { request, addition: verdict.approval ? null : verdict.order.admissions.length, order: verdict.order }
  })
