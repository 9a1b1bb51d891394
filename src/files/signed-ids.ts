import { timingSafeEqual } from 'node:crypto'
import type { AppServices } from '../access/app.ts'

/**
 * A file has two names, both signed: one to fetch it by, one to embed it by. Neither works in place of the other.
 * A signature says that the name is ours, and nothing about who may use it.
 */
const KEY_LENGTH = 22
const SIGNATURE_BYTES = 18

type Purpose = 'blob signed id' | 'blob attachable sgid'

const name = ({ secrets }: Pick<AppServices, 'secrets'>, purpose: Purpose, key: string) =>
  key + secrets.sign(purpose, key).subarray(0, SIGNATURE_BYTES).toString('base64url')

const keyIn = (app: Pick<AppServices, 'secrets'>, purpose: Purpose, text: string): string | null => {
  const key = text.slice(0, KEY_LENGTH)
  const expected = Buffer.from(name(app, purpose, key))
  const given = Buffer.from(text)
  return given.length === expected.length && timingSafeEqual(given, expected) ? key : null
}

export const signedIdOf = (app: Pick<AppServices, 'secrets'>, key: string) => name(app, 'blob signed id', key)
export const readSignedId = (app: Pick<AppServices, 'secrets'>, text: string) => keyIn(app, 'blob signed id', text)

export const attachableSgidOf = (app: Pick<AppServices, 'secrets'>, key: string) =>
  name(app, 'blob attachable sgid', key)
export const readAttachableSgid = (app: Pick<AppServices, 'secrets'>, text: string) =>
  keyIn(app, 'blob attachable sgid', text)
