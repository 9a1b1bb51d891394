import type { z } from 'zod'
import { newPublicId } from '../kernel/public-ids.ts'
import { isPublicId } from '../kernel/rules.ts'
import { type JsonPath, fileFaultAt } from '../loading/fault.ts'
import {
  keyText,
  list,
  money,
  oneOf,
  optional,
  optionalText,
  text,
  strictObject,
  timestamp,
} from '../loading/fields.ts'
import type { ReadingContext } from '../loading/fields.ts'
import { type LoadContext, type Section, findByKey } from '../loading/section.ts'
import { isVoucherCode, newVoucherCode, normalizeVoucherCode, sealCode } from './codes.ts'
import { purchaseSchema, loadPurchase } from './deliveries/venue-section.ts'
import { addMonths } from './expiry.ts'
import {
  type NewEntry,
  type NewVoucher,
  insertEntry,
  insertVouchers,
  lockVoucher,
  recordBlock,
} from './ledger/records.ts'
import { VOUCHER_SOURCES } from './ledger/rules.ts'
import { type LoadedProduct, productsLoadedFromFile } from './products/venue-section.ts'
import { insertReservation } from './reservations/records.ts'
import { AMOUNT_MAX_CENTS, REASON_MAX } from './rules.ts'
import { exportVouchers } from './venue-export/export-vouchers.ts'

const amount = (terms: ReadingContext) =>
  money(terms, { least: 1 }).refine((cents) => cents <= AMOUNT_MAX_CENTS, { error: 'is too large' })

/** In the form that Foyer gives it keeps its hyphens, as it was printed. */
const code = () =>
  text()
    .transform((typed) => (/^([A-Z0-9]{4}-)+[A-Z0-9]{4}$/.test(typed) ? typed : normalizeVoucherCode(typed)))
    .refine((value) => isVoucherCode(normalizeVoucherCode(value)), {
      error: 'is not a code of 12 to 64 letters and digits',
    })

const Adjustment = (terms: ReadingContext) =>
  strictObject({
    amount: money(terms, { least: -AMOUNT_MAX_CENTS }).refine((cents) => cents !== 0, { error: 'is nothing' }),
    reason: text(REASON_MAX),
    actor: optionalText(),
    created_at: optional(timestamp(terms)),
  })

const LoadedVoucher = (terms: ReadingContext) =>
  strictObject({
    key: keyText(),
    code: optional(code()),
    product: optional(keyText()),
    amount: optional(amount(terms)),
    source: oneOf(VOUCHER_SOURCES).default('manual'),
    expires_at: optional(timestamp(terms)),
    created_at: optional(timestamp(terms)),
    note: optionalText(REASON_MAX),
    blocked_reason: optionalText(REASON_MAX),
    redeemed: optional(money(terms)),
    reserved: optional(money(terms)),
    adjustments: list(Adjustment(terms)),
    purchase: optional(purchaseSchema(terms)),
    public_id: optional(text().refine(isPublicId, { error: 'is not a public ID of 22 letters and digits' })),
  })

type VoucherInput = z.output<ReturnType<typeof LoadedVoucher>>

export const vouchersSection: Section<VoucherInput[]> = {
  key: 'vouchers',
  schema: (terms) => list(LoadedVoucher(terms), 'key'),
  load: async (context, vouchers, place) => {
    const prepared = vouchers.map((voucher, n) => prepare(context, voucher, [...place, n]))
    refuseTwins(prepared, place)
    const ids = await insertVouchers(
      context.tx,
      prepared.map(({ row }) => row),
    )

    const printed: [string, unknown][] = []
    for (const [n, voucher] of vouchers.entries()) {
      const { row, code: shown } = prepared[n]!
      await spend(context, ids[n]!, voucher)
      const deliveries = voucher.purchase ? await loadPurchase(context, { ...row, id: ids[n]! }, voucher.purchase) : []
      if (voucher.blocked_reason !== null) await recordBlock(context.tx, ids[n]!, voucher.blocked_reason)
      printed.push([voucher.key, { id: row.publicId, code: shown, deliveries }])
    }
    return Object.fromEntries(printed)
  },
  export: exportVouchers,
}

