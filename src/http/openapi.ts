import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import { type Addresses, DEFAULT_ADDRESSES, curlOf } from './code-samples.ts'
import type { Endpoint } from './endpoint.ts'
import { fieldSchemas } from './fields.ts'
import { shapeOf } from './refuse.ts'
import { DoorError, Errors, exampleOf } from './wire.ts'

type Json = Record<string, unknown>

export const API_VERSION = '0.1.0'

/** The API description, made from the same endpoints that answer. */
export const describeApi = (endpoints: readonly Endpoint[], addresses: Addresses = DEFAULT_ADDRESSES): Json => {
  const components = new Components()
  const paths: Record<string, Json> = {}

  for (const endpoint of endpoints) {
    if (endpoint.undocumented) continue
    const path = endpoint.path.replace(/:([a-z_]+)/g, '{$1}')
    const operations = (paths[path] ??= {})
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, components, addresses)
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Foyer',
      version: API_VERSION,
      description:
        'The front of house of a venue. Every request carries `Authorization: Bearer <token>`, except at a shop’s own ' +
        'address. Times are ISO 8601 in UTC, amounts are decimal strings. A refusal is `{errors: {field: [message]}}`, ' +
        'under `/scanner` and at a shop `{error: message}`.',
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: components.schemas,
    },
  }
}

const describeOperation = (endpoint: Endpoint, components: Components, addresses: Addresses): Json => {
  const params = [...endpoint.path.matchAll(/:([a-z_]+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }))

  return {
    operationId: operationIdOf(endpoint),
    summary: endpoint.says,
    tags: [tagOf(endpoint.path)],
    'x-access': endpoint.access.name,
    ...(endpoint.access.needsCredential ? { security: [{ bearer: [] }] } : { security: [] }),
    parameters: [...params, ...describeQuery(endpoint, components), ...describeKey(endpoint)],
    ...(endpoint.body && {
      requestBody: {
        content: {
          'application/json': {
            schema: components.input(endpoint.body.schema),
            ...(endpoint.example !== undefined && { example: endpoint.example }),
          },
        },
      },
    }),
    responses: { ...describeAnswers(endpoint, components), default: describeRefusal(endpoint, components) },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlOf(endpoint, addresses) }],
  }
}

const describeAnswers = (endpoint: Endpoint, components: Components) =>
  Object.fromEntries(
    Object.entries(endpoint.answers).map(([status, schema]) => [
      status,
      {
        description: STATUS_CODES[status] ?? status,
        ...(status === '201' && {
          headers: { Location: { description: 'Where the creation can be read', schema: { type: 'string' } } },
        }),
        ...(schema && {
          content: { 'application/json': { schema: components.output(schema), ...withExample(schema) } },
        }),
      },
    ]),
  )

const withExample = (schema: z.ZodType) => {
  const example = exampleOf(schema)
  return example === undefined ? {} : { example }
}

const describeRefusal = (endpoint: Endpoint, components: Components) => {
  const schema = shapeOf(endpoint.access.site, endpoint.path) === 'errors' ? Errors : DoorError
  return {
    description: 'Refused',
    content: { 'application/json': { schema: components.output(schema), ...withExample(schema) } },
  }
}

const describeQuery = (endpoint: Endpoint, components: Components) => {
  if (!endpoint.query) return []
  const schema = components.input(endpoint.query) as { properties?: Record<string, Json> }
  return Object.entries(schema.properties ?? {}).map(([name, each]) => ({
    name,
    in: 'query',
    required: false,
    schema: each,
  }))
}

const describeKey = (endpoint: Endpoint) =>
  endpoint.creates
    ? [
        {
          name: 'Idempotency-Key',
          in: 'header',
          required: false,
          description:
            'Repeating a creation with the same key within 24 hours answers as the first time and creates nothing.',
          schema: { type: 'string', minLength: 1, maxLength: 255 },
        },
      ]
    : []

/** The room of the house an address belongs to, for the reader's table of contents. */
const tagOf = (path: string) => {
  const segments = path.split('/').filter((each) => each && !each.startsWith(':'))
  if (segments[0] === 'admin') return (segments.at(1) === 'events' ? segments[2] : segments[1]) ?? 'events'
  return segments[0] ?? 'house'
}

const operationIdOf = ({ method, path }: Endpoint) =>
  `${method.toLowerCase()}_${path.replace(/^\//, '').replace(/[:.]/g, '').replaceAll('/', '_') || 'root'}`

/** Named schemas are collected once and referred to. */
class Components {
  readonly schemas: Record<string, unknown> = {}

  output(schema: z.ZodType): Json {
    return this.#place(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }))
  }

  input(schema: z.ZodType): Json {
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

  #place(schema: unknown): Json {
    const { $schema: _, $defs, id: __, ...rest } = moved(schema) as Json
    for (const [name, definition] of Object.entries(($defs as Json | undefined) ?? {})) {
      const { id: ___, ...plain } = definition as Json
      this.schemas[name] = plain
    }
    return rest
  }
}

const moved = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(moved)
  if (typeof schema !== 'object' || schema === null) return schema
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === '$ref' && typeof value === 'string' ? value.replace('#/$defs/', '#/components/schemas/') : moved(value),
    ]),
  )
}

/** Fields know by themselves whether they must be there; anything else is required unless it is optional. */
const requiredKeys = (shape: z.ZodObject) =>
  Object.entries(shape.shape)
    .filter(([, field]) => fieldSchemas.get(field as z.ZodType)?.required ?? !(field instanceof z.ZodOptional))
    .map(([key]) => key)
