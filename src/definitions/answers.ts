import type { z } from 'zod'
import { type Fields, fieldsOnSides, showValue } from './define.ts'
import type { Field } from './fields.ts'
import type { ShowContext } from './kinds.ts'

type Shown<F extends Fields, Value> = {
  [Key in keyof F as F[Key] extends Field<unknown, 'keys'> ? never : Key]: Value
}

/** The schema of a thing in answers; other things are named by their IDs. */
export const wireShape = <F extends Fields>(definition: { fields: F }): Shown<F, z.ZodType> =>
  Object.fromEntries(
    fieldsOnSides(definition, 'everywhere', 'ids', 'file').map(([key, { kind, isNullable }]) => [
      key,
      isNullable ? kind.wire.nullable() : kind.wire,
    ]),
  ) as Shown<F, z.ZodType>

/** A thing as answers have it. */
export const showThing = <F extends Fields>(
  definition: { fields: F },
  thing: Readonly<Record<string, unknown>>,
  terms: ShowContext,
): Shown<F, unknown> =>
  Object.fromEntries(
    fieldsOnSides(definition, 'everywhere', 'ids', 'file').map(([key, field]) => [
      key,
      showValue(field, thing[key], terms),
    ]),
  ) as Shown<F, unknown>
