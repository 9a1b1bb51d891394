import { z } from 'zod'
import type { Account } from '../access/callers.ts'
import { unwrappedBody } from '../http/body.ts'
import { type Field, castText, failCast, field, isEmpty, optionalText, requiredText } from '../http/fields.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { Invalid, refuseUnless } from '../kernel/refusals.ts'
import { AMOUNT_TEXT_MAX, parsePositiveAmount } from '../vouchers/rules.ts'

const REFERENCE_MAX = 255
const REASON_MAX = 500
const ADMISSIONS_MAX = 1000
const ID_MAX = 40

const publicIds = (): Field<string[] | null> =>
  field({ type: ['array', 'null'], items: { type: 'string' }, maxItems: ADMISSIONS_MAX }, (value) => {
    if (value === undefined || value === null) return null
    if (!Array.isArray(value)) return failCast(INVALID_MESSAGE)
    if (value.length > ADMISSIONS_MAX) return failCast(`is too long (maximum is ${ADMISSIONS_MAX} entries)`)
    return value.map((each) => (isEmpty(each) ? failCast(INVALID_MESSAGE) : castText(each, ID_MAX)))
  })

/** Without an amount everything is given back, so one that was left empty is not taken for none. */
const amountOrNone = (): Field<string | null> =>
  field({ type: ['string', 'null'], maxLength: AMOUNT_TEXT_MAX }, (value) => {
    if (value === undefined || value === null) return null
    return castText(value, AMOUNT_TEXT_MAX) || failCast(BLANK_MESSAGE)
  })

export const OrderPaymentBody = unwrappedBody(
  z.object({
    amount: requiredText(AMOUNT_TEXT_MAX),
    currency: optionalText(),
    reference: requiredText(REFERENCE_MAX),
  }),
)

export const OrderRefundBody = unwrappedBody(
  z.object({
    admission_public_ids: publicIds(),
    amount: amountOrNone(),
    currency: optionalText(),
    reason: optionalText(REASON_MAX),
  }),
)

/** Money is of the account's currency. Whoever names one must mean it. */
export const requireOwnCurrency = (given: string | null, { currency }: Pick<Account, 'currency'>): void =>
  refuseUnless(given === null || given.toUpperCase() === currency, { currency: [NOT_INCLUDED_MESSAGE] })

/** An amount as somebody typed it, or the fault beside its field. */
export const requireCents = (text: string, { currency }: Pick<Account, 'currency'>): number => {
  const { cents, fault: message } = parsePositiveAmount(text, currency)
  if (message !== null) throw new Invalid({ amount: [message] })
  return cents
}
