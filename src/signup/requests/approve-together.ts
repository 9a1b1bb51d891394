import type { Tx } from '../../access/scopes.ts'
import { type NewOrder, issueOrders } from '../../admissions/issue-order.ts'
import { type LockedApprovalCase, NO_ROOM_VERDICT, type ApprovalVerdict, decideApproval } from './decide-approval.ts'
import { type IssueContext, approvalRecordOf, partyOfRequest } from './issue-guests.ts'

/** Decides a batch of one event, and issues all its parties in as few statements as the quotas allow. */
export const approveBatch = async (
  tx: Tx,
  cases: readonly LockedApprovalCase[],
): Promise<Map<LockedApprovalCase, ApprovalVerdict>> => {
  const batch: Batch = { quotas: openQuotas(), verdicts: new Map() }
  let waiting: LockedApprovalCase[] = []
  for (const each of cases) {
    const verdict = await decideApproval(tx, each, batch.quotas.contextOf(each))
    if (verdict === 'waits') {
      waiting.push(each)
      continue
    }
    batch.verdicts.set(each, verdict)
    if (verdict.kind === 'issued') batch.quotas.take(each, verdict.order.admissions.length)
  }

  while (waiting.length > 0) waiting = await issueRound(tx, waiting, batch)
  return batch.verdicts
}

interface Batch {
  quotas: Quotas
  verdicts: Map<LockedApprovalCase, ApprovalVerdict>
}

interface Quotas {
  contextOf(each: LockedApprovalCase): IssueContext
  take(each: LockedApprovalCase, admissions: number): void
}

/** What the others of this batch take from a link's quota counts, although the row was read before. */
const openQuotas = (): Quotas => {
  const taken = new Map<number, number>()
  const takenOf = (linkId: number) => taken.get(linkId) ?? 0
  return {
    contextOf: ({ review, event }) => {
      const link = { ...review.link, admissionCount: review.link.admissionCount + takenOf(review.link.id) }
      return { ...review, link, creator: event.actor }
    },
    take: ({ review: { link } }, admissions) => void taken.set(link.id, takenOf(link.id) + admissions),
  }
}

/** Issues the parties that fit, and answers with those who are to be asked again. */
const issueRound = async (
  tx: Tx,
  waiting: LockedApprovalCase[],
  { quotas, verdicts }: Batch,
): Promise<LockedApprovalCase[]> => {
  const parties = new Map<LockedApprovalCase, NewOrder>()
  for (const each of waiting) {
    const party = partyOfRequest(quotas.contextOf(each), each.review.request)
    if (!party) continue
    parties.set(each, party)
    quotas.take(each, party.admissions.length)
  }

  const issues = await issueOrders(tx, waiting[0]!.review.eventId, [...parties.values()])
  for (const [n, [each, party]] of [...parties].entries()) {
    const { order } = issues[n]!
    if (order) {
      const approval = approvalRecordOf(each.review.request, quotas.contextOf(each), order)
      verdicts.set(each, { kind: 'issued', order, approval })
    } else {
      verdicts.set(each, NO_ROOM_VERDICT)
      quotas.take(each, -party.admissions.length)
    }
  }

  // Whoever found the quota full is asked again if somebody then did not use it.
  const left = waiting.filter((each) => !verdicts.has(each))
  if (issues.some(({ order }) => !order)) return left
  for (const each of left) verdicts.set(each, NO_ROOM_VERDICT)
  return []
}
