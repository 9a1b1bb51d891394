import { z } from 'zod'
import { type AccountContext, isRecord } from '../http/body.ts'
import { castFlag, castInteger, castRowId, castTaxRate, castText, failCast, isEmpty } from '../http/fields.ts'
import { Timestamp } from '../http/wire.ts'
import { isEmail, normalizeEmail } from '../kernel/emails.ts'
import { parseTimestamp } from '../kernel/durations.ts'
import {
  BLANK_MESSAGE,
  INVALID_MESSAGE,
  NOT_A_NUMBER_MESSAGE,
  NOT_INCLUDED_MESSAGE,
  DUPLICATE_ENTRY_MESSAGE,
  TOO_MANY_DECIMALS_MESSAGE,
  TOO_MUCH_MARKUP_MESSAGE,
  atLeastMessage,
  atMostMessage,
} from '../kernel/messages.ts'
import { parseImageName } from '../images/names.ts'
import { parseAmount, showAmount } from '../kernel/money.ts'
import { showTaxRate } from '../kernel/tax-rates.ts'
import * as file from '../loading/fields.ts'
import { isTooMuchMarkup } from '../rich-text/parse.ts'

/** In which currency amounts are shown, and where the pictures are that Foyer keeps. */
export interface ShowContext {
  readonly currency: string
  imageUrl?(stored: string): string
}

/**
 * One kind of value, as everything that takes or gives it sees it: the venue file, bodies of the API, answers and
 * exports. `T` is what the rest of the house works with, whichever of them it came from.
 */
export interface ValueKind<T> {
  /** Strictly, with sentences about the file. */
  file(terms: file.ReadingContext): z.ZodType<T>
  /** The same where it may be left out, for kinds whose blank counts as that. */
  optionalInFile?(): z.ZodType<T | null>
  /** From what form-like clients send, with the messages integrators know. */
  cast(value: unknown, terms: AccountContext): T
  /** What is said of a body that leaves empty what must be there. */
  readonly blank: string
  /** What an empty string, or null in a change, means where null is no value of it. */
  readonly empty?: T
  /** As the API description shows it in bodies. */
  readonly schema: Readonly<Record<string, unknown>>
  /** As answers have it. */
  readonly wire: z.ZodType
  /** Its JSON in answers and exports. */
  show(value: T, terms: ShowContext): unknown
}

const TEXT_MAX = 255
const URL_MAX = 2_000
const AMOUNT_TEXT_MAX = 40
const CODES_MAX = 1_000

const asItIs = <T>(value: T): T => value

/** One line of text, trimmed and never blank. */
export const text = (most = TEXT_MAX): ValueKind<string> => ({
  file: () => file.text(most),
  optionalInFile: () => file.optionalText(most),
  cast: (value) => castText(value, most) || failCast(BLANK_MESSAGE),
  blank: BLANK_MESSAGE,
  schema: { type: 'string', minLength: 1, maxLength: most },
  wire: z.string(),
  show: asItIs,
})

/** The same with a condition, said once for the file and once for bodies. */
export const textMatching = (
  isRight: (value: string) => boolean,
  wrong: { file: string; api: string },
  { most = TEXT_MAX, schema = {} }: { most?: number; schema?: Record<string, unknown> } = {},
): ValueKind<string> => {
  const { optionalInFile: _, ...plain } = text(most)
  return {
    ...plain,
    file: () => file.text(most).refine(isRight, { error: wrong.file }),
    cast: (value, terms) => {
      const given = plain.cast(value, terms)
      return isRight(given) ? given : failCast(wrong.api)
    },
    schema: { ...plain.schema, ...schema },
  }
}

/** The same value, always written the one way. */
export const normalized = (kind: ValueKind<string>, normalize: (value: string) => string): ValueKind<string> => ({
  ...kind,
  file: (terms) => kind.file(terms).transform(normalize),
  cast: (value, terms) => normalize(kind.cast(value, terms)),
})

/** Text or HTML that every visitor of the shop can be shown; it may be empty. */
export const markup = (): ValueKind<string> => ({
  file: () => file.longText().refine((value) => !isTooMuchMarkup(value), { error: TOO_MUCH_MARKUP_MESSAGE }),
  cast: (value) => {
    if (typeof value !== 'string' || value.includes('\0') || !value.isWellFormed()) return failCast(INVALID_MESSAGE)
    return isTooMuchMarkup(value) ? failCast(TOO_MUCH_MARKUP_MESSAGE) : value
  },
  blank: BLANK_MESSAGE,
  empty: '',
  schema: { type: 'string' },
  wire: z.string(),
  show: asItIs,
})

