import type { EventScope, Tx } from '../../access/scopes.ts'
import { isStatementFault } from '../../database/database.ts'
import { openSavepoint } from '../../database/savepoint.ts'
import { serializePerEvent } from '../../inventory/per-event.ts'
import { describeError } from '../../kernel/log.ts'
import { Invalid, Refusal } from '../../kernel/refusals.ts'
import { approveInTransaction } from './approve-locked.ts'
import type { SignupRequest } from './rules.ts'

export interface ApprovalResult {
  publicId: string
  outcome: SignupRequest | Refusal
}

/** So many share their statements, and at most so many are done again when the database will not have one of them. */
const TOGETHER_MAX = 100

/**
 * Approves many requests in one transaction, in the order they are given. Each is judged like a single one and answered
 * for itself; whatever is wrong with one of them leaves the others approved.
 */
export const approveRequests = (event: EventScope, publicIds: readonly string[]): Promise<ApprovalResult[]> =>
  serializePerEvent(event, event.event.id, () =>
    event.transaction(
      async (tx) => {
        const results: ApprovalResult[] = []
        for (let from = 0; from < publicIds.length; from += TOGETHER_MAX)
          results.push(...(await approveSome(tx, event, publicIds.slice(from, from + TOGETHER_MAX))))
        event.note?.add({ approved: results.filter(isApproved).map(({ publicId }) => publicId) })
        return results
      },
      { isKeyed: true },
    ),
  )

export const isApproved = ({ outcome }: ApprovalResult) => !(outcome instanceof Refusal)

const approveSome = async (tx: Tx, event: EventScope, publicIds: readonly string[]): Promise<ApprovalResult[]> => {
  const savepoint = await openSavepoint(tx.db)
  try {
    const { outcomes } = await approveInTransaction(
      tx,
      publicIds.map((publicId) => ({ event, publicId })),
    )
    await savepoint.release()
    return publicIds.map((publicId, n) => ({ publicId, outcome: outcomes[n]! }))
  } catch (error) {
    if (!isStatementFault(error)) throw error
    await savepoint.rollBack()
    return approveOneByOne(tx, event, publicIds, error)
  }
}

const approveOneByOne = async (
  tx: Tx,
  event: EventScope,
  publicIds: readonly string[],
  error: unknown,
): Promise<ApprovalResult[]> => {
  if (publicIds.length === 1) {
    event.app.log.error(describeError(error), 'a request could not be approved with others')
    return [{ publicId: publicIds[0]!, outcome: new Invalid('This request could not be approved just now') }]
  }
  const results: ApprovalResult[] = []
  for (const publicId of publicIds) results.push(...(await approveSome(tx, event, [publicId])))
  return results
}
