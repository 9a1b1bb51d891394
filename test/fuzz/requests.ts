import type { Endpoint } from '../../src/http/endpoint.ts'
import { describeApi } from '../../src/api-reference/describe-api.ts'
import { ENDPOINTS, WEBHOOKS } from '../../src/main.ts'
import type { Schema } from './schemas.ts'

/** One address of Foyer with one method, and what its description says about asking it. */
export interface Operation {
  name: string
  endpoint: Endpoint
  /** Which names fill its path. */
  family: string
  query: Record<string, Schema>
  body: { schema: Schema; example: unknown } | null
}

interface Described {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema; example: unknown }> }
}

const description = describeApi(ENDPOINTS, WEBHOOKS) as unknown as { paths: Record<string, Record<string, Described>> }

/** '/admin/tasks/:task_id/archive' is about '/admin/tasks/:'. */
const familyOf = (path: string) => path.slice(0, path.lastIndexOf(':') + 1).replace(/:[a-z_]+/g, ':')

const text: Schema = { type: 'string' }
const textOrNull: Schema = { type: ['string', 'null'] }
const inside = (name: string, properties: Record<string, Schema>): Schema => ({
  properties: { [name]: { properties, required: Object.keys(properties).slice(0, 1) } },
  required: [name],
})
const GUEST = { companions: { type: 'integer' }, companion_names: { type: 'array', items: text } } satisfies Record<
  string,
  Schema
>
const credential: Schema = {
  properties: {
    id: text,
    rawId: text,
    type: text,
    response: {
      properties: { clientDataJSON: text, attestationObject: text, authenticatorData: text, signature: text },
    },
  },
}

const RPC = {
  properties: {
    jsonrpc: { enum: ['2.0'] },
    id: { type: 'integer' },
    method: { enum: ['initialize', 'ping', 'tools/list', 'tools/call', 'resources/list', 'notifications/initialized'] },
    params: {
      properties: {
        name: { enum: ['manage_tasks', 'manage_guest_list'] },
        arguments: { type: 'object' },
        cursor: text,
      },
    },
  },
  required: ['jsonrpc', 'id', 'method'],
} satisfies Schema

/** Pages for people are not in the description; this is what their forms send. */
const FORMS: Record<string, Schema> = {
  'POST /invitations/:token': inside('invitation', { name: text, password: text }),
  'POST /sign_in': {
    properties: { email: text, password: text, by: { enum: ['link', 'password'] }, return_to: text },
    required: ['email'],
  },
  'POST /sign_in/account': { properties: { membership_id: text } },
  'POST /password': { properties: { email: text }, required: ['email'] },
  'POST /password/:token': { properties: { password: text }, required: ['password'] },
  'POST /account/switch': { properties: { membership_id: text } },
  'POST /sign_in/passkey': { properties: { credential, return_to: text }, required: ['credential'] },
  'POST /account/passkeys': { properties: { credential }, required: ['credential'] },
  'POST /guest_list/:token': {
    properties: {
      guest_request: {
        properties: {
          name: text,
          email: text,
          ...GUEST,
          company: textOrNull,
          phone: textOrNull,
          answers: { type: 'object' },
          website: text,
        },
        required: ['name', 'email'],
      },
    },
    required: ['guest_request'],
  },
  'POST /mcp': RPC,
  'POST /guest_signups/:token/companions': inside('guest_addition', GUEST),
}

const QUERIES: Record<string, Record<string, Schema>> = {
  'GET /sign_in': { return_to: text, joined: text, out: text, saved: text },
  'GET /guest_signups/:token': { done: { enum: ['received', 'confirmed', 'waiting', 'added', 'sent', 'soon'] } },
}

/** An address that console and shop both have is two operations. */
const nameOf = ({ method, path, access }: Endpoint) => {
  const isShared = ENDPOINTS.some((each) => each.path === path && each.access.site !== access.site)
  return isShared ? `${method} ${path} at the ${access.site}` : `${method} ${path}`
}

export const OPERATIONS: readonly Operation[] = ENDPOINTS.map((endpoint) => {
  const name = nameOf(endpoint)
  const described = description.paths[endpoint.path.replace(/:([a-z_]+)/g, '{$1}')]?.[endpoint.method.toLowerCase()]
  const content = described?.requestBody?.content['application/json']
  const query = (described?.parameters ?? [])
    .filter((each) => each.in === 'query')
    .map((each) => [each.name, each.schema])
  return {
    name,
    endpoint,
    family: familyOf(endpoint.path),
    query: QUERIES[name] ?? (Object.fromEntries(query) as Record<string, Schema>),
    body: content ?? (endpoint.body || FORMS[name] ? { schema: FORMS[name] ?? {}, example: undefined } : null),
  }
})

/** Callers who are let in, as far as the kind of address tells. */
export const fittingFor = ({ access, path }: Endpoint): string[] => {
  if (access.site === 'shop' || !access.needsCredential)
    return access.name === 'anyone, at the console' ? ['session', 'none'] : ['none']
  if (path.startsWith('/scanner')) return ['device', 'scanner', 'owner']
  return ['office', 'owner', 'session']
}
