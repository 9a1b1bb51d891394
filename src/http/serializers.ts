import fastJsonStringify from 'fast-json-stringify'
import { z } from 'zod'
import type { Endpoint } from './endpoint.ts'

export type Serialize = (body: unknown) => string

/**
 * Serializers compiled from the schemas of the answers, on first use: a key that is not declared cannot
 * leave Foyer, and one that is missing fails loudly.
 */
export const serializersOf = (endpoint: Endpoint): ((status: number) => Serialize) => {
  const compiled = new Map<number, Serialize>()
  return (status) => {
    let serialize = compiled.get(status)
    if (!serialize) {
      const schema = endpoint.answers[status]
      if (!schema) throw new Error(`${endpoint.method} ${endpoint.path} answers ${status}, which it does not declare`)
      serialize = serializerOf(schema)
      compiled.set(status, serialize)
    }
    return serialize
  }
}

/** One serializer, for what is written piece by piece. */
export const serializerOf = (schema: z.ZodType): Serialize => {
  // Without the registry of names every schema stands where it is used, and formats do not slow strings down.
  const plain = z.toJSONSchema(schema, { io: 'output', metadata: z.registry() })
  return fastJsonStringify(nullable(plain) as fastJsonStringify.Schema)
}

/** `null` beside another type becomes a mark on that type, which spares the serializer a validator. */
const nullable = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(nullable)
  if (typeof schema !== 'object' || schema === null) return schema

  const { $schema: _, anyOf, type, ...rest } = schema as Record<string, unknown>
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, nullable(value)]))

  if (Array.isArray(anyOf) && anyOf.length === 2) {
    const other = anyOf.find((each) => !isNull(each))
    if (other && anyOf.some(isNull)) return { ...inner, ...(nullable(other) as object), nullable: true }
  }
  if (Array.isArray(type) && type.length === 2 && type.includes('null')) {
    return { ...inner, type: type.find((each) => each !== 'null'), nullable: true }
  }
  return { ...inner, ...(anyOf !== undefined && { anyOf: nullable(anyOf) }), ...(type !== undefined && { type }) }
}

const isNull = (schema: unknown) => (schema as { type?: string }).type === 'null'
