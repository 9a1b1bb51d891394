import type { z } from 'zod'
import { type ErrorMap, Invalid } from '../kernel/refusals.ts'
import { type JsonPath, showJsonPath } from '../loading/fault.ts'
import { type ReadingContext, optional, strictObject } from '../loading/fields.ts'
import type { Field, FieldAvailability, ColumnStorage } from './fields.ts'
import type { ShowContext } from './kinds.ts'

export type Fields = Readonly<Record<string, Field>>

export interface FieldList {
  readonly fields: Fields
}

/**
 * One thing of a venue: its fields and what must hold between them, said once. The venue file's schema, the bodies and
 * answers of the API, their description, the rows and the export are all made from it.
 */
export interface Definition<F extends Fields = Fields> extends FieldList {
  readonly fields: F
  /** What is wrong with a thing whose fields are right by themselves. */
  readonly faults: (thing: CommonValues<F>) => readonly Fault[]
}

/** A sentence about the file, and a message for who sent a body. */
export interface FaultWording {
  file: string
  api: string
}

export interface Fault extends FaultWording {
  key: string
}

/** Says no to what stands at a path, in the words of whoever is being read: a file or a body. */
export type RefuseAtPath = (path: JsonPath, wording: FaultWording) => never

export const defineThing = <F extends Fields>(
  fields: F,
  faults: (thing: CommonValues<F>) => readonly (Fault | false)[] = () => [],
): Definition<F> => ({ fields, faults: (thing) => faults(thing).filter((fault) => fault !== false) })

type Known<F extends Fields, S extends FieldAvailability> = {
  -readonly [Key in keyof F as F[Key] extends Field<unknown, S> ? Key : never]: F[Key] extends Field<infer T>
    ? T
    : never
}

type MadeKeys<F extends Fields> = { [Key in keyof F]: F[Key]['isMade'] extends true ? Key : never }[keyof F]

/** What is known of a thing everywhere. */
export type CommonValues<F extends Fields> = Known<F, 'everywhere'>
/** A thing as the file says it. */
export type FileInput<D> = D extends Definition<infer F> ? Known<F, 'everywhere' | 'keys' | 'file'> : never
/** A thing as a list in the body of another thing says it; null is still to be made. */
export type NestedInput<D> = D extends Definition<infer F> ? WithMade<F, Known<F, 'everywhere' | 'keys'>> : never
/** A thing as a body of its own says it; null is still to be made. */
export type BodyInput<D> = D extends Definition<infer F> ? WithMade<F, Known<F, 'everywhere' | 'ids'>> : never
/** What a body changes of it. */
export type ChangesInput<D> = D extends Definition<infer F> ? Partial<Known<F, 'everywhere' | 'ids'>> : never
/** All that a row and what belongs to it say of a thing. */
export type StoredValues<D> = D extends Definition<infer F> ? Known<F, FieldAvailability> : never

type WithMade<F extends Fields, Input> = {
  [Key in keyof Input]: Key extends MadeKeys<F> ? Input[Key] | null : Input[Key]
}

export const fieldsOnSides = (definition: FieldList, ...sides: FieldAvailability[]): [string, Field][] =>
  Object.entries(definition.fields).filter(([, { side }]) => sides.includes(side))

/** The thing in the venue file: strict, with durations for times, and other things by their keys. */
const fileShape = (definition: FieldList, terms: ReadingContext): z.ZodRawShape =>
  Object.fromEntries(
    fieldsOnSides(definition, 'everywhere', 'keys', 'file').map(([key, field]) => [key, inFile(field, terms)]),
  )

const inFile = ({ kind, isNullable, otherwise }: Field, terms: ReadingContext): z.ZodType => {
  if (isNullable) return kind.optionalInFile?.() ?? optional(kind.file(terms))
  if (!otherwise) return kind.file(terms)
  const value: unknown = otherwise(terms)
  return value === undefined ? kind.file(terms).optional() : kind.file(terms).default(value as never)
}

export const fileSchema = <F extends Fields>(
  definition: Definition<F>,
  terms: ReadingContext,
  parts: z.ZodRawShape = {},
): z.ZodType<FileInput<Definition<F>>> => {
  const schema = strictObject({ ...fileShape(definition, terms), ...parts })
  return schema.superRefine((thing, context) => {
    for (const { key, file } of definition.faults(thing as CommonValues<F>)) {
      context.addIssue({ code: 'custom', path: [key], message: file })
    }
  }) as unknown as z.ZodType<FileInput<Definition<F>>>
}

/** Refuses a body whose thing could not be. */
export const requireNoFaults = <F extends Fields>(definition: Definition<F>, thing: CommonValues<F>): void => {
  const errors: ErrorMap = {}
  for (const { key, api } of definition.faults(thing)) (errors[key] ??= []).push(api)
  if (Object.keys(errors).length > 0) throw new Invalid(errors)
}

/** Refuses what a body says at a path of it. */
export const refuseBodyAtPath: RefuseAtPath = (path, { api }) => {
  throw new Invalid({ [showJsonPath(path)]: [api] })
}

const storageOf = (key: string, { storage }: Field): ColumnStorage | null =>
  storage === undefined ? { column: key, store: (value) => value, restore: (value) => value } : storage

/** The columns of what is given of a thing; `kept` is the row as it stands, if there is one. */
export const toRow = (
  definition: FieldList,
  given: Readonly<Record<string, unknown>>,
  now: Date,
  kept: Readonly<Record<string, unknown>> = {},
): Record<string, unknown> => {
  const columns: [string, unknown][] = []
  for (const [key, field] of Object.entries(definition.fields)) {
    const storage = storageOf(key, field)
    if (!storage || given[key] === undefined) continue
    columns.push([storage.column, storage.store(given[key], now, kept[storage.column] ?? null)])
  }
  return Object.fromEntries(columns)
}

/** The thing that a row keeps, with what is kept elsewhere of it under its own name. */
export const fromRow = <F extends Fields>(
  definition: Definition<F>,
  row: Readonly<Record<string, unknown>>,
): StoredValues<Definition<F>> =>
  Object.fromEntries(
    Object.entries(definition.fields).map(([key, field]) => {
      const storage = storageOf(key, field)
      return [key, storage ? storage.restore(row[storage.column]) : row[key]]
    }),
  ) as StoredValues<Definition<F>>

/** The thing as a venue file has it: all of it, also what the file would take for granted, whatever that will be one day. */
export const exportThing = (
  definition: FieldList,
  thing: Readonly<Record<string, unknown>>,
  terms: ShowContext,
): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOnSides(definition, 'everywhere', 'keys', 'file').map(([key, field]) => [
      key,
      showValue(field, thing[key], terms),
    ]),
  )

/** A value of a field as answers and exports have it. */
export const showValue = ({ kind }: Field, value: unknown, terms: ShowContext): unknown =>
  value === null || value === undefined ? null : kind.show(value, terms)
