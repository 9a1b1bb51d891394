import { z } from 'zod'
import type { Account } from '../../access/callers.ts'
import type { Tx } from '../../access/scopes.ts'
import { exampleOf, named } from '../../http/wire.ts'
import { publishWebhooks } from '../../webhooks/publish.ts'
import type { Voucher } from '../ledger/rules.ts'
import { VoucherAnswer, showVoucher } from '../ledger/wire.ts'
import { AUDIENCES } from './rules.ts'

const DeliveryInMessage = z.object({ id: z.string(), audience: z.enum(AUDIENCES) })

export const VoucherDeliveryWebhookData = named(
  'VoucherDeliveryMessage',
  z.object({ voucher: VoucherAnswer, delivery: DeliveryInMessage }),
  { voucher: exampleOf(VoucherAnswer)!, delivery: { id: 'Dw3Lk8nTq5XzR7vMb2PcYs', audience: 'recipient' } },
)

/** What became of a mail with a voucher. */
export const publishDeliveryWebhook = (
  tx: Tx,
  { currency }: Account,
  kind: 'voucher.delivered' | 'voucher.delivery_failed',
  voucher: Voucher,
  delivery: z.output<typeof DeliveryInMessage>,
): Promise<void> => {
  const payload: z.output<typeof VoucherDeliveryWebhookData> = { voucher: showVoucher(voucher, currency), delivery }
  return publishWebhooks(tx, [{ kind, payload }])
}
