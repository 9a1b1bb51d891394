import { z } from 'zod'
import { fieldSchemas } from '../http/fields.ts'

export type JsonObject = Record<string, unknown>

/** The named schemas of the API description: each is collected once and referred to. */
export class SchemaComponents {
  readonly schemas: Record<string, unknown> = {}

  /** What an answer holds. Keys may be added to it one day, so nobody may rely on there being no others. */
  output(schema: z.ZodType): JsonObject {
    return this.#place(
      z.toJSONSchema(schema, {
        io: 'output',
        unrepresentable: 'any',
        override: ({ jsonSchema }) => {
          if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
        },
      }),
    )
  }

  input(schema: z.ZodType): JsonObject {
    return this.#place(
      z.toJSONSchema(schema, {
        io: 'input',
        unrepresentable: 'any',
        override: ({ zodSchema, jsonSchema }) => {
          const known = fieldSchemas.get(zodSchema as unknown as z.ZodType)
          if (known) Object.assign(jsonSchema, known.schema)
          if (zodSchema instanceof z.ZodObject) jsonSchema.required = requiredKeys(zodSchema)
        },
      }),
    )
  }

  #place(schema: unknown): JsonObject {
    const { $schema: _, $defs, id: __, ...rest } = withLocalReferences(schema) as JsonObject
    for (const [name, definition] of Object.entries(($defs as JsonObject | undefined) ?? {})) {
      const { id: ___, ...plain } = definition as JsonObject
      this.schemas[name] = plain
    }
    return rest
  }
}

const withLocalReferences = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withLocalReferences)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string'
        ? value.replace('#/$defs/', '#/components/schemas/')
        : withLocalReferences(value),
    ]),
  )
}

/** Fields know by themselves whether they must be there; anything else is required unless it is optional. */
export const requiredKeys = (shape: z.ZodObject) =>
  Object.entries(shape.shape)
    .filter(([, field]) => fieldSchemas.get(field as z.ZodType)?.required ?? !(field instanceof z.ZodOptional))
    .map(([key]) => key)
