import { z } from 'zod'
import type { Account } from '../access/callers.ts'
import { type ErrorMap, Invalid, Refusal } from '../kernel/refusals.ts'
import { INVALID_MESSAGE } from '../kernel/messages.ts'
import type { RequestHeaders } from './headers.ts'
import { showJsonPath } from '../loading/fault.ts'

/** The request itself is malformed, before its data is looked at. */
export class MalformedRequest extends Refusal {
  readonly status = 400

  constructor(message: string) {
    super({ base: [message] })
  }
}

/** The body is compressed, or otherwise not what its type says. */
export class UnsupportedBodyEncoding extends Refusal {
  readonly status = 415

  constructor() {
    super({ base: ['The body must not be compressed; send it without Content-Encoding'] })
  }
}

export const requireUnencodedBody = (headers: RequestHeaders) => {
  const encoding = String(headers['content-encoding'] ?? '').trim()
  if (encoding !== '' && encoding.toLowerCase() !== 'identity') throw new UnsupportedBodyEncoding()
}

/** Of whose account a body speaks: its currency, its time zone, and the name of its shop. */
export type AccountContext = Pick<Account, 'currency' | 'timeZone' | 'subdomain'>

/** How a body is read: from parsed JSON to typed input, or a refusal. */
export interface BodyReader<T> {
  readonly schema: z.ZodType
  read(json: unknown, terms?: AccountContext): T
}

/** `{guest_party: {...}}`: the envelope must be there; faults are told without its name. */
export const envelope = <T extends z.ZodObject>(name: string, fields: T): BodyReader<z.output<T>> => ({
  schema: z.object({ [name]: fields }),
  read: (json) => readFields(fields, openEnvelope(name, json)),
})

export const openEnvelope = (name: string, json: unknown): Record<string, unknown> => {
  const inside = isRecord(json) ? json[name] : undefined
  if (!isRecord(inside)) throw new MalformedRequest(`param is missing or the value is empty: ${name}`)
  return inside
}

/** Fields beside an envelope that may be left out altogether. */
export const optionalEnvelope = <N extends string, T extends z.ZodObject, B extends z.ZodObject>(
  name: N,
  fields: T,
  beside: B,
): BodyReader<z.output<B> & { [K in N]?: z.output<T> }> => ({
  schema: beside.extend({ [name]: fields.optional() }),
  read: (json) => {
    const outside = isRecord(json) ? json : {}
    const inside = outside[name]
    if (inside !== undefined && inside !== null && !isRecord(inside)) {
      throw new MalformedRequest(`param is missing or the value is empty: ${name}`)
    }
    const within = isRecord(inside) ? { [name]: readFields(fields, inside) } : {}
    return { ...readFields(beside, outside), ...within }
  },
})

/** Fields without an envelope; an absent body is an empty one. */
export const unwrappedBody = <T extends z.ZodObject>(shape: T): BodyReader<z.output<T>> => ({
  schema: shape,
  read: (json) => {
    if (json !== undefined && json !== null && !isRecord(json))
      throw new MalformedRequest('The body must be a JSON object')
    return readFields(shape, json ?? {})
  },
})

/**
 * Reads the fields of a shape and nothing else. A field that is absent is asked all the same, because it may have
 * a default or be required; an optional one is left undefined. Faults become the errors map.
 */
export const readFields = <T extends z.ZodObject>(shape: T, input: unknown): z.output<T> => {
  const result = shape.safeParse(pickKeys(shape, input))
  if (result.success) return result.data

  const errors: ErrorMap = {}
  for (const issue of result.error.issues) {
    const key = issue.path.length === 0 ? 'base' : showJsonPath(issue.path)
    const message = issue.code === 'custom' ? issue.message : INVALID_MESSAGE
    if (!errors[key]?.includes(message)) (errors[key] ??= []).push(message)
  }
  throw new Invalid(errors)
}

/** The keys of a shape, each with what was sent for it. */
export const pickKeys = (shape: z.ZodObject, input: unknown): Record<string, unknown> => {
  const sent = isRecord(input) ? input : {}
  return Object.fromEntries(
    Object.keys(shape.shape).map((key) => [key, Object.hasOwn(sent, key) ? sent[key] : undefined]),
  )
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NESTING_MAX = 64

/** Parses JSON that may come from anyone: bad UTF-8, deep nesting and prototype keys are refused or dropped. */
export const parseJson = (bytes: Buffer): unknown => {
  if (bytes.length === 0) return undefined
  const text = decode(bytes)
  if (text.trim() === '') return undefined
  if (nestingOf(text) > NESTING_MAX) throw new MalformedRequest('The JSON is nested too deeply')
  try {
    return JSON.parse(text, text.includes('__proto__') ? withoutPrototype : undefined)
  } catch {
    throw new MalformedRequest('The body is not valid JSON')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const decode = (bytes: Buffer) => {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new MalformedRequest('The body is not valid UTF-8')
  }
}

const withoutPrototype = (key: string, value: unknown) => (key === '__proto__' ? undefined : value)

const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

const nestingOf = (text: string) => {
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    if (quoted) {
      if (unit === BACKSLASH) i++
      else if (unit === QUOTE) quoted = false
    } else if (unit === QUOTE) quoted = true
    else if (OPENING.has(unit)) deepest = Math.max(deepest, ++depth)
    else if (CLOSING.has(unit)) depth--
  }
  return deepest
}
