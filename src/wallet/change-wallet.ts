import type { AppServices } from '../access/app.ts'
import type { CallerScope, Tx } from '../access/scopes.ts'
import { consumeUploadedBytes } from '../files/public-images.ts'
import { ImageRefused, requireShowablePicture } from '../images/picture.ts'
import { sniffImage } from '../images/sniff.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE } from '../kernel/messages.ts'
import { type ErrorMap, Invalid } from '../kernel/refusals.ts'
import { shrinkLogo } from './apple/pass-images.ts'
import { UnusableKey, readAppleIssuer, readGoogleIssuer } from './configuration/issuers.ts'
import { type AccountWallet, lockAccountWallet, saveAccountWallet } from './configuration/records.ts'
import { openWalletSecret, sealWalletSecret } from './configuration/secrets.ts'
import type { WalletChanges } from './wire.ts'

type Changes = ReturnType<(typeof WalletChanges)['read']>

/** Changes what is sent and keeps the rest. A key can be written and taken away; nothing ever shows it. */
export const changeWallet = (scope: CallerScope, changes: Changes): Promise<AccountWallet> =>
  scope.transaction(async (tx) => {
    const { app, account } = scope
    // A large picture takes its time, so it comes before anything is locked.
    const logo = typeof changes.logo === 'string' ? await readLogo(scope, tx, changes.logo) : changes.logo
    const current = await lockAccountWallet(tx)
    const secrets = { app, accountId: account.id }
    const wallet: AccountWallet = {
      color: changes.color === undefined ? current.color : (changes.color?.toLowerCase() ?? null),
      logo: logo === undefined ? current.logo : logo,
      ...appleOf(secrets, current, changes),
      ...googleOf(secrets, current, changes),
    }
    const faults: ErrorMap = {}
    if (wallet.color !== null && !/^#[0-9a-f]{6}$/.test(wallet.color)) faults['color'] = [INVALID_MESSAGE]
    Object.assign(faults, faultsOfApple(secrets, wallet), faultsOfGoogle(secrets, wallet))
    if (Object.keys(faults).length > 0) throw new Invalid(faults)

    // Only the names: no key belongs into the audit log.
    const names = Object.entries(changes).flatMap(([name, value]) => (value === undefined ? [] : [name]))
    scope.note?.add({ changed: names })
    await saveAccountWallet(tx, wallet)
    return wallet
  })

const readLogo = async (scope: CallerScope, tx: Tx, signedId: string): Promise<Buffer> => {
  const bytes = await consumeUploadedBytes(scope, tx, signedId)
  const extension = bytes && sniffImage(bytes)
  if (!bytes || !extension) throw new Invalid({ logo: [INVALID_MESSAGE] })
  try {
    await requireShowablePicture(bytes, extension)
    return await shrinkLogo(bytes)
  } catch (error) {
    if (!(error instanceof ImageRefused)) throw error
    throw new Invalid({ logo: [error.message] })
  }
}

interface Owner {
  app: AppServices
  accountId: number
}

const chosen = <T>(sent: T | undefined, current: T): T => (sent === undefined ? current : sent)

const sealed = ({ app, accountId }: Owner, sent: string | null | undefined, current: Buffer | null) =>
  typeof sent === 'string' ? sealWalletSecret(app.secrets, accountId, sent) : chosen(sent, current)

/** Without a certificate there is no use for its key. */
const appleOf = (owner: Owner, current: AccountWallet, changes: Changes) =>
  changes.apple_certificate === null
    ? { appleCertificate: null, appleIntermediate: null, appleKeySealed: null }
    : {
        appleCertificate: chosen(changes.apple_certificate, current.appleCertificate),
        appleIntermediate: chosen(changes.apple_intermediate, current.appleIntermediate),
        appleKeySealed: sealed(owner, changes.apple_key, current.appleKeySealed),
      }

const googleOf = (owner: Owner, current: AccountWallet, changes: Changes) =>
  changes.google_issuer_id === null
    ? { googleIssuerId: null, googleKeySealed: null }
    : {
        googleIssuerId: chosen(changes.google_issuer_id, current.googleIssuerId),
        googleKeySealed: sealed(owner, changes.google_key, current.googleKeySealed),
      }

const faultsOfApple = ({ app, accountId }: Owner, wallet: AccountWallet): ErrorMap => {
  const { appleCertificate: certificate, appleIntermediate: intermediate, appleKeySealed: key } = wallet
  if (certificate === null && intermediate === null && key === null) return {}
  if (certificate === null || intermediate === null || key === null) {
    return {
      ...(certificate === null && { apple_certificate: [BLANK_MESSAGE] }),
      ...(intermediate === null && { apple_intermediate: [BLANK_MESSAGE] }),
      ...(key === null && { apple_key: [BLANK_MESSAGE] }),
    }
  }
  return unusable('apple', () =>
    readAppleIssuer({ certificate, intermediate, key: openWalletSecret(app.secrets, accountId, key) }),
  )
}

const ISSUER_ID = /^\d{1,30}$/

const faultsOfGoogle = ({ app, accountId }: Owner, wallet: AccountWallet): ErrorMap => {
  const { googleIssuerId: issuerId, googleKeySealed: key } = wallet
  if (issuerId === null && key === null) return {}
  if (issuerId === null) return { google_issuer_id: [BLANK_MESSAGE] }
  if (!ISSUER_ID.test(issuerId)) return { google_issuer_id: [INVALID_MESSAGE] }
  if (key === null) return { google_key: [BLANK_MESSAGE] }
  return unusable('google', () => readGoogleIssuer({ issuerId, key: openWalletSecret(app.secrets, accountId, key) }))
}

const unusable = (prefix: string, read: () => unknown): ErrorMap => {
  try {
    read()
    return {}
  } catch (error) {
    if (!(error instanceof UnusableKey)) throw error
    return { [`${prefix}_${error.part}`]: [error.message] }
  }
}
