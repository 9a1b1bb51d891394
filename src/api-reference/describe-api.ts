import { STATUS_CODES } from 'node:http'
import { z } from 'zod'
import {
  type ExampleAddresses,
  DEFAULT_EXAMPLE_ADDRESSES,
  curlExampleOf,
  examplePathValues,
  exampleShellVariables,
} from './code-samples.ts'
import type { Endpoint, Section } from '../http/endpoint.ts'
import { DEMO_SHOP } from '../http/example-setup.ts'
import { exampleOf } from '../http/wire.ts'
import { VERSION } from '../kernel/version.ts'
import type { WebhookDescription } from '../webhooks/webhook.ts'
import { SchemaComponents, type JsonObject, requiredKeys } from './components.ts'
import { describeRefusals, refusalResponses } from './describe-refusals.ts'
import { WEBHOOK_HEADERS, describeWebhooks } from './describe-webhooks.ts'

/** The API description, made from the same endpoints that answer and the schemas of the messages that are sent. */
export const describeApi = (
  endpoints: readonly Endpoint[],
  webhooks: readonly WebhookDescription[],
  addresses: ExampleAddresses = DEFAULT_EXAMPLE_ADDRESSES,
): JsonObject => {
  const components = new SchemaComponents()
  const paths: Record<string, JsonObject> = {}
  const sections = new Set<Section>()

  for (const endpoint of endpoints) {
    if (endpoint.undocumented) continue
    if (endpoint.section) sections.add(endpoint.section)
    const path = endpoint.path.replace(/:([a-z_]+)/g, '{$1}')
    const operations = (paths[path] ??= {})
    operations[endpoint.method.toLowerCase()] = describeOperation(endpoint, components, addresses)
  }

  return {
    openapi: '3.1.0',
    info: {
      title: 'Foyer',
      version: VERSION,
      description:
        'The front of house of a venue. Every request carries `Authorization: Bearer <token>`, except at a shop’s own ' +
        'address. Times are ISO 8601 in UTC, amounts are decimal strings. A refusal is `{errors: {field: [message]}}`, ' +
        'under `/scanner` and at a shop `{error: message}`. Answers may gain keys; none is ever renamed or removed.\n\n' +
        'The `curl` lines can be pasted as they are into a shell that knows what the banner of `npm start` prints. They ' +
        'speak of the demo venue; elsewhere the event, the tickets and their numbers are others.\n\n' +
        `\`\`\`sh\n${exampleShellVariables(addresses)}\n\`\`\``,
      license: { name: 'AGPL-3.0-or-later', identifier: 'AGPL-3.0-or-later' },
    },
    servers: [{ url: '/' }],
    tags: Array.from(sections, ({ name, says }) => ({ name, description: says })),
    paths,
    webhooks: describeWebhooks(webhooks, components),
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      parameters: WEBHOOK_HEADERS,
      responses: refusalResponses(components),
      schemas: components.schemas,
    },
  }
}

/** A shop answers at an address of its own, which is no part of the console's. */
const SHOP_SERVERS = [
  {
    url: '{scheme}://{subdomain}.{shop_domain}',
    description: 'A shop’s own address, `shop_url` of its account',
    variables: {
      scheme: { default: 'http', enum: ['http', 'https'] },
      subdomain: { default: DEMO_SHOP },
      shop_domain: { default: 'localhost:3000', description: 'The setting SHOP_DOMAIN' },
    },
  },
]

const describeOperation = (
  endpoint: Endpoint,
  components: SchemaComponents,
  addresses: ExampleAddresses,
): JsonObject => {
  const { operationId, path, says, section, access, body, example } = endpoint
  if (!operationId || !section)
    throw new Error(`${endpoint.method} ${path} has no operationId or stands in no section.`)
  return {
    operationId,
    summary: titleOf(operationId),
    description: says,
    tags: [section.name],
    ...(access.site === 'shop' && { servers: SHOP_SERVERS }),
    'x-access': access.name,
    security: access.needsCredential ? [{ bearer: [] }] : [],
    parameters: [...describeParams(endpoint), ...describeQuery(endpoint, components), ...describeKey(endpoint)],
    ...(body && {
      requestBody: {
        required: requiresBody(body.schema),
        content: {
          'application/json': {
            schema: components.input(body.schema),
            ...(example !== undefined && { example }),
          },
        },
      },
    }),
    ...(endpoint.streams && {
      requestBody: { required: true, content: { 'application/octet-stream': { schema: BINARY } } },
    }),
    responses: { ...describeAnswers(endpoint, components), ...describeRefusals(endpoint) },
    'x-codeSamples': [{ lang: 'Shell', label: 'curl', source: curlExampleOf(endpoint, addresses) }],
  }
}

/** `cancelGuestParty` is shown as "Cancel guest party". */
const titleOf = (operationId: string) => {
  const words = operationId.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replaceAll(/\bapi\b/g, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const describeParams = ({ path, integerParams = [], exampleSetup }: Endpoint) => {
  const known = examplePathValues(exampleSetup)
  return Array.from(path.matchAll(/:([a-z_]+)/g), ([, name]) => {
    const isInteger = integerParams.includes(name!)
    const example = known[name!]
    return {
      name,
      in: 'path',
      required: true,
      schema: { type: isInteger ? 'integer' : 'string' },
      ...(example !== undefined && { example: isInteger ? Number(example) : example }),
    }
  })
}

/** A body of which every field may be left out may be left out itself. */
const requiresBody = (schema: z.ZodType) => !(schema instanceof z.ZodObject) || requiredKeys(schema).length > 0

const BINARY = { type: 'string', format: 'binary' }
const TEXT = { type: 'string' }

const describeAnswers = ({ answers, media }: Endpoint, components: SchemaComponents) => {
  const described: Record<string, JsonObject> = Object.fromEntries(
    Object.entries(answers).map(([status, schema]) => [
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
  if (!media) return described

  const raw = Object.fromEntries(media.map((type) => [type, { schema: type.startsWith('text/') ? TEXT : BINARY }]))
  const json = (described['200']?.['content'] as JsonObject | undefined) ?? {}
  return { ...described, 200: { description: 'OK', content: { ...json, ...raw } } }
}

const withExample = (schema: z.ZodType) => {
  const example = exampleOf(schema)
  return example === undefined ? {} : { example }
}

const describeQuery = (endpoint: Endpoint, components: SchemaComponents) => {
  if (!endpoint.query) return []
  const schema = components.input(endpoint.query) as { properties?: Record<string, JsonObject> }
  return (
    Object.entries(schema.properties ?? {})
      // `code[]` is how forms say that `code` comes several times; it is the same parameter.
      .filter(([name]) => !name.endsWith('[]'))
      .map(([name, each]) => ({ name, in: 'query', required: false, schema: each }))
  )
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
