import type { CallerScope, Tx } from '../access/scopes.ts'
import { languageOrFallback } from '../languages/rules.ts'
import { MUST_BE_BLANK_MESSAGE, atMostMessage } from '../kernel/messages.ts'
import { showAmount } from '../kernel/money.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { Invalid, requireFound, refuseUnless } from '../kernel/refusals.ts'
import type { Payments } from '../payments/payments.ts'
import { lockPaymentsOfPayable } from '../payments/records.ts'
import { refundPayment } from '../payments/refunds/refund-payment.ts'
import { type Payment, refundableCents } from '../payments/rules.ts'
import { refundPurchase } from '../vouchers/deliveries/refund-purchase.ts'
import { refundRedemption } from '../vouchers/reservations/reserve.ts'
import { announceOrderRefunded } from './announce.ts'
import { queueCheckoutMail } from './mails/queue-mail.ts'
import { type RefundReceiptInput, issueRefundReceipt } from './receipts/issue-receipt.ts'
import { type TaxedMoney, findRemainingGrossByTaxRate } from './receipts/records.ts'
import type { ReceiptLine } from './receipts/rules.ts'
import { RECEIPT_WORDS } from './receipts/words.ts'
import {
  type LockedOrder,
  endRefundedAdmissions,
  findRefundableVouchers,
  findSpentVouchers,
  insertOrderRefund,
  lockCheckout,
  lockOrder,
  addRefundToOrder,
} from './records.ts'
import {
  ALREADY_REDEEMED_REFUND_MESSAGE,
  type OrderRefundRequest,
  admissionsToRefund,
  receiptLinesOfRefund,
  sumOfPrices,
} from './refund-rules.ts'
import { requireSale } from './require-sale.ts'
import { findOrderAdmissions } from './view/records.ts'

export interface IssuedRefund {
  publicId: string
  amountCents: number
  voucherCents: number
}

interface Refunding {
  payments: Payments
  inside: CallerScope
  tx: Tx
  checkoutId: number
  /** Locked, like the checkout. */
  paid: readonly Payment[]
  request: OrderRefundRequest
  partialTitle: string
}

/**
 * Gives money of an order back, to its vouchers first. The checkout is locked before all else, so that two who do it at
 * once never give back more than was paid.
 */
export const refundOrder = (
  payments: Payments,
  scope: CallerScope,
  publicId: string,
  request: OrderRefundRequest,
): Promise<IssuedRefund> =>
  scope.transaction(async (tx) => {
    const inside = scope.within(tx)
    const { checkoutId, orderId, language } = await requireSale(tx, publicId)
    await lockCheckout(tx, checkoutId)
    const paid = await lockPaymentsOfPayable(tx, checkoutId)
    const partialTitle = RECEIPT_WORDS[languageOrFallback(language)].partialRefund
    const refunding = { payments, inside, tx, checkoutId, paid, request, partialTitle }
    return orderId === null ? refundVouchers(refunding) : refundTickets(refunding, orderId)
  })

const NOT_PAID_MESSAGES = {
  unpaid: 'This order is not paid yet: cancel it instead',
  cancelled: 'This order was cancelled',
  disputed: 'This order is disputed',
} as const

const refundTickets = async (refunding: Refunding, orderId: number): Promise<IssuedRefund> => {
  const { inside, tx, checkoutId, request } = refunding
  const order = requireFound(await lockOrder(tx, orderId))
  if (order.status !== 'paid' && order.status !== 'refunded') throw new Invalid(NOT_PAID_MESSAGES[order.status])
  const all = await findOrderAdmissions(tx, { orderId, eventId: order.eventId })
  const ending = admissionsToRefund(all, request)
  const amountCents = amountOf(inside, order, request, sumOfPrices(ending))
  refuseUnless(amountCents > 0 || ending.length > 0, 'Nothing is left to refund')

  const voucherCents = Math.min(amountCents, order.voucherCents - order.refundedVoucherCents)
  const publicId = newPublicId()
  const written = { publicId, checkoutId, orderId, amountCents, voucherCents, reason: request.reason }
  const refundId = await insertOrderRefund(tx, { ...written, actor: inside.actor.name })
  const isOver = all.filter(({ status }) => status === 'active').length === ending.length
  await addRefundToOrder(tx, orderId, { amountCents, voucherCents, isOver })
  const ids = ending.map(({ id }) => id)
  // Whoever came in at the door meanwhile keeps the ticket.
  const ended = ids.length === 0 ? 0 : await endRefundedAdmissions(tx, order, ids, refundId)
  refuseUnless(ended === ids.length, ALREADY_REDEEMED_REFUND_MESSAGE)
  const returnedTaxed = await returnToVouchers(refunding, orderId, voucherCents)
  await returnPayments(refunding, publicId, amountCents - voucherCents)
  await announceOrderRefunded(inside, tx, orderId)

  const left = await findRemainingGrossByTaxRate(tx, checkoutId)
  const lines = receiptLinesOfRefund(amountCents, ending, left, refunding.partialTitle)
  return finish(refunding, { publicId, refundId, amountCents, voucherCents, lines, returnedTaxed })
}

