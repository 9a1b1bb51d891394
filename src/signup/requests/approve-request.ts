import type { EventScope, Tx } from '../../access/scopes.ts'
import type { Order } from '../../admissions/rules.ts'
import { NotFound, Refusal, found, refuseUnless } from '../../kernel/refusals.ts'
import { queueTickets } from '../../tickets-by-mail/queue-tickets.ts'
import { together } from '../in-turn.ts'
import { type Grounds, approvalOf, issueAddition, issueRequest } from './issue-guests.ts'
import { type Approval, type Review, findRequest, lockReviews, recordApprovals } from './records.ts'
import { type SignupRequest, matterOf, requireSameDecision } from './rules.ts'

/** Approves what waits: the request, or companions added to it. The party and its mail come with the decision. */
export const approveRequest = async (event: EventScope, publicId: string): Promise<SignupRequest> => {
  const outcome = await approvals(event, event.event.id, { event, publicId })
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

interface Asked {
  event: EventScope
  publicId: string
}

/**
 * Approvals of one event that arrive together are one transaction, because they would wait for each other anyway. Each
 * is answered for itself: a refusal leaves no trace, so nobody else's approval has to be rolled back for it.
 */
const approvals = together((asked: Asked[]): Promise<(SignupRequest | Refusal)[]> => {
  const { event } = asked[0]!
  return event.unnoted().transaction(async (tx) => {
    const reviews = await lockReviews(
      tx,
      event.event.id,
      asked.map(({ publicId }) => publicId),
    )
    const byId = new Map(reviews.map((review) => [review.request.publicId, review]))

    const taken = new Map<number, number>()
    const judged = new Map<string, Judged>()
    for (const { event: scope, publicId } of asked) {
      const review = byId.get(publicId)
      // Asked for twice at once: the second is told what the first was.
      if (review && !judged.has(publicId)) judged.set(publicId, await judge(tx, scope, review, taken))
    }

    const reviewedAt = await recordAll(tx, [...judged.values()])
    const told = new Map<string, SignupRequest | Refusal>()
    for (const [publicId, verdict] of judged)
      told.set(publicId, await tell(tx, byId.get(publicId)!, verdict, reviewedAt))
    return asked.map(({ publicId }) => told.get(publicId) ?? new NotFound())
  })
})

type Judged =
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'repeated' }
  /** Without an approval when it was for companions, who are recorded already. */
  | { kind: 'issued'; order: Order; approval: Approval | null }

/** What the others of this round took from a link's quota counts, although the row was read before. */
const judge = async (tx: Tx, event: EventScope, review: Review, taken: Map<number, number>): Promise<Judged> => {
  const { link } = review
  const before = taken.get(link.id) ?? 0
  const grounds: Grounds = {
    ...review,
    link: { ...link, admissionCount: link.admissionCount + before },
    creator: event.actor,
  }
  try {
    const verdict = await decide(tx, grounds, review)
    if (verdict.kind === 'issued') {
      taken.set(link.id, before + verdict.order.admissions.length)
      await event.note?.write(tx, event.caller)
    }
    return verdict
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}

const decide = async (tx: Tx, grounds: Grounds, { request, isOpen }: Review): Promise<Judged> => {
  const matter = matterOf(request)
  if (matter.kind === 'decided') {
    requireSameDecision(matter.wasApproved, true)
    return { kind: 'repeated' }
  }

  refuseUnless(isOpen, 'The guest list is closed')
  const { refused, granted: order } =
    matter.kind === 'request'
      ? await issueRequest(tx, grounds, request)
      : await issueAddition(tx, grounds, request, matter.addition)
  refuseUnless(refused === null, refused ?? '')
  return { kind: 'issued', order, approval: matter.kind === 'request' ? approvalOf(request, grounds, order) : null }
}

const recordAll = async (tx: Tx, judged: readonly Judged[]): Promise<Date | null> => {
  const issued = judged.filter((verdict) => verdict.kind === 'issued')
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

const tell = async (tx: Tx, review: Review, verdict: Judged, reviewedAt: Date | null) => {
  if (verdict.kind === 'refused') return verdict.refusal
  if (verdict.kind === 'repeated' || verdict.approval === null) return reread(tx, review)
  return { ...review.request, reviewedAt, orderId: verdict.order.id, orderPublicId: verdict.order.publicId }
}

/** Locked rows are as new as can be, but what they lead to may be newer than the statement that locked them. */
export const reread = async (tx: Tx, { eventId, request }: Review): Promise<SignupRequest> =>
  found(await findRequest(tx, eventId, request.publicId))
