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
import { createPayment, openStart, recordStart, startFoundPayment } from '../payments/start-payment.ts'
import { setExpiryOfReservations } from '../vouchers/reservations/records.ts'
import { requireBuyer } from './buyer.ts'
import { completeCheckout } from './complete-checkout.ts'
import { createFirstPayment, holdEndWhilePaying, paymentFor, requireMethod, requirePayable } from './first-payment.ts'
import { findCheckout, lockCheckout, recordStatus } from './records.ts'
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
  const begun = first?.payment ?? (await shop.transaction((tx) => begin(shop.within(tx), tx, { id, token }, method)))
  if (!begun) return requireFound(await findCheckout(shop.keyLookups, id))

  if (payments.methods[begun.method].hasProvider) {
    const payment = await start(payments, shop, begun, first?.configured)
    // What has become of it meanwhile is told to whoever asks next.
    if (first && payment.status === 'pending') return { ...first.checkout, payment }
  } else await orderUnpaid(payments, shop, begun, first?.configured)
  return requireFound(await findCheckout(shop.keyLookups, id))
}

/** The payment to be started; null where there is nothing more to do. */
const begin = async (
  inside: AccountScope,
  tx: Tx,
  { id, token }: { id: number; token: string },
  method: string | null,
): Promise<Payment | null> => {
  await lockCheckout(tx, id)
  const checkout = requireFound(await findCheckout(tx, id))
  if (requirePayable(checkout) === 'paid' || checkout.order) return null

  requireBuyer(checkout)
  if (totalOf(checkout) === 0) {
    const completion = await completeCheckout(inside, tx, checkout, { status: 'paid', paidCents: 0, provider: null })
    if (completion === 'gone') throw new Invalid(EXPIRED_MESSAGE)
    return null
  }
  const wanted = paymentFor(inside, checkout, { token, method: requireMethod(method, checkout) })
  const payment = await createPayment(inside, wanted)
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
    return await startFoundPayment(payments, shop, begun, configured)
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
 * Money that somebody has to count comes later: the tickets are issued, and blocked at the door until then. Nobody is asked
 * about such a payment again, so it is started together with its order or not at all.
 */
const orderUnpaid = async (
  payments: Payments,
  shop: ShopScope,
  begun: Payment,
  configured?: ConfiguredMethod,
): Promise<void> => {
  const { payableId: id, method: provider } = begun
  const opened = await openStart(payments, shop, begun, configured)
  await shop.transaction(async (tx) => {
    await lockCheckout(tx, id)
    const checkout = requireFound(await findCheckout(tx, id))
    if (checkout.order || checkout.status !== 'pending') return
    const payment = opened ? await recordStart(tx, opened) : begun
    const inside = shop.within(tx)
    const completion = await completeCheckout(inside, tx, checkout, { status: 'unpaid', paidCents: 0, provider })
    if (completion === 'gone') throw new Invalid(EXPIRED_MESSAGE)
    await recordPaymentDue(tx, id, payment.expiresAt)
    await queueCheckoutMail(tx, id, { kind: 'payment_instructions' })
  })
}
