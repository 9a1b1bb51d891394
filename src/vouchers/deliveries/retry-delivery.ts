import type { CallerScope } from '../../access/scopes.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { queueDelivery } from './queue-delivery.ts'
import { requeueDelivery } from './records.ts'

/** Sends the same voucher to the same person again; nothing new is issued. */
export const retryDelivery = (account: CallerScope, publicId: string): Promise<void> =>
  account.transaction(async (tx) => {
    const { id, isQueued } = requireFound(await requeueDelivery(tx, publicId))
    refuseUnless(isQueued, 'This delivery cannot be retried now')
    await queueDelivery(tx, id)
  })
