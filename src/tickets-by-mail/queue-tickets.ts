import type { Tx } from '../access/scopes.ts'
import { enqueueMany } from '../jobs/enqueue.ts'
import { mailTickets } from './jobs.ts'
import type { TicketMailReason } from './rules.ts'

/**
 * The tickets of each order leave by mail once the transaction has committed, to the address the order has then.
 * The admissions are those whose seat moved.
 */
export const queueTicketMails = async (
  tx: Tx,
  orderIds: number[],
  reason: TicketMailReason,
  admissionIds: number[] = [],
): Promise<void> => {
  const payloads = orderIds.map((orderId) => ({
    account_id: tx.accountId,
    order_id: orderId,
    reason,
    ...(admissionIds.length > 0 && { admission_ids: admissionIds }),
  }))
  await enqueueMany(tx.db, mailTickets, payloads)
}
