import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'
import type { PushKeys } from './push-keys.ts'

export interface PushReceiver {
  /** Its public point and its secret, as the subscription gave them. */
  p256dh: Buffer
  auth: Buffer
}

/** What makes each message's key its own; drawn anew for every message. */
export interface EncryptionKeys {
  salt: Buffer
  privateKey: Buffer
}

const RECORD_SIZE = 4096
const TAG_LENGTH = 16

const hkdf = (secret: Buffer, salt: Buffer, info: Buffer, length: number) =>
  Buffer.from(hkdfSync('sha256', secret, salt, info, length))

const drawChance = (): EncryptionKeys => {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  return { salt: randomBytes(16), privateKey: pair.getPrivateKey() }
}

/** One message for one browser, which no push service can read (RFC 8291: aes128gcm in a single record). */
export const encryptPush = (
  message: Buffer,
  { p256dh, auth }: PushReceiver,
  chance: EncryptionKeys = drawChance(),
): Buffer => {
  if (message.length > RECORD_SIZE - TAG_LENGTH - 1) throw new Error('A push message is too long')
  const own = createECDH('prime256v1')
  own.setPrivateKey(chance.privateKey)
  const publicKey = own.getPublicKey()

  const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, publicKey])
  const secret = hkdf(own.computeSecret(p256dh), auth, info, 32)
  const key = hkdf(secret, chance.salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = hkdf(secret, chance.salt, Buffer.from('Content-Encoding: nonce\0'), 12)

  const header = Buffer.alloc(21)
  chance.salt.copy(header)
  header.writeUInt32BE(RECORD_SIZE, 16)
  header.writeUInt8(publicKey.length, 20)

  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  // The last byte before the end marks the last record.
  const sealed = Buffer.concat([
    cipher.update(message),
    cipher.update(Buffer.of(2)),
    cipher.final(),
    cipher.getAuthTag(),
  ])
  return Buffer.concat([header, publicKey, sealed])
}

const VALID_SECONDS = 12 * 60 * 60

/** Who we are to a push service, for one service and half a day (RFC 8292). */
export const vapidHeader = (keys: PushKeys, claim: { endpoint: string; contact: string; now: Date }): string => {
  const expiresAt = Math.floor(claim.now.getTime() / 1000) + VALID_SECONDS
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const told = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: new URL(claim.endpoint).origin, exp: expiresAt, sub: claim.contact })}`

  const key = createPrivateKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: keys.publicKey.subarray(1, 33).toString('base64url'),
      y: keys.publicKey.subarray(33).toString('base64url'),
      d: keys.privateKey.toString('base64url'),
    },
  })
  const signature = sign('sha256', Buffer.from(told), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url')
  return `vapid t=${told}.${signature}, k=${keys.publicKey.toString('base64url')}`
}
