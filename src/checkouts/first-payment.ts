import type { ShopScope } from '../access/access.ts'
import { batchTransactions } from '../access/batches.ts'
import type { AccountScope, Tx } from '../access/scopes.ts'
import { setExpiryOfHolds } from '../inventory/holds/records.ts'
import { DAY_MS } from '../kernel/durations.ts'
import { BLANK_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { Invalid, Refusal, refusalOr, refuseUnless, requireFound } from '../kernel/refusals.ts'
import { checkoutUrl } from '../orders/tokens.ts'
import type { ConfiguredMethod } from '../payments/configuration/records.ts'
import { findUsableMethods } from '../payments/payments.ts'
import { type NewPayment, insertPayments } from '../payments/records.ts'
import { PAYMENT_METHOD_NAMES, type Payment, type PaymentMethodName } from '../payments/rules.ts'
import type { PaymentRequest } from '../payments/start-payment.ts'
import { requireBuyer } from './buyer.ts'
import { findCheckouts, lockCheckouts, recordStatuses } from './records.ts'
import {
  type Checkout,
  EVENT_CANCELLED_MESSAGE,
  EXPIRED_MESSAGE,
  HOLD_WHILE_PAYING_MS,
  effectiveStatusOf,
  holdIdsOf,
  isPaidByHand,
  totalOf,
} from './rules.ts'

/** While a payment is under way what is bought stays held; the payment's own end ends it. */
const HELD_WHILE_PAYING_MS = 120 * DAY_MS

export const holdEndWhilePaying = ({ now }: Checkout) => new Date(now.getTime() + HELD_WHILE_PAYING_MS)

export const requirePayable = (checkout: Checkout) => {
  const status = effectiveStatusOf(checkout)
  if (checkout.event?.isCalledOff && !checkout.order) throw new Invalid(EVENT_CANCELLED_MESSAGE)
  if (status === 'expired') throw new Invalid(EXPIRED_MESSAGE)
  if (status === 'cancelled') throw new Invalid('This checkout was cancelled')
  return status
}

export const requireMethod = (method: string | null, { event }: Checkout): PaymentMethodName => {
  refuseUnless(method !== null, { payment_method: [BLANK_MESSAGE] })
  const name = PAYMENT_METHOD_NAMES.find((each) => each === method)
  refuseUnless(name && (event !== null || !isPaidByHand(name)), { payment_method: [NOT_INCLUDED_MESSAGE] })
  return name
}

/** What is to be paid for a checkout, and until when at least it keeps what it holds. */
export const paymentFor = (
  { app, account }: Pick<AccountScope, 'app' | 'account'>,
  checkout: Checkout,
  { token, method }: { token: string; method: PaymentMethodName },
): PaymentRequest & { heldUntil: Date } => {
  const heldUntil = new Date(Math.max(checkout.expiresAt.getTime(), checkout.now.getTime() + HOLD_WHILE_PAYING_MS))
  return {
    payableId: checkout.id,
    method,
    amountCents: totalOf(checkout),
    description: checkout.event?.title ?? checkout.voucherItems[0]?.title ?? '',
    returnUrl: checkoutUrl(app, account, token),
    expiresAt: method === 'at_the_door' ? null : heldUntil,
    heldUntil,
  }
}

export interface FirstPayment {
  /** As it is while it is paid. */
  checkout: Checkout
  payment: Payment
  configured: ConfiguredMethod
}

interface Paying {
  scope: ShopScope
  id: number
  token: string
  method: string | null
}

interface Wanted {
  checkout: Checkout
  payment: NewPayment
  heldUntil: Date
  configured: ConfiguredMethod
}

/** Null where it is not the first, or vouchers pay as well, or nothing is left to pay, or somebody has to count it. */
const judge = (
  { scope, token, method: given }: Paying,
  checkout: Checkout,
  methods: readonly ConfiguredMethod[],
): Wanted | null => {
  requirePayable(checkout)
  if (checkout.status !== 'open' || checkout.order || checkout.payment || checkout.vouchers.length > 0) return null
  requireBuyer(checkout)
  if (totalOf(checkout) === 0) return null
  const method = requireMethod(given, checkout)
  const configured = methods.find(({ name }) => name === method)
  refuseUnless(configured, { payment_method: [NOT_INCLUDED_MESSAGE] })
  if (isPaidByHand(method)) return null
  refuseUnless(holdIdsOf(checkout.items).length === checkout.items.length, EXPIRED_MESSAGE)
  const { heldUntil, method: _name, ...payment } = paymentFor(scope, checkout, { token, method })
  const { currency } = scope.account
  const [publicId, methodId] = [newPublicId(), configured.id]
  return { checkout, heldUntil, configured, payment: { ...payment, publicId, methodId, currency } }
}

const createFirstPayments = async (tx: Tx, asked: readonly Paying[]): Promise<(FirstPayment | Refusal | null)[]> => {
  const ids = asked.map(({ id }) => id)
  await lockCheckouts(tx, ids)
  const checkouts = await findCheckouts(tx, ids)
  const methods = await findUsableMethods(asked[0]!.scope.within(tx))
  const judged = asked.map((each) => refusalOr(() => judge(each, requireFound(checkouts.get(each.id)), methods)))
  const made = await keepAndWrite(
    tx,
    judged.flatMap((each) => (each === null || each instanceof Refusal ? [] : [each])),
  )
  return judged.map((each) => (each === null || each instanceof Refusal ? each : (made.get(each) ?? null)))
}

/** Whose time was over a moment ago is told so. */
const keepAndWrite = async (tx: Tx, wanted: readonly Wanted[]): Promise<Map<Wanted, FirstPayment | Refusal>> => {
  if (wanted.length === 0) return new Map()
  const kept = await setExpiryOfHolds(
    tx,
    wanted.map(({ checkout }) => holdIdsOf(checkout.items)),
    holdEndWhilePaying(wanted[0]!.checkout),
  )
  const held = wanted.filter((_, n) => kept[n])
  const written = held.length > 0 ? await writePayments(tx, held) : []
  return new Map<Wanted, FirstPayment | Refusal>([
    ...wanted.filter((_, n) => !kept[n]).map((each) => [each, new Invalid(EXPIRED_MESSAGE)] as const),
    ...written,
  ])
}

const writePayments = async (tx: Tx, held: readonly Wanted[]): Promise<(readonly [Wanted, FirstPayment])[]> => {
  const payments = await insertPayments(
    tx,
    held.map(({ payment }) => payment),
  )
  await recordStatuses(
    tx,
    'pending',
    held.map(({ checkout: { id }, heldUntil: expiresAt }) => ({ id, expiresAt })),
  )
  return held.map((each) => {
    const { checkout, configured, heldUntil: expiresAt } = each
    const payment = payments.find(({ payableId }) => payableId === checkout.id)
    if (!payment) throw new Error('A payment is under way of which its checkout does not know')
    return [each, { checkout: { ...checkout, status: 'pending', expiresAt, payment }, payment, configured }] as const
  })
}

/**
 * The first payment for what is held, by money alone, as nearly all are: those of one account that come together are
 * written together. Null for whatever needs a closer look; nothing has changed for it.
 */
export const createFirstPayment = batchTransactions(
  ({ scope, id }: Paying) => ({ scope, subject: id }),
  createFirstPayments,
)