const prepare = (context: LoadContext, voucher: VoucherInput, place: JsonPath): { row: NewVoucher; code: string } => {
  const product =
    voucher.product === null
      ? null
      : findByKey(productsLoadedFromFile(context), voucher.product, [...place, 'product'], 'voucher product')
  const amountCents = voucher.amount ?? (product ? product.fixedCents : null)
  if (amountCents === null) throw fileFaultAt([...place, 'amount'], 'is missing')
  const gone = (voucher.redeemed ?? 0) + (voucher.reserved ?? 0) + (voucher.purchase?.refunded_credit ?? 0)
  const corrected = voucher.adjustments.reduce((sum, { amount: cents }) => sum + cents, 0)
  if (gone > amountCents + corrected)
    throw fileFaultAt([...place, 'redeemed'], 'what was spent and reserved is more than the amount')

  const shown = voucher.code ?? newVoucherCode()
  const sealed = sealCode(context.app.secrets, context.tx.accountId, shown)
  const row = {
    publicId: voucher.public_id ?? newPublicId(),
    entryPublicId: newPublicId(),
    codeDigest: sealed.digest,
    codeSealed: sealed.sealed,
    codeSuffix: sealed.suffix,
    productId: product ? product.id : null,
    productName: product ? product.name : null,
    source: voucher.source,
    amountCents,
    paidCents: voucher.purchase
      ? (voucher.purchase.paid_amount ?? priceOf(product, amountCents))
      : bonusPrice(product, amountCents),
    expiresAt:
      voucher.expires_at ??
      (product ? addMonths(voucher.created_at ?? context.terms.now, product.validityMonths) : null),
    actor: null,
    note: voucher.note,
    createdAt: voucher.created_at,
  }
  return { row, code: shown }
}

type MaybeProduct = LoadedProduct | null

/** Known only where the product sells more credit than it costs. */
const bonusPrice = (product: MaybeProduct, amountCents: number) =>
  product && product.fixedCents === amountCents ? product.purchaseCents : null

const priceOf = (product: MaybeProduct, amountCents: number) => bonusPrice(product, amountCents) ?? amountCents

const refuseTwins = (prepared: { row: NewVoucher }[], place: JsonPath) => {
  const seen = new Set<string>()
  for (const [n, { row }] of prepared.entries()) {
    const digest = row.codeDigest.toString('hex')
    if (seen.has(digest)) throw fileFaultAt([...place, n, 'code'], 'is given twice')
    seen.add(digest)
  }
}

/** What was spent elsewhere, and what a checkout under way has set aside, so that there is enough at every moment. */
const spend = async ({ tx, terms }: LoadContext, id: number, input: VoucherInput) => {
  const { redeemed, reserved, adjustments } = input
  const post = async (entry: Omit<NewEntry, 'publicId'>) =>
    insertEntry(tx, (await lockVoucher(tx, { id }))!, { publicId: newPublicId(), ...entry })
  const adjust = ({ amount: amountCents, reason, actor, created_at: createdAt }: (typeof adjustments)[number]) =>
    post({ kind: amountCents > 0 ? 'adjustment_credit' : 'adjustment_debit', amountCents, reason, actor, createdAt })

  if (adjustments.length > 0) {
    const { balanceCents } = (await lockVoucher(tx, { id }))!
    for (const each of orderedToBeCovered(adjustments, balanceCents)) await adjust(each)
  }
  if (redeemed) await post({ kind: 'redemption', amountCents: -redeemed, actor: null })
  if (reserved) {
    const expiresAt = addMonths(terms.now, 1)!
    await insertReservation(tx, {
      publicId: newPublicId(),
      voucherId: id,
      checkout: 'loaded',
      amountCents: reserved,
      expiresAt,
    })
  }
}

/** As the file has them, which is as they happened; a file written by hand may ask for the credits first. */
const orderedToBeCovered = <T extends { amount: number }>(adjustments: T[], balanceCents: number): T[] => {
  let balance = balanceCents
  const isCovered = adjustments.every(({ amount: cents }) => (balance += cents) >= 0)
  return isCovered ? adjustments : adjustments.toSorted((a, b) => Number(b.amount > 0) - Number(a.amount > 0))
}
