import { z } from 'zod'
import { PASSWORD_LENGTH_MAX } from '../access/passwords.ts'
import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import { parseTaxRate } from '../kernel/tax-rates.ts'
import { parseAmount } from '../kernel/money.ts'
import { characterCount } from '../kernel/messages.ts'
import { addDuration, isCalendarDate, parseTimestamp } from '../kernel/durations.ts'
import { quoteShortened } from './fault.ts'

/** What the values of one file are read against. A schema that is made with it asks for `now` while it reads. */
export interface ReadingContext {
  readonly now: Date
  readonly currency: string
  readonly timeZone: string
}

const TEXT_MAX = 255
const URL_MAX = 2_000
const INTEGER_MAX = 2_147_483_647

class Unreadable extends Error {}

const unreadable = (sentence: string): never => {
  throw new Unreadable(sentence)
}

const reading = <Given, Read>(given: z.ZodType<Given>, read: (value: Given) => Read) =>
  given.transform((value, context): Read => {
    try {
      return read(value)
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      context.issues.push({ code: 'custom', message: error.message, input: value })
      return z.NEVER
    }
  })

/** A string where every other type of value deserves the same sentence. */
const stringOr = (sentence: string) =>
  z.string({ error: (issue) => (issue.input === undefined ? 'is missing' : sentence) })

const storable = (value: string) => {
  if (value.includes('\0') || !value.isWellFormed()) unreadable('has a character that cannot be stored')
  return value
}

const readText = (value: string, most: number) => {
  const text = storable(value).trim()
  if (text === '') unreadable('is blank')
  if (characterCount(text) > most) unreadable(`has more than ${most} characters`)
  return text
}

/** A section or a thing of it; a key that it does not have is a fault. */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject(shape)

/** A value that may be left out or null. */
export const optional = <T>(field: z.ZodType<T>) => field.nullish().transform((value) => value ?? null)

/** By what no two of a list may be alike: keys of theirs, each by itself, or all they are. */
type Unique<T> = (keyof T & string) | readonly (keyof T & string)[] | 'itself'

/** A list that may be left out. */
export const list = <T>(of: z.ZodType<T>, unique?: Unique<T>) => requiredList(of, unique).default([])

export const requiredList = <T>(of: z.ZodType<T>, unique: Unique<T> = []) => {
  const keys = typeof unique === 'string' ? [unique] : unique
  return z.array(of).superRefine((things, context) => {
    for (const key of keys) {
      const seen = new Set<unknown>()
      for (const [position, each] of things.entries()) {
        const name: unknown = key === 'itself' ? each : each[key]
        if (seen.has(name)) {
          const path = key === 'itself' ? [position] : [position, key]
          context.addIssue({ code: 'custom', path, message: `${quoteShortened(String(name))} is given twice` })
        }
        seen.add(name)
      }
    }
  })
}

/** One line of text, trimmed and never blank. */
export const text = (most = TEXT_MAX) => reading(z.string(), (value) => readText(value, most))

/** One line of text that may be left out; blank counts as left out. */
export const optionalText = (most = TEXT_MAX) =>
  reading(z.string().nullish(), (value) =>
    value === null || value === undefined || storable(value).trim() === '' ? null : readText(value, most),
  )

/** Text or HTML as it was written; it may be empty. */
export const longText = () => reading(z.string(), storable)

/** What things of the file are called by its other parts. */
export const keyText = () => text()

export const password = () =>
  reading(z.string(), (value) => {
    if (value === '') return unreadable('is blank')
    if (characterCount(value) > PASSWORD_LENGTH_MAX)
      return unreadable(`has more than ${PASSWORD_LENGTH_MAX} characters`)
    return storable(value)
  })

export const flag = (otherwise: boolean) => z.boolean().default(otherwise)

export const oneOf = <const Choice extends string>(choices: readonly Choice[]) => z.enum(choices)

export interface Bounds {
  least?: number
  most?: number
}

export const wholeNumber = (bounds: Bounds = {}) =>
  reading(z.number(), (value) =>
    Number.isInteger(value) ? within(value, bounds) : unreadable('is not a whole number'),
  )

export const boundedNumber = (bounds: Bounds) => reading(z.number(), (value) => within(value, bounds))

const within = (value: number, { least = -INTEGER_MAX, most = INTEGER_MAX }: Bounds) => {
  if (value < least) unreadable(`is less than ${least}`)
  if (value > most) unreadable(`is more than ${most}`)
  return value
}

/** Cents of the account's currency. */
export const money = ({ currency }: ReadingContext, { least = 0 }: { least?: number } = {}) =>
  reading(stringOr(`is not an amount of ${currency}`), (value) => {
    const cents = parseAmount(value, currency) ?? unreadable(`is not an amount of ${currency}`)
    return cents < least ? unreadable(least === 0 ? 'is less than 0' : `is too small`) : cents
  })

const NO_TAX_RATE = 'is not a percentage like "19.00"'

export const taxRate = () => reading(stringOr(NO_TAX_RATE), (value) => parseTaxRate(value) ?? unreadable(NO_TAX_RATE))

const NO_TIMESTAMP = 'is neither a time like "2030-01-31T20:00:00Z" nor a duration from now like "+P30D" or "-PT2H"'

export const timestamp = (terms: ReadingContext) =>
  reading(
    stringOr(NO_TIMESTAMP),
    (value) => parseTimestamp(value) ?? addDuration(terms.now, value) ?? unreadable(NO_TIMESTAMP),
  )

const NO_DATE = 'is neither a date like "2030-01-31" nor a duration from now like "+P14D"'

/** A day of the account's own calendar, as YYYY-MM-DD. */
export const calendarDate = (terms: ReadingContext) =>
  reading(stringOr(NO_DATE), (value) => {
    if (isCalendarDate(value)) return value
    const moment = addDuration(terms.now, value) ?? unreadable(NO_DATE)
    return new Intl.DateTimeFormat('en-CA', { timeZone: terms.timeZone, dateStyle: 'short' }).format(moment)
  })

export const timeZone = () =>
  reading(z.string(), (value) => (isTimeZone(value) ? value : unreadable('is not a time zone like "Europe/Berlin"')))

export const isTimeZone = (name: string) => {
  // Intl takes offsets for time zones too, but those have no summer.
  if (!/^[A-Za-z]/.test(name)) return false
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }))
  } catch {
    return false
  }
}

export const email = () =>
  reading(z.string(), (value) => {
    const address = normalizeEmail(storable(value))
    return isEmail(address) ? address : unreadable('is not an email address')
  })

export const isWebUrl = (value: string, protocols: string[]) =>
  value.length <= URL_MAX && URL.canParse(value) && protocols.includes(new URL(value).protocol)

export const webUrl = () =>
  reading(z.string(), (value) =>
    isWebUrl(storable(value).trim(), ['https:', 'http:']) ? value.trim() : unreadable('is not a web address'),
  )

/** An https URL, or a path beside the file; whoever loads it opens what it leads to. */
export const image = () =>
  reading(z.string(), (value) => {
    const address = storable(value).trim()
    const isPath = address !== '' && !/^[a-z][a-z0-9+.-]*:/i.test(address)
    return isPath || isWebUrl(address, ['https:']) ? address : unreadable('is neither an https URL nor a path')
  })

export const color = () =>
  reading(stringOr('is not a color like "#2f6fed"'), (value) =>
    /^#[0-9a-f]{6}$/i.test(value) ? value.toLowerCase() : unreadable('is not a color like "#2f6fed"'),
  )
