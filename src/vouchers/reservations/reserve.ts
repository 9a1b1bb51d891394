import type { AccountScope, Tx } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { requireFound, refuseUnless } from '../../kernel/refusals.ts'
import { digestOfCode } from '../codes.ts'
import { insertEntry, lockVoucher } from '../ledger/records.ts'
import { type Voucher, moreThanAvailableMessage } from '../ledger/rules.ts'
import { availableCents, hasExpired } from '../rules.ts'
import { publishVoucherOrderWebhook } from './announce-order.ts'
import {
  type Reservation,
  findHeldReservation,
  findOrderOfVoucher,
  findReservation,
  insertReservation,
  recordCapture,
  recordRelease,
  releaseExpiredReservations,
  findSpentCents,
} from './records.ts'

export interface ReservationRequest {
  /** As the buyer typed it, or whose voucher it is already. */
  voucher: { code: string } | { id: number }
  mostCents: number
  /** How the checkout calls itself. */
  checkout: string
  expiresAt: Date
}

/**
 * Sets money aside for a checkout under way, as much as is needed or there, in place of what the checkout had of this
 * voucher. Answers with the reservation's ID; null where nothing is left.
 */
export const reserveUpTo = (scope: AccountScope, request: ReservationRequest): Promise<string | null> =>
  scope.transaction(async (tx) => {
    const { voucher: key, mostCents, checkout, expiresAt } = request
    const digest = 'code' in key ? digestOfCode(scope.app.secrets, tx.accountId, key.code) : null
    const { id } = requireFound(await lockVoucher(tx, digest ? { digest } : { id: (key as { id: number }).id }))
    await releaseExpiredReservations(tx, id)
    const held = await findHeldReservation(tx, id, checkout)
    if (held) await recordRelease(tx, held.id)

    const voucher = requireFound(await lockVoucher(tx, { id }))
    refuseUnless(!voucher.blockedAt, 'This voucher is blocked')
    refuseUnless(!hasExpired(voucher), 'This voucher has expired')
    const amountCents = Math.min(mostCents, availableCents(voucher))
    if (amountCents <= 0) return null
    const publicId = newPublicId()
    await insertReservation(tx, { publicId, voucherId: id, checkout, amountCents, expiresAt })
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
    const order = requireFound(await findOrderOfVoucher(tx, orderId))
    await publishVoucherOrderWebhook(tx, scope.account, 'voucher.redeemed', voucher.id, {
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
export const refundRedemption = (scope: AccountScope, input: RedemptionRefund): Promise<void> =>
  scope.transaction(async (tx) => {
    const voucher = requireFound(await lockVoucher(tx, { id: input.voucherId }))
    const spent = await findSpentCents(tx, voucher.id, input.orderId)
    refuseUnless(input.amountCents <= spent, { amount: [moreThanAvailableMessage(spent, scope.account.currency)] })

    await insertEntry(tx, voucher, { publicId: newPublicId(), kind: 'refund', ...input })
    const order = requireFound(await findOrderOfVoucher(tx, input.orderId))
    await publishVoucherOrderWebhook(tx, scope.account, 'voucher.refunded', voucher.id, {
      order,
      amountCents: input.amountCents,
    })
  })

const lockReservation = async (tx: Tx, publicId: string): Promise<{ voucher: Voucher; reservation: Reservation }> => {
  const { voucherId } = requireFound(await findReservation(tx, publicId))
  const voucher = requireFound(await lockVoucher(tx, { id: voucherId }))
  return { voucher, reservation: requireFound(await findReservation(tx, publicId)) }
}
