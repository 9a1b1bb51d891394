import { z } from 'zod'
import { type AccountContext, type BodyReader, isRecord, openEnvelope, pickKeys, readFields } from '../http/body.ts'
import { failCast, field as castField, fieldSchemas, isEmpty } from '../http/fields.ts'
import { BLANK_MESSAGE, INVALID_MESSAGE, MUST_BE_BLANK_MESSAGE } from '../kernel/messages.ts'
import { Invalid } from '../kernel/refusals.ts'
import {
  type BodyInput,
  type ChangesInput,
  type Definition,
  type FieldList,
  type Fields,
  type NestedInput,
  type CommonValues,
  fieldsOnSides,
  requireNoFaults,
  showValue,
} from './define.ts'
import type { Field } from './fields.ts'

type Act = 'creation' | 'change'

/** For the API description, where no account is asked for. */
const ANY_TERMS: AccountContext = { currency: 'EUR', timeZone: 'Europe/Berlin', subdomain: '' }

/** `{venue: {…}}` for a new thing, with the lists of other things that come along. */
export const creationBody = <F extends Fields, Lists extends Record<string, z.ZodType>>(
  name: string,
  definition: Definition<F>,
  lists: (terms: AccountContext) => Lists,
): BodyReader<BodyInput<Definition<F>> & { [Key in keyof Lists]: z.output<Lists[Key]> }> => {
  const shape = (terms: AccountContext) => ({ ...shapeOf(definition, 'creation', 'ids', terms), ...lists(terms) })
  return {
    schema: z.object({ [name]: z.object(shape(ANY_TERMS)) }),
    read: (json, terms = ANY_TERMS) => {
      const asked = z.object({ ...shape(terms), ...refusedKeys(definition) })
      const thing = readFields(asked, openEnvelope(name, json)) as never
      requireNoFaults(definition, thing)
      return thing
    },
  }
}

/**
 * The same for a change: what is not sent is left alone, so what must hold between fields is asked by the verb. `more`
 * are fields beside those of the definition.
 */
export const changeBody = <F extends Fields, More extends Record<string, z.ZodType>>(
  name: string,
  definition: Definition<F>,
  more: (terms: AccountContext) => More,
): BodyReader<ChangesInput<Definition<F>> & { [Key in keyof More]: z.output<More[Key]> }> => {
  const shape = (terms: AccountContext) => ({ ...shapeOf(definition, 'change', 'ids', terms), ...more(terms) })
  return {
    schema: z.object({ [name]: z.object(shape(ANY_TERMS)) }),
    read: (json, terms = ANY_TERMS) => {
      const asked = z.object({ ...shape(terms), ...refusedKeys(definition) })
      return withoutUndefined(readFields(asked, openEnvelope(name, json))) as never
    },
  }
}

const withoutUndefined = (thing: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(thing).filter(([, value]) => value !== undefined))

/** Keys of the file that the API has addresses of their own for. */
const refusedKeys = (definition: FieldList) =>
  Object.fromEntries(
    fieldsOnSides(definition, 'file').map(([key]) => [
      key,
      castField({}, (value) => (value === undefined ? undefined : failCast(MUST_BE_BLANK_MESSAGE))),
    ]),
  )

const shapeOf = (
  definition: FieldList,
  act: Act,
  by: 'ids' | 'keys',
  terms: AccountContext,
): Record<string, z.ZodType> =>
  Object.fromEntries(
    fieldsOnSides(definition, 'everywhere', by).map(([key, each]) => {
      const asked = inBody(each, act, terms)
      return [key, act === 'change' ? asked.optional() : asked]
    }),
  )

const inBody = (of: Field, act: Act, terms: AccountContext): z.ZodType => {
  const { kind, isNullable, otherwise, isMade } = of
  const whenEmpty = (value: unknown): unknown => {
    if (isNullable) return null
    if (kind.empty !== undefined && (act === 'change' || value === '')) return kind.empty
    if (act === 'creation' && isMade) return null
    if (act === 'creation' && otherwise) return otherwise(terms)
    return failCast(kind.blank)
  }
  const isBlank = (value: unknown) =>
    isEmpty(value) || (isNullable && kind.optionalInFile && typeof value === 'string' && value.trim() === '')

  return castField<unknown>(
    describe(of, act),
    (value) => (isBlank(value) ? whenEmpty(value) : kind.cast(value, terms)),
    act === 'creation' && !isNullable && !otherwise && !isMade,
  )
}

