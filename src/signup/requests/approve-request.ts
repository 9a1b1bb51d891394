import { type EventScope, type Tx, writePendingAuditEntries } from '../../access/scopes.ts'
import { batchPerEvent } from '../../inventory/per-event.ts'
import { Refusal } from '../../kernel/refusals.ts'
import { type ApprovalRequest, approveInTransaction } from './approve-locked.ts'
import type { SignupRequest } from './rules.ts'

/** Approves what waits: the request, or companions added to it. The party and its mail come with the decision. */
export const approveRequest = async (event: EventScope, publicId: string): Promise<SignupRequest> => {
  const outcome = await approvals({ event, publicId })
  if (outcome instanceof Refusal) throw outcome
  return outcome
}

const approveNoted = async (tx: Tx, asked: readonly ApprovalRequest[]): Promise<(SignupRequest | Refusal)[]> => {
  const { outcomes, issuedFor } = await approveInTransaction(tx, asked)
  await writePendingAuditEntries(tx, issuedFor)
  return outcomes
}

/**
 * Approvals of one event that arrive together are one transaction, because they would wait for each other anyway. Each
 * is answered for itself: a refusal leaves no trace, so nobody else's approval has to be rolled back for it.
 */
const approvals = batchPerEvent(approveNoted)
