import type { AccountScope, Tx } from '../access/scopes.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'
import { Invalid, NotFound, requireFound, refuseUnless } from '../kernel/refusals.ts'
import { findHeldByCheckout, lockVouchersOfCheckout } from '../vouchers/reservations/records.ts'
import { releaseReservation, reserveUpTo } from '../vouchers/reservations/reserve.ts'
import { lockOpenCheckout } from './open-checkout.ts'
import { findCheckout } from './records.ts'
import { type Checkout, subtotalOf, totalOf } from './rules.ts'

const VOUCHERS_MAX = 10

/** Sets money of a voucher aside, as much as is needed or there. */
export const reserveVoucherForCheckout = (scope: AccountScope, id: number, code: string): Promise<Checkout> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    const checkout = await lockOpenCheckout(tx, id)
    refuseUnless(checkout.voucherItems.length === 0, { code: ['cannot pay for vouchers'] })
    const left = totalOf(checkout)
    refuseUnless(left > 0, { code: ['is not needed: nothing is left to pay'] })
    refuseUnless(checkout.vouchers.length < VOUCHERS_MAX, { code: [`is one of more than ${VOUCHERS_MAX} vouchers`] })

    const before = await findHeldByCheckout(tx, checkout.publicId)
    const reserved = await reserveUpTo(inside, {
      voucher: { code },
      mostCents: left,
      checkout: checkout.publicId,
      expiresAt: checkout.expiresAt,
    }).catch(explainVoucher)
    refuseUnless(reserved, { code: ['has no money left'] })
    // The same voucher once more took the place of what it had given before: all of them are fitted anew.
    const after = await findHeldByCheckout(tx, checkout.publicId)
    if (after.length <= before.length)
      await adjustVoucherReservations(inside, tx, requireFound(await findCheckout(tx, id)))
    return requireFound(await findCheckout(tx, id))
  })

/** Beside the field it was typed into. Whether a code exists is told to whoever knows it, and budgets bound the guessing. */
const explainVoucher = (error: unknown): never => {
  if (error instanceof NotFound) throw new Invalid({ code: [INVALID_MESSAGE] })
  if (error instanceof Invalid) throw new Invalid({ code: [error.message] })
  throw error
}

export const removeVoucherFromCheckout = (scope: AccountScope, id: number, reservation: string): Promise<Checkout> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    const checkout = await lockOpenCheckout(tx, id)
    if (!checkout.vouchers.some(({ publicId }) => publicId === reservation)) throw new NotFound()
    await releaseReservation(inside, reservation)
    await adjustVoucherReservations(inside, tx, requireFound(await findCheckout(tx, id)))
    return requireFound(await findCheckout(tx, id))
  })

/** Each voucher gives what is still needed after the ones before it; one that is not needed any more gives nothing. */
export const adjustVoucherReservations = async (inside: AccountScope, tx: Tx, checkout: Checkout): Promise<void> => {
  await lockVouchersOfCheckout(tx, checkout.publicId)
  let left = subtotalOf(checkout)
  for (const { voucherId, publicId, amountCents } of await findHeldByCheckout(tx, checkout.publicId)) {
    if (left <= 0) {
      await releaseReservation(inside, publicId)
      continue
    }
    const { publicId: checkoutKey, expiresAt } = checkout
    await reserveUpTo(inside, { voucher: { id: voucherId }, mostCents: left, checkout: checkoutKey, expiresAt })
    const now = (await findHeldByCheckout(tx, checkoutKey)).find((each) => each.voucherId === voucherId)
    left -= now?.amountCents ?? amountCents
  }
}
