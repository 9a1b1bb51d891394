import type { Schemas } from '../../api/client.ts'
import { formatCents, normalizeTypedAmount, parseCents } from '../../ui/amounts.ts'
import { csvOf } from '../../ui/csv.ts'

export type Voucher = Schemas['Voucher']
export type VoucherDetail = Schemas['VoucherDetail']
export type Entry = Schemas['VoucherEntry']
export type Product = Schemas['VoucherProduct']
export type Delivery = Schemas['VoucherDelivery']
export type VoucherImport = Schemas['VoucherImport']
export type ImportDetail = Schemas['VoucherImportDetail']
export type Month = Schemas['VoucherMonths']['months'][number]

export const STATUSES = ['active', 'blocked', 'expired', 'depleted'] as const
export type Status = (typeof STATUSES)[number]

/** A whole code as people type it: whoever has only a part of one is not helped to guess the rest. */
export const isWholeCode = (typed: string): boolean => /^[a-z0-9]{12,64}$/i.test(typed.replaceAll(/[\s_-]/g, ''))

/** What checkouts under way have set aside, as a decimal; null where it is nothing. */
export const reservedAmount = ({ balance, available_balance }: Voucher): string | null => {
  const cents = parseCents(balance.amount, balance.currency) - parseCents(available_balance.amount, balance.currency)
  return cents === 0 ? null : formatCents(cents, balance.currency)
}

/** The balance after a correction; null where more would be taken than is available. */
export const balanceAfter = (voucher: Voucher, direction: 'credit' | 'debit', cents: number): string | null => {
  const { currency } = voucher.balance
  const before = parseCents(voucher.balance.amount, currency)
  if (direction === 'credit') return formatCents(before + cents, currency)
  return cents > parseCents(voucher.available_balance.amount, currency) ? null : formatCents(before - cents, currency)
}

export type DeliveryState = 'delivered' | 'failed' | 'scheduled' | 'delivering' | 'queued'

export const deliveryStateOf = (delivery: Delivery, now: Date): DeliveryState => {
  if (delivery.delivered_at !== null) return 'delivered'
  if (delivery.failed_at !== null) return 'failed'
  if (delivery.scheduled_for !== null && Date.parse(delivery.scheduled_for) > now.getTime()) return 'scheduled'
  return delivery.delivering_at === null ? 'queued' : 'delivering'
}

/** Faults by their kind, the most frequent first: of four thousand most are the same one. */
export const countFaults = (
  faults: ImportDetail['validation_errors'],
): { field: string; message: string; count: number }[] => {
  const groups = Map.groupBy(faults, ({ field, message }) => `${field} ${message}`)
  return Array.from(groups.values(), (same) => ({
    field: same[0]!.field,
    message: same[0]!.message,
    count: same.length,
  })).toSorted((one, other) => other.count - one.count)
}

/** What all rows of an import are worth together. */
export const worthOfRows = ({ rows }: ImportDetail): string | null => {
  const currency = rows.find(({ amount }) => amount !== null)?.amount?.currency
  if (currency === undefined) return null
  const cents = rows.reduce((sum, { amount }) => sum + (amount ? parseCents(amount.amount, currency) : 0), 0)
  return formatCents(cents, currency)
}

/** The columns of a month that are added, and those that are taken off. */
export const MONTH_LINES = [
  ['opening', 1],
  ['issued', 1],
  ['spent', -1],
  ['returned', 1],
  ['taken_back', -1],
  ['expired', -1],
  ['credited', 1],
  ['debited', -1],
  ['closing', 1],
] as const satisfies readonly (readonly [Exclude<keyof Month, 'month'>, 1 | -1])[]

/** Whether the lines of a month add up to its end, to the cent. */
export const addsUp = (month: Month, currency: string): boolean => {
  const sum = MONTH_LINES.filter(([line]) => line !== 'closing').reduce(
    (total, [line, sign]) => total + sign * parseCents(month[line], currency),
    0,
  )
  return sum === parseCents(month.closing, currency)
}

/** An amount with the sign by which it moves the sum. */
export const signed = (amount: string, sign: 1 | -1): string =>
  sign === 1 || /^0*\.?0*$/.test(amount) ? amount : `-${amount}`

/** All faults of an import, to be put right beside the file they are about. */
export const faultsAsCsv = (faults: ImportDetail['validation_errors']): string =>
  csvOf([['line', 'column', 'fault'], ...faults.map(({ line, field, message }) => [String(line), field, message])])

/** A list with one of its things moved to a place from 1. */
export const moveInList = <T extends { id: string }>(items: readonly T[], id: string, place: number): T[] => {
  const moved = items.find((item) => item.id === id)!
  return items.filter((item) => item.id !== id).toSpliced(place - 1, 0, moved)
}

export interface ProductFields {
  name: string
  description: string
  pricing_type: Product['pricing_type']
  fixed_amount: string
  purchase_price: string
  minimum_amount: string
  maximum_amount: string
  tax_rate: string
  validity_months: string
  visibility: Product['visibility']
  /** An address, or the signed ID of an upload. */
  image: string | null
}

export const fieldsOfProduct = (product: Product | null): ProductFields => ({
  name: product?.name ?? '',
  description: product?.description ?? '',
  pricing_type: product?.pricing_type ?? 'fixed',
  fixed_amount: product?.fixed_amount ?? '',
  purchase_price: product?.purchase_price ?? '',
  minimum_amount: product?.minimum_amount?.amount ?? '',
  maximum_amount: product?.maximum_amount?.amount ?? '',
  tax_rate: product?.tax_rate ?? '',
  validity_months: String(product?.validity_months ?? 36),
  visibility: product?.visibility ?? 'public_catalog',
  image: product?.image_url ?? null,
})

const typedOrNull = (text: string): string | null => (text.trim() === '' ? null : normalizeTypedAmount(text))

/** A product as the API takes it: the amounts of the other way of pricing are cleared. */
export const bodyOfProduct = (fields: ProductFields) => {
  const isFixed = fields.pricing_type === 'fixed'
  return {
    name: fields.name.trim(),
    description: fields.description,
    pricing_type: fields.pricing_type,
    fixed_amount: isFixed ? typedOrNull(fields.fixed_amount) : null,
    purchase_price: isFixed ? typedOrNull(fields.purchase_price) : null,
    minimum_amount: isFixed ? null : typedOrNull(fields.minimum_amount),
    maximum_amount: isFixed ? null : typedOrNull(fields.maximum_amount),
    tax_rate: typedOrNull(fields.tax_rate),
    validity_months: fields.validity_months.trim(),
    visibility: fields.visibility,
    image: fields.image,
  }
}

const PRICES = ['fixed_amount', 'purchase_price', 'minimum_amount', 'maximum_amount']

/** Only what was changed is sent, and all prices where they are of another kind by now. */
export const changesOfProduct = (fields: ProductFields, changed: readonly string[]) => {
  const sent = new Set(changed.includes('pricing_type') ? [...changed, ...PRICES] : changed)
  return Object.fromEntries(Object.entries(bodyOfProduct(fields)).filter(([key]) => sent.has(key)))
}

/** A month so many months later, or earlier; 2026-11 and 2 are 2027-01. */
export const moveMonth = (month: string, by: number): string => {
  const count = Number(month.slice(0, 4)) * 12 + Number(month.slice(5)) - 1 + by
  return `${String(Math.floor(count / 12)).padStart(4, '0')}-${String((count % 12) + 1).padStart(2, '0')}`
}
