import { Refusal } from '../../src/kernel/refusals.ts'
import { captureReservation, releaseReservation, reserveUpTo } from '../../src/vouchers/reservations/reserve.ts'
import { reservedOf } from './model.ts'
import { type Doing, byStatus, pick } from './outcome.ts'

const TREASURERS = ['office', 'mara', 'cem', 'reader'] as const
const mayWrite = (who: string) => who === 'office' || who === 'mara'
/** Balances are corrected by owners, and the account's own tokens act as one. */
const mayAdjust = (who: string) => who === 'office'
const euros = (cents: number) => (cents / 100).toFixed(2)
const centsFrom = (n: number) => 1 + (n % 40) * 250

const issueVoucher: Doing = async ({ actors, model }, { actor, a }) => {
  const who = pick(TREASURERS, actor)!
  const amount = centsFrom(a)
  const reply = await actors[who]!.post('/admin/vouchers', { voucher: { amount: euros(amount) } })
  return byStatus(reply, mayWrite(who) ? 201 : 401, ({ id, code }) =>
    model.vouchers.push({ id, code, issued: amount, balance: amount, spent: 0, isBlocked: false }),
  )
}

const adjust: Doing = async ({ actors, model }, { actor, a, b, c }) => {
  const voucher = pick(model.vouchers, a)
  if (!voucher) return null
  const who = pick(TREASURERS, actor)!
  const amount = centsFrom(b)
  const direction = c % 3 === 0 ? 'credit' : 'debit'
  const input = { direction, amount: euros(amount), reason: 'Counted again' }
  const isCovered = direction === 'credit' || amount <= voucher.balance - reservedOf(model, voucher)
  const reply = await actors[who]!.post(`/admin/vouchers/${voucher.id}/adjustment`, input)
  return byStatus(reply, !mayAdjust(who) ? 401 : isCovered ? 200 : 422, () => {
    voucher.balance += direction === 'credit' ? amount : -amount
  })
}

const block: Doing = async ({ actors, model }, { a, b }) => {
  const voucher = pick(model.vouchers, a)
  if (!voucher) return null
  const path = `/admin/vouchers/${voucher.id}/block`
  const isBlocking = b % 2 === 0
  const reply = isBlocking
    ? await actors['mara']!.post(path, { reason: 'Reported stolen' })
    : await actors['mara']!.delete(path)
  return byStatus(reply, 200, () => void (voucher.isBlocked = isBlocking))
}

/** A refusal is an answer; anything else that is thrown is a fault of Foyer. */
const politely = async <T>(work: Promise<T>): Promise<{ value: T | null; isDone: boolean }> => {
  try {
    return { value: await work, isDone: true }
  } catch (error) {
    if (error instanceof Refusal) return { value: null, isDone: false }
    throw error
  }
}

const LATER = new Date('2035-01-01')

const reserve: Doing = async ({ scope, model }, { a, b, c }) => {
  const voucher = pick(model.vouchers, a)
  if (!voucher) return null
  const amount = centsFrom(b)
  const checkout = `checkout ${c % 3}`
  const held = model.reservations.find(
    (each) => each.voucher === voucher && each.checkout === checkout && each.state === 'held',
  )
  const room = voucher.balance - reservedOf(model, voucher) + (held?.amount ?? 0)
  const given = Math.min(amount, room)

  const input = { voucher: { code: voucher.code }, mostCents: amount, checkout, expiresAt: LATER }
  const { value: id } = await politely(reserveUpTo(scope, input))
  const isDone = id !== null
  return {
    told: isDone,
    foretold: !voucher.isBlocked && given > 0,
    isDone,
    apply: () => {
      if (held) held.state = 'released'
      model.reservations.push({ id: id!, voucher, checkout, amount: given, state: 'held' })
    },
  }
}

const settle: Doing = async ({ scope, model, orderId }, { a, b }) => {
  const reservation = pick(model.reservations, a)
  if (!reservation) return null
  const isCapturing = b % 2 === 0
  const goal = isCapturing ? 'captured' : 'released'
  const { isDone } = await politely(
    isCapturing ? captureReservation(scope, reservation.id, orderId) : releaseReservation(scope, reservation.id),
  )
  return {
    told: isDone,
    foretold: reservation.state === 'held' || reservation.state === goal,
    isDone,
    apply: () => {
      if (reservation.state === 'held' && isCapturing) {
        reservation.voucher.balance -= reservation.amount
        reservation.voucher.spent += reservation.amount
      }
      reservation.state = goal
    },
  }
}

export const voucherActs = { issueVoucher, adjust, block, reserve, settle }
