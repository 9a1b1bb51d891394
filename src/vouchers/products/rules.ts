import { showAmount } from '../../kernel/money.ts'
import type { ErrorMap } from '../../kernel/refusals.ts'
import { BLANK_MESSAGE, atLeastMessage, lessThanMessage } from '../../kernel/messages.ts'
import { parsePositiveAmount } from '../rules.ts'

export const PRICING_TYPES = ['fixed', 'flexible'] as const
export const VISIBILITIES = ['public_catalog', 'secret'] as const

export const PRODUCT_NAME_MAX = 200
export const DESCRIPTION_MAX = 5000
export const VALIDITY_MONTHS_DEFAULT = 36
export const VALIDITY_MONTHS_MAX = 120

export interface ProductPrices {
  pricingType: (typeof PRICING_TYPES)[number]
  fixedCents: number | null
  purchaseCents: number | null
  minimumCents: number | null
  maximumCents: number | null
}

export interface Product extends ProductPrices {
  id: number
  publicId: string
  name: string
  description: string
  visibility: (typeof VISIBILITIES)[number]
  /** In hundredths of a percent; part of the price. */
  taxRate: number
  validityMonths: number
  position: number
  imageId: number | null
  imageKey: string | null
  archivedAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** Prices as a body has them: a text, null to clear one, or nothing to leave it. */
export interface PriceInputs {
  pricing_type?: ProductPrices['pricingType'] | undefined
  fixed_amount?: string | null | undefined
  purchase_price?: string | null | undefined
  minimum_amount?: string | null | undefined
  maximum_amount?: string | null | undefined
}

const COLUMNS = {
  fixed_amount: 'fixedCents',
  purchase_price: 'purchaseCents',
  minimum_amount: 'minimumCents',
  maximum_amount: 'maximumCents',
} as const

/** The prices after a change, judged as a whole; switching the type means clearing the other type's fields. */
export const applyPriceChange = (
  before: ProductPrices,
  typed: PriceInputs,
  currency: string,
): { prices: ProductPrices; faults: ErrorMap } => {
  const prices = { ...before, pricingType: typed.pricing_type ?? before.pricingType }
  const faults: ErrorMap = {}
  for (const [field, column] of Object.entries(COLUMNS) as [
    keyof typeof COLUMNS,
    (typeof COLUMNS)[keyof typeof COLUMNS],
  ][]) {
    const text = typed[field]
    if (text === undefined) continue
    if (text === null) {
      prices[column] = null
      continue
    }
    const read = parsePositiveAmount(text, currency)
    if (read.fault === null) prices[column] = read.cents
    else faults[field] = [read.fault]
  }
  return { prices, faults: { ...priceFaults(prices, currency), ...faults } }
}

const NOT_FOR_FLEXIBLE = 'must be blank for a flexible product'
const NOT_FOR_FIXED = 'must be blank for a fixed product'

/** What is wrong with prices as a whole, by field. */
export const priceFaults = (prices: ProductPrices, currency: string): ErrorMap => {
  const { fixedCents, purchaseCents, minimumCents, maximumCents } = prices
  const faults: ErrorMap = {}
  if (prices.pricingType === 'fixed') {
    if (fixedCents === null) faults['fixed_amount'] = [BLANK_MESSAGE]
    else if (purchaseCents !== null && purchaseCents >= fixedCents) {
      faults['purchase_price'] = [lessThanMessage(showAmount(fixedCents, currency))]
    }
    if (minimumCents !== null) faults['minimum_amount'] = [NOT_FOR_FIXED]
    if (maximumCents !== null) faults['maximum_amount'] = [NOT_FOR_FIXED]
    return faults
  }

  if (fixedCents !== null) faults['fixed_amount'] = [NOT_FOR_FLEXIBLE]
  if (purchaseCents !== null) faults['purchase_price'] = [NOT_FOR_FLEXIBLE]
  if (minimumCents === null) faults['minimum_amount'] = [BLANK_MESSAGE]
  if (maximumCents === null) faults['maximum_amount'] = [BLANK_MESSAGE]
  else if (minimumCents !== null && maximumCents < minimumCents) {
    faults['maximum_amount'] = [atLeastMessage(showAmount(minimumCents, currency))]
  }
  return faults
}

export const NO_PRICES: Omit<ProductPrices, 'pricingType'> = {
  fixedCents: null,
  purchaseCents: null,
  minimumCents: null,
  maximumCents: null,
}
