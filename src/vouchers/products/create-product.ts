import type { CallerScope } from '../../access/scopes.ts'
import { newPublicId } from '../../kernel/public-ids.ts'
import { Invalid } from '../../kernel/refusals.ts'
import { attachProductImage } from './image.ts'
import { insertProduct, lockProductOrder } from './records.ts'
import { NO_PRICES, type Product, applyPriceChange } from './rules.ts'
import type { NewProductBody } from './wire.ts'

export type NewProductInput = ReturnType<(typeof NewProductBody)['read']>

export const createProduct = (account: CallerScope, input: NewProductInput): Promise<Product> =>
  account.transaction(async (tx) => {
    const none = { ...NO_PRICES, pricingType: input.pricing_type }
    const { prices, faults } = applyPriceChange(none, input, account.account.currency)
    if (Object.keys(faults).length > 0) throw new Invalid(faults)

    const imageId = input.image === null ? null : await attachProductImage(account, tx, input.image)
    await lockProductOrder(tx)
    return insertProduct(tx, {
      ...prices,
      publicId: newPublicId(),
      name: input.name,
      description: input.description ?? '',
      visibility: input.visibility,
      taxRate: input.tax_rate,
      validityMonths: input.validity_months,
      imageId,
    })
  })
