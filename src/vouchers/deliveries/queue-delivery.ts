import type { Tx } from '../../access/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { LaneJob } from '../../jobs/lane.ts'

export const DELIVER_VOUCHER_JOB: LaneJob<{ accountId: number; deliveryId: number }> = {
  name: 'vouchers.deliver',
  lane: 'mail',
}

/** Mail servers are often back within the hour. */
export const DELIVERY_ATTEMPTS_MAX = 8

/** One job for each delivery: queueing it anew replaces one that still waits. */
export const queueDelivery = (tx: Tx, deliveryId: number, runAt?: Date): Promise<void> =>
  enqueue(
    tx.db,
    DELIVER_VOUCHER_JOB,
    { accountId: tx.accountId, deliveryId },
    { jobKey: `${DELIVER_VOUCHER_JOB.name}/${deliveryId}`, ...(runAt && { runAt }) },
  )
