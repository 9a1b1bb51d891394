import type { AccountContext } from '../http/body.ts'
import type { ValueKind } from './kinds.ts'

/**
 * Where a field is known: everywhere; where things are named by their keys (the file, and lists that come along with
 * an event); where they are named by their IDs (bodies and answers); or in the file alone, because the API has an
 * address of its own for it.
 */
export type FieldAvailability = 'everywhere' | 'keys' | 'ids' | 'file'

/** What a default may depend on. */
export type DefaultContext = Pick<AccountContext, 'timeZone'>

export interface Field<T = unknown, S extends FieldAvailability = FieldAvailability, Made extends boolean = boolean> {
  readonly kind: ValueKind<NonNullable<T>>
  readonly side: S
  readonly isNullable: boolean
  /** What it is when it is left out; undefined: it must be there. */
  readonly otherwise: ((terms: DefaultContext) => T) | undefined
  /** Whether the API makes one that is left out at creation. */
  readonly isMade: Made
  /** How a row keeps it; null: it is kept elsewhere. Undefined: in the column of its own name, as it is. */
  readonly storage: ColumnStorage | null | undefined
}

/** How a row keeps a value. */
export interface ColumnStorage {
  readonly column: string
  /** `kept` is what the column holds already, `now` is the time of the change. */
  store(value: unknown, now: Date, kept: unknown): unknown
  restore(stored: unknown): unknown
}

const field = <T>(kind: ValueKind<unknown>, more: Partial<Field<T>> = {}): Field<T, 'everywhere', false> => ({
  kind: kind as ValueKind<NonNullable<T>>,
  side: 'everywhere',
  isNullable: false,
  otherwise: undefined,
  isMade: false,
  storage: undefined,
  ...(more as object),
})

/** It must be there. */
export const required = <T>(kind: ValueKind<T>) => field<T>(kind)

/** It may be left out, or null. */
export const optional = <T>(kind: ValueKind<T>) => field<T | null>(kind, { isNullable: true, otherwise: () => null })

/** It may be left out, and is this then. */
export const withDefault = <T, const Default extends T>(
  kind: ValueKind<T>,
  otherwise: Default | ((terms: DefaultContext) => Default),
) =>
  field<T>(kind, {
    otherwise: (typeof otherwise === 'function' ? otherwise : () => otherwise) as (terms: DefaultContext) => T,
  })

/** It must be there in the file; the API makes one where none is given. */
export const generatedByApi = <T>(kind: ValueKind<T>): Field<T, 'everywhere', true> => ({
  ...field<T>(kind),
  isMade: true,
})

/** It may be left out in both, and whoever creates the thing makes one. */
export const generatedWhenMissing = <T>(kind: ValueKind<T>) =>
  field<T | undefined>(kind, { otherwise: () => undefined })

export const onlyWithKeys = <T>(of: Field<T>): Field<T, 'keys', false> => ({
  ...of,
  side: 'keys',
  isMade: false,
  storage: null,
})
export const onlyWithIds = <T>(of: Field<T>): Field<T, 'ids', false> => ({ ...of, side: 'ids', isMade: false })
export const fileOnly = <T>(of: Field<T>): Field<T, 'file', false> => ({ ...of, side: 'file', isMade: false })

const stored = <F extends Field>(of: F, storage: ColumnStorage | null): F => ({ ...of, storage })

/** Kept as it is, in a column of another name. */
export const inColumn = <F extends Field>(column: string, of: F): F =>
  stored(of, { column, store: (value) => value, restore: (value) => value })

/** True is kept as the time since when it is. */
export const trueAsTimestamp = <F extends Field>(column: string, of: F): F =>
  stored(of, {
    column,
    store: (value: boolean, now, kept) => (value ? (kept ?? now) : null),
    restore: (value) => value !== null,
  })

/** False is kept as the time since when it is not. */
export const falseAsTimestamp = <F extends Field>(column: string, of: F): F =>
  stored(of, {
    column,
    store: (value: boolean, now, kept) => (value ? null : (kept ?? now)),
    restore: (value) => value === null,
  })

/** Null is kept as another value, because the column is never null. */
export const nullAs = <F extends Field>(column: string, substitute: string | object, of: F): F =>
  stored(of, {
    column,
    store: (value) => value ?? substitute,
    restore: (value) => (value === null || JSON.stringify(value) === JSON.stringify(substitute) ? null : value),
  })

/** Kept in another table; the room's records write and read it. */
export const inOtherTable = <F extends Field>(of: F): F => stored(of, null)
