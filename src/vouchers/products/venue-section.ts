import type { z } from 'zod'
import { characterCount } from '../../kernel/messages.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { isPublicId } from '../../kernel/rules.ts'
import {
  flag,
  keyText,
  list,
  longText,
  money,
  oneOf,
  optional,
  text,
  strictObject,
  taxRate,
  wholeNumber,
} from '../../loading/fields.ts'
import type { ReadingContext } from '../../loading/fields.ts'
import { type Section, createSharedLookup } from '../../loading/section.ts'
import { exportProducts } from './export-products.ts'
import { insertProducts } from './records.ts'
import {
  DESCRIPTION_MAX,
  PRICING_TYPES,
  PRODUCT_NAME_MAX,
  VALIDITY_MONTHS_DEFAULT,
  VALIDITY_MONTHS_MAX,
  VISIBILITIES,
  priceFaults,
} from './rules.ts'

const price = (terms: ReadingContext) => optional(money(terms, { least: 1 }))

const VoucherProduct = (terms: ReadingContext) =>
  strictObject({
    key: keyText(),
    name: text(PRODUCT_NAME_MAX),
    description: longText()
      .default('')
      .refine((value) => characterCount(value) <= DESCRIPTION_MAX, {
        error: `has more than ${DESCRIPTION_MAX} characters`,
      }),
    pricing_type: oneOf(PRICING_TYPES),
    visibility: oneOf(VISIBILITIES).default('public_catalog'),
    fixed_amount: price(terms),
    purchase_price: price(terms),
    minimum_amount: price(terms),
    maximum_amount: price(terms),
    tax_rate: taxRate().default(0),
    validity_months: wholeNumber({ least: 1, most: VALIDITY_MONTHS_MAX }).default(VALIDITY_MONTHS_DEFAULT),
    archived: flag(false),
    public_id: optional(text().refine(isPublicId, { error: 'is not a public ID of 22 letters and digits' })),
  }).superRefine((product, context) => {
    for (const [field, messages] of Object.entries(priceFaults(pricesOf(product), terms.currency))) {
      context.addIssue({ code: 'custom', path: [field], message: messages[0]! })
    }
  })

type ProductInput = z.output<ReturnType<typeof VoucherProduct>>

interface PricesInput {
  pricing_type: (typeof PRICING_TYPES)[number]
  fixed_amount: number | null
  purchase_price: number | null
  minimum_amount: number | null
  maximum_amount: number | null
}

const pricesOf = (product: PricesInput) => ({
  pricingType: product.pricing_type,
  fixedCents: product.fixed_amount,
  purchaseCents: product.purchase_price,
  minimumCents: product.minimum_amount,
  maximumCents: product.maximum_amount,
})

export interface LoadedProduct {
  id: number
  publicId: string
  name: string
  fixedCents: number | null
  purchaseCents: number | null
  validityMonths: number
}

/** The products of a file, for its vouchers and imports. */
export const productsLoadedFromFile = createSharedLookup<LoadedProduct>()

export const voucherProductsSection: Section<ProductInput[]> = {
  key: 'voucher_products',
  schema: (terms) => list(VoucherProduct(terms), 'key'),
  load: async (context, products) => {
    const rows = products.map((product) => ({
      ...pricesOf(product),
      publicId: product.public_id ?? newPublicId(),
      name: product.name,
      description: product.description,
      visibility: product.visibility,
      taxRate: product.tax_rate,
      validityMonths: product.validity_months,
      archivedAt: product.archived ? context.terms.now : null,
    }))
    const ids = await insertProducts(context.tx, rows)
    const shelved = productsLoadedFromFile(context)
    for (const [n, product] of products.entries()) shelved.set(product.key, { id: ids[n]!, ...rows[n]! })
    return Object.fromEntries(Array.from(shelved, ([name, { publicId }]) => [name, { id: publicId }]))
  },
  export: exportProducts,
}