const describe = (field: Field, act: Act): Record<string, unknown> => {
  const { kind, isNullable, otherwise, isMade } = field
  const value = otherwise && act === 'creation' ? showValue(field, otherwise(ANY_TERMS), ANY_TERMS) : null
  const takesNull = isNullable || (act === 'creation' && (otherwise || isMade))
  return {
    ...kind.schema,
    ...(takesNull && { type: [kind.schema['type'], 'null'] }),
    ...(takesNull && Array.isArray(kind.schema['enum']) && { enum: [...(kind.schema['enum'] as unknown[]), null] }),
    ...(value !== null && { default: value }),
  }
}

interface ListBounds<F extends Fields> {
  most: number
  /** Of these keys no two things of the list have the same value. */
  unique?: readonly (keyof F & string)[]
}

/** A list of things within the body of another one: they name each other by their keys. */
export const nestedListSchema = <F extends Fields>(
  definition: Definition<F>,
  terms: AccountContext,
  bounds: ListBounds<F>,
): z.ZodType<NestedInput<Definition<F>>[]> => readList(definition, 'keys', terms, bounds)

/** `{places: […]}`: several new things at once, none of which may be missing; other things are named by their IDs. */
export const creationListBody = <Name extends string, F extends Fields>(
  name: Name,
  definition: Definition<F>,
  bounds: ListBounds<F>,
): BodyReader<Record<Name, BodyInput<Definition<F>>[]>> => {
  const shape = (terms: AccountContext) => z.object({ [name]: readList(definition, 'ids', terms, bounds) })
  return {
    schema: shape(ANY_TERMS),
    read: (json, terms = ANY_TERMS) => {
      const given = readFields(shape(terms), json) as Record<Name, BodyInput<Definition<F>>[]>
      if (given[name].length === 0) throw new Invalid({ [name]: [BLANK_MESSAGE] })
      return given
    },
  }
}

const readList = <F extends Fields, Input>(
  definition: Definition<F>,
  by: 'ids' | 'keys',
  terms: AccountContext,
  { most, unique = [] }: ListBounds<F>,
): z.ZodType<Input[]> => {
  const shape = z.object(shapeOf(definition, 'creation', by, terms))
  const list = z.unknown().transform((value, context): Input[] => {
    const refuse = (path: PropertyKey[], message: string) => {
      context.issues.push({ code: 'custom', path, message, input: value })
      return z.NEVER
    }
    if (isEmpty(value)) return []
    if (!Array.isArray(value)) return refuse([], INVALID_MESSAGE)
    if (value.length > most) return refuse([], `is too long (maximum is ${most} entries)`)

    const seen = unique.map(() => new Set<unknown>())
    return value.map((each: unknown, n) => {
      if (!isRecord(each)) return refuse([n], INVALID_MESSAGE)
      const { data, error } = shape.safeParse(pickKeys(shape, each))
      if (error) {
        for (const issue of error.issues) refuse([n, ...issue.path], issue.message)
        return z.NEVER
      }
      const thing = data as Record<string, unknown>
      for (const { key, api } of definition.faults(thing as CommonValues<F>)) refuse([n, key], api)
      for (const [m, key] of unique.entries()) {
        if (thing[key] !== null && seen[m]!.has(thing[key])) refuse([n, key], 'has already been taken')
        seen[m]!.add(thing[key])
      }
      return thing as Input
    })
  })
  fieldSchemas.add(list, {
    schema: { type: ['array', 'null'], maxItems: most, items: describeObject(shape) },
    required: false,
  })
  return list
}

const describeObject = (shape: z.ZodObject) => {
  const known = Object.entries(shape.shape).map(([key, each]) => [key, fieldSchemas.get(each as z.ZodType)!] as const)
  return {
    type: 'object',
    properties: Object.fromEntries(known.map(([key, { schema }]) => [key, schema])),
    required: known.filter(([, { required }]) => required).map(([key]) => key),
  }
}
