import { z } from 'zod'
import type { Account } from '../../access/callers.ts'
import type { Tx } from '../../access/scopes.ts'
import { Money, exampleOf, named } from '../../http/wire.ts'
import { showMoney } from '../../kernel/money.ts'
import { found } from '../../kernel/refusals.ts'
import { publish } from '../../webhooks/publish.ts'
import { EventInMessage } from '../../webhooks/webhook.ts'
import { VoucherAmountMessage } from '../ledger/announce.ts'
import { lockVoucher } from '../ledger/records.ts'
import { VoucherAnswer, showVoucher } from '../ledger/wire.ts'
import type { OrderOfVoucher } from './records.ts'

const OrderWithoutMoney = named(
  'VoucherOrderWithoutMoneyMessage',
  z.object({ order_id: z.string(), event: EventInMessage }),
  { order_id: 'Hd9Kx4pTz6VmW2rQn8BsLc', event: exampleOf(EventInMessage)! },
)

const VoucherOrderMessage = named(
  'VoucherOrderMessage',
  z.object({ voucher: VoucherAnswer, amount: Money, order_id: z.string(), event: EventInMessage }),
  { ...exampleOf(VoucherAmountMessage)!, ...exampleOf(OrderWithoutMoney)! },
)

export const RedeemedMessage = named(
  'VoucherRedeemedMessage',
  z.union([VoucherOrderMessage, OrderWithoutMoney]),
  exampleOf(VoucherOrderMessage)!,
)

export const RefundedMessage = named(
  'VoucherRefundedMessage',
  z.union([VoucherOrderMessage, VoucherAmountMessage, OrderWithoutMoney]),
  exampleOf(VoucherOrderMessage)!,
)

/** What an order did with a voucher. Co-organizers of its event learn of the order, and nothing of the money. */
export const announceOrder = async (
  tx: Tx,
  { currency }: Account,
  kind: 'voucher.redeemed' | 'voucher.refunded',
  voucherId: number,
  { order, amountCents }: { order: OrderOfVoucher; amountCents: number },
): Promise<void> => {
  const voucher = found(await lockVoucher(tx, { id: voucherId }))
  const personalPayload: z.output<typeof OrderWithoutMoney> = {
    order_id: order.publicId,
    event: { id: order.eventId, slug: order.eventSlug },
  }
  const payload: z.output<typeof VoucherOrderMessage> = {
    voucher: showVoucher(voucher, currency),
    amount: showMoney(amountCents, currency),
    ...personalPayload,
  }
  await publish(tx, [{ kind, eventId: order.eventId, payload, personalPayload }])
}
