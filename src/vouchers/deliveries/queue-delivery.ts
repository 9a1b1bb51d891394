import type { Tx } from '../../access/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'

export const DELIVER = 'vouchers.deliver'

/** Mail servers are often back within the hour. */
export const ATTEMPTS = 8

/** One job for each delivery: queueing it anew replaces one that still waits. */
export const queueDelivery = (tx: Tx, deliveryId: number, runAt?: Date): Promise<void> =>
  enqueue(
    tx.db,
    DELIVER,
    { accountId: tx.accountId, deliveryId },
    { jobKey: `${DELIVER}/${tx.accountId}/${deliveryId}`, maxAttempts: ATTEMPTS, ...(runAt && { runAt }) },
  )
