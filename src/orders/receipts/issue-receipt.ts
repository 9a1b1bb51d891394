import type { AccountScope, Tx } from '../../access/scopes.ts'
import { NotFound, requireFound } from '../../kernel/refusals.ts'
import {
  type NewReceipt,
  type TaxedMoney,
  findGivenBackByTaxRate,
  findSalesForReceipts,
  insertReceipts,
} from './records.ts'
import { type ReceiptLine, taxLinesAfter, taxLinesOfRefund } from './rules.ts'

/** The receipts of what was bought, once it is paid. They take the account's next numbers, so they come last. */
export const issueSaleReceipts = async (
  { account }: AccountScope,
  tx: Tx,
  checkoutIds: readonly number[],
): Promise<number[]> => {
  const sales = await findSalesForReceipts(tx, checkoutIds)
  if (sales.length < checkoutIds.length) throw new NotFound()
  return insertReceipts(
    tx,
    sales.map(({ lines, taxedBefore, ...sale }) => ({
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
    })),
  )
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
  const { recipient, language } = requireFound((await findSalesForReceipts(tx, [checkoutId]))[0])
  const receipt: NewReceipt = {
    kind: 'refund',
    checkoutId,
    refundId,
    lines,
    taxLines: taxLinesOfRefund(lines, returned, await findGivenBackByTaxRate(tx, checkoutId)),
    totalCents: lines.reduce((sum, line) => sum + line.total_cents, 0),
    voucherCents: voucherCents && -voucherCents,
    currency: account.currency,
    recipient,
    language,
  }
  return requireFound((await insertReceipts(tx, [receipt]))[0])
}
