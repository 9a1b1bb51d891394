import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect, test } from 'vitest'
import { describeApi } from '../src/api-reference/describe-api.ts'
import { ENDPOINTS, WEBHOOKS } from '../src/main.ts'
import { WEBHOOK_KINDS } from '../src/webhooks/rules.ts'

const description = describeApi(ENDPOINTS, WEBHOOKS) as unknown as {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: Operation }>
  components: { parameters: Record<string, { name: string }>; responses: Record<string, Answer> }
}

interface Answer {
  $ref?: string
  content?: Record<string, { schema: object; example?: unknown }>
}

interface Operation {
  operationId: string
  summary: string
  description: string
  tags: string[]
  servers?: { url: string }[]
  security: object[]
  parameters: { name: string; in: string; schema: { type?: string } }[]
  requestBody?: { required: boolean; content: Record<string, { schema: object; example?: unknown }> }
  responses: Record<string, Answer>
}

interface Described {
  properties: Record<string, unknown>
  required: string[]
}

const operations = Object.entries(description.paths).flatMap(([address, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ name: `${method} ${address}`, operation })),
)

const operationOf = (name: string) => operations.find((each) => each.name === name)!.operation

test('docs/openapi.json is what the endpoints say', async () => {
  const kept = await readFile(path.join(import.meta.dirname, '../docs/openapi.json'), 'utf8')
  expect(JSON.parse(kept), 'npm run docs:api writes it anew').toEqual(JSON.parse(JSON.stringify(description)))
})

const accepts = (schema: object, example: unknown) => {
  const rooted = JSON.stringify(schema).replaceAll('#/components', 'https://foyer.test/api#/components')
  const validate = ajv.compile(JSON.parse(rooted) as object)
  return validate(example) ? [] : validate.errors
}
const ajv = new Ajv2020({ strict: false })
addFormats.default(ajv)
ajv.addSchema({ $id: 'https://foyer.test/api', components: description.components })

test('every kind of webhook is described once, with its headers and an example that its schema accepts', () => {
  expect(WEBHOOKS.map(({ kind }) => kind)).toEqual(WEBHOOK_KINDS)
  expect(Object.keys(description.webhooks)).toEqual(WEBHOOK_KINDS)

  const sections = description.tags.map(({ name }) => name)
  const ids = operations.map(({ operation }) => operation.operationId)
  for (const [kind, { post }] of Object.entries(description.webhooks)) {
    expect(post.description, kind).toMatch(/^[A-Z].*\.$/)
    expect(post.operationId).toMatch(/^[a-z]+([A-Z][a-zA-Z]+)*$/)
    expect(ids).not.toContain(post.operationId)
    expect(sections).toContain(post.tags[0])
    ids.push(post.operationId)

    const { schema, example } = post.requestBody!.content['application/json']!
    expect(example).toMatchObject({ type: kind })
    expect(accepts(schema, example), kind).toEqual([])
    expect(accepts(schema, { ...(example as object), type: 'party' }), kind).not.toEqual([])
    expect(accepts(schema, { ...(example as object), data: {} }), kind).not.toEqual([])

    const headers = (post.parameters as unknown as { $ref: string }[]).map(
      ({ $ref }) => description.components.parameters[$ref.split('/').at(-1)!]!.name,
    )
    expect(headers).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    expect(Object.keys(post.responses)).toContain('2XX')
  }
})

test('every operation has a sentence, and an example that its own schema accepts', () => {
  expect(operations.length).toBeGreaterThan(3)
  for (const { name, operation } of operations) {
    expect(operation.description, name).toMatch(/^[A-Z].*\.$/)

    const body = operation.requestBody?.content['application/json']
    if (body) {
      expect(body.example, `${name} shows no example of its body`).toBeDefined()
      expect(accepts(body.schema, body.example), name).toEqual([])
    }
    for (const [status, told] of Object.entries(operation.responses)) {
      const answer = told.$ref ? description.components.responses[told.$ref.split('/').at(-1)!]! : told
      const content = answer.content?.['application/json']
      if (!content) continue
      expect(content.example, `${name} shows no example of ${status}`).toBeDefined()
      expect(accepts(content.schema, content.example), `${name} ${status}`).toEqual([])
    }
  }
})

