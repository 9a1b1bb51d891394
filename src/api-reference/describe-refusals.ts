import type { z } from 'zod'
import type { Endpoint } from '../http/endpoint.ts'
import { type RefusalShape, refusalShapeOf } from '../http/refuse.ts'
import { DoorError, DoorUnauthorized, Errors, exampleOf } from '../http/wire.ts'
import type { SchemaComponents, JsonObject } from './components.ts'

interface Refused {
  status: number
  name: string
  says: string
  /** Whether an endpoint can refuse in this way. */
  appliesTo: (endpoint: Endpoint) => boolean
}

const isWrite = ({ method }: Endpoint) => method !== 'GET'

const REFUSALS: readonly Refused[] = [
  {
    status: 400,
    name: 'Malformed',
    says: 'The request cannot be read, or its envelope is missing.',
    appliesTo: ({ body }) => body !== undefined,
  },
  {
    status: 401,
    name: 'Unauthenticated',
    says: 'No credential, an unknown or revoked one, or one that may not do this.',
    appliesTo: ({ access }) => access.needsCredential,
  },
  {
    status: 403,
    name: 'Forbidden',
    says: 'The person’s role may not do this.',
    appliesTo: ({ access }) => /^(team|owner)/.test(access.name),
  },
  {
    status: 404,
    name: 'NotFound',
    says: 'There is no such thing, or the caller may not see it.',
    appliesTo: ({ path, access }) => path.includes(':') || access.site === 'shop',
  },
  {
    status: 409,
    name: 'Conflict',
    says: 'Something else is in the way: a newer version, or the same request still under way.',
    appliesTo: (endpoint) => endpoint.creates === true || (isWrite(endpoint) && endpoint.body !== undefined),
  },
  {
    status: 413,
    name: 'TooLarge',
    says: 'The body is too large.',
    appliesTo: ({ body, streams }) => body !== undefined || streams === true,
  },
  {
    status: 415,
    name: 'UnsupportedMediaType',
    says: 'The body is of a type that is not understood.',
    appliesTo: ({ body }) => body !== undefined,
  },
  {
    status: 422,
    name: 'Invalid',
    says: 'A rule says no; each message stands with the field it is about.',
    appliesTo: (endpoint) => isWrite(endpoint) || endpoint.query !== undefined,
  },
  { status: 429, name: 'TooManyRequests', says: 'Too many requests; see Retry-After.', appliesTo: () => true },
]

const SHAPES: Record<RefusalShape, { schema: z.ZodType; suffix: string }> = {
  errors: { schema: Errors, suffix: '' },
  error: { schema: DoorError, suffix: 'AtTheDoor' },
}

const nameOf = (name: string, shape: RefusalShape) => `${name}${SHAPES[shape].suffix}`

/** Every way to be refused, in both shapes, to be referred to. */
export const refusalResponses = (components: SchemaComponents): Record<string, JsonObject> =>
  Object.fromEntries(
    (['errors', 'error'] as const).flatMap((shape) => {
      const contentOf = (schema: z.ZodType) => ({
        'application/json': { schema: components.output(schema), example: exampleOf(schema) },
      })
      const content = contentOf(SHAPES[shape].schema)
      const refusals = REFUSALS.map(({ status, name, says }) => {
        const isToldMore = status === 401 && shape === 'error'
        return [nameOf(name, shape), { description: says, content: isToldMore ? contentOf(DoorUnauthorized) : content }]
      })
      return [
        ...refusals,
        [nameOf('Refused', shape), { description: 'Refused in another way, or not available right now.', content }],
      ]
    }),
  ) as Record<string, JsonObject>

/** How this endpoint can refuse. Answers that it declares by itself, such as the door's own 422, stand. */
export const describeRefusals = (endpoint: Endpoint): Record<string, JsonObject> => {
  const shape = refusalShapeOf(endpoint.access.site, endpoint.path)
  const refer = (name: string) => ({ $ref: `#/components/responses/${nameOf(name, shape)}` })
  const own = REFUSALS.filter((each) => !(each.status in endpoint.answers) && each.appliesTo(endpoint))
  return {
    ...Object.fromEntries(own.map(({ status, name }) => [String(status), refer(name)])),
    default: refer('Refused'),
  }
}
