import type { ShopScope } from '../access/access.ts'
import { batchReads } from '../access/batches.ts'
import type { Rows } from '../access/scopes.ts'
import { digestOf } from '../access/tokens.ts'
import { NotFound } from '../kernel/refusals.ts'
import { findCheckoutByToken, findCheckoutIds } from './records.ts'
import type { Checkout } from './rules.ts'

/** Far beyond what buyers behind one café's network mistype; only guesses meet it. */
const UNKNOWN_TOKENS_PER_MINUTE = 120

/** What the token opens. Guessing costs; a right token is never refused, for it is too long to be guessed. */
export const requireCheckout = async (
  { shop, ip }: { shop: ShopScope; ip: string },
  token: string,
  rows: Rows = shop.keyLookups,
): Promise<Checkout> => {
  const checkout = await findCheckoutByToken(rows, digestOf(token))
  return checkout ?? refuseUnknown(shop, ip)
}

/** The same for whoever changes it, and so looks at it once it is locked. */
export const requireCheckoutId = async (
  { shop, ip }: { shop: ShopScope; ip: string },
  token: string,
): Promise<number> => (await checkoutIds(shop, digestOf(token))) ?? refuseUnknown(shop, ip)

const checkoutIds = batchReads(findCheckoutIds)

const refuseUnknown = async (shop: ShopScope, ip: string): Promise<never> => {
  await shop.app.budgets.shared('unknown checkouts from an address', UNKNOWN_TOKENS_PER_MINUTE).spend(ip)
  throw new NotFound()
}
