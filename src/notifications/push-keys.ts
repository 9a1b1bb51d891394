import { createECDH } from 'node:crypto'
import type { AppServices } from '../access/app.ts'
import type { Rows } from '../access/scopes.ts'
import { findOrCreatePushKeys } from './records.ts'

export interface PushKeys {
  /** The point, uncompressed, as browsers and push services know it. */
  publicKey: Buffer
  privateKey: Buffer
}

const PURPOSE = 'push private key'

/** Made when first needed and kept in the database, so that all processes show push services the same face. */
export const pushKeysOf = async (db: Rows['db'], { secrets }: Pick<AppServices, 'secrets'>): Promise<PushKeys> => {
  const kept = await findOrCreatePushKeys(db, () => {
    const pair = createECDH('prime256v1')
    pair.generateKeys()
    return {
      publicKey: pair.getPublicKey('base64url'),
      sealedPrivateKey: secrets.seal(PURPOSE, pair.getPrivateKey('hex').padStart(64, '0')),
    }
  })
  return {
    publicKey: Buffer.from(kept.publicKey, 'base64url'),
    privateKey: Buffer.from(secrets.open(PURPOSE, kept.sealedPrivateKey), 'hex'),
  }
}
