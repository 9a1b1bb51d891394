import type { AccountScope, Tx } from '../access/scopes.ts'
import { endHolds } from '../inventory/holds/records.ts'
import { Invalid, requireFound } from '../kernel/refusals.ts'
import { ProviderRefused, ProviderUnavailable } from '../payments/payment-method.ts'
import { cancelPayment } from '../payments/settle-payment.ts'
import type { Payments } from '../payments/payments.ts'
import { findHeldByCheckout, lockVouchersOfCheckout } from '../vouchers/reservations/records.ts'
import { releaseReservation } from '../vouchers/reservations/reserve.ts'
import { findCheckout, lockCheckout, recordStatus } from './records.ts'
import { type Checkout, effectiveStatusOf, holdIdsOf } from './rules.ts'

/** Gives back all that a checkout holds. It is locked, and nothing was sold by it. */
export const endCheckout = async (
  inside: AccountScope,
  tx: Tx,
  checkout: Checkout,
  status: 'expired' | 'cancelled',
): Promise<void> => {
  const holdIds = holdIdsOf(checkout.items)
  if (checkout.event && holdIds.length > 0) await endHolds(tx, checkout.event.id, holdIds)
  await releaseVouchers(inside, tx, checkout)
  await recordStatus(tx, checkout.id, { status })
}

const releaseVouchers = async (inside: AccountScope, tx: Tx, { publicId: checkout }: Checkout): Promise<void> => {
  await lockVouchersOfCheckout(tx, checkout)
  for (const { publicId } of await findHeldByCheckout(tx, checkout)) await releaseReservation(inside, publicId)
}

/** The buyer gives it up: a payment under way is ended at its provider first. */
export const cancelCheckout = async (payments: Payments, scope: AccountScope, id: number): Promise<void> => {
  const { payment, order } = requireFound(await findCheckout(scope.rows, id))
  if (payment && !order && (payment.status === 'none' || payment.status === 'pending')) {
    await endPayment(payments, scope, payment.publicId)
  }
  await scope.transaction(async (tx) => {
    await lockCheckout(tx, id)
    const checkout = requireFound(await findCheckout(tx, id))
    const status = effectiveStatusOf(checkout)
    if (status === 'paid') throw new Invalid('This has been paid already')
    if (status === 'pending') throw new Invalid('A payment is under way')
    if (checkout.status === 'open') await endCheckout(scope.within(tx), tx, checkout, 'cancelled')
  })
}

/** What it holds is given back after the provider was told, so that nobody pays for what is somebody else's. */
const endPayment = async (payments: Payments, scope: AccountScope, publicId: string): Promise<void> => {
  try {
    await cancelPayment(payments, scope, { publicId })
  } catch (error) {
    if (!(error instanceof ProviderUnavailable || error instanceof ProviderRefused)) throw error
    throw new Invalid('The payment cannot be ended just now: please try again in a moment')
  }
}

/** The time of an open checkout is over: what it held is anybody's. Doing it again changes nothing. */
export const expireCheckout = (scope: AccountScope, id: number): Promise<void> =>
  scope.transaction(async (tx) => {
    await lockCheckout(tx, id)
    const checkout = await findCheckout(tx, id)
    if (checkout?.status === 'open' && checkout.isOver) await endCheckout(scope.within(tx), tx, checkout, 'expired')
  })
