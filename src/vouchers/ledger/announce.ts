import { z } from 'zod'
import type { Account } from '../../access/callers.ts'
import type { Tx } from '../../access/scopes.ts'
import { Money, exampleOf, named } from '../../http/wire.ts'
import { showMoney } from '../../kernel/money.ts'
import { found } from '../../kernel/refusals.ts'
import { type VoucherKind, publish } from '../../webhooks/publish.ts'
import { EventInMessage, webhook } from '../../webhooks/webhook.ts'
import { AUDIENCES } from '../deliveries/rules.ts'
import type { OrderOfVoucher } from '../reservations/records.ts'
import { lockVoucher } from './records.ts'
import type { Voucher } from './rules.ts'
import { VoucherAnswer, showVoucher } from './wire.ts'

const VoucherMessage = named('VoucherMessage', z.object({ voucher: VoucherAnswer }), {
  voucher: exampleOf(VoucherAnswer)!,
})

const VoucherAmountMessage = named('VoucherAmountMessage', z.object({ voucher: VoucherAnswer, amount: Money }), {
  voucher: exampleOf(VoucherAnswer)!,
  amount: { amount: '12.50', currency: 'EUR' },
})

const DeliveryInMessage = z.object({ id: z.string(), audience: z.enum(AUDIENCES) })

const VoucherDeliveryMessage = named(
  'VoucherDeliveryMessage',
  z.object({ voucher: VoucherAnswer, delivery: DeliveryInMessage }),
  { voucher: exampleOf(VoucherAnswer)!, delivery: { id: 'Dw3Lk8nTq5XzR7vMb2PcYs', audience: 'recipient' } },
)

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

const RedeemedMessage = named(
  'VoucherRedeemedMessage',
  z.union([VoucherOrderMessage, OrderWithoutMoney]),
  exampleOf(VoucherOrderMessage)!,
)

const RefundedMessage = named(
  'VoucherRefundedMessage',
  z.union([VoucherOrderMessage, VoucherAmountMessage, OrderWithoutMoney]),
  exampleOf(VoucherOrderMessage)!,
)

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

type PlainKind = Extract<VoucherKind, `voucher.${'issued' | 'blocked' | 'unblocked' | 'expired'}`>

/** Tells the account's webhooks what happened to a voucher, with its masked code only. */
export const announce = (tx: Tx, account: Account, kind: PlainKind, voucher: Voucher): Promise<void> =>
  announceAll(tx, account, kind, [voucher])

export const announceAll = (tx: Tx, { currency }: Account, kind: PlainKind, vouchers: Voucher[]): Promise<void> =>
  publish(
    tx,
    vouchers.map((voucher) => ({
      kind,
      payload: { voucher: showVoucher(voucher, currency) } satisfies z.output<typeof VoucherMessage>,
    })),
  )

/** What was added to a voucher or taken from it, without an order. */
export const announceAmount = (
  tx: Tx,
  { currency }: Account,
  kind: 'voucher.adjusted' | 'voucher.refunded',
  voucher: Voucher,
  amountCents: number,
): Promise<void> => {
  const payload: z.output<typeof VoucherAmountMessage> = {
    voucher: showVoucher(voucher, currency),
    amount: showMoney(amountCents, currency),
  }
  return publish(tx, [{ kind, payload }])
}

/** What became of a mail with a voucher. */
export const announceDelivery = (
  tx: Tx,
  { currency }: Account,
  kind: 'voucher.delivered' | 'voucher.delivery_failed',
  voucher: Voucher,
  delivery: z.output<typeof DeliveryInMessage>,
): Promise<void> => {
  const payload: z.output<typeof VoucherDeliveryMessage> = { voucher: showVoucher(voucher, currency), delivery }
  return publish(tx, [{ kind, payload }])
}

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
