import { languageOrFallback } from '../languages/rules.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { holdEach } from '../inventory/claim.ts'
import { turnHoldsIntoClaims } from '../inventory/holds/records.ts'
import { newCode } from '../kernel/public-ids.ts'
import { HOUR_MS } from '../kernel/durations.ts'
import { followUpPaidOrder, followUpPaidVouchers } from '../orders/announce-sale.ts'
import { insertPlacedOrder } from '../orders/place-order.ts'
import { findProduct } from '../vouchers/products/records.ts'
import { issuePurchasedVoucher } from '../vouchers/deliveries/sell-voucher.ts'
import { lockVouchersOfCheckout } from '../vouchers/reservations/records.ts'
import { captureReservation } from '../vouchers/reservations/reserve.ts'
import { requireFound } from '../kernel/refusals.ts'
import { type Buyer, requireBuyer } from './buyer.ts'
import { holdRequestOf } from './choose-items.ts'
import { recordPurchaseCode, recordStatus } from './records.ts'
import { type Checkout, subtotalOf, voucherTotalOf } from './rules.ts'

/** What became of a checkout that is paid for, or that is paid later. */
export type CompletionOutcome = 'ordered' | 'gone'

/** Makes an order of a locked checkout, or tells that what it wanted is somebody else's by now. */
export const completeCheckout = async (
  inside: AccountScope,
  tx: Tx,
  checkout: Checkout,
  { status, paidCents, provider }: { status: 'paid' | 'unpaid'; paidCents: number; provider: string | null },
): Promise<CompletionOutcome> => {
  const buyer = requireBuyer(checkout)
  if (status === 'paid' && paidCents + voucherTotalOf(checkout) !== subtotalOf(checkout)) return 'gone'
  if (checkout.event === null) {
    await sellVouchers(inside, tx, checkout, buyer, provider)
  } else {
    if (!(await takeForGood(tx, checkout, checkout.event.id))) return 'gone'
    await order(inside, tx, checkout, buyer, { status, eventId: checkout.event.id })
  }
  return 'ordered'
}

/** What is held becomes a claim; what is held no more is taken once more, if it is there. */
const takeForGood = async (tx: Tx, { items, now }: Checkout, eventId: number): Promise<boolean> => {
  const holdIds = items.flatMap(({ holdId }) => holdId ?? [])
  const kept = holdIds.length === items.length ? await turnHoldsIntoClaims(tx, holdIds) : 0
  if (kept === items.length) return true
  if (kept > 0) throw new Error('A checkout holds all of its items or none')

  const until = new Date(now.getTime() + HOUR_MS)
  const [outcome] = await holdEach(tx, eventId, [holdRequestOf(items)], until)
  if (outcome!.refused !== null) return false
  return (await turnHoldsIntoClaims(tx, outcome!.holdIds)) === items.length
}

const order = async (
  inside: AccountScope,
  tx: Tx,
  checkout: Checkout,
  buyer: Buyer,
  { status, eventId }: { status: 'paid' | 'unpaid'; eventId: number },
): Promise<void> => {
  const { customer } = checkout
  const placed = await insertPlacedOrder(tx, {
    checkoutId: checkout.id,
    eventId,
    status,
    language: checkout.language,
    customerName: buyer.name,
    customerEmail: buyer.email,
    customerPhone: customer.phone,
    customerCompany: customer.company,
    billing: customer.billing,
    answers: buyer.answers,
    attendees: buyer.attendees,
    items: checkout.items,
    totalCents: subtotalOf(checkout),
    voucherCents: voucherTotalOf(checkout),
    paymentDueAt: null,
  })
  if (checkout.vouchers.length > 0) await lockVouchersOfCheckout(tx, checkout.publicId)
  for (const { publicId } of checkout.vouchers) await captureReservation(inside, publicId, placed.id)
  await recordStatus(tx, checkout.id, { status: status === 'paid' ? 'paid' : 'pending' })
  if (status === 'paid') await followUpPaidOrder(inside, tx, placed.id)
}

const sellVouchers = async (
  inside: AccountScope,
  tx: Tx,
  checkout: Checkout,
  buyer: Buyer,
  provider: string | null,
): Promise<void> => {
  for (const item of checkout.voucherItems) {
    const product = requireFound(await findProduct(tx, item.productPublicId))
    const isGift = item.recipientEmail !== null
    for (let n = 0; n < item.quantity; n++) {
      await issuePurchasedVoucher(inside, {
        product,
        amountCents: item.amountCents,
        paidCents: item.unitPriceCents,
        paymentProvider: provider ?? 'none',
        customerName: buyer.name,
        customerEmail: buyer.email,
        recipientName: item.recipientName,
        recipientEmail: item.recipientEmail,
        deliveryMode: isGift ? (item.deliverOn ? 'email_scheduled' : 'email_now') : 'self_managed',
        scheduledFor: item.deliverOn,
        timeZone: item.deliveryTimeZone,
        message: item.message,
        checkoutId: checkout.id,
        language: languageOrFallback(checkout.language),
      })
    }
  }
  await recordPurchaseCode(tx, checkout.id, newCode())
  await recordStatus(tx, checkout.id, { status: 'paid' })
  await followUpPaidVouchers(inside, tx, checkout.id)
}
