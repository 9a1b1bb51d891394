import type { Account } from '../access/callers.ts'
import type { AppServices } from '../access/app.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { digestOf } from '../access/tokens.ts'
import { newPublicId } from '../kernel/public-ids.ts'

type Keeping = Pick<AppServices, 'secrets' | 'settings'>

const PURPOSES = { link: 'signup link', page: 'signup page' } as const
type Kind = keyof typeof PURPOSES

export interface NewSignupToken {
  token: string
  digest: Buffer
  sealed: Buffer
}

/** The secret of an address: 128 random bits, found by its digest and readable again by this installation alone. */
export const newSignupToken = ({ secrets }: Pick<Keeping, 'secrets'>, kind: Kind): NewSignupToken => {
  const token = newPublicId()
  return { token, digest: digestOf(token), sealed: secrets.seal(PURPOSES[kind], token) }
}

/** Where guests sign up through a link. */
export const signupLinkUrl = (app: Keeping, { subdomain }: Pick<Account, 'subdomain'>, sealed: Buffer) =>
  `${shopOrigin(app, subdomain)}/guest_list/${app.secrets.open(PURPOSES.link, sealed)}`

export const guestPagePath = (token: string) => `/guest_signups/${token}`

/** A guest's own page. */
export const guestPageUrl = (app: Keeping, { subdomain }: Pick<Account, 'subdomain'>, sealed: Buffer) =>
  shopOrigin(app, subdomain) + guestPagePath(app.secrets.open(PURPOSES.page, sealed))
