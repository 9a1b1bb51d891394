import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { API_TYPES, currentApiTypes } from '../kit/api/api-types.ts'
import { generateApiTypes } from '../kit/api/generate-types.ts'

test('web/api/schema.ts is what docs/openapi.json says; "npm run types:api" writes it', () => {
  expect(readFileSync(API_TYPES, 'utf8')).toBe(currentApiTypes())
})

test('a description becomes types: what is required, what may be null, what may be left out', () => {
  const types = generateApiTypes({
    paths: {
      '/halls/{id}': {
        patch: {
          parameters: [
            { name: 'id', in: 'path', required: true, schema: { type: 'integer' } },
            { name: 'dry', in: 'query', required: false, schema: { type: 'boolean' } },
          ],
          requestBody: {
            required: true,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Hall' } } },
          },
          responses: { 204: { description: 'No Content' }, 404: { $ref: '#/components/responses/NotFound' } },
        },
      },
    },
    components: {
      responses: {
        NotFound: {
          content: {
            'application/json': {
              schema: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
            },
          },
        },
      },
      schemas: {
        Hall: {
          type: 'object',
          required: ['name', 'kind'],
          properties: {
            name: { type: ['string', 'null'] },
            kind: { enum: ['open', 'roofed'] },
            seats: { anyOf: [{ type: 'array', items: { type: 'integer' } }, { type: 'null' }] },
          },
        },
      },
    },
  })
  expect(types).toContain(`Hall: { name: string | null; kind: "open" | "roofed"; seats?: Array<number> | null }`)
  expect(types).toContain(`query?: { dry?: boolean }; header?: never; path: { id: number }`)
  expect(types).toContain(`requestBody: { content: { "application/json": Schemas['Hall'] } }`)
  expect(types).toContain(`204: { headers: Record<string, string>; content?: never }`)
  expect(types).toContain(
    `404: { headers: Record<string, string>; content: { "application/json": Record<string, Array<string>> } }`,
  )
})
