import type { ShopScope } from '../access/access.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { setExpiryOfHolds } from '../inventory/holds/records.ts'
import { Invalid, Refusal, requireFound } from '../kernel/refusals.ts'
import type { ConfiguredMethod } from '../payments/configuration/records.ts'
import { ProviderRefused, ProviderUnavailable } from '../payments/payment-method.ts'
import { findPayment } from '../payments/records.ts'
import type { Payments } from '../payments/payments.ts'
import type { Payment } from '../payments/rules.ts'
import { cancelPayment } from '../payments/settle-payment.ts'
import { createPayment, startPayment } from '../payments/start-payment.ts'
import { setExpiryOfReservations } from '../vouchers/reservations/records.ts'
import { requireBuyer } from './buyer.ts'
import { completeCheckout } from './complete-checkout.ts'
import { createFirstPayment, holdEndWhilePaying, paymentFor, requireMethod, requirePayable } from './first-payment.ts'
import { findCheckout, lockCheckoutsToOrder, recordStatus } from './records.ts'
import { queueCheckoutMail } from '../orders/mails/queue-mail.ts'
import { recordPaymentDue } from '../orders/records.ts'
import { type Checkout, EXPIRED_MESSAGE, holdIdsOf, totalOf } from './rules.ts'

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
  const first = await createFirstPayment({ scope: shop, id, token, method })
  if (first instanceof Refusal) throw first
  const begun =
    first?.payment ?? (await shop.transaction((tx) => begin(payments, shop.within(tx), tx, { id, token }, method)))
  const payment = begun && (await start(payments, shop, begun, first?.configured))
  // What has become of it meanwhile is told to whoever asks next.
  if (first && payment?.status === 'pending') return { ...first.checkout, payment }
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
  await lockCheckoutsToOrder(tx, [id])
  const checkout = requireFound(await findCheckout(tx, id))
  if (requirePayable(checkout) === 'paid' || checkout.order) return null

  // Whose payment is under way was asked all there was when it began, and goes on to it.
  if (checkout.status === 'open') requireBuyer(checkout)
  if (totalOf(checkout) === 0) {
    const completion = await completeCheckout(inside, tx, checkout, { status: 'paid', paidCents: 0, provider: null })
    if (completion === 'gone') throw new Invalid(EXPIRED_MESSAGE)
    return null
  }
  const wanted = paymentFor(inside, checkout, { token, method: requireMethod(method, checkout) })
  const payment = await createPayment(inside, wanted)
  if (!payments.methods[payment.method].hasProvider) {
    await orderUnpaid(inside, tx, checkout, await startPayment(payments, inside, payment))
    return null
  }
  if (checkout.status === 'open') await keepWhilePaying(tx, checkout, wanted.heldUntil)
  return payment
}

const keepWhilePaying = async (tx: Tx, checkout: Checkout, expiresAt: Date): Promise<void> => {
  const until = holdEndWhilePaying(checkout)
  const holdIds = holdIdsOf(checkout.items)
  const isKept = holdIds.length === checkout.items.length && (await setExpiryOfHolds(tx, [holdIds], until))[0]
  if (!isKept) throw new Invalid(EXPIRED_MESSAGE)
  if (checkout.vouchers.length > 0) await setExpiryOfReservations(tx, checkout.publicId, until)
  await recordStatus(tx, checkout.id, { status: 'pending', expiresAt })
}

/** A provider that cannot be asked leaves the buyer where they were: the payment is given up, and another way is open. */
const start = async (
  payments: Payments,
  shop: ShopScope,
  begun: Payment,
  configured?: ConfiguredMethod,
): Promise<Payment> => {
  const { publicId } = begun
  try {
    return await startPayment(payments, shop, begun, configured)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error
    // Somebody else may have started it meanwhile: then it is theirs, and goes on.
    const payment = requireFound(await findPayment(shop.rows, { publicId }))
    if (payment.status === 'pending') return payment
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
