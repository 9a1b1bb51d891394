import type { z } from 'zod'
import type { AccountTerms } from '../http/body.ts'
import { type FieldList, fieldsOn, showValue } from './define.ts'

/** The schema of a thing in answers; other things are named by their IDs. */
export const wireShape = (definition: FieldList): Record<string, z.ZodType> =>
  Object.fromEntries(
    fieldsOn(definition, 'everywhere', 'ids', 'file').map(([key, { kind, isNullable }]) => [
      key,
      isNullable ? kind.wire.nullable() : kind.wire,
    ]),
  )

/** A thing as answers have it. */
export const showThing = (
  definition: FieldList,
  thing: Readonly<Record<string, unknown>>,
  terms: AccountTerms,
): Record<string, unknown> =>
  Object.fromEntries(
    fieldsOn(definition, 'everywhere', 'ids', 'file').map(([key, field]) => [key, showValue(field, thing[key], terms)]),
  )
