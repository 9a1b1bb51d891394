import { z } from 'zod'
import { optionalCountry } from '../admissions/inputs.ts'
import { type BodyReader, envelope, unwrappedBody, isRecord } from '../http/body.ts'
import {
  NAME_MAX,
  castText,
  failCast,
  field,
  fieldSchemas,
  integer,
  integerWithDefault,
  isEmpty,
  mapField,
  optionalDate,
  optionalEmail,
  optionalText,
  requiredText,
  rowId,
} from '../http/fields.ts'
import { NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'
import { isTimeZone } from '../loading/fields.ts'
import { ADMISSIONS_MAX, ITEMS_MAX, QUANTITY_MAX } from './rules.ts'

const PHONE_MAX = 50
const KEY_MAX = 255
const CODES_MAX = 20
const MESSAGE_MAX = 1000

/** A list of records; forms number their entries (`items[0][quantity]`), which makes a map of them. */
const listOf = <T extends z.ZodObject>(shape: T, most: number) => {
  const entries = z
    .array(z.preprocess((entry) => (isRecord(entry) ? withAllKeys(shape, entry) : entry), shape))
    .max(most)
  const list = z.preprocess(inOrder, entries)
  const properties = Object.fromEntries(
    Object.entries(shape.shape).map(([key, each]) => [key, fieldSchemas.get(each as z.ZodType)?.schema ?? {}]),
  )
  const schema = { type: ['array', 'null'], maxItems: most, items: { type: 'object', properties } }
  fieldSchemas.add(list, { schema, required: false })
  return list
}

const inOrder = (value: unknown): unknown => {
  if (isEmpty(value)) return []
  if (!isRecord(value)) return value
  const entries = Object.entries(value).toSorted(([a], [b]) => Number(a) - Number(b))
  return entries.map(([, entry]) => entry).filter((entry) => !isUnchosen(entry))
}

/** Forms send every ticket of their page; those of which nothing was chosen are no items. */
const isUnchosen = (entry: unknown) =>
  isRecord(entry) && entry['ticket_id'] !== undefined && isEmpty(entry['quantity']) && isEmpty(entry['place_keys'])

/** A key that was left out is asked all the same: it may be required, or have a default. */
const withAllKeys = (shape: z.ZodObject, entry: Record<string, unknown>) =>
  Object.fromEntries(Object.keys(shape.shape).map((key) => [key, Object.hasOwn(entry, key) ? entry[key] : undefined]))

const texts = (most: number, length: number) =>
  field({ type: ['array', 'string', 'null'], items: { type: 'string' }, maxItems: most }, (value) => {
    if (isEmpty(value)) return []
    const list = Array.isArray(value) ? value : [value]
    if (list.length > most) failCast(`is too long (maximum is ${most} entries)`)
    return list.filter((each) => !isEmpty(each)).map((each) => castText(each, length))
  })

const item = z.object({
  ticket_id: rowId(),
  quantity: field({ type: ['integer', 'null'], minimum: 1, maximum: QUANTITY_MAX }, (value) =>
    isEmpty(value) ? null : readQuantity(value),
  ),
  standing_area_id: rowId(),
  place_keys: texts(ADMISSIONS_MAX, KEY_MAX),
})

const readQuantity = (value: unknown): number => {
  const read = integer({ least: 1, most: QUANTITY_MAX }).safeParse(value)
  return read.success ? read.data : failCast(read.error.issues[0]!.message)
}

const timeZone = () =>
  field({ type: ['string', 'null'], examples: ['America/New_York'] }, (value) => {
    if (isEmpty(value)) return null
    const name = castText(value, NAME_MAX)
    return isTimeZone(name) ? name : failCast(NOT_INCLUDED_MESSAGE)
  })

const voucherItem = z.object({
  voucher_product_id: requiredText(),
  amount: optionalText(40),
  quantity: integerWithDefault(1, { least: 1, most: ITEMS_MAX }),
  recipient_name: optionalText(),
  recipient_email: optionalEmail(),
  message: optionalText(MESSAGE_MAX),
  deliver_on: optionalDate(),
  delivery_time_zone: timeZone(),
})

export type ItemInput = z.output<typeof item>
export type VoucherItemInput = z.output<typeof voucherItem>

const newCheckout = z.object({
  event_slug: optionalText(),
  currency: optionalText(),
  code: texts(CODES_MAX, NAME_MAX),
  items: listOf(item, ITEMS_MAX),
  voucher_items: listOf(voucherItem, ITEMS_MAX),
  queue_token: optionalText(),
})

export type NewCheckoutInput = z.output<typeof newCheckout>

const enveloped = envelope('checkout', newCheckout)

/** What is no text is no place in line either, and is told so. */
const besideText = (value: unknown) =>
  (typeof value === 'string' ? value : JSON.stringify(value)).trim().slice(0, NAME_MAX)

/** The place in a line may stand inside the envelope or beside it. */
export const NewCheckoutBody: BodyReader<NewCheckoutInput> = {
  schema: enveloped.schema,
  read: (json, terms) => {
    const read = enveloped.read(json, terms)
    const beside = isRecord(json) ? json['queue_token'] : undefined
    return { ...read, queue_token: read.queue_token ?? (isEmpty(beside) ? null : besideText(beside)) }
  },
}

const attendee = z.object({ name: optionalText(), custom_field_answers: mapField() })

const change = z.object({
  customer_name: optionalText().optional(),
  customer_email: optionalEmail().optional(),
  customer_phone: optionalText(PHONE_MAX).optional(),
  customer_company: optionalText().optional(),
  billing_street: optionalText().optional(),
  billing_postal_code: optionalText().optional(),
  billing_city: optionalText().optional(),
  billing_country: optionalCountry().optional(),
  billing_vat_id: optionalText().optional(),
  custom_field_answers: mapField().optional(),
  attendees: listOf(attendee, ADMISSIONS_MAX).optional(),
  items: listOf(item, ITEMS_MAX).optional(),
})

export type CheckoutChange = z.output<typeof change>

export const CheckoutChangeBody = envelope('checkout', change)

export const VoucherCodeBody = unwrappedBody(z.object({ code: requiredText() }))

export const PaymentBody = unwrappedBody(z.object({ payment_method: optionalText() }))