export const wholeNumber = (bounds: file.Bounds = {}): ValueKind<number> => ({
  file: () => file.wholeNumber(bounds),
  cast: (value) => castInteger(value, bounds),
  blank: NOT_A_NUMBER_MESSAGE,
  schema: { type: 'integer', ...boundsSchema(bounds) },
  wire: z.int(),
  show: asItIs,
})

export const decimal = (bounds: Required<file.Bounds>): ValueKind<number> => ({
  file: () => file.boundedNumber(bounds),
  cast: (value) => {
    const number = typeof value === 'string' && /^\s*[+-]?\d+(\.\d+)?\s*$/.test(value) ? Number(value) : value
    if (typeof number !== 'number' || !Number.isFinite(number)) return failCast(NOT_A_NUMBER_MESSAGE)
    if (number < bounds.least) return failCast(atLeastMessage(bounds.least))
    return number > bounds.most ? failCast(atMostMessage(bounds.most)) : number
  },
  blank: NOT_A_NUMBER_MESSAGE,
  schema: { type: 'number', ...boundsSchema(bounds) },
  wire: z.number(),
  show: asItIs,
})

const boundsSchema = ({ least, most }: file.Bounds) => ({
  ...(least !== undefined && { minimum: least }),
  ...(most !== undefined && { maximum: most }),
})

/** Cents of the account's currency, from 0 on; a decimal string outside. */
export const money = (): ValueKind<number> => ({
  file: (terms) => file.money(terms),
  cast: (value, { currency }) => {
    const given = castText(value, AMOUNT_TEXT_MAX)
    if (!/^-?\d+(\.\d+)?$/.test(given)) return failCast(NOT_A_NUMBER_MESSAGE)
    if (given.startsWith('-')) return failCast(atLeastMessage(0))
    return parseAmount(given, currency) ?? failCast(given.includes('.') ? TOO_MANY_DECIMALS_MESSAGE : INVALID_MESSAGE)
  },
  blank: NOT_A_NUMBER_MESSAGE,
  schema: { type: 'string', examples: ['25.00'] },
  wire: z.string(),
  show: (cents, { currency }) => showAmount(cents, currency),
})

/** Hundredths of a percent; a percentage as a decimal string outside. */
export const taxRate = (): ValueKind<number> => ({
  file: () => file.taxRate(),
  cast: castTaxRate,
  blank: NOT_A_NUMBER_MESSAGE,
  schema: { type: 'string', examples: ['19.00'] },
  wire: z.string(),
  show: showTaxRate,
})

export const timestamp = (): ValueKind<Date> => ({
  file: (terms) => file.timestamp(terms),
  cast: (value) => (typeof value === 'string' ? parseTimestamp(value.trim()) : null) ?? failCast(INVALID_MESSAGE),
  blank: BLANK_MESSAGE,
  schema: { type: 'string', format: 'date-time' },
  wire: Timestamp,
  show: (date) => date.toISOString(),
})

export const flag = (): ValueKind<boolean> => ({
  file: () => z.boolean(),
  cast: castFlag,
  blank: NOT_INCLUDED_MESSAGE,
  schema: { type: 'boolean' },
  wire: z.boolean(),
  show: asItIs,
})

export const oneOf = <const Choice extends string>(choices: readonly Choice[]): ValueKind<Choice> => ({
  file: () => file.oneOf(choices),
  cast: (value) => choices.find((each) => each === value) ?? failCast(NOT_INCLUDED_MESSAGE),
  blank: NOT_INCLUDED_MESSAGE,
  schema: { type: 'string', enum: choices },
  wire: z.enum(choices),
  show: asItIs,
})

export const timeZone = (): ValueKind<string> => ({
  file: () => file.timeZone(),
  cast: (value) => (typeof value === 'string' && file.isTimeZone(value) ? value : failCast(NOT_INCLUDED_MESSAGE)),
  blank: BLANK_MESSAGE,
  schema: { type: 'string', examples: ['Europe/Berlin'] },
  wire: z.string(),
  show: asItIs,
})

export const email = (): ValueKind<string> => ({
  file: () => file.email(),
  cast: (value) => {
    const address = normalizeEmail(castText(value, TEXT_MAX))
    return isEmail(address) ? address : failCast(INVALID_MESSAGE)
  },
  blank: BLANK_MESSAGE,
  schema: { type: 'string', format: 'email', maxLength: TEXT_MAX },
  wire: z.string(),
  show: asItIs,
})

const urlOf = (protocols: string[]) => (value: unknown) => {
  const address = castText(value, URL_MAX)
  return file.isWebUrl(address, protocols) ? address : failCast(INVALID_MESSAGE)
}

