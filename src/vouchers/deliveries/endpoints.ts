import { management } from '../../access/access.ts'
import { endpoint } from '../../http/endpoint.ts'
import { retryDelivery } from './retry-delivery.ts'
import { DeliveryRetry } from './wire.ts'
import { EXAMPLE_SETUPS } from '../example-setups.ts'

const deliveryRetry = endpoint({
  method: 'POST',
  path: '/admin/voucher_deliveries/:voucher_delivery_id/retry',
  operationId: 'retryVoucherDelivery',
  says: 'Queues the mail of a voucher again that failed or got stuck; the recipient stays the same.',
  access: management('write'),
  exampleSetup: EXAMPLE_SETUPS.retry,
  answers: { 202: DeliveryRetry },
  handle: async ({ account, params }) => {
    await retryDelivery(account, params.voucher_delivery_id)
    return { status: 202 as const, body: { id: params.voucher_delivery_id, status: 'queued' as const } }
  },
})

export const deliveryEndpoints = [deliveryRetry]
