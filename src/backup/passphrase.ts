import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Identity, Recipient, Stanza } from 'age-encryption'

/*
 * The passphrase of an archive, in the format of age. The library would stretch it on the thread that answers at the door:
 * more than a second in which nobody is served, every night. Here another thread does it.
 */

const KIND = 'scrypt'
const LABEL = 'age-encryption.org/v1/scrypt'
const SALT_BYTES = 16
const KEY_BYTES = 32
const BLOCK_SIZE = 8
/** As the power of two. The same as age's own tool, which takes about a second for it. */
const WORK_FACTOR = 18
/** A file that asks for more would take more than a gigabyte to open. */
const WORK_FACTOR_MAX = 20

const CIPHER = 'chacha20-poly1305'
/** Each key is used once. */
const NONCE = Buffer.alloc(12)
const TAG_BYTES = 16

const stretch = (passphrase: string, salt: Uint8Array, workFactor: number): Promise<Buffer> => {
  const cost = 2 ** workFactor
  return promisify<string, Buffer, number, object, Buffer>(scrypt)(
    passphrase,
    Buffer.concat([Buffer.from(LABEL), salt]),
    KEY_BYTES,
    { cost, blockSize: BLOCK_SIZE, parallelization: 1, maxmem: 2 * 128 * BLOCK_SIZE * cost },
  )
}

/** Whoever knows the passphrase. */
export const passphraseRecipient = (passphrase: string): Recipient => ({
  wrapFileKey: async (fileKey) => {
    const { Stanza } = await import('age-encryption')
    const salt = randomBytes(SALT_BYTES)
    const key = await stretch(passphrase, salt, WORK_FACTOR)
    const cipher = createCipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES })
    const body = Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
    const shownSalt = salt.toString('base64').replaceAll('=', '')
    return [new Stanza([KIND, shownSalt, String(WORK_FACTOR)], body)]
  },
})

export const passphraseIdentity = (passphrase: string): Identity => ({
  unwrapFileKey: async (stanzas) => {
    const [stanza] = stanzas
    if (stanzas.length !== 1 || stanza!.args[0] !== KIND) return null
    const { salt, workFactor } = readStanza(stanza!)
    return decrypt(stanza!.body, await stretch(passphrase, salt, workFactor))
  },
})

const readStanza = ({ args, body }: Stanza) => {
  const [, shownSalt = '', shownFactor = ''] = args
  const salt = Buffer.from(shownSalt, 'base64')
  const workFactor = /^[1-9]\d?$/.test(shownFactor) ? Number(shownFactor) : Infinity
  const isReadable = args.length === 3 && salt.length === SALT_BYTES && body.length > TAG_BYTES
  if (!isReadable || workFactor > WORK_FACTOR_MAX) throw new Error('The file cannot be opened with a passphrase')
  return { salt, workFactor }
}

/** Null where it is another passphrase. */
const decrypt = (body: Uint8Array, key: Buffer): Buffer | null => {
  const decipher = createDecipheriv(CIPHER, key, NONCE, { authTagLength: TAG_BYTES })
  decipher.setAuthTag(body.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(body.subarray(0, -TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