export const webUrl = (): ValueKind<string> => ({
  file: () => file.webUrl(),
  cast: urlOf(['https:', 'http:']),
  blank: BLANK_MESSAGE,
  schema: { type: 'string', format: 'uri', maxLength: URL_MAX },
  wire: z.string(),
  show: asItIs,
})

/**
 * A picture: in the file an https URL or a path beside it, in bodies an https URL, the address of one kept here, or the
 * signed ID of a direct upload, which whoever creates or changes the thing takes in.
 */
export const image = (): ValueKind<string> => ({
  file: () => file.image(),
  cast: (value, { subdomain }) => {
    if (typeof value === 'string' && looksLikeSignedId(value.trim())) return value.trim()
    return keptImage(value, subdomain) ?? urlOf(['https:'])(value)
  },
  blank: BLANK_MESSAGE,
  schema: { type: 'string', maxLength: URL_MAX, description: 'An https URL, or the `signed_id` of a direct upload.' },
  wire: z.string(),
  show: (stored, terms) => terms.imageUrl?.(stored) ?? stored,
})

/** Whether a text looks like the signed ID of an upload; whether it is one, its signature says. */
export const looksLikeSignedId = (text: string): boolean => /^[\w-]{46}$/.test(text)

/** What an answer has shown can be sent back: the address at the shop stands for the picture that is kept. */
const keptImage = (value: unknown, subdomain: string): string | null => {
  if (typeof value !== 'string' || !URL.canParse(value)) return null
  const { hostname, pathname } = new URL(value)
  const name = pathname.startsWith('/images/') ? parseImageName(pathname.slice('/images/'.length)) : null
  return hostname.startsWith(`${subdomain}.`) && name?.width === null ? `file:${name.digest}.${name.extension}` : null
}

export const color = (): ValueKind<string> => ({
  file: () => file.color(),
  cast: (value) =>
    typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value.trim())
      ? value.trim().toLowerCase()
      : failCast(INVALID_MESSAGE),
  blank: BLANK_MESSAGE,
  schema: { type: 'string', pattern: '^#[0-9A-Fa-f]{6}$' },
  wire: z.string(),
  show: asItIs,
})

/** The ID of a row that a body names. */
export const rowId = (): ValueKind<number> => ({
  file: () => z.never(),
  cast: castRowId,
  blank: BLANK_MESSAGE,
  schema: { type: 'integer' },
  wire: z.int(),
  show: asItIs,
})

/** A list of values; with `unique` no two of them are alike. */
export const listOf = <T>(
  kind: ValueKind<T>,
  { unique = false, most = CODES_MAX }: { unique?: boolean; most?: number } = {},
): ValueKind<T[]> => ({
  file: (terms) => file.requiredList(kind.file(terms), unique ? 'itself' : undefined),
  cast: (value, terms) => {
    if (!Array.isArray(value)) return failCast(INVALID_MESSAGE)
    if (value.length > most) return failCast(`is too long (maximum is ${most} entries)`)
    const things = value.map((each: unknown) => (isEmpty(each) ? failCast(kind.blank) : kind.cast(each, terms)))
    return unique && new Set(things).size < things.length ? failCast(DUPLICATE_ENTRY_MESSAGE) : things
  },
  blank: BLANK_MESSAGE,
  empty: [],
  schema: { type: 'array', items: kind.schema, maxItems: most },
  wire: z.array(kind.wire),
  show: (things, terms) => things.map((each) => kind.show(each, terms)),
})

/** An object whose every key may be left out. */
export const recordOf = <const Key extends string, T>(
  kinds: Record<Key, ValueKind<T>>,
): ValueKind<Record<Key, T | null>> => {
  const each = Object.entries(kinds) as [Key, ValueKind<T>][]
  const build = <Value>(of: (kind: ValueKind<T>, key: Key) => Value) =>
    Object.fromEntries(each.map(([key, kind]) => [key, of(kind, key)])) as Record<Key, Value>

  return {
    file: (terms) => file.strictObject(build((kind) => file.optional(kind.file(terms)))) as never,
    cast: (value, terms) => {
      if (!isRecord(value)) return failCast(INVALID_MESSAGE)
      return build((kind, key) => (isEmpty(value[key]) ? null : kind.cast(value[key], terms)))
    },
    blank: BLANK_MESSAGE,
    schema: { type: 'object', properties: build(({ schema }) => ({ ...schema, type: [schema['type'], 'null'] })) },
    wire: z.object(build(({ wire }) => wire.nullable())),
    show: (value, terms) =>
      build((kind, key) => {
        const part: T | null | undefined = value[key]
        return part === null || part === undefined ? null : kind.show(part, terms)
      }),
  }
}
