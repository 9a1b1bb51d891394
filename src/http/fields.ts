import { z } from 'zod'
import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import { isCalendarDate } from '../kernel/durations.ts'
import {
  BLANK_MESSAGE,
  INVALID_MESSAGE,
  NOT_A_NUMBER_MESSAGE,
  NOT_AN_INTEGER_MESSAGE,
  NOT_INCLUDED_MESSAGE,
  atLeastMessage,
  atMostMessage,
  characterCount,
  tooLongMessage,
} from '../kernel/messages.ts'
import { parseTaxRate } from '../kernel/tax-rates.ts'

/**
 * What bodies and queries are made of: fields that take what form-like clients send ("3", "true", 1), and
 * refuse the rest with the messages integrators know. Null and the empty string clear a field that may be empty.
 */
export type Field<T> = z.ZodType<T>

export const NAME_MAX = 255
const INTEGER_MAX = 2_147_483_647

class Fault extends Error {}

/** For casts: refuses the value with a message. */
export const failCast = (message: string): never => {
  throw new Fault(message)
}

/** The JSON Schema of a field as the API description shows it. */
export const fieldSchemas = z.registry<{ schema: Record<string, unknown>; required: boolean }>()

/** A field of one's own: what it takes, for the API description, and how a value of it is cast. */
export const field = <T>(schema: Record<string, unknown>, cast: (value: unknown) => T, required = false): Field<T> => {
  const made = z.unknown().transform((value, context) => {
    try {
      return cast(value)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      context.issues.push({ code: 'custom', message: error.message, input: value })
      return z.NEVER
    }
  })
  fieldSchemas.add(made, { schema, required })
  return made
}

export const isEmpty = (value: unknown) => value === undefined || value === null || value === ''

export const castText = (value: unknown, most: number): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return failCast(INVALID_MESSAGE)

  const text = value.trim()
  if (characterCount(text) > most) failCast(tooLongMessage(most))
  return text
}

/** A text that must be there: blank is refused. */
export const requiredText = (most = NAME_MAX): Field<string> =>
  field(
    { type: 'string', minLength: 1, maxLength: most },
    (value) => {
      const text = isEmpty(value) ? '' : castText(value, most)
      return text === '' ? failCast(BLANK_MESSAGE) : text
    },
    true,
  )

/** A text that may be cleared. */
export const optionalText = (most = NAME_MAX): Field<string | null> =>
  field({ type: ['string', 'null'], maxLength: most }, (value) =>
    isEmpty(value) ? null : castText(value, most) || null,
  )

export const optionalEmail = (): Field<string | null> =>
  field({ type: ['string', 'null'], format: 'email', maxLength: NAME_MAX }, (value) => {
    if (isEmpty(value)) return null
    const email = normalizeEmail(castText(value, NAME_MAX))
    if (email === '') return null
    return isEmail(email) ? email : failCast(INVALID_MESSAGE)
  })

export const requiredEmail = (): Field<string> =>
  field(
    { type: 'string', format: 'email', maxLength: NAME_MAX },
    (value) => {
      const email = isEmpty(value) ? '' : normalizeEmail(castText(value, NAME_MAX))
      if (email === '') return failCast(BLANK_MESSAGE)
      return isEmail(email) ? email : failCast(INVALID_MESSAGE)
    },
    true,
  )

/** A day of the calendar that may be cleared; what is no such day is refused, never taken for none. */
export const optionalDate = (): Field<string | null> =>
  field({ type: ['string', 'null'], format: 'date' }, (value) => {
    if (isEmpty(value)) return null
    return typeof value === 'string' && isCalendarDate(value.trim()) ? value.trim() : failCast(INVALID_MESSAGE)
  })

interface Bounds {
  least?: number
  most?: number
}

export const castInteger = (value: unknown, { least = -INTEGER_MAX, most = INTEGER_MAX }: Bounds): number => {
  const number = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
  if (typeof number !== 'number' || !Number.isFinite(number)) return failCast(NOT_A_NUMBER_MESSAGE)
  if (!Number.isInteger(number)) failCast(NOT_AN_INTEGER_MESSAGE)
  if (number < least) failCast(atLeastMessage(least))
  if (number > most) failCast(atMostMessage(most))
  return number
}

const integerSchema = ({ least, most }: Bounds) => ({
  ...(least !== undefined && { minimum: least }),
  ...(most !== undefined && { maximum: most }),
})

