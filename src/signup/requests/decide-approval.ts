import type { EventScope, Tx } from '../../access/scopes.ts'
import { NO_ROOM, type Order } from '../../admissions/rules.ts'
import { Invalid, Refusal, refuseUnless } from '../../kernel/refusals.ts'
import { type IssueContext, issueAddition } from './issue-guests.ts'
import type { Approval, LockedSignupRequest } from './reviews/records.ts'
import { pendingDecisionOf, requireSameDecision } from './rules.ts'

/** A request that somebody wants to approve, locked. */
export interface ApprovalCase {
  review: LockedSignupRequest
  event: EventScope
}

export type Verdict =
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'repeated' }
  /** Without an approval when it was for companions, who are recorded already. */
  | { kind: 'issued'; order: Order; approval: Approval | null }

export const NO_ROOM_LEFT: Verdict = { kind: 'refused', refusal: new Invalid(NO_ROOM) }

/** Requests wait for the others of their batch; everything else is decided at once. */
export const decideApproval = async (
  tx: Tx,
  { review: { request, isOpen } }: ApprovalCase,
  context: IssueContext,
): Promise<Verdict | 'waits'> => {
  const pending = pendingDecisionOf(request)
  try {
    if (pending.kind === 'decided') {
      requireSameDecision(pending.wasApproved, true)
      return { kind: 'repeated' }
    }
    refuseUnless(isOpen, 'The guest list is closed')
    if (pending.kind === 'request') return 'waits'
    const { granted: order } = await issueAddition(tx, context, request, pending.addition)
    return order ? { kind: 'issued', order, approval: null } : NO_ROOM_LEFT
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}
