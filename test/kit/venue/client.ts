import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'vitest'
import { describeApi } from '../../../src/api-reference/describe-api.ts'
import { ENDPOINTS, WEBHOOKS } from '../../../src/main.ts'
import { askAtHost } from '../network/ask-at-host.ts'

/** A client that holds every answer against the API description before a test sees it. */
export interface Client {
  get(path: string, options?: AskOptions): Promise<Reply>
  post(path: string, body?: unknown, options?: AskOptions): Promise<Reply>
  patch(path: string, body?: unknown, options?: AskOptions): Promise<Reply>
  delete(path: string, options?: AskOptions): Promise<Reply>
  ask(method: string, path: string, options?: AskOptions): Promise<Reply>
}

export interface AskOptions {
  headers?: Record<string, string>
  body?: unknown
  /** The body as it is, for what is no JSON. */
  raw?: string | Buffer
}

export interface Reply {
  status: number
  headers: Headers
  text: string
  // A test names the fields it is about; their types were checked against the description already.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
}

export const openClient = (origin: string, credentials: { token?: string | undefined; host?: string } = {}): Client => {
  const ask = async (method: string, path: string, options: AskOptions = {}): Promise<Reply> => {
    const hasBody = options.raw !== undefined || options.body !== undefined
    const question = {
      method,
      headers: {
        accept: 'application/json',
        ...(hasBody && { 'content-type': 'application/json' }),
        ...(credentials.token && { authorization: `Bearer ${credentials.token}` }),
        ...(credentials.host && { host: credentials.host }),
        ...options.headers,
      },
      ...(hasBody && { body: options.raw ?? JSON.stringify(options.body) }),
    }
    const response = question.headers.host
      ? await askAtHost(origin, path, question)
      : await fetch(origin + path, { ...question, redirect: 'manual' })

    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false
    const reply = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson && text ? JSON.parse(text) : null,
    }
    if (isJson && text) requireDescribed(method, path, reply)
    return reply
  }

  return {
    ask,
    get: (path, options) => ask('GET', path, options),
    post: (path, body, options) => ask('POST', path, { ...options, body }),
    patch: (path, body, options) => ask('PATCH', path, { ...options, body }),
    delete: (path, options) => ask('DELETE', path, options),
  }
}

const description = describeApi(ENDPOINTS, WEBHOOKS) as unknown as Description

interface Answer {
  $ref?: string
  content?: Record<string, { schema: object }>
}

interface Description {
  webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: object } } } } }>
  paths: Record<string, Record<string, { responses: Record<string, Answer> }>>
  components: { schemas: Record<string, object>; responses: Record<string, Answer> }
}

/** Answers may gain keys one day, and the description says so; today's have those that it names and no others. */
const closed = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const walked = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isObject = 'properties' in schema && !('additionalProperties' in schema)
  return isObject ? { ...walked, additionalProperties: false } : walked
}

const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } })
addFormats.default(ajv)
ajv.addSchema({ $id: 'https://foyer.test/api', components: { schemas: closed(description.components.schemas) } })

const parametersIn = (path: string) => path.match(/\{/g)?.length ?? 0

const validators = new Map<string, ValidateFunction>()

/** Those with the fewest parameters come first: what a path says outright is meant before what it leaves open. */
const operations = Object.entries(description.paths)
  .map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[a-z_]+\}/g, '[^/]+')}(\\.json)?$`),
    path,
    methods,
  }))
  .toSorted((a, b) => parametersIn(a.path) - parametersIn(b.path))

const validatorOf = (key: string, schema: object): ValidateFunction => {
  const made = validators.get(key)
  if (made) return made
  const rooted = JSON.parse(
    JSON.stringify(closed(schema)).replaceAll('#/components', 'https://foyer.test/api#/components'),
  )
  const validate = ajv.compile(rooted as object)
  validators.set(key, validate)
  return validate
}

/** What is wrong with a message of a webhook according to the API description; null when nothing is. */
export const faultOfMessage = (text: string): string | null => {
  const message = JSON.parse(text) as { type: string }
  const described = description.webhooks[message.type]
  if (!described) return `${message.type} is not described: ${text}`
  const { schema } = described.post.requestBody.content['application/json']
  const validate = validatorOf(`webhook ${message.type}`, schema)
  return validate(message) ? null : `${ajv.errorsText(validate.errors)}: ${text}`
}

export const requireDescribed = (method: string, path: string, reply: Reply) => {
  const plain = path.split('?')[0]!
  const known = operations.find((each) => each.methods[method.toLowerCase()] && each.pattern.test(plain))
  if (!known) return

  const { responses } = known.methods[method.toLowerCase()]!
  const told = responses[reply.status] ?? responses['default']
  const answer = told?.$ref ? description.components.responses[told.$ref.split('/').at(-1)!] : told
  const schema = answer?.content?.['application/json']?.schema
  expect(schema, `${method} ${known.path} describes no JSON for ${reply.status}`).toBeDefined()

  const key = `${method} ${known.path} ${reply.status}`
  const validate = validatorOf(key, schema!)
  const fits = validate(reply.body)
  expect(fits ? [] : validate.errors, `${key} answered ${reply.text.slice(0, 500)}`).toEqual([])
}
