import { z } from 'zod'
import { envelope, unwrappedBody } from '../../http/body.ts'
import {
  choice,
  choiceWithDefault,
  integer,
  integerWithDefault,
  optionalText,
  requiredText,
  taxRateOrNone,
} from '../../http/fields.ts'
import { Money, Timestamp, exampleOf, named, showTimestamp } from '../../http/wire.ts'
import { showAmount, showMoney } from '../../kernel/money.ts'
import { showTaxRate } from '../../kernel/tax-rates.ts'
import { AMOUNT_TEXT_MAX } from '../rules.ts'
import {
  DESCRIPTION_MAX,
  PRICING_TYPES,
  PRODUCT_NAME_MAX,
  type Product,
  VALIDITY_MONTHS_DEFAULT,
  VALIDITY_MONTHS_MAX,
  VISIBILITIES,
} from './rules.ts'

export const VoucherProduct = named(
  'VoucherProduct',
  z.object({
    id: z.string(),
    name: z.string(),
    description: z.string(),
    pricing_type: z.enum(PRICING_TYPES),
    visibility: z.enum(VISIBILITIES),
    status: z.enum(['active', 'archived']),
    currency: z.string(),
    fixed_amount: z.string().nullable(),
    purchase_price: z.string().nullable(),
    bonus_amount: Money.nullable(),
    minimum_amount: Money.nullable(),
    maximum_amount: Money.nullable(),
    tax_rate: z.string(),
    validity_months: z.int(),
    position: z.int(),
    image_url: z.string().nullable(),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
  {
    id: 'Gq4nV8sT1kYx7bLwZ3mHcR',
    name: 'Give 50, get 60',
    description: 'For everyone who likes to dance.',
    pricing_type: 'fixed',
    visibility: 'public_catalog',
    status: 'active',
    currency: 'EUR',
    fixed_amount: '60.00',
    purchase_price: '50.00',
    bonus_amount: { amount: '10.00', currency: 'EUR' },
    minimum_amount: null,
    maximum_amount: null,
    tax_rate: '0.00',
    validity_months: 36,
    position: 1,
    image_url: null,
    created_at: '2026-10-01T09:00:00.000Z',
    updated_at: '2026-10-01T09:00:00.000Z',
  },
)

export const VoucherProducts = named('VoucherProducts', z.object({ voucher_products: z.array(VoucherProduct) }), {
  voucher_products: [exampleOf(VoucherProduct)!],
})

const amount = () => optionalText(AMOUNT_TEXT_MAX)
const image = () => optionalText(2000)

export const NewProductBody = envelope(
  'voucher_product',
  z.object({
    name: requiredText(PRODUCT_NAME_MAX),
    description: optionalText(DESCRIPTION_MAX),
    pricing_type: choice(PRICING_TYPES),
    visibility: choiceWithDefault('public_catalog', VISIBILITIES),
    fixed_amount: amount(),
    purchase_price: amount(),
    minimum_amount: amount(),
    maximum_amount: amount(),
    tax_rate: taxRateOrNone(),
    validity_months: integerWithDefault(VALIDITY_MONTHS_DEFAULT, { least: 1, most: VALIDITY_MONTHS_MAX }),
    image: image(),
  }),
)

export const ProductChangesBody = envelope(
  'voucher_product',
  z.object({
    name: requiredText(PRODUCT_NAME_MAX).optional(),
    description: optionalText(DESCRIPTION_MAX).optional(),
    pricing_type: choice(PRICING_TYPES).optional(),
    visibility: choice(VISIBILITIES).optional(),
    fixed_amount: amount().optional(),
    purchase_price: amount().optional(),
    minimum_amount: amount().optional(),
    maximum_amount: amount().optional(),
    tax_rate: taxRateOrNone().optional(),
    validity_months: integer({ least: 1, most: VALIDITY_MONTHS_MAX }).optional(),
    image: image().optional(),
  }),
)

export const PositionBody = unwrappedBody(z.object({ position: integer() }))

/** What a body says about a product, whichever of the two it is; what it leaves out is undefined. */
export type ProductInput = ReturnType<(typeof ProductChangesBody)['read']>

export const showProduct = (
  product: Product,
  { currency, imageUrl }: { currency: string; imageUrl: (key: string) => string },
): z.output<typeof VoucherProduct> => ({
  id: product.publicId,
  name: product.name,
  description: product.description,
  pricing_type: product.pricingType,
  visibility: product.visibility,
  status: product.archivedAt ? 'archived' : 'active',
  currency,
  fixed_amount: product.fixedCents === null ? null : showAmount(product.fixedCents, currency),
  purchase_price: product.purchaseCents === null ? null : showAmount(product.purchaseCents, currency),
  bonus_amount:
    product.fixedCents === null || product.purchaseCents === null
      ? null
      : showMoney(product.fixedCents - product.purchaseCents, currency),
  minimum_amount: product.minimumCents === null ? null : showMoney(product.minimumCents, currency),
  maximum_amount: product.maximumCents === null ? null : showMoney(product.maximumCents, currency),
  tax_rate: showTaxRate(product.taxRate),
  validity_months: product.validityMonths,
  position: product.position,
  image_url: product.imageKey === null ? null : imageUrl(product.imageKey),
  created_at: showTimestamp(product.createdAt),
  updated_at: showTimestamp(product.updatedAt),
})
