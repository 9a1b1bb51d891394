import { MalformedRequest, parseJson } from '../http/body.ts'
import { type ErrorMap, Invalid } from '../kernel/refusals.ts'
import { INVALID_MESSAGE, NOT_AN_INTEGER_MESSAGE, NOT_INCLUDED_MESSAGE } from '../kernel/messages.ts'

/** One parameter of a tool: what a model is told of it, and how what it sends is read. */
export interface Parameter<T> {
  readonly schema: Readonly<Record<string, unknown>>
  read(value: unknown): T
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>

/** What was sent, as far as it was; the bounds of a value are for the endpoint to judge. */
export type GivenParameters<P extends Parameters> = {
  readonly [K in keyof P]?: P[K] extends Parameter<infer T> ? T : never
}

class Unreadable extends Error {}

const unreadable = (message: string): never => {
  throw new Unreadable(message)
}

export const text = (says: string): Parameter<string> => ({
  schema: { type: 'string', description: says },
  read: (value) => {
    if (typeof value === 'number') return String(value)
    return typeof value === 'string' && value.isWellFormed() && !value.includes('\0')
      ? value
      : unreadable(INVALID_MESSAGE)
  },
})

export const integer = (says: string, bounds: { minimum?: number; maximum?: number } = {}): Parameter<number> => ({
  schema: { type: 'integer', ...bounds, description: says },
  read: (value) => {
    const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value
    return Number.isSafeInteger(number) ? (number as number) : unreadable(NOT_AN_INTEGER_MESSAGE)
  },
})

export const flag = (says: string): Parameter<boolean> => ({
  schema: { type: 'boolean', description: says },
  read: (value) => {
    if (value === true || value === 'true') return true
    return value === false || value === 'false' ? false : unreadable('must be true or false')
  },
})

/** A flag that says yes to something: nothing else is taken for it. */
export const confirmation = (says: string): Parameter<boolean> => ({
  schema: { type: 'boolean', description: says },
  read: (value) => (typeof value === 'boolean' ? value : unreadable('must be true or false')),
})

export const choice = <const T extends string>(choices: readonly T[], says: string): Parameter<T> => ({
  schema: { type: 'string', enum: choices, description: says },
  read: (value) => choices.find((each) => each === value) ?? unreadable(NOT_INCLUDED_MESSAGE),
})

/** Each is looked for among all that it could mean. */
const TEXTS_MAX = 100

/** A list; one that comes as JSON in a string, or as its only member, is understood too. */
export const textList = (says: string): Parameter<string[]> => ({
  schema: { type: 'array', items: { type: 'string' }, maxItems: TEXTS_MAX, description: says },
  read: (value) => {
    const list = typeof value === 'string' && value.trim().startsWith('[') ? parse(value) : value
    const all: unknown[] = Array.isArray(list) ? list : [value]
    if (all.length > TEXTS_MAX) unreadable(`is too long (maximum is ${TEXTS_MAX} entries)`)
    return all.map((each) => text('').read(each))
  },
})

/** A JSON object inside a string, as the documents have it. An object that comes as one is understood too. */
export const jsonObject = (says: string): Parameter<Record<string, unknown>> => ({
  schema: { type: 'string', description: says },
  read: (value) => {
    const object = typeof value === 'string' ? parse(value) : value
    return isPlain(object) ? { ...object } : unreadable('must be a JSON object in a string')
  },
})

/** Judged like a body of its own: what is nested too deeply is no JSON here either. */
const parse = (value: string): unknown => {
  try {
    return parseJson(Buffer.from(value))
  } catch (fault) {
    if (fault instanceof MalformedRequest) return undefined
    throw fault
  }
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Null is how some models leave a parameter out; what is cleared is sent empty. */
export const readParameters = (
  parameters: Parameters,
  sent: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const errors: ErrorMap = {}
  const given: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(sent)) {
    if (value === null || value === undefined) continue
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    try {
      given[name] = parameter ? parameter.read(value) : unreadable('is no parameter of this tool')
    } catch (fault) {
      if (!(fault instanceof Unreadable)) throw fault
      errors[name] = [fault.message]
    }
  }
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
  return given
}

/** Without what was not given, so that an endpoint can tell "not sent" from "sent empty". */
export const omitUndefined = (fields: Readonly<Record<string, unknown>>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
