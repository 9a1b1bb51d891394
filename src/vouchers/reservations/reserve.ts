import type { AccountScope, Tx } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { found, refuseUnless } from '../../kernel/refusals.ts'
import { digestOfCode } from '../codes.ts'
import { insertEntry, lockVoucher } from '../ledger/records.ts'
import { type Voucher, moreThanAvailable } from '../ledger/rules.ts'
import { availableCents, hasExpired } from '../rules.ts'
import { announceOrder } from './announce-order.ts'
import {
  type Reservation,
  findHeld,
  findOrder,
  findReservation,
  insertReservation,
  recordCapture,
  recordRelease,
  releaseStale,
  spentCents,
} from './records.ts'

export interface ReservationRequest {
  /** As the buyer typed it. */
  code: string
  amountCents: number
  /** How the checkout calls itself: asking again for the same one replaces what it had. */
  checkout: string
  expiresAt: Date
}

/** Sets money aside for a checkout under way, and answers with the reservation's ID. */
export const reserveVoucher = (scope: AccountScope, wish: ReservationRequest): Promise<string> =>
  scope.transaction(async (tx) => {
    const digest = digestOfCode(scope.app.secrets, tx.accountId, wish.code)
    const { id } = found(await lockVoucher(tx, { digest }))
    await releaseStale(tx, id)
    const held = await findHeld(tx, id, wish.checkout)
    if (held?.amountCents === wish.amountCents) return held.publicId
    if (held) await recordRelease(tx, held.id)

    const voucher = found(await lockVoucher(tx, { id }))
    refuseUnless(!voucher.blockedAt, 'This voucher is blocked')
    refuseUnless(!hasExpired(voucher), 'This voucher has expired')
    const available = availableCents(voucher)
    refuseUnless(wish.amountCents <= available, { amount: [moreThanAvailable(available, scope.account.currency)] })

    const publicId = newPublicId()
    await insertReservation(tx, { ...wish, publicId, voucherId: id })
    return publicId
  })

/** The checkout became an order: what was set aside is spent. Capturing again changes nothing. */
export const captureReservation = (scope: AccountScope, publicId: string, orderId: number): Promise<void> =>
  scope.transaction(async (tx) => {
    const { voucher, reservation } = await lockReservation(tx, publicId)
    if (reservation.capturedAt) return
    refuseUnless(await recordCapture(tx, reservation.id), 'This reservation has been released')

    // The money is no longer set aside, so that what is left still covers the other reservations.
    await insertEntry(tx, voucher, {
      publicId: newPublicId(),
      kind: 'redemption',
      amountCents: -reservation.amountCents,
      orderId,
      actor: null,
    })
    const order = found(await findOrder(tx, orderId))
    await announceOrder(tx, scope.account, 'voucher.redeemed', voucher.id, {
      order,
      amountCents: -reservation.amountCents,
    })
  })

/** The checkout was given up. Releasing again changes nothing. */
export const releaseReservation = (scope: AccountScope, publicId: string): Promise<void> =>
  scope.transaction(async (tx) => {
    const { reservation } = await lockReservation(tx, publicId)
    if (reservation.releasedAt) return
    refuseUnless(await recordRelease(tx, reservation.id), 'This reservation has been captured')
  })

export interface RedemptionRefund {
  voucherId: number
  orderId: number
  amountCents: number
  actor: string | null
  reason: string | null
}

/** Puts back what an order had spent, at most that much. */
export const refundRedemption = (scope: AccountScope, wish: RedemptionRefund): Promise<void> =>
  scope.transaction(async (tx) => {
    const voucher = found(await lockVoucher(tx, { id: wish.voucherId }))
    const spent = await spentCents(tx, voucher.id, wish.orderId)
    refuseUnless(wish.amountCents <= spent, { amount: [moreThanAvailable(spent, scope.account.currency)] })

    await insertEntry(tx, voucher, { publicId: newPublicId(), kind: 'refund', ...wish })
    const order = found(await findOrder(tx, wish.orderId))
    await announceOrder(tx, scope.account, 'voucher.refunded', voucher.id, { order, amountCents: wish.amountCents })
  })

const lockReservation = async (tx: Tx, publicId: string): Promise<{ voucher: Voucher; reservation: Reservation }> => {
  const { voucherId } = found(await findReservation(tx, publicId))
  const voucher = found(await lockVoucher(tx, { id: voucherId }))
  return { voucher, reservation: found(await findReservation(tx, publicId)) }
}
