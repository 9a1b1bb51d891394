import type { AccountScope, Tx } from '../access/scopes.ts'
import { newPublicId } from '../kernel/public-ids.ts'
import { refuseUnless, requireFound } from '../kernel/refusals.ts'
import { findSaleIds, insertSaleOfUnpaidOrder } from './records.ts'
import { newCheckoutToken } from './tokens.ts'

export interface SaleIds {
  /** Null where vouchers were bought. */
  orderId: number | null
  checkoutId: number
}

const SOLD_ELSEWHERE_MESSAGE = 'This order was sold elsewhere'

/** What was sold here, by the ID that organizers know. Money that was paid elsewhere is moved there. */
export const requireSale = async (tx: Tx, publicId: string): Promise<SaleIds & { language: string }> => {
  const { checkoutId, ...sale } = requireFound(await findSaleIds(tx, publicId))
  refuseUnless(checkoutId !== null, SOLD_ELSEWHERE_MESSAGE)
  return { ...sale, checkoutId }
}

/**
 * The same for an order that is still to be paid: one that came unpaid with a venue file is paid here or not at all, so it
 * becomes a sale of this shop, with a page for its buyer and a receipt.
 */
export const requireUnpaidSale = async ({ app }: AccountScope, tx: Tx, publicId: string): Promise<SaleIds> => {
  const { checkoutId, orderId } = requireFound(await findSaleIds(tx, publicId))
  if (checkoutId !== null) return { orderId, checkoutId }
  const made = await insertSaleOfUnpaidOrder(tx, orderId!, { publicId: newPublicId(), token: newCheckoutToken(app) })
  // Somebody else may have done the same meanwhile.
  return made === undefined ? requireSale(tx, publicId) : { orderId, checkoutId: made }
}
