import type { ShopScope } from '../access/access.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { setExpiryOfHolds } from '../inventory/holds/records.ts'
import { DAY_MS } from '../kernel/durations.ts'
import { BLANK_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { Invalid, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { ProviderRefused, ProviderUnavailable } from '../payments/payment-method.ts'
import { findPayment } from '../payments/records.ts'
import type { Payments } from '../payments/payments.ts'
import type { Payment, PaymentMethodName } from '../payments/rules.ts'
import { PAYMENT_METHOD_NAMES } from '../payments/rules.ts'
import { cancelPayment } from '../payments/settle-payment.ts'
import { createPayment, startFoundPayment } from '../payments/start-payment.ts'
import { setExpiryOfReservations } from '../vouchers/reservations/records.ts'
import { requireBuyer } from './buyer.ts'
import { completeCheckout } from './complete-checkout.ts'
import { findCheckout, lockCheckout, recordStatus } from './records.ts'
import { queueCheckoutMail } from '../orders/mails/queue-mail.ts'
import { recordPaymentDue } from '../orders/records.ts'
import {
  type Checkout,
  EXPIRED_MESSAGE,
  HOLD_WHILE_PAYING_MS,
  isPaidByHand,
  effectiveStatusOf,
  totalOf,
} from './rules.ts'
import { checkoutUrl } from '../orders/tokens.ts'

/** While a payment is under way what is bought stays held; the payment's own end ends it. */
const HELD_WHILE_PAYING_MS = 120 * DAY_MS

/**
 * Pays for a checkout: at once where nothing is left to pay, else as the method says. Asking again for a payment that is
 * under way answers with the same.
 */
export const payCheckout = async (
  payments: Payments,
  shop: ShopScope,
  { id, token }: { id: number; token: string },
  method: string | null,
): Promise<Checkout> => {
  const begun = await shop.transaction((tx) => begin(payments, shop.within(tx), tx, { id, token }, method))
  if (begun) await start(payments, shop, begun)
  return requireFound(await findCheckout(shop.keyLookups, id))
}

/** The payment that its provider has to start; null where there is nothing more to do. */
const begin = async (
  payments: Payments,
  inside: AccountScope,
  tx: Tx,
  { id, token }: { id: number; token: string },
  method: string | null,
): Promise<Payment | null> => {
  await lockCheckout(tx, id)
  const checkout = requireFound(await findCheckout(tx, id))
  const status = effectiveStatusOf(checkout)
  if (status === 'expired') throw new Invalid(EXPIRED_MESSAGE)
  if (status === 'cancelled') throw new Invalid('This checkout was cancelled')
  if (status === 'paid' || checkout.order) return null

  requireBuyer(checkout)
  const { now } = checkout
  const amountCents = totalOf(checkout)
  if (amountCents === 0) {
    const completion = await completeCheckout(inside, tx, checkout, { status: 'paid', paidCents: 0, provider: null })
    if (completion === 'gone') throw new Invalid(EXPIRED_MESSAGE)
    return null
  }
  const name = requireMethod(method, checkout)
  const expiresAt = new Date(Math.max(checkout.expiresAt.getTime(), now.getTime() + HOLD_WHILE_PAYING_MS))
  const payment = await createPayment(inside, {
    payableId: id,
    method: name,
    amountCents,
    description: checkout.event?.title ?? checkout.voucherItems[0]?.title ?? '',
    returnUrl: checkoutUrl(inside.app, inside.account, token),
    expiresAt: name === 'at_the_door' ? null : expiresAt,
  })
  if (!payments.methods[name].hasProvider) {
    await orderUnpaid(inside, tx, checkout, await startFoundPayment(payments, inside, payment))
    return null
  }
  if (checkout.status === 'open') await keepWhilePaying(tx, checkout, now, expiresAt)
  return payment
}

const requireMethod = (method: string | null, { event }: Checkout): PaymentMethodName => {
  refuseUnless(method !== null, { payment_method: [BLANK_MESSAGE] })
  const name = PAYMENT_METHOD_NAMES.find((each) => each === method)
  refuseUnless(name && (event !== null || !isPaidByHand(name)), { payment_method: [NOT_INCLUDED_MESSAGE] })
  return name
}

const keepWhilePaying = async (tx: Tx, checkout: Checkout, now: Date, expiresAt: Date): Promise<void> => {
  const until = new Date(now.getTime() + HELD_WHILE_PAYING_MS)
  const holdIds = checkout.items.flatMap(({ holdId }) => holdId ?? [])
  const kept = holdIds.length > 0 ? await setExpiryOfHolds(tx, holdIds, until) : 0
  if (kept < checkout.items.length) throw new Invalid(EXPIRED_MESSAGE)
  if (checkout.vouchers.length > 0) await setExpiryOfReservations(tx, checkout.publicId, until)
  await recordStatus(tx, checkout.id, { status: 'pending', expiresAt })
}

/** A provider that cannot be asked leaves the buyer where they were: the payment is given up, and another way is open. */
const start = async (payments: Payments, shop: ShopScope, begun: Payment): Promise<void> => {
  const { publicId } = begun
  try {
    await startFoundPayment(payments, shop, begun)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error
    // Somebody else may have started it meanwhile: then it is theirs, and goes on.
    const payment = requireFound(await findPayment(shop.rows, { publicId }))
    if (payment.status === 'pending') return
    await cancelPayment(payments, shop, { publicId })
    throw new Invalid({ payment_method: ['does not answer just now: please try again, or choose another one'] })
  }
}

/**
 * Money that somebody has to count comes later: the tickets are issued, and blocked at the door until then. All of it in
 * the transaction of the payment, which nobody would look after if its order were missing.
 */
const orderUnpaid = async (inside: AccountScope, tx: Tx, checkout: Checkout, payment: Payment): Promise<void> => {
  const { id } = checkout
  const { method: provider, expiresAt } = payment
  const completion = await completeCheckout(inside, tx, checkout, { status: 'unpaid', paidCents: 0, provider })
  if (completion === 'gone') throw new Invalid(EXPIRED_MESSAGE)
  await recordPaymentDue(tx, id, expiresAt)
  await queueCheckoutMail(tx, id, { kind: 'payment_instructions' })
}
