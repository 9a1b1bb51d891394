import type { AccountScope, Tx } from '../../access/scopes.ts'
import { requireFound } from '../../kernel/refusals.ts'
import { type TaxedMoney, findSaleForReceipt, insertReceipt } from './records.ts'
import { type ReceiptLine, taxLinesAfter } from './rules.ts'

/** The receipt of what was bought, once it is paid. It takes the account's next number, so it comes last. */
export const issueSaleReceipt = async (
  { account }: AccountScope,
  tx: Tx,
  key: { orderId: number } | { checkoutId: number },
): Promise<number> => {
  const { lines, taxedBefore, ...sale } = requireFound(await findSaleForReceipt(tx, key))
  return insertReceipt(tx, {
    kind: 'sale',
    checkoutId: sale.checkoutId,
    refundId: null,
    lines,
    taxLines: taxLinesAfter(lines, taxedBefore),
    totalCents: lines.reduce((sum, line) => sum + line.total_cents, 0),
    voucherCents: sale.voucherCents,
    currency: account.currency,
    recipient: sale.recipient,
    language: sale.language,
  })
}

export interface RefundReceiptInput {
  checkoutId: number
  refundId: number
  lines: readonly ReceiptLine[]
  voucherCents: number
  /** What goes back to vouchers that were taxed when they were sold. */
  returnedTaxed: readonly TaxedMoney[]
}

/** The receipt of what was given back, in the same series. */
export const issueRefundReceipt = async (
  { account }: AccountScope,
  tx: Tx,
  { checkoutId, refundId, lines, voucherCents, returnedTaxed }: RefundReceiptInput,
): Promise<number> => {
  const returned = returnedTaxed.map(({ rate, cents }) => ({ rate, cents: -cents }))
  const { recipient, language } = requireFound(await findSaleForReceipt(tx, { checkoutId }))
  return insertReceipt(tx, {
    kind: 'refund',
    checkoutId,
    refundId,
    lines,
    taxLines: taxLinesAfter(lines, returned),
    totalCents: lines.reduce((sum, line) => sum + line.total_cents, 0),
    voucherCents: voucherCents && -voucherCents,
    currency: account.currency,
    recipient,
    language,
  })
}
