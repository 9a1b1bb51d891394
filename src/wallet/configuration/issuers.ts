import { type KeyObject, X509Certificate, createPrivateKey } from 'node:crypto'
import { z } from 'zod'
import type { AppServices } from '../../access/app.ts'
import type { Rows } from '../../access/scopes.ts'
import { Misconfigured } from '../../kernel/misconfigured.ts'
import type { Settings } from '../../kernel/settings.ts'
import { type AccountWallet, findAccountWallet } from './records.ts'
import { openWalletSecret } from './secrets.ts'

/** Who signs passes for Apple Wallet: a certificate says for which type of pass, and of which team. */
export interface AppleIssuer {
  passTypeId: string
  teamId: string
  certificate: X509Certificate
  intermediate: X509Certificate
  key: KeyObject
  /** The certificate and its key as text, for the connection to Apple. */
  certificatePem: string
  keyPem: string
  endsAt: Date
}

export interface GoogleIssuer {
  issuerId: string
  clientEmail: string
  keyId: string | null
  key: KeyObject
}

/** Whoever may sign for an account, its own first; a pass that was given out stays with whoever signed it. */
export interface Issuers {
  apple: AppleIssuer[]
  google: GoogleIssuer[]
}

/** A certificate or a key that cannot be used, and why. */
export class UnusableKey extends Error {
  readonly part: 'certificate' | 'intermediate' | 'key'

  constructor(part: UnusableKey['part'], message: string) {
    super(message)
    this.part = part
  }
}

export const readAppleIssuer = (given: { certificate: string; key: string; intermediate: string }): AppleIssuer => {
  const certificate = readCertificate('certificate', given.certificate)
  const intermediate = readCertificate('intermediate', given.intermediate)
  const key = readRsaKey(given.key)
  if (!certificate.checkPrivateKey(key)) throw new UnusableKey('key', 'is not the key of the certificate')
  if (!certificate.checkIssued(intermediate) || !certificate.verify(intermediate.publicKey)) {
    throw new UnusableKey('intermediate', 'did not issue the certificate')
  }
  const passTypeId = subjectOf(certificate, 'UID')
  const teamId = subjectOf(certificate, 'OU')
  if (!passTypeId || !/^[\w.-]{1,200}$/.test(passTypeId) || !teamId) {
    throw new UnusableKey('certificate', 'is no certificate of a pass type')
  }
  return {
    passTypeId,
    teamId,
    certificate,
    intermediate,
    key,
    certificatePem: certificate.toString(),
    keyPem: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
    endsAt: certificate.validToDate,
  }
}

const readCertificate = (part: 'certificate' | 'intermediate', text: string): X509Certificate => {
  try {
    return new X509Certificate(text)
  } catch {
    throw new UnusableKey(part, 'is no certificate in PEM')
  }
}

const readRsaKey = (text: string): KeyObject => {
  let key: KeyObject
  try {
    key = createPrivateKey(text)
  } catch {
    throw new UnusableKey('key', 'is no private key in PEM, or has a passphrase')
  }
  if (key.asymmetricKeyType !== 'rsa') throw new UnusableKey('key', 'is no RSA key')
  return key
}

const subjectOf = ({ subject }: X509Certificate, part: 'UID' | 'OU'): string | null =>
  subject
    .split('\n')
    .find((line) => line.startsWith(`${part}=`))
    ?.slice(part.length + 1) ?? null

const ServiceAccount = z.object({
  client_email: z.string().min(3).max(320),
  private_key: z.string(),
  private_key_id: z.string().max(200).optional(),
})

export const readGoogleIssuer = ({ issuerId, key }: { issuerId: string; key: string }): GoogleIssuer => {
  let parsed: z.output<typeof ServiceAccount>
  try {
    parsed = ServiceAccount.parse(JSON.parse(key))
  } catch {
    throw new UnusableKey('key', 'is no key of a service account, as JSON')
  }
  return {
    issuerId,
    clientEmail: parsed.client_email,
    keyId: parsed.private_key_id ?? null,
    key: readRsaKey(parsed.private_key),
  }
}

const ofInstallation = new WeakMap<Settings, Issuers>()

/** What the settings of the installation name; a setting that cannot be used is said at the start. */
export const issuersOfInstallation = (settings: Settings): Issuers => {
  let issuers = ofInstallation.get(settings)
  if (!issuers) {
    const { apple, google } = settings.wallet
    issuers = {
      apple: apple ? [orMisconfigured('WALLET_APPLE', () => readAppleIssuer(apple))] : [],
      google: google ? [orMisconfigured('WALLET_GOOGLE', () => readGoogleIssuer(google))] : [],
    }
    ofInstallation.set(settings, issuers)
  }
  return issuers
}

const orMisconfigured = <T>(prefix: string, read: () => T): T => {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof UnusableKey)) throw error
    throw new Misconfigured(`${prefix}_${error.part.toUpperCase()} ${error.message}.`)
  }
}

/** Reading a key takes longer than signing with it, so the last ones are remembered, by what they were read from. */
const remembered = new Map<string, AppleIssuer | GoogleIssuer>()
const REMEMBERED_MAX = 200

const remember = <T extends AppleIssuer | GoogleIssuer>(name: string, read: () => T): T => {
  const known = remembered.get(name) as T | undefined
  if (known) return known
  const issuer = read()
  if (remembered.size >= REMEMBERED_MAX) remembered.clear()
  remembered.set(name, issuer)
  return issuer
}

export const issuersOf = async (app: AppServices, rows: Rows): Promise<Issuers> =>
  issuersWith(app, rows.accountId, await findAccountWallet(rows))

export const issuersWith = (app: AppServices, accountId: number, wallet: AccountWallet): Issuers => {
  const { apple, google } = issuersOfInstallation(app.settings)
  const { appleCertificate, appleIntermediate, appleKeySealed, googleIssuerId, googleKeySealed } = wallet
  const open = (sealed: Buffer) => openWalletSecret(app.secrets, accountId, sealed)
  const ownApple =
    appleCertificate !== null &&
    appleIntermediate !== null &&
    appleKeySealed !== null &&
    remember(`apple ${accountId} ${appleKeySealed.toString('base64')} ${appleCertificate}`, () =>
      readAppleIssuer({ certificate: appleCertificate, intermediate: appleIntermediate, key: open(appleKeySealed) }),
    )
  const ownGoogle =
    googleIssuerId !== null &&
    googleKeySealed !== null &&
    remember(`google ${accountId} ${googleKeySealed.toString('base64')} ${googleIssuerId}`, () =>
      readGoogleIssuer({ issuerId: googleIssuerId, key: open(googleKeySealed) }),
    )
  return { apple: ownApple ? [ownApple, ...apple] : apple, google: ownGoogle ? [ownGoogle, ...google] : google }
}

/** A phone refuses what was signed with a certificate that has ended, so nobody is offered it. */
export const isCertificateValid = ({ endsAt }: Pick<AppleIssuer, 'endsAt'>, now: Date): boolean => endsAt > now
