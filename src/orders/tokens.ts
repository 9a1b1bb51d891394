import type { Account } from '../access/callers.ts'
import type { AppServices } from '../access/app.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { digestOf } from '../access/tokens.ts'
import { newPublicId } from '../kernel/public-ids.ts'

type Keeping = Pick<AppServices, 'secrets' | 'settings'>

const PURPOSE = 'checkout'

/** The secret of a checkout's address: 128 random bits, found by its digest and readable again by this installation alone. */
export const newCheckoutToken = ({ secrets }: Pick<Keeping, 'secrets'>) => {
  const token = newPublicId()
  return { token, digest: digestOf(token), sealed: secrets.seal(PURPOSE, token) }
}

export const openCheckoutToken = ({ secrets }: Pick<Keeping, 'secrets'>, sealed: Buffer): string =>
  secrets.open(PURPOSE, sealed)

export const checkoutPath = (token: string) => `/checkouts/${token}`
export const orderPath = (token: string) => `/orders/${token}`

const shopOf = (app: Keeping, { subdomain }: Pick<Account, 'subdomain'>) => shopOrigin(app, subdomain)

export const checkoutUrl = (app: Keeping, account: Pick<Account, 'subdomain'>, token: string) =>
  shopOf(app, account) + checkoutPath(token)

/** The buyer's own page. */
export const orderUrl = (app: Keeping, account: Pick<Account, 'subdomain'>, token: string) =>
  shopOf(app, account) + orderPath(token)

export const receiptUrl = (app: Keeping, account: Pick<Account, 'subdomain'>, token: string, number: number) =>
  `${orderUrl(app, account, token)}/receipts/${number}.pdf`