/** An integer that must be there when its key is. */
export const integer = (bounds: Bounds = {}): Field<number> =>
  field(
    { type: 'integer', ...integerSchema(bounds) },
    (value) => (isEmpty(value) ? failCast(NOT_A_NUMBER_MESSAGE) : castInteger(value, bounds)),
    true,
  )

export const optionalInteger = (bounds: Bounds = {}): Field<number | null> =>
  field({ type: ['integer', 'null'], ...integerSchema(bounds) }, (value) =>
    isEmpty(value) ? null : castInteger(value, bounds),
  )

/** For creation: an absent, null or empty value becomes the default. */
export const integerWithDefault = (otherwise: number, bounds: Bounds = {}): Field<number> =>
  field({ type: ['integer', 'null'], default: otherwise, ...integerSchema(bounds) }, (value) =>
    isEmpty(value) ? otherwise : castInteger(value, bounds),
  )

const TAX_RATE_TEXT_MAX = 20

/** Hundredths of a percent, of a percentage as a decimal text. */
export const castTaxRate = (value: unknown): number => {
  const text = castText(value, TAX_RATE_TEXT_MAX)
  if (!/^-?\d+(\.\d+)?$/.test(text)) return failCast(NOT_A_NUMBER_MESSAGE)
  return parseTaxRate(text) ?? failCast(INVALID_MESSAGE)
}

/** A tax rate; an absent, null or empty one is none. */
export const taxRateOrNone = (): Field<number> =>
  field({ type: ['string', 'null'], default: '0.00', examples: ['19.00'] }, (value) =>
    isEmpty(value) ? 0 : castTaxRate(value),
  )

/** The ID of a row: what is no integer names nothing, which is told apart from being blank. */
export const rowId = (): Field<number | null> =>
  field({ type: 'integer' }, (value) => {
    return isEmpty(value) ? null : castRowId(value)
  })

/** The same where there must be one. That there is one is judged together with what it names. */
export const requiredRowId = (): Field<number | null> =>
  field({ type: 'integer' }, (value) => (isEmpty(value) ? null : castRowId(value)), true)

/** The same where null takes away what was there. */
export const optionalRowId = (): Field<number | null> =>
  field({ type: ['integer', 'null'] }, (value) => (isEmpty(value) ? null : castRowId(value)))

export const castRowId = (value: unknown): number => {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value.trim()) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number > 0 ? number : failCast(INVALID_MESSAGE)
}

export const rowIds = (most: number): Field<number[]> =>
  field({ type: ['array', 'null'], items: { type: 'integer' }, maxItems: most }, (value) => {
    return isEmpty(value) ? [] : castRowIds(value, most)
  })

export const castRowIds = (value: unknown, most: number): number[] => {
  if (!Array.isArray(value)) return failCast(INVALID_MESSAGE)
  if (value.length > most) failCast(`is too long (maximum is ${most} entries)`)
  return value.map(castRowId)
}

/** The same where there must be one at least. */
export const requiredRowIds = (most: number): Field<number[]> =>
  field(
    { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: most },
    (value) => {
      if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) return failCast(BLANK_MESSAGE)
      return castRowIds(value, most)
    },
    true,
  )

/** Public IDs, one at least. One that names nothing is no fault of the body. */
export const requiredPublicIds = (most: number): Field<string[]> =>
  field(
    { type: 'array', items: { type: 'string', maxLength: NAME_MAX }, minItems: 1, maxItems: most },
    (value) => {
      if (isEmpty(value) || (Array.isArray(value) && value.length === 0)) return failCast(BLANK_MESSAGE)
      if (!Array.isArray(value)) return failCast(INVALID_MESSAGE)
      if (value.length > most) failCast(`is too long (maximum is ${most} entries)`)
      return value.map((each: unknown) =>
        typeof each === 'string' ? castText(each, NAME_MAX) : failCast(INVALID_MESSAGE),
      )
    },
    true,
  )

export const castFlag = (value: unknown): boolean => {
  if (value === true || value === 'true' || value === 1 || value === '1') return true
  if (value === false || value === 'false' || value === 0 || value === '0') return false
  return failCast(NOT_INCLUDED_MESSAGE)
}

export const flag = (): Field<boolean> => field({ type: 'boolean' }, castFlag, true)

