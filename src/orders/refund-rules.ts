import { Invalid, refuseUnless } from '../kernel/refusals.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE } from '../kernel/messages.ts'
import type { ReceiptLine } from './receipts/rules.ts'
import type { OrderAdmission } from './view/rules.ts'

/** What an organizer asks for: these admissions, an amount, or, with neither, everything. */
export interface OrderRefundRequest {
  admissionPublicIds: readonly string[] | null
  amountCents: number | null
  reason: string | null
}

export const ALREADY_REDEEMED_REFUND_MESSAGE = 'Somebody has come in with this ticket already: refund an amount instead'

/** The admissions that end with a refund. Nobody who has come in is among them, and a group only as a whole. */
export const admissionsToRefund = (
  all: readonly OrderAdmission[],
  { admissionPublicIds: asked, amountCents }: OrderRefundRequest,
): OrderAdmission[] => {
  const active = all.filter(({ status }) => status === 'active')
  if (asked === null) {
    if (amountCents !== null) return []
    if (active.some(({ redeemedAt }) => redeemedAt !== null)) throw new Invalid(ALREADY_REDEEMED_REFUND_MESSAGE)
    return active
  }
  const refuse = (message: string): never => {
    throw new Invalid({ admission_public_ids: [message] })
  }
  if (asked.length === 0) refuse(BLANK_MESSAGE)
  const wanted = new Set(asked)
  const chosen = active.filter(({ publicId }) => wanted.has(publicId))
  if (chosen.length < wanted.size) refuse(INVALID_MESSAGE)
  if (chosen.some(({ redeemedAt }) => redeemedAt !== null)) refuse(ALREADY_REDEEMED_REFUND_MESSAGE)
  const isCutApart = active.some(
    (other) => !wanted.has(other.publicId) && chosen.some((each) => areOfOneGroup(each, other)),
  )
  if (isCutApart) refuse('must name a group as a whole')
  return chosen
}

const areOfOneGroup = (a: OrderAdmission, b: OrderAdmission) =>
  a.groupNumber !== null && a.groupNumber === b.groupNumber && a.ticketId === b.ticketId

export const sumOfPrices = (admissions: readonly OrderAdmission[]): number =>
  admissions.reduce((sum, { priceCents }) => sum + priceCents, 0)

type LeftOfRate = { rate: number; cents: number }

/**
 * The admissions that end, where it is their price that is given back. Refunds of an amount may have left less of their
 * tax rate than that: no more is given back at a rate than was sold at it, so then every rate has its share.
 */
export const receiptLinesOfRefund = (
  amountCents: number,
  ending: readonly OrderAdmission[],
  left: readonly LeftOfRate[],
  title: string,
): ReceiptLine[] => {
  const lines = receiptLinesOfAdmissions(ending)
  const isTheirPrice = sumOfPrices(ending) === amountCents
  return isTheirPrice && areLeft(lines, left) ? lines : receiptLinesOfAmount(amountCents, left, title)
}

const areLeft = (lines: readonly ReceiptLine[], left: readonly LeftOfRate[]): boolean =>
  [...Map.groupBy(lines, (line) => line.tax_rate)].every(([rate, same]) => {
    const cents = left.find((each) => each.rate === rate)?.cents ?? 0
    return same.reduce((sum, line) => sum - line.total_cents, 0) <= Math.max(0, cents)
  })

/** What was bought, taken back: a group is one line of its ticket, as it was when it was sold. */
const receiptLinesOfAdmissions = (admissions: readonly OrderAdmission[]): ReceiptLine[] => {
  const units = Map.groupBy(admissions, ({ id, ticketId, groupNumber }) =>
    groupNumber === null ? `admission ${id}` : `group ${ticketId} ${groupNumber}`,
  )
  const sold = [...units.values()].map((unit) => ({
    title: unit[0]!.ticketTitle,
    price: sumOfPrices(unit),
    rate: unit[0]!.taxRate,
  }))
  const same = Map.groupBy(sold, ({ title, price, rate }) => JSON.stringify([title, price, rate]))
  return [...same.values()].map((units) => {
    const { title, price, rate } = units[0]!
    const total = units.length * price
    return { title, quantity: -units.length, unit_cents: price, total_cents: total && -total, tax_rate: rate }
  })
}

/** An amount that stands for nothing in particular is taken from every tax rate by its share of what is left. */
const receiptLinesOfAmount = (amountCents: number, left: readonly LeftOfRate[], title: string): ReceiptLine[] => {
  const parts = left.filter(({ cents }) => cents > 0)
  const whole = parts.reduce((sum, { cents }) => sum + cents, 0)
  refuseUnless(whole >= amountCents, 'More is given back than was sold')
  let before = 0
  let given = 0
  return parts.flatMap(({ rate, cents }) => {
    before += cents
    // Rounded along the way, so that the parts add up to the cent.
    const until = Number((BigInt(amountCents) * BigInt(before)) / BigInt(whole))
    const share = until - given
    given = until
    return share === 0 ? [] : [{ title, quantity: -1, unit_cents: share, total_cents: -share, tax_rate: rate }]
  })
}
