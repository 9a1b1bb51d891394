import { z } from 'zod'
import type { Account } from '../../access/callers.ts'
import type { Tx } from '../../access/scopes.ts'
import { Money, exampleOf, named } from '../../http/wire.ts'
import { showMoney } from '../../kernel/money.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { publishWebhooks } from '../../webhooks/publish.ts'
import { EventInWebhook } from '../../webhooks/webhook.ts'
import { VoucherAmountWebhookData } from '../ledger/announce.ts'
import { lockVoucher } from '../ledger/records.ts'
import { VoucherAnswer, showVoucher } from '../ledger/wire.ts'
import type { OrderOfVoucher } from './records.ts'

const OrderWithoutMoney = named(
  'VoucherOrderWithoutMoneyMessage',
  z.object({ order_id: z.string(), event: EventInWebhook }),
  { order_id: 'Hd9Kx4pTz6VmW2rQn8BsLc', event: exampleOf(EventInWebhook)! },
)

const VoucherOrderMessage = named(
  'VoucherOrderMessage',
  z.object({ voucher: VoucherAnswer, amount: Money, order_id: z.string(), event: EventInWebhook }),
  { ...exampleOf(VoucherAmountWebhookData)!, ...exampleOf(OrderWithoutMoney)! },
)

export const RedeemedWebhookData = named(
  'VoucherRedeemedMessage',
  z.union([VoucherOrderMessage, OrderWithoutMoney]),
  exampleOf(VoucherOrderMessage)!,
)

export const RefundedWebhookData = named(
  'VoucherRefundedMessage',
  z.union([VoucherOrderMessage, VoucherAmountWebhookData, OrderWithoutMoney]),
  exampleOf(VoucherOrderMessage)!,
)

/** What an order did with a voucher. Co-organizers of its event learn of the order, and nothing of the money. */
export const publishVoucherOrderWebhook = async (
  tx: Tx,
  { currency }: Account,
  kind: 'voucher.redeemed' | 'voucher.refunded',
  voucherId: number,
  { order, amountCents }: { order: OrderOfVoucher; amountCents: number },
): Promise<void> => {
  const voucher = requireFound(await lockVoucher(tx, { id: voucherId }))
  const personalPayload: z.output<typeof OrderWithoutMoney> = {
    order_id: order.publicId,
    event: { id: order.eventId, slug: order.eventSlug },
  }
  const payload: z.output<typeof VoucherOrderMessage> = {
    voucher: showVoucher(voucher, currency),
    amount: showMoney(amountCents, currency),
    ...personalPayload,
  }
  await publishWebhooks(tx, [{ kind, eventId: order.eventId, payload, personalPayload }])
}
