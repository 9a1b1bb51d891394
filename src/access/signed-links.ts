import { timingSafeEqual } from 'node:crypto'
import { NotFound } from '../kernel/refusals.ts'
import type { Secrets } from '../kernel/secrets.ts'
import type { Access } from './access.ts'
import { findAccountById } from './account-by-id.ts'
import type { Account } from './callers.ts'
import type { App } from './app.ts'
import { AccountScope } from './scopes.ts'
import { appOf, locateAppOf } from './shards.ts'

/** What a link of ours leads to: one thing of one account, for a while or for good. */
export interface SignedLink {
  accountId: number
  /** A public ID. */
  id: string
  expiresAt: Date | null
}

const LINK = /^([0-9a-z]{1,12})-([1-9A-HJ-NP-Za-km-z]{8,64})-([0-9a-z]{0,12})-([\w-]{43})$/

/** The link as one path segment. Links of one purpose say nothing to those of another. */
export const signLink = (secrets: Secrets, purpose: string, { accountId, id, expiresAt }: SignedLink): string => {
  const seconds = expiresAt ? Math.floor(expiresAt.getTime() / 1000).toString(36) : ''
  const claim = `${accountId.toString(36)}-${id}-${seconds}`
  return `${claim}-${secrets.sign(`link: ${purpose}`, claim).toString('base64url')}`
}

const readLink = (app: App, purpose: string, text: string): SignedLink | null => {
  const [, account, id, seconds, signature] = LINK.exec(text) ?? []
  if (!account || !id || !signature) return null

  // Compared as they are written: in base64 several texts stand for the same bytes.
  const expected = Buffer.from(
    app.secrets.sign(`link: ${purpose}`, `${account}-${id}-${seconds}`).toString('base64url'),
  )
  const given = Buffer.from(signature)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null

  const expiresAt = seconds ? new Date(Number.parseInt(seconds, 36) * 1000) : null
  if (expiresAt && expiresAt <= app.clock.now()) return null
  return { accountId: Number.parseInt(account, 36), id, expiresAt }
}

export type SignedLinkGrant = { account: AccountScope; link: SignedLink }

/** Whoever holds a link that this installation signed, as the `signed_link` of the path; the link itself is the secret. */
export const signedLinkHolder = (purpose: string): Access<SignedLinkGrant> => ({
  name: `anyone with a signed link, ${purpose}`,
  site: 'console',
  needsCredential: false,
  admit: async (app, request) => {
    const link = readLink(app, purpose, request.params['signed_link'] ?? '')
    const account = link && (await findAccountOfLink(app, link.accountId))
    if (!account) throw new NotFound()
    return { account: new AccountScope(app, account), link }
  },
})

/** The account that something signed by this installation names. */
export const findAccountOfLink = async (app: App, id: number): Promise<Account | null> => {
  const found = await findAccountById(appOf(app, id), id)
  // It may have been founded, or have moved, a moment ago.
  return found ?? (app.shards ? findAccountById(await locateAppOf(app, id), id) : null)
}
