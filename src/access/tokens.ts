import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** What a credential may be; the prefix tells a reader, and a secret scanner, what leaked. */
const PREFIXES = {
  account_token: 'foyer_api_',
  personal_token: 'foyer_me_',
  scanner_device: 'foyer_door_',
  session: 'foyer_session_',
} as const

export type CredentialKind = keyof typeof PREFIXES

const CHECKSUM_LENGTH = 6

/** A typed prefix, 256 random bits and a checksum. */
export const newToken = (kind: CredentialKind): string => {
  const body = PREFIXES[kind] + randomBytes(32).toString('base64url')
  return body + checksumOf(body)
}

/** What a mailed link or a QR code carries: 256 random bits that open one thing, once or for a while. */
export const newSecret = (): string => randomBytes(32).toString('base64url')

/** Only this is stored. The secret has 256 random bits, so a slow hash would protect nothing. */
export const digestOf = (token: string): Buffer => hash('sha256', token, 'buffer')

/** One of our own tokens with a letter wrong: refused without asking the database. Tokens brought by a venue file pass. */
export const hasWrongChecksum = (token: string): boolean =>
  OWN_TOKEN.test(token) && checksumOf(token.slice(0, -CHECKSUM_LENGTH)) !== token.slice(-CHECKSUM_LENGTH)

const OWN_TOKEN = new RegExp(`^(${Object.values(PREFIXES).join('|')})`)

/** Finds slips of the hand, and is no secret: 32 bits, written in six letters. */
const checksumOf = (body: string) => {
  const sum = Buffer.alloc(4)
  sum.writeUInt32BE(crc32(body))
  return sum.toString('base64url')
}
