import { type EventScope, type Tx, leaveNotes } from '../../access/scopes.ts'
import { type NewOrder, issueOrders } from '../../admissions/issue-order.ts'
import { NO_ROOM, type Order } from '../../admissions/rules.ts'
import { useGenericPlans } from '../../database/prepared.ts'
import { batchPerEvent } from '../../inventory/per-event.ts'
import { Invalid, NotFound, Refusal, found, refuseUnless } from '../../kernel/refusals.ts'
import { queueTickets } from '../../tickets-by-mail/queue-tickets.ts'
import { type Told, announceApprovals } from './announce.ts'
import { type IssueContext, approvalOf, issueAddition, partyOfRequest } from './issue-guests.ts'
import { type Approval, type Review, findRequest, lockReviews, recordApprovals } from './records.ts'
import { type SignupRequest, pendingDecisionOf, requireSameDecision } from './rules.ts'

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
  const reviews = await lockReviews(tx, event.event.id, [...publicIds])
  const byId = new Map(reviews.map((review) => [review.request.publicId, review]))
  const cases = asked.flatMap(({ publicId, event: scope }): Case[] => {
    const review = byId.get(publicId)
    // Asked for twice at once: the second is told what the first was.
    return review && publicIds.delete(publicId) ? [{ review, event: scope }] : []
  })
  const judged = await judgeAll(tx, cases)

  const reviewedAt = await recordAll(tx, [...judged.values()])
  await leaveNotes(
    tx,
    [...judged].flatMap(([{ event: scope }, verdict]) => (verdict.kind === 'issued' ? [scope] : [])),
  )
  const told = new Map<string, SignupRequest | Refusal>()
  for (const [{ review }, verdict] of judged)
    told.set(review.request.publicId, await tell(tx, review, verdict, reviewedAt))
  await announceApprovals(tx, event, () => approvedAmong(judged, told))
  return asked.map(({ publicId }) => told.get(publicId) ?? new NotFound())
}

/**
 * Approvals of one event that arrive together are one transaction, because they would wait for each other anyway. Each
 * is answered for itself: a refusal leaves no trace, so nobody else's approval has to be rolled back for it.
 */
const approvals = batchPerEvent(approveAll)

interface Case {
  review: Review
  event: EventScope
}

type Judged =
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'repeated' }
  /** Without an approval when it was for companions, who are recorded already. */
  | { kind: 'issued'; order: Order; approval: Approval | null }

const NO_ROOM_LEFT: Judged = { kind: 'refused', refusal: new Invalid(NO_ROOM) }

/** What the others of this round take from a link's quota counts, although the row was read before. */
const judgeAll = async (tx: Tx, cases: readonly Case[]): Promise<Map<Case, Judged>> => {
  const taken = new Map<number, number>()
  const groundsOf = ({ review, event }: Case): IssueContext => {
    const link = { ...review.link, admissionCount: review.link.admissionCount + (taken.get(review.link.id) ?? 0) }
    return { ...review, link, creator: event.actor }
  }
  const take = ({ review: { link } }: Case, admissions: number) =>
    taken.set(link.id, (taken.get(link.id) ?? 0) + admissions)

  const judged = new Map<Case, Judged>()
  let waiting: Case[] = []
  for (const each of cases) {
    const verdict = await decide(tx, each, groundsOf)
    if (verdict === 'waits') waiting.push(each)
    else judged.set(each, verdict)
    if (verdict !== 'waits' && verdict.kind === 'issued') take(each, verdict.order.admissions.length)
  }

  while (waiting.length > 0) {
    const parties = new Map<Case, NewOrder>()
    for (const each of waiting) {
      const party = partyOfRequest(groundsOf(each), each.review.request)
      if (!party) continue
      parties.set(each, party)
      take(each, party.admissions.length)
    }
    const issues = await issueOrders(tx, cases[0]!.review.eventId, [...parties.values()])
    ;[...parties.keys()].forEach((each, n) => {
      const { order } = issues[n]!
      if (order) {
        judged.set(each, { kind: 'issued', order, approval: approvalOf(each.review.request, groundsOf(each), order) })
      } else {
        judged.set(each, NO_ROOM_LEFT)
        take(each, -parties.get(each)!.admissions.length)
      }
    })

    // Whoever found the quota full is asked again if somebody then did not use it.
    const left = waiting.filter((each) => !judged.has(each))
    waiting = issues.some(({ order }) => !order) ? left : []
    for (const each of left) if (waiting.length === 0) judged.set(each, NO_ROOM_LEFT)
  }
  return judged
}

/** Requests wait for the others of their round; everything else is decided at once. */
const decide = async (tx: Tx, each: Case, groundsOf: (each: Case) => IssueContext): Promise<Judged | 'waits'> => {
  const { request, isOpen } = each.review
  const matter = pendingDecisionOf(request)
  try {
    if (matter.kind === 'decided') {
      requireSameDecision(matter.wasApproved, true)
      return { kind: 'repeated' }
    }
    refuseUnless(isOpen, 'The guest list is closed')
    if (matter.kind === 'request') return 'waits'
    const { granted: order } = await issueAddition(tx, groundsOf(each), request, matter.addition)
    return order ? { kind: 'issued', order, approval: null } : NO_ROOM_LEFT
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
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

const approvedAmong = (judged: Map<Case, Judged>, told: Map<string, SignupRequest | Refusal>): Told[] =>
  [...judged].flatMap(([{ review }, verdict]) => {
    const request = told.get(review.request.publicId)
    if (verdict.kind !== 'issued' || !request || request instanceof Refusal) return []
    return { request, addition: verdict.approval ? null : verdict.order.admissions.length, order: verdict.order }
  })

/** Locked rows are as new as can be, but what they lead to may be newer than the statement that locked them. */
export const reread = async (tx: Tx, { eventId, request }: Review): Promise<SignupRequest> =>
  found(await findRequest(tx, eventId, request.publicId))
