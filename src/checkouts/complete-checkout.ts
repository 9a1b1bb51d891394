import { languageOrFallback } from '../languages/rules.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { holdEach } from '../inventory/claim.ts'
import { endHolds, turnHoldsIntoClaims } from '../inventory/holds/records.ts'
import { newCode } from '../kernel/public-ids.ts'
import { HOUR_MS } from '../kernel/durations.ts'
import { followUpPaidOrders, followUpPaidVouchers } from '../orders/announce-sale.ts'
import { insertPlacedOrders } from '../orders/place-order.ts'
import { findProduct } from '../vouchers/products/records.ts'
import { issuePurchasedVoucher } from '../vouchers/deliveries/sell-voucher.ts'
import { lockVouchersOfCheckout } from '../vouchers/reservations/records.ts'
import { captureReservation } from '../vouchers/reservations/reserve.ts'
import { requireFound } from '../kernel/refusals.ts'
import { type Buyer, buyerOf } from './buyer.ts'
import { holdRequestOf } from './choose-items.ts'
import { recordPurchaseCode, recordStatus, recordStatuses } from './records.ts'
import { type Checkout, holdIdsOf, subtotalOf, voucherTotalOf } from './rules.ts'

/** What became of a checkout that is paid for, or that is paid later. */
export type CompletionOutcome = 'ordered' | 'gone'

/**
 * Makes an order of a checkout that is locked for it, or tells that none can be made: what it wanted is somebody else's by
 * now, or its event does not take place. Money may be here already, so whatever stands in the way is told and never thrown.
 */
export const completeCheckout = async (
  inside: AccountScope,
  tx: Tx,
  checkout: Checkout,
  { status, paidCents, provider }: { status: 'paid' | 'unpaid'; paidCents: number; provider: string | null },
): Promise<CompletionOutcome> => {
  const buyer = buyerOf(checkout)
  if (!buyer || checkout.event?.isCalledOff) return 'gone'
  if (status === 'paid' && paidCents + voucherTotalOf(checkout) !== subtotalOf(checkout)) return 'gone'
  if (checkout.event === null) {
    await sellVouchers(inside, tx, checkout, buyer, provider)
  } else {
    if (!(await takeForGood(tx, checkout, checkout.event.id))) return 'gone'
    await order(inside, tx, [{ checkout, buyer, eventId: checkout.event.id }], status)
  }
  return 'ordered'
}

/** A checkout of tickets whose buyer is known. */
export interface OrderableCheckout {
  checkout: Checkout
  buyer: Buyer
  eventId: number
}

/** Checkouts that are paid for by now, and whose holds are claims already. */
export const orderPaidCheckouts = (inside: AccountScope, tx: Tx, orderable: readonly OrderableCheckout[]) =>
  order(inside, tx, orderable, 'paid')

/** What is held becomes a claim; what is held no more is taken once more, if it is there. */
const takeForGood = async (tx: Tx, { items, now }: Checkout, eventId: number): Promise<boolean> => {
  const holdIds = holdIdsOf(items)
  if (holdIds.length === items.length && (await turnHoldsIntoClaims(tx, [holdIds]))[0]) return true

  // What is left of it never stands in its own way.
  if (holdIds.length > 0) await endHolds(tx, eventId, holdIds)
  const until = new Date(now.getTime() + HOUR_MS)
  const [outcome] = await holdEach(tx, eventId, [holdRequestOf(items)], until)
  if (outcome!.refused !== null) return false
  return (await turnHoldsIntoClaims(tx, [outcome!.holdIds]))[0]!
}

const order = async (
  inside: AccountScope,
  tx: Tx,
  orderable: readonly OrderableCheckout[],
  status: 'paid' | 'unpaid',
): Promise<void> => {
  const placed = await insertPlacedOrders(
    tx,
    orderable.map(({ checkout, buyer, eventId }) => ({
      checkoutId: checkout.id,
      eventId,
      status,
      language: checkout.language,
      customerName: buyer.name,
      customerEmail: buyer.email,
      customerPhone: checkout.customer.phone,
      customerCompany: checkout.customer.company,
      billing: checkout.customer.billing,
      answers: buyer.answers,
      attendees: buyer.attendees,
      items: checkout.items,
      totalCents: subtotalOf(checkout),
      voucherCents: voucherTotalOf(checkout),
      paymentDueAt: null,
    })),
  )
  const orders = orderable.map(({ checkout }, n) => ({ checkout, checkoutId: checkout.id, orderId: placed[n]!.id }))
  for (const { checkout, orderId } of orders) {
    if (checkout.vouchers.length > 0) await lockVouchersOfCheckout(tx, checkout.publicId)
    for (const { publicId } of checkout.vouchers) await captureReservation(inside, publicId, orderId)
  }
  await recordStatuses(
    tx,
    status === 'paid' ? 'paid' : 'pending',
    orderable.map(({ checkout }) => ({ id: checkout.id })),
  )
  if (status === 'paid') await followUpPaidOrders(inside, tx, orders)
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
