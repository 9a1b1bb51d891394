import type { ShopScope } from '../access/access.ts'
import { MUST_EXIST_MESSAGE } from '../kernel/messages.ts'
import { type ErrorMap, Invalid } from '../kernel/refusals.ts'
import { BLANK_MESSAGE } from '../kernel/messages.ts'
import { addMonths, parseBeginning } from '../vouchers/expiry.ts'
import { readDatabaseTime } from '../vouchers/ledger/records.ts'
import { type InputContext, MUST_BE_IN_FUTURE_MESSAGE, validateIssue } from '../vouchers/ledger/rules.ts'
import { findProduct } from '../vouchers/products/records.ts'
import type { Product } from '../vouchers/products/rules.ts'
import type { VoucherItemInput } from './inputs.ts'
import type { CheckoutVoucherItem } from './rules.ts'

/** Vouchers at the prices of now; refuses with a fault beside each field that has one. */
export const validateVoucherItems = (
  shop: ShopScope,
  asked: readonly VoucherItemInput[],
): Promise<{ items: CheckoutVoucherItem[]; now: Date }> =>
  shop.consistentRead(async (rows) => {
    const { currency, timeZone } = shop.account
    const terms = { currency, timeZone, now: await readDatabaseTime(rows) }
    const faults: ErrorMap = {}
    const items: CheckoutVoucherItem[] = []
    for (const [n, input] of asked.entries()) {
      const product = await findProduct(rows, input.voucher_product_id)
      const chosen = chooseVoucherItem(input, product, terms)
      if (chosen.faults === null) items.push(chosen.item)
      else for (const [key, messages] of Object.entries(chosen.faults)) faults[`voucher_items[${n}].${key}`] = messages
    }
    if (Object.keys(faults).length > 0) throw new Invalid(faults)
    return { items, now: terms.now }
  })

type Chosen = { faults: ErrorMap; item: null } | { faults: null; item: CheckoutVoucherItem }

const chooseVoucherItem = (input: VoucherItemInput, product: Product | undefined, terms: InputContext): Chosen => {
  if (!product) return { faults: { voucher_product_id: [MUST_EXIST_MESSAGE] }, item: null }
  const { faults, ...issue } = validateIssue({ amount: input.amount, expires_at: null }, product, terms)
  const all = { ...faults, ...deliveryFaults(input, product, terms) }
  if (!('value' in issue) || Object.keys(all).length > 0) return { faults: all, item: null }

  const { amountCents, paidCents } = issue.value
  const item = {
    productId: product.id,
    productPublicId: product.publicId,
    title: product.name,
    amountCents,
    unitPriceCents: paidCents ?? amountCents,
    taxRate: product.taxRate,
    quantity: input.quantity,
    recipientName: input.recipient_name ?? input.recipient_email,
    recipientEmail: input.recipient_email,
    message: input.message,
    deliverOn: input.deliver_on,
    deliveryTimeZone: input.delivery_time_zone,
  }
  return { faults: null, item }
}

const MUST_BE_BEFORE_EXPIRY_MESSAGE = 'must be before the voucher expires'

/**
 * A day to be delivered on needs somebody to deliver it to, and is today at the earliest, where it is delivered. The
 * voucher is valid from its purchase on, so that it must not have expired by then.
 */
const deliveryFaults = (
  { deliver_on: day, recipient_email: email, delivery_time_zone: there }: VoucherItemInput,
  { validityMonths }: Product,
  { timeZone: here, now }: InputContext,
): ErrorMap => {
  if (day === null) return {}
  const timeZone = there ?? here
  const today = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now)
  const begins = parseBeginning(day, timeZone)
  const isPast = day < today || begins === null
  const expiresAt = addMonths(now, validityMonths)
  const isTooLate = !isPast && expiresAt !== null && begins >= expiresAt
  return {
    ...(email === null && { recipient_email: [BLANK_MESSAGE] }),
    ...(isPast && { deliver_on: [MUST_BE_IN_FUTURE_MESSAGE] }),
    ...(isTooLate && { deliver_on: [MUST_BE_BEFORE_EXPIRY_MESSAGE] }),
  }
}
