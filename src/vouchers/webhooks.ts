import { defineWebhook } from '../webhooks/webhook.ts'
import { VoucherDeliveryWebhookData } from './deliveries/announce-delivery.ts'
import { VoucherWebhookData, VoucherAmountWebhookData } from './ledger/announce.ts'
import { RedeemedWebhookData, RefundedWebhookData } from './reservations/announce-order.ts'

export const voucherWebhooks = [
  defineWebhook('voucher.issued', 'A voucher was issued by hand, sold or imported.', VoucherWebhookData),
  defineWebhook(
    'voucher.redeemed',
    'An order was paid with a voucher. A personal endpoint is told `order_id` and `event` only.',
    RedeemedWebhookData,
  ),
  defineWebhook(
    'voucher.refunded',
    'An order gave money back to a voucher, or its own purchase was refunded: then there is no `order_id` and no ' +
      '`event`. A personal endpoint is told of orders only, and only `order_id` and `event`.',
    RefundedWebhookData,
  ),
  defineWebhook('voucher.adjusted', 'The balance of a voucher was corrected by hand.', VoucherAmountWebhookData),
  defineWebhook('voucher.blocked', 'A voucher was blocked.', VoucherWebhookData),
  defineWebhook('voucher.unblocked', 'A voucher was unblocked.', VoucherWebhookData),
  defineWebhook('voucher.expired', 'The time of a voucher was over and the rest was posted.', VoucherWebhookData),
  defineWebhook('voucher.delivered', 'The mail with a voucher was handed over.', VoucherDeliveryWebhookData),
  defineWebhook('voucher.delivery_failed', 'The mail with a voucher was given up.', VoucherDeliveryWebhookData),
]
