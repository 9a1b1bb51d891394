import type { Account } from '../access/callers.ts'
import type { AppServices } from '../access/app.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { digestOf } from '../access/tokens.ts'
import { newPublicId } from '../kernel/public-ids.ts'

type Keeping = Pick<AppServices, 'secrets' | 'settings'>

const PURPOSES = { link: 'signup link', page: 'signup page' } as const
type Kind = keyof typeof PURPOSES

export interface StoredToken {
  token: string
  digest: Buffer
  sealed: Buffer
}

/** The secret of an address: 128 random bits, found by its digest and readable again by this installation alone. */
export const newSignupToken = ({ secrets }: Pick<Keeping, 'secrets'>, kind: Kind): StoredToken => {
  const token = newPublicId()
  return { token, digest: digestOf(token), sealed: secrets.seal(PURPOSES[kind], token) }
}

/** Where guests sign up through a link. */
export const linkUrl = (app: Keeping, { subdomain }: Pick<Account, 'subdomain'>, sealed: Buffer) =>
  `${shopOrigin(app, subdomain)}/guest_list/${app.secrets.open(PURPOSES.link, sealed)}`

export const pagePath = (token: string) => `/guest_signups/${token}`

/** A guest's own page. */
export const pageUrl = (app: Keeping, { subdomain }: Pick<Account, 'subdomain'>, sealed: Buffer) =>
  shopOrigin(app, subdomain) + pagePath(app.secrets.open(PURPOSES.page, sealed))
