import { z } from 'zod'
import type { Account } from '../../access/callers.ts'
import type { Tx } from '../../access/scopes.ts'
import { Money, exampleOf, named } from '../../http/wire.ts'
import { showMoney } from '../../kernel/money.ts'
import { type VoucherKind, publishWebhooks } from '../../webhooks/publish.ts'
import type { Voucher } from './rules.ts'
import { VoucherAnswer, showVoucher } from './wire.ts'

export const VoucherWebhookData = named('VoucherMessage', z.object({ voucher: VoucherAnswer }), {
  voucher: exampleOf(VoucherAnswer)!,
})

export const VoucherAmountWebhookData = named(
  'VoucherAmountMessage',
  z.object({ voucher: VoucherAnswer, amount: Money }),
  {
    voucher: exampleOf(VoucherAnswer)!,
    amount: { amount: '12.50', currency: 'EUR' },
  },
)

type PlainKind = Extract<VoucherKind, `voucher.${'issued' | 'blocked' | 'unblocked' | 'expired'}`>

/** Tells the account's webhooks what happened to a voucher, with its masked code only. */
export const publishVoucherWebhook = (tx: Tx, account: Account, kind: PlainKind, voucher: Voucher): Promise<void> =>
  publishVoucherWebhooks(tx, account, kind, [voucher])

export const publishVoucherWebhooks = (
  tx: Tx,
  { currency }: Account,
  kind: PlainKind,
  vouchers: Voucher[],
): Promise<void> =>
  publishWebhooks(
    tx,
    vouchers.map((voucher) => ({
      kind,
      payload: { voucher: showVoucher(voucher, currency) } satisfies z.output<typeof VoucherWebhookData>,
    })),
  )

/** What was added to a voucher or taken from it, without an order. */
export const publishVoucherAmountWebhook = (
  tx: Tx,
  { currency }: Account,
  kind: 'voucher.adjusted' | 'voucher.refunded',
  voucher: Voucher,
  amountCents: number,
): Promise<void> => {
  const payload: z.output<typeof VoucherAmountWebhookData> = {
    voucher: showVoucher(voucher, currency),
    amount: showMoney(amountCents, currency),
  }
  return publishWebhooks(tx, [{ kind, payload }])
}
