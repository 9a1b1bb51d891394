import { type Argon2Parameters, argon2, hash, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { BLANK_MESSAGE, INVALID_MESSAGE, characterCount, tooLongMessage, tooShortMessage } from '../kernel/messages.ts'

const derive = promisify(argon2)

/** 19 MiB and two passes: about 20 ms of one core, on a thread of its own. */
const COST = { memory: 19_456, passes: 2, parallelism: 1 }
const SALT_LENGTH = 16
const TAG_LENGTH = 32

/** A password as it is stored: the PHC string of an argon2id hash, which names its own cost. */
export const hashPassword = async (password: string): Promise<string> => {
  const salt = randomBytes(SALT_LENGTH)
  const tag = await derive('argon2id', parametersOf(password, salt, COST, TAG_LENGTH))
  const { memory, passes, parallelism } = COST
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(tag)}`
}

/** Someone without a password, or without an account, costs as much time as a wrong password. */
export const verifyPassword = async (password: string, digest: string | null): Promise<boolean> => {
  const stored = digest === null ? null : readDigest(digest)
  const { salt, cost, tag } = stored ?? { salt: randomBytes(SALT_LENGTH), cost: COST, tag: Buffer.alloc(TAG_LENGTH) }
  const candidate = password.slice(0, PASSWORD_UNITS_MAX)
  const derived = await derive('argon2id', parametersOf(candidate, salt, cost, tag.length))
  return timingSafeEqual(derived, tag) && stored !== null && candidate === password
}

/** Tells one password of a person from the next, or from none, and tells nobody what it is. */
export const passwordVersionOf = (digest: string | null): string => hash('sha256', digest ?? '', 'base64url')

const PHC = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,3})\$([\w+/]{11,86})\$([\w+/]{22,86})$/

const readDigest = (digest: string) => {
  const [, memory, passes, parallelism, salt, tag] = PHC.exec(digest) ?? []
  if (!salt || !tag) return null
  return {
    cost: { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) },
    salt: Buffer.from(salt, 'base64'),
    tag: Buffer.from(tag, 'base64'),
  }
}

/** The same letters typed on another keyboard are the same password, hence the normal form. */
const parametersOf = (password: string, nonce: Buffer, cost: typeof COST, tagLength: number): Argon2Parameters => ({
  message: password.normalize('NFKC'),
  nonce,
  tagLength,
  ...cost,
})

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

export const PASSWORD_LENGTH_MIN = 8
export const PASSWORD_LENGTH_MAX = 200
/** Whoever sends more is told no after the same time: a longer text would be brought into its normal form for minutes. */
const PASSWORD_UNITS_MAX = 2 * PASSWORD_LENGTH_MAX

/** What is wrong with a password that someone wants to have; null when nothing is. */
export const passwordFault = (password: unknown): string | null => {
  if (password === undefined || password === null || password === '') return BLANK_MESSAGE
  if (typeof password !== 'string' || !password.isWellFormed() || password.includes('\0')) return INVALID_MESSAGE
  if (characterCount(password) < PASSWORD_LENGTH_MIN) return tooShortMessage(PASSWORD_LENGTH_MIN)
  return characterCount(password) > PASSWORD_LENGTH_MAX ? tooLongMessage(PASSWORD_LENGTH_MAX) : null
}
