import type { Tx } from '../../access/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { DELIVER } from '../rules.ts'
import type { DeliveryKey } from './records.ts'

export const queueDelivery = (tx: Tx, { id, endpointId }: DeliveryKey, runAt?: Date): Promise<void> =>
  enqueue(tx.db, DELIVER, { accountId: tx.accountId, endpointId, deliveryId: id }, runAt && { runAt })
