import type { Tx } from '../../access/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { DELIVER_WEBHOOK_JOB } from '../rules.ts'
import type { DeliveryKey } from './records.ts'

export const queueDelivery = (tx: Tx, { id, endpointId }: DeliveryKey, runAt?: Date): Promise<void> =>
  enqueue(tx.db, DELIVER_WEBHOOK_JOB, { accountId: tx.accountId, endpointId, deliveryId: id }, runAt && { runAt })
