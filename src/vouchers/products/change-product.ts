import type { CallerScope } from '../../access/scopes.ts'
import { Invalid, NotFound, requireFound } from '../../kernel/refusals.ts'
import { detachProductImage, attachProductImage } from './image.ts'
import { lockProductOrder, lockProduct, moveProductTo, recordArchival, updateProduct } from './records.ts'
import { type Product, applyPriceChange } from './rules.ts'
import type { ProductInput } from './wire.ts'

export const changeProduct = (account: CallerScope, publicId: string, input: ProductInput): Promise<Product> =>
  account.transaction(async (tx) => {
    const product = requireFound(await lockProduct(tx, publicId))
    const { prices, faults } = applyPriceChange(product, input, account.account.currency)
    if (Object.keys(faults).length > 0) throw new Invalid(faults)

    const imageId = input.image
      ? await attachProductImage(account, tx, input.image)
      : input.image === null
        ? null
        : product.imageId
    const changed = await updateProduct(tx, {
      ...product,
      ...prices,
      name: input.name ?? product.name,
      description: input.description === undefined ? product.description : (input.description ?? ''),
      visibility: input.visibility ?? product.visibility,
      taxRate: input.tax_rate ?? product.taxRate,
      validityMonths: input.validity_months ?? product.validityMonths,
      imageId,
    })
    if (product.imageId !== changed.imageId) await detachProductImage(tx, product.imageId)
    return changed
  })

export const moveProduct = (account: CallerScope, publicId: string, position: number): Promise<void> =>
  account.transaction(async (tx) => {
    await lockProductOrder(tx)
    const product = requireFound(await lockProduct(tx, publicId))
    await moveProductTo(tx, product.id, position)
  })

export const archiveProduct = (account: CallerScope, publicId: string): Promise<void> =>
  account.transaction(async (tx) => {
    if (!(await recordArchival(tx, publicId))) throw new NotFound()
  })

export const removeImage = (account: CallerScope, publicId: string): Promise<void> =>
  account.transaction(async (tx) => {
    const product = requireFound(await lockProduct(tx, publicId))
    if (product.imageId === null) return
    await updateProduct(tx, { ...product, imageId: null })
    await detachProductImage(tx, product.imageId)
  })
