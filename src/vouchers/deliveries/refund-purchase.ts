import type { AccountScope } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { publishVoucherAmountWebhook } from '../ledger/announce.ts'
import { findVouchersById, insertEntry, lockVoucher } from '../ledger/records.ts'
import { moreThanAvailableMessage } from '../ledger/rules.ts'
import { availableCents } from '../rules.ts'
import { findVoucherIdOfPurchase, lockPurchase, recordPurchaseRefund, failPendingDeliveries } from './records.ts'

export interface PurchaseRefund {
  /** The credit that is taken back; all that is available when it is left out. */
  creditCents?: number
  actor: string | null
  reason: string | null
}

/** Takes credit back and gives its price back with it; what was spent or is set aside stays sold. */
export const refundPurchase = (
  scope: AccountScope,
  publicId: string,
  { creditCents, actor, reason }: PurchaseRefund,
): Promise<{ refundedCents: number }> =>
  scope.transaction(async (tx) => {
    const { currency } = scope.account
    const voucher = requireFound(
      await lockVoucher(tx, { id: requireFound(await findVoucherIdOfPurchase(tx, publicId)).voucherId }),
    )
    const purchase = requireFound(await lockPurchase(tx, publicId))
    refuseUnless(['paid', 'partially_refunded'].includes(purchase.status), 'This purchase is not paid')

    const available = availableCents(voucher)
    const credit = creditCents ?? available
    refuseUnless(credit > 0 && credit <= available, { amount: [moreThanAvailableMessage(available, currency)] })

    await insertEntry(tx, voucher, {
      publicId: newPublicId(),
      kind: 'purchase_refund',
      amountCents: -credit,
      actor,
      reason,
    })
    const isWhole = credit === voucher.issuedCents
    const share = Math.floor((purchase.paidCents * credit) / voucher.issuedCents)
    const refundedCents = isWhole ? purchase.paidCents : Math.min(purchase.paidCents, purchase.refundedCents + share)
    const status = refundedCents === purchase.paidCents ? 'refunded' : 'partially_refunded'
    await recordPurchaseRefund(tx, purchase.id, { refundedCents, status })
    if (status === 'refunded') await failPendingDeliveries(tx, purchase.id, 'The purchase was refunded')

    const [refunded] = await findVouchersById(tx, [voucher.id])
    await publishVoucherAmountWebhook(tx, scope.account, 'voucher.refunded', refunded!, -credit)
    return { refundedCents: refundedCents - purchase.refundedCents }
  })
