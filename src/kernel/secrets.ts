import {
  type KeyObject,
  createCipheriv,
  createDecipheriv,
  createHmac,
  createSecretKey,
  hkdfSync,
  randomBytes,
} from 'node:crypto'
import { chmodSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { makeDataFolder } from './data-folder.ts'
import { Misconfigured } from './settings.ts'

/** Keys derived from the one secret of the installation, each for a single purpose. */
export interface Secrets {
  key(purpose: string): Buffer
  sign(purpose: string, text: string): Buffer
  /** Encrypts a text so that only this installation, for this purpose, can open it again. */
  seal(purpose: string, text: string): Buffer
  open(purpose: string, sealed: Buffer): string
}

const NONCE_LENGTH = 12
const TAG_LENGTH = 16

export const deriveSecrets = (secret: string): Secrets => {
  // As objects, not as bytes: Node takes bytes in anew for every call, which costs more than the call itself.
  const keys = new Map<string, KeyObject>()

  const key = (purpose: string) => {
    let derived = keys.get(purpose)
    if (!derived) {
      derived = createSecretKey(Buffer.from(hkdfSync('sha256', secret, 'foyer', purpose, 32)))
      keys.set(purpose, derived)
    }
    return derived
  }

  return {
    key: (purpose) => key(purpose).export(),
    sign: (purpose, text) => createHmac('sha256', key(purpose)).update(text).digest(),
    seal: (purpose, text) => {
      const nonce = randomBytes(NONCE_LENGTH)
      const cipher = createCipheriv('aes-256-gcm', key(purpose), nonce)
      return Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open: (purpose, sealed) => {
      const decipher = createDecipheriv('aes-256-gcm', key(purpose), sealed.subarray(0, NONCE_LENGTH))
      decipher.setAuthTag(sealed.subarray(-TAG_LENGTH))
      return decipher.update(sealed.subarray(NONCE_LENGTH, -TAG_LENGTH), undefined, 'utf8') + decipher.final('utf8')
    },
  }
}

/** The setting, or the file that was made at the first start. */
export const openSecrets = (settings: SecretSettings): Secrets => deriveSecrets(readSecret(settings))

export const readSecret = ({ secret, dataFolder }: SecretSettings): string => secret ?? readOrMakeSecret(dataFolder)

interface SecretSettings {
  secret: string | null
  dataFolder: string
}

/** Puts a secret where the next start looks for it, in place of one that has sealed nothing yet. */
export const writeSecret = (dataFolder: string, secret: string): void => {
  makeDataFolder(dataFolder)
  const draft = path.join(dataFolder, `.secret-${randomBytes(6).toString('hex')}`)
  writeFileSync(draft, `${secret}\n`, { mode: 0o600, flush: true })
  renameSync(draft, path.join(dataFolder, 'secret'))
}

const readOrMakeSecret = (dataFolder: string) => {
  const file = path.join(dataFolder, 'secret')
  const kept = readIfThere(file)
  if (kept) return kept

  // A second process may be at the same point: linking a finished file lets exactly one of them win.
  const draft = path.join(dataFolder, `.secret-${randomBytes(6).toString('hex')}`)
  try {
    makeDataFolder(dataFolder)
    writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600, flush: true })
    try {
      linkSync(draft, file)
      chmodSync(file, 0o600)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      rmSync(draft)
    }
  } catch (error) {
    throw new Misconfigured(`The data folder ${dataFolder} cannot be written: ${(error as Error).message}.`)
  }
  return readFileSync(file, 'utf8').trim()
}

const readIfThere = (file: string) => {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw new Misconfigured(`The file ${file} cannot be read: ${(error as Error).message}.`)
  }
}
