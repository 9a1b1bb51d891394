import { showAmount } from '../../kernel/money.ts'
import { showTaxRate } from '../../kernel/tax-rates.ts'
import type { ExportContext } from '../../loading/section.ts'
import { findProducts } from './records.ts'

/** What the file calls a product, by its place in the catalogue. */
export const exportedProductKey = (n: number) => `product-${n + 1}`

/** The catalogue in its order. A product's picture stays behind. */
export async function* exportProducts({ rows, account }: ExportContext) {
  const amount = (cents: number | null) => (cents === null ? null : showAmount(cents, account.currency))
  for (const [n, product] of (await findProducts(rows)).entries()) {
    yield {
      key: exportedProductKey(n),
      public_id: product.publicId,
      name: product.name,
      description: product.description,
      pricing_type: product.pricingType,
      visibility: product.visibility,
      fixed_amount: amount(product.fixedCents),
      purchase_price: amount(product.purchaseCents),
      minimum_amount: amount(product.minimumCents),
      maximum_amount: amount(product.maximumCents),
      tax_rate: showTaxRate(product.taxRate),
      validity_months: product.validityMonths,
      archived: product.archivedAt !== null,
    }
  }
}
