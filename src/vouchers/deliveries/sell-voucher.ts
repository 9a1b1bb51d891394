import type { AccountScope } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { requireFound } from '../../kernel/refusals.ts'
import type { Language } from '../../languages/rules.ts'
import { newVoucherCode, sealCode } from '../codes.ts'
import { addMonths, parseBeginning } from '../expiry.ts'
import { publishVoucherWebhook } from '../ledger/announce.ts'
import { findVoucher, insertVouchers, readDatabaseTime } from '../ledger/records.ts'
import type { Voucher } from '../ledger/rules.ts'
import type { Product } from '../products/rules.ts'
import { queueDelivery } from './queue-delivery.ts'
import { insertDelivery, insertPurchase } from './records.ts'
import { type DeliveryMode, audienceOf } from './rules.ts'

export interface PaidVoucherSale {
  product: Product
  amountCents: number
  paidCents: number
  paymentProvider: string
  customerName: string
  customerEmail: string
  recipientName: string | null
  recipientEmail: string | null
  deliveryMode: DeliveryMode
  /** A moment, or a day, which begins when it begins where the recipient is. */
  scheduledFor: string | null
  /** Where the recipient is; null: where the venue is. */
  timeZone?: string | null
  message: string | null
  /** Which purchase of a shop it is part of. */
  checkoutId?: number
  /** What the buyer reads; null where nobody knows. */
  language?: Language | null
}

/** A purchase that has been paid: issues the voucher and queues its mail, now or for the day that was wished for. */
export const issuePurchasedVoucher = (scope: AccountScope, sale: PaidVoucherSale): Promise<Voucher> =>
  scope.transaction(async (tx) => {
    const now = await readDatabaseTime(tx)
    const scheduledFor =
      sale.scheduledFor === null
        ? null
        : requireFound(parseBeginning(sale.scheduledFor, sale.timeZone ?? scope.account.timeZone))
    const sealed = sealCode(scope.app.secrets, tx.accountId, newVoucherCode())
    const publicId = newPublicId()
    const [voucherId] = await insertVouchers(tx, [
      {
        publicId,
        entryPublicId: newPublicId(),
        codeDigest: sealed.digest,
        codeSealed: sealed.sealed,
        codeSuffix: sealed.suffix,
        productId: sale.product.id,
        productName: sale.product.name,
        source: 'shop',
        amountCents: sale.amountCents,
        paidCents: sale.paidCents,
        expiresAt: addMonths(now, sale.product.validityMonths),
        actor: null,
        note: null,
      },
    ])
    const purchaseId = await insertPurchase(tx, {
      ...sale,
      scheduledFor,
      publicId: newPublicId(),
      voucherId: requireFound(voucherId),
      status: 'paid',
      paidAt: now,
    })
    const audience = audienceOf(sale.deliveryMode)
    const isGift = audience === 'recipient'
    const deliveryId = await insertDelivery(tx, {
      publicId: newPublicId(),
      purchaseId,
      audience,
      recipientName: (isGift ? sale.recipientName : sale.customerName) ?? '',
      recipientEmail: (isGift ? sale.recipientEmail : sale.customerEmail) ?? '',
      scheduledFor,
      queuedAt: 'now',
      deliveringAt: null,
      lastAttemptedAt: null,
      deliveredAt: null,
      failedAt: null,
      failureMessage: null,
      attemptsCount: 0,
    })
    await queueDelivery(tx, deliveryId, scheduledFor ?? undefined)
    const voucher = requireFound(await findVoucher(tx, publicId))
    await publishVoucherWebhook(tx, scope.account, 'voucher.issued', voucher)
    return voucher
  })