export const flagWithDefault = (otherwise: boolean): Field<boolean> =>
  field({ type: ['boolean', 'null'], default: otherwise }, (value) => (isEmpty(value) ? otherwise : castFlag(value)))

/** A query switch: only true and 1 count as true, so that `hide_done=false` hides nothing. */
export const querySwitch = (): Field<boolean> =>
  field({ type: 'boolean', default: false }, (value) => {
    const last = lastOf(value)
    return last === 'true' || last === '1'
  })

export const choice = <const T extends string>(choices: readonly T[]): Field<T> =>
  field(
    { type: 'string', enum: choices },
    (value) => choices.find((each) => each === value) ?? failCast(NOT_INCLUDED_MESSAGE),
    true,
  )

export const choiceWithDefault = <const T extends string>(otherwise: T, choices: readonly T[]): Field<T> =>
  field({ type: ['string', 'null'], enum: [...choices, null], default: otherwise }, (value) =>
    isEmpty(value) ? otherwise : (choices.find((each) => each === value) ?? failCast(NOT_INCLUDED_MESSAGE)),
  )

/** One that need not be made. */
export const optionalChoice = <const T extends string>(choices: readonly T[]): Field<T | null> =>
  field({ type: ['string', 'null'], enum: [...choices, null] }, (value) =>
    isEmpty(value) ? null : (choices.find((each) => each === value) ?? failCast(NOT_INCLUDED_MESSAGE)),
  )

/** A query filter that falls back to its default; the answer's echo tells which one was in force. */
export const queryChoice = <const T extends string>(otherwise: T, choices: readonly T[]): Field<T> =>
  field({ type: 'string', enum: choices, default: otherwise }, (value) => {
    const last = lastOf(value)
    return choices.find((each) => each === last) ?? otherwise
  })

/** The same where no echo would tell: what is not among the choices is refused. */
export const strictQueryChoice = <const T extends string>(otherwise: T, choices: readonly T[]): Field<T> =>
  field({ type: 'string', enum: choices, default: otherwise }, (value) => {
    const last = lastOf(value)
    return isEmpty(last) ? otherwise : (choices.find((each) => each === last) ?? failCast(NOT_INCLUDED_MESSAGE))
  })

/** What was typed into a search field; a text no row can hold finds nothing and is no fault. */
export const queryText = (most = NAME_MAX): Field<string> => queryOf(most, '')

/** What something is called by. Without its zero byte it would be called like something else, or like nothing at all. */
export const queryName = (): Field<string> => queryOf(NAME_MAX, '\uFFFD')

const queryOf = (most: number, zeroByte: string): Field<string> =>
  field({ type: 'string', maxLength: most, default: '' }, (value) => {
    const last = lastOf(value)
    return typeof last === 'string' ? last.replaceAll('\0', zeroByte).toWellFormed().trim().slice(0, most) : ''
  })

/** Asked for by its mere name, like `?detail`. */
export const queryPresence = (): Field<boolean> =>
  field({ type: 'string', maxLength: NAME_MAX }, (value) => value !== undefined && lastOf(value) !== '0')

export const queryPageNumber = (): Field<number> =>
  field({ type: 'integer', minimum: 1, default: 1 }, (value) => {
    const last = lastOf(value)
    return typeof last === 'string' && /^\d{1,9}$/.test(last) ? Math.max(1, Number(last)) : 1
  })

/** How many a page holds; what is no number of that size is the usual. */
export const queryPageLength = (usual: number, most: number): Field<number> =>
  field({ type: 'integer', minimum: 1, maximum: most, default: usual }, (value) => {
    const last = lastOf(value)
    const asked = typeof last === 'string' && /^\d{1,9}$/.test(last) ? Number(last) : 0
    return asked > 0 ? Math.min(asked, most) : usual
  })

const lastOf = (value: unknown): unknown => (Array.isArray(value) ? value.at(-1) : value)

/** A map from keys to whatever the field of its values takes, such as answers by question. */
export const mapField = (): Field<Record<string, unknown> | null> =>
  field({ type: ['object', 'null'], additionalProperties: true }, (value) => {
    if (isEmpty(value)) return null
    if (typeof value !== 'object' || Array.isArray(value)) return failCast(INVALID_MESSAGE)
    return { ...(value as Record<string, unknown>) }
  })