const amountOf = (
  { account: { currency } }: CallerScope,
  { totalCents, refundedCents }: LockedOrder,
  { admissionPublicIds, amountCents }: OrderRefundRequest,
  price: number,
): number => {
  const left = totalCents - refundedCents
  if (admissionPublicIds === null && amountCents === null) return left
  const wanted = amountCents ?? price
  refuseUnless(wanted <= left, { amount: [atMostMessage(showAmount(left, currency))] })
  return wanted
}

/**
 * Several vouchers get theirs in the order in which everybody locks them. Tells how much of it was taxed when they were
 * sold, and by which rate.
 */
const returnToVouchers = async (
  { inside, tx, request }: Refunding,
  orderId: number,
  cents: number,
): Promise<TaxedMoney[]> => {
  let left = cents
  const taxed: TaxedMoney[] = []
  for (const { voucherId, amountCents: spent, rateWhenSold: rate } of await findSpentVouchers(tx, orderId)) {
    const amountCents = Math.min(left, spent)
    if (amountCents === 0) break
    const { reason } = request
    await refundRedemption(inside, { voucherId, orderId, amountCents, actor: inside.actor.name, reason })
    if (rate > 0) taxed.push({ rate, cents: amountCents })
    left -= amountCents
  }
  if (left > 0) throw new Error('The vouchers of an order have paid less than it says')
  return taxed
}

const returnPayments = async (refunding: Refunding, publicId: string, cents: number): Promise<void> => {
  const { payments, inside, paid, request } = refunding
  let left = cents
  for (const payment of paid.filter(({ isSurplus }) => !isSurplus)) {
    const amountCents = Math.min(left, refundableCents(payment))
    if (amountCents === 0) continue
    const key = `refund ${publicId}`
    await refundPayment(payments, inside, { publicId: payment.publicId, amountCents, key, reason: request.reason })
    left -= amountCents
  }
  if (left > 0) throw new Error('The payments of an order are less than it says')
}

/** Of vouchers all credit is taken back that nobody has spent or set aside, and its price given back. */
const refundVouchers = async (refunding: Refunding): Promise<IssuedRefund> => {
  const { inside, tx, checkoutId, request } = refunding
  refuseUnless(request.admissionPublicIds === null, { admission_public_ids: [MUST_BE_BLANK_MESSAGE] })
  refuseUnless(request.amountCents === null, { amount: [MUST_BE_BLANK_MESSAGE] })
  const lines: ReceiptLine[] = []
  for (const { purchasePublicId, title, taxRate } of await findRefundableVouchers(tx, checkoutId)) {
    const { reason } = request
    const { refundedCents } = await refundPurchase(inside, purchasePublicId, { actor: inside.actor.name, reason })
    const total = refundedCents && -refundedCents
    lines.push({ title, quantity: -1, unit_cents: refundedCents, total_cents: total, tax_rate: taxRate })
  }
  const amountCents = -lines.reduce((sum, line) => sum + line.total_cents, 0)
  refuseUnless(amountCents > 0, 'Nothing is left to refund')
  const publicId = newPublicId()
  const written = { publicId, checkoutId, orderId: null, amountCents, voucherCents: 0, reason: request.reason }
  const refundId = await insertOrderRefund(tx, { ...written, actor: inside.actor.name })
  await returnPayments(refunding, publicId, amountCents)
  return finish(refunding, { publicId, refundId, amountCents, voucherCents: 0, lines, returnedTaxed: [] })
}

/** The number of the receipt is taken last: everybody else who sells waits for it. */
const finish = async (
  { inside, tx, checkoutId }: Refunding,
  { publicId, amountCents, voucherCents, ...refund }: IssuedRefund & Omit<RefundReceiptInput, 'checkoutId'>,
): Promise<IssuedRefund> => {
  const receiptNumber = await issueRefundReceipt(inside, tx, { ...refund, checkoutId, voucherCents })
  await queueCheckoutMail(tx, checkoutId, { kind: 'refunded', amountCents, receiptNumber })
  return { publicId, amountCents, voucherCents }
}