test('every operation is called by a verb and a noun of its own, in a section that is explained', () => {
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^[a-z]+([A-Z][a-zA-Z]+)*$/)

  const sections = description.tags.map(({ name }) => name)
  expect(sections[0]).toBe('Events')
  for (const { name, operation } of operations) expect(sections, name).toContain(operation.tags[0])
})

test('a body that must be there is said to be required, and one of which all may be left out is not', () => {
  expect(operationOf('post /admin/events/{event_slug}/guest_parties').requestBody!.required).toBe(true)
  expect(operationOf('post /admin/tasks/{task_id}/archive').requestBody!.required).toBe(false)
})

test('what a party, a link or a move cannot do without is required, and an area can be taken away by null', () => {
  const bodyOf = (name: string, envelope: string) => {
    const { schema } = operationOf(name).requestBody!.content['application/json']!
    return (schema as Described).properties[envelope] as Described
  }
  const links = '/admin/events/{event_slug}/guest_list_forms'
  expect(bodyOf('post /admin/events/{event_slug}/guest_parties', 'guest_party').required).toEqual([
    'customer_name',
    'ticket_id',
  ])
  expect(bodyOf(`post ${links}`, 'guest_list_form').required).toEqual(['ticket_id'])
  expect(bodyOf(`post ${links}/preview`, 'guest_list_form').required).toEqual([])
  expect(bodyOf('post /admin/order_items/{public_id}/seat_exchange', 'seat_exchange').required).toEqual([
    'event_place_id',
  ])
  const change = bodyOf(`patch ${links}/{public_id}`, 'guest_list_form')
  expect(change.required).toEqual([])
  expect(change.properties['event_capacity_pool_id']).toEqual({ type: ['integer', 'null'] })
})

test('files, images and streams are described with their media types', () => {
  const typesOf = (name: string) => Object.keys(operationOf(name).responses['200']!.content!)
  expect(typesOf('get /admin/vouchers.csv')).toEqual(['text/csv'])
  expect(typesOf('get /public_images/{signed_link}')).toEqual(['application/octet-stream'])
  expect(typesOf('get /admin/task_uploads/{signed_id}')).toEqual(['application/octet-stream'])
  expect(typesOf('get /admin/tasks/stream')).toEqual(['application/json', 'text/event-stream'])
  expect(Object.keys(operationOf('put /uploads/{signed_link}').requestBody!.content)).toEqual([
    'application/octet-stream',
  ])

  for (const { name, operation } of operations) {
    expect(Object.keys(operation.responses).filter((status) => status < '400').length, name).toBeGreaterThan(0)
  }
})

test('every operation says how it refuses', () => {
  for (const { name, operation } of operations) {
    const refusals = Object.keys(operation.responses).filter((status) => status.startsWith('4'))
    expect(refusals.length, name).toBeGreaterThan(0)
    if (operation.security.length > 0) expect(refusals, name).toContain('401')
    if (operation.requestBody) expect(refusals, name).toContain('422')
  }
})

test('answers may gain keys; what is sent is named, and numbers are numbers', () => {
  expect(JSON.stringify(description)).not.toContain('"additionalProperties":false')

  const codes = operationOf('get /events/{slug}').parameters.filter((each) => each.name.startsWith('code'))
  expect(codes.map(({ name, schema }) => [name, schema.type])).toEqual([['code', 'array']])

  const idOf = (name: string) => operationOf(name).parameters.find((each) => each.name === 'id')!.schema.type
  expect(idOf('delete /admin/memberships/{id}')).toBe('integer')
  expect(idOf('get /admin/vouchers/{id}')).toBe('string')
})

test('what is asked of a shop is asked at its own address', () => {
  expect(operationOf('get /events').servers![0]!.url).toBe('{scheme}://{subdomain}.{shop_domain}')
  expect(operationOf('get /admin/events').servers).toBeUndefined()
})
