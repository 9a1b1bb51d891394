import { randomBytes } from 'node:crypto'
import { digestOf } from '../access/tokens.ts'
import { Invalid } from '../kernel/refusals.ts'

const TOKEN = /^[\w-]{22}$/

/** What a place in line is known by: 128 random bits. */
export const newQueueToken = (): string => randomBytes(16).toString('base64url')

export const unknownQueueTokenRefusal = () =>
  new Invalid({ queue_token: ['is not a place in this line; ask again without it'] })

/** The digest that a token is found by; what cannot be one of ours is refused without asking the database. */
export const digestOfQueueToken = (token: string | null): Buffer | null => {
  if (token === null) return null
  if (!TOKEN.test(token)) throw unknownQueueTokenRefusal()
  return digestOf(token)
}
