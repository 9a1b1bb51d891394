import type { EventScope, Tx } from '../../access/scopes.ts'
import { NO_ROOM_MESSAGE, type Order } from '../../admissions/rules.ts'
import { Invalid, Refusal, refuseUnless } from '../../kernel/refusals.ts'
import { type IssueContext, issueAdditionParty } from './issue-guests.ts'
import type { ApprovalRecord, LockedSignupRequest } from './reviews/records.ts'
import { pendingDecisionOf, refuseOtherDecision } from './rules.ts'

/** A request that somebody wants to approve, locked. */
export interface LockedApprovalCase {
  review: LockedSignupRequest
  event: EventScope
}

export type ApprovalVerdict =
  | { kind: 'refused'; refusal: Refusal }
  | { kind: 'repeated' }
  /** Without an approval when it was for companions, who are recorded already. */
  | { kind: 'issued'; order: Order; approval: ApprovalRecord | null }

export const NO_ROOM_VERDICT: ApprovalVerdict = { kind: 'refused', refusal: new Invalid(NO_ROOM_MESSAGE) }

/** Requests wait for the others of their batch; everything else is decided at once. */
export const decideApproval = async (
  tx: Tx,
  { review: { request, isOpen } }: LockedApprovalCase,
  context: IssueContext,
): Promise<ApprovalVerdict | 'waits'> => {
  const pending = pendingDecisionOf(request)
  try {
    if (pending.kind === 'decided') {
      refuseOtherDecision(pending.wasApproved, true)
      return { kind: 'repeated' }
    }
    refuseUnless(isOpen, 'The guest list is closed')
    if (pending.kind === 'request') return 'waits'
    const { granted: order } = await issueAdditionParty(tx, context, request, pending.addition)
    return order ? { kind: 'issued', order, approval: null } : NO_ROOM_VERDICT
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', refusal: error }
    throw error
  }
}
