import type { CallerScope } from '../../access/scopes.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { queueDelivery } from './queue-delivery.ts'
import { reopenDelivery } from './records.ts'

/** Sends a message again that arrived or was given up. */
export const redeliver = (account: CallerScope, publicId: string): Promise<void> =>
  account.transaction(async (tx) => {
    const delivery = requireFound(await reopenDelivery(account, tx, publicId))
    refuseUnless(delivery !== false, 'This delivery is still under way')
    await queueDelivery(tx, delivery)
  })
