import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { describeApi } from '../src/http/openapi.ts'
import { ENDPOINTS } from '../src/main.ts'

const description = describeApi(ENDPOINTS) as unknown as {
  paths: Record<string, Record<string, Operation>>
  components: object
}

interface Operation {
  summary: string
  requestBody?: { content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, { content?: Record<string, { schema: object; example?: unknown }> }>
}

const operations = Object.entries(description.paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${address}`, operation })),
)

test('docs/openapi.json is what the endpoints say', async () => {
  const kept = await readFile(path.join(import.meta.dirname, '../docs/openapi.json'), 'utf8')
  expect(JSON.parse(kept), 'npm run docs:api writes it anew').toEqual(JSON.parse(JSON.stringify(description)))
})

test('every operation has a sentence, and an example that its own schema accepts', () => {
  const ajv = new Ajv2020({ strict: false })
  addFormats.default(ajv)
  ajv.addSchema({ $id: 'https://foyer.test/api', components: description.components })
  const accepts = (schema: object, example: unknown) => {
    const rooted = JSON.stringify(schema).replaceAll('#/components', 'https://foyer.test/api#/components')
    const validate = ajv.compile(JSON.parse(rooted) as object)
    return validate(example) ? [] : validate.errors
  }

  expect(operations.length).toBeGreaterThan(3)
  for (const { name, operation } of operations) {
    expect(operation.summary, name).toMatch(/^[A-Z].*\.$/)

    const body = operation.requestBody?.content['application/json']
    if (body) {
      expect(body.example, `${name} shows no example of its body`).toBeDefined()
      expect(accepts(body.schema, body.example), name).toEqual([])
    }
    for (const [status, answer] of Object.entries(operation.responses)) {
      const content = answer.content?.['application/json']
      if (!content) continue
      expect(content.example, `${name} shows no example of ${status}`).toBeDefined()
      expect(accepts(content.schema, content.example), `${name} ${status}`).toEqual([])
    }
  }
})
