import createClient, { type Client } from 'openapi-fetch'
import { ApiRefusal, refusalOfResponse } from './refusals.ts'
import type { Schemas, paths } from './schema.ts'
import { type SendOptions, sendWithRetries } from './send.ts'
import { shareWrites } from './share-writes.ts'

export type { Schemas }
export type ApiClient = Client<paths, 'application/json'>

/**
 * The documented API, typed. The session's cookie goes along by itself, and the browser says that our own page asks.
 * Every POST carries an Idempotency-Key of its own, so that it can be repeated; what takes none comes to the same when it is
 * said twice. The same one twice at once is sent once.
 */
export const openApiClient = (baseUrl: string, wire: SendOptions): ApiClient => {
  const client = createClient<paths, 'application/json'>({
    baseUrl,
    fetch: shareWrites((request) => sendWithRetries(wire, request)),
    headers: { accept: 'application/json' },
  })
  client.use({
    onRequest: ({ request }) => {
      if (request.method === 'POST' && !request.headers.has('idempotency-key')) {
        request.headers.set('idempotency-key', crypto.randomUUID())
      }
      return request
    },
  })
  return client
}

/** What was answered; whatever is no success is thrown as an ApiRefusal. */
export const dataOrThrow = async <T>(asked: Promise<{ data?: T; response: Response; error?: unknown }>): Promise<T> => {
  const { data, response, error } = await asked
  if (response.ok) return data as T
  // The body has been read already.
  throw await refusalOfResponse(new Response(JSON.stringify(error ?? null), response))
}

export const isRefusal = (error: unknown, kind?: ApiRefusal['kind']): error is ApiRefusal =>
  error instanceof ApiRefusal && (kind === undefined || error.kind === kind)
