import type { Account } from '../../access/callers.ts'
import type { Tx } from '../../access/scopes.ts'
import { showMoney } from '../../kernel/money.ts'
import { found } from '../../kernel/refusals.ts'
import { type VoucherKind, publish } from '../../webhooks/publish.ts'
import type { OrderOfVoucher } from '../reservations/records.ts'
import { lockVoucher } from './records.ts'
import type { Voucher } from './rules.ts'
import { showVoucher } from './wire.ts'

/** Tells the account's webhooks what happened to a voucher, with its masked code only. */
export const announce = (
  tx: Tx,
  account: Account,
  kind: VoucherKind,
  voucher: Voucher,
  more: Record<string, unknown> = {},
): Promise<void> => announceAll(tx, account, kind, [voucher], more)

export const announceAll = (
  tx: Tx,
  account: Account,
  kind: VoucherKind,
  vouchers: Voucher[],
  more: Record<string, unknown> = {},
): Promise<void> =>
  publish(
    tx,
    vouchers.map((voucher) => ({ kind, payload: { voucher: showVoucher(voucher, account.currency), ...more } })),
  )

/** What an order did with a voucher. Co-organizers of its event learn of the order, and nothing of the money. */
export const announceOrder = async (
  tx: Tx,
  account: Account,
  kind: 'voucher.redeemed' | 'voucher.refunded',
  voucherId: number,
  { order, amountCents }: { order: OrderOfVoucher; amountCents: number },
): Promise<void> => {
  const voucher = found(await lockVoucher(tx, { id: voucherId }))
  const withoutMoney = { order_id: order.publicId, event: { id: order.eventId, slug: order.eventSlug } }
  await publish(tx, [
    {
      kind,
      eventId: order.eventId,
      payload: {
        voucher: showVoucher(voucher, account.currency),
        amount: showMoney(amountCents, account.currency),
        ...withoutMoney,
      },
      personalPayload: withoutMoney,
    },
  ])
}
