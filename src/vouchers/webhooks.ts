import { webhook } from '../webhooks/webhook.ts'
import { VoucherDeliveryMessage } from './deliveries/announce-delivery.ts'
import { VoucherMessage, VoucherAmountMessage } from './ledger/announce.ts'
import { RedeemedMessage, RefundedMessage } from './reservations/announce-order.ts'

export const voucherWebhooks = [
  webhook('voucher.issued', 'A voucher was issued by hand, sold or imported.', VoucherMessage),
  webhook(
    'voucher.redeemed',
    'An order was paid with a voucher. A personal endpoint is told `order_id` and `event` only.',
    RedeemedMessage,
  ),
  webhook(
    'voucher.refunded',
    'An order gave money back to a voucher, or its own purchase was refunded: then there is no `order_id` and no ' +
      '`event`. A personal endpoint is told of orders only, and only `order_id` and `event`.',
    RefundedMessage,
  ),
  webhook('voucher.adjusted', 'The balance of a voucher was corrected by hand.', VoucherAmountMessage),
  webhook('voucher.blocked', 'A voucher was blocked.', VoucherMessage),
  webhook('voucher.unblocked', 'A voucher was unblocked.', VoucherMessage),
  webhook('voucher.expired', 'The time of a voucher was over and the rest was posted.', VoucherMessage),
  webhook('voucher.delivered', 'The mail with a voucher was handed over.', VoucherDeliveryMessage),
  webhook('voucher.delivery_failed', 'The mail with a voucher was given up.', VoucherDeliveryMessage),
]
