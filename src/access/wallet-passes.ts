import { timingSafeEqual } from 'node:crypto'
import { NotFound, Unauthorized } from '../kernel/refusals.ts'
import type { Secrets } from '../kernel/secrets.ts'
import { type Access, spendUnknownSecret } from './access.ts'
import type { App } from './app.ts'
import { AccountScope } from './scopes.ts'
import { findAccountOfLink } from './signed-links.ts'
import { digestOf } from './tokens.ts'

/** The number of a pass: whose it is, and the public ID of its admission. */
export const walletSerialOf = (accountId: number, publicId: string): string => `${accountId.toString(36)}-${publicId}`

const SERIAL = /^([0-9a-z]{1,12})-([1-9A-HJ-NP-Za-km-z]{8,64})$/

/** The secret inside a pass. It is derived, so that nobody can read it from the database and every copy has the same. */
export const walletTokenOf = (secrets: Secrets, serial: string): string =>
  secrets.sign('wallet pass token', serial).toString('base64url')

export type GivenWalletPass = { account: AccountScope; pass: { publicId: string; serial: string } }

/** A phone that holds the pass of the path, and shows the secret inside it. Nothing is looked up before that is right. */
export const walletPassHolder = (): Access<GivenWalletPass> => ({
  name: 'a phone with the pass',
  site: 'console',
  needsCredential: false,
  admit: async (app, request) => {
    const serial = request.params['serial'] ?? ''
    const [, account, publicId] = SERIAL.exec(serial) ?? []
    const token = /^ApplePass ([\w-]{43})$/.exec(request.authorization ?? '')?.[1]
    if (!account || !publicId || !token || !isTokenOf(app, serial, token)) {
      await spendUnknownSecret(app, 'wallet passes', request.ip)
      throw new Unauthorized()
    }
    const opened = await findAccountOfLink(app, Number.parseInt(account, 36))
    if (!opened) throw new NotFound()
    return { account: new AccountScope(app, opened), pass: { publicId, serial } }
  },
})

const isTokenOf = ({ secrets }: App, serial: string, token: string) =>
  timingSafeEqual(Buffer.from(walletTokenOf(secrets, serial)), Buffer.from(token))

export type GivenWalletDevice = { accounts: AccountScope[]; deviceDigest: Buffer }

/** A phone that asks what has changed: what it calls itself is all it shows, and leads to accounts it has passes of. */
export const walletDevice = (): Access<GivenWalletDevice> => ({
  name: 'a phone with passes',
  site: 'console',
  needsCredential: false,
  admit: async (app, request) => {
    const deviceDigest = digestOf(request.params['device']!)
    const passTypeId = request.params['pass_type']!
    const accounts = passTypeId.includes('\0') ? [] : await app.directory.findWalletAccounts(deviceDigest, passTypeId)
    if (accounts.length === 0) await spendUnknownSecret(app, 'wallet devices', request.ip)
    return { accounts: accounts.map((account) => new AccountScope(app, account)), deviceDigest }
  },
})
