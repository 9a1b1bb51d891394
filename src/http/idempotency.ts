import { createHash } from 'node:crypto'
import type { CallerScope, Tx } from '../access/scopes.ts'
import { Conflict, Invalid } from '../kernel/refusals.ts'
import { type IdempotencyKey, storeAnswer, claimIdempotencyKey } from './records.ts'

const KEY_LENGTH_MAX = 255
const PURPOSE = 'idempotency'

export interface SerializedAnswer {
  status: number
  body: string
  location: string | null
}

export interface ReplayableAnswer extends SerializedAnswer {
  replayed: boolean
}

export interface IdempotentRequest {
  method: string
  path: string
  key: string
  query: unknown
  body: unknown
}

interface Handling {
  create: (tx: Tx) => Promise<SerializedAnswer>
  /** Throws where the caller may no longer see what was answered. */
  requireVisible: (tx: Tx, body: string) => Promise<unknown>
}

/**
 * Does a creation once per key. The answer is remembered in the transaction of the creation itself, so
 * neither can exist without the other, and a refusal, which rolls both back, frees the key.
 */
export const runIdempotently = async (
  scope: CallerScope,
  request: IdempotentRequest,
  { create, requireVisible }: Handling,
): Promise<ReplayableAnswer> => {
  if (request.key.length > KEY_LENGTH_MAX) throw new Invalid('Idempotency-Key is too long (maximum is 255 characters)')

  const key: IdempotencyKey = {
    credentialId: scope.credential.id,
    method: request.method,
    path: request.path,
    key: request.key,
  }
  const fingerprint = fingerprintOf([request.query, request.body])

  return scope.transaction(async (tx) => {
    const { taken, remembered } = await claimIdempotencyKey(tx, key)
    if (!taken) throw new Conflict('A request with this Idempotency-Key is still being processed')
    if (remembered) {
      if (!remembered.fingerprint.equals(fingerprint)) {
        throw new Invalid('Idempotency-Key was already used with a different request')
      }
      const body = scope.app.secrets.open(PURPOSE, remembered.body)
      await requireVisible(tx, body)
      return { status: remembered.status, body, location: remembered.location, replayed: true }
    }

    const answer = await create(tx)
    await storeAnswer(tx, key, { ...answer, fingerprint, body: scope.app.secrets.seal(PURPOSE, answer.body) })
    return { ...answer, replayed: false }
  })
}

const fingerprintOf = (value: unknown) => createHash('sha256').update(canonical(value)).digest()

/** JSON with sorted keys: the order a client happens to send them in says nothing. */
const canonical = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const entries = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `{${entries.map(([key, each]) => `${JSON.stringify(key)}:${canonical(each)}`).join(',')}}`
  }
  return JSON.stringify(value) ?? 'null'
}
