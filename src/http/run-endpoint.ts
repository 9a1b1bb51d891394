import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RequestFacts } from '../access/access.ts'
import { PendingAuditEntry } from '../access/audit.ts'
import type { Caller } from '../access/callers.ts'
import type { App } from '../access/app.ts'
import { CallerScope, type HeldRows } from '../access/scopes.ts'
import { NotFound, Refusal, Unauthenticated } from '../kernel/refusals.ts'
import { type Answer, RawAnswer } from './answers.ts'
import { isRecord, parseJson, readFields, requirePlainBody } from './body.ts'
import { clientAddressOf } from './client-address.ts'
import { type Body, KeptText, encode, negotiateEncoding, varyByEncoding } from './compression.ts'
import type { Endpoint } from './endpoint.ts'
import { parseForm } from './forms.ts'
import { doOnce } from './idempotency.ts'
import { preferenceOf } from './negotiation.ts'
import { cacheResponse } from './response-cache.ts'
import { serializersOf } from './serializers.ts'

declare module 'fastify' {
  interface FastifyRequest {
    given?: object
    caller?: Caller
  }
}

class NotAcceptable extends Refusal {
  readonly status = 406
  constructor() {
    super({ base: ['This address answers with JSON'] })
  }
}

/**
 * The order in which a request is judged: credential (401), path (404), role (403), body (400),
 * repetition (409), data (422). Access comes before the body is even read.
 */
export const runEndpoint = (app: App, endpoint: Endpoint, closing: AbortSignal) => {
  const serializerFor = serializersOf(endpoint)
  const requests = app.budgets.of('requests of a credential', REQUESTS_PER_MINUTE)
  const unknownTokens = app.budgets.of('unknown tokens from an address', UNKNOWN_TOKENS_PER_MINUTE)

  let queryOfNothing: object | undefined
  /** Most addresses come without a query, and nothing is always read the same way. */
  const readQuery = (sent: unknown): object => {
    if (!endpoint.query) return {}
    if (!isRecord(sent) || Object.keys(sent).length > 0) return readFields(endpoint.query, sent)
    return (queryOfNothing ??= Object.freeze(readFields(endpoint.query, sent)))
  }

  /** Not asynchronous by itself: what is remembered is let in at once, and a public page is mostly remembered. */
  const admit = (request: FastifyRequest, _reply: FastifyReply, done: (error?: Error) => void) => {
    // What is known is let in whatever others have tried from the same address: only misses are counted.
    const refuse = (error: unknown) => {
      if (error instanceof Unauthenticated && !error.insufficient) unknownTokens.spend(clientAddressOf(request.ip))
      throw error
    }
    const letIn = (given: object) => {
      request.given = given
      const scope = callerScopeOf(given)
      if (!scope) return
      request.caller = scope.caller
      requests.spend(scope.credential.id)
    }

    try {
      const given = endpoint.access.admit(app, knockOf(request))
      if (given instanceof Promise) {
        given.then(letIn, refuse).then(() => done(), done)
        return
      }
      letIn(given)
    } catch (error) {
      done(error as Error)
      return
    }
    done()
  }

  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const admitted = request.given!
    const params = request.params as Record<string, string>
    for (const name in params) if (!isStorable(params[name]!)) throw new NotFound()
    const given = endpoint.access.isAudited ? withAuditEntry(admitted, endpoint, params) : admitted
    const asked = {
      ...given,
      params,
      query: readQuery(request.query),
      body: undefined as unknown,
      headers: request.headers,
      ip: clientAddressOf(request.ip),
      stream: request.raw,
      closing,
      readmit: async () => endpoint.access.admit(app, knockOf(request)),
    }

    const preference = preferenceOf(request.raw)
    if (preference === 'html' && endpoint.page) return sendRaw(request, reply, await endpoint.page(asked))
    if (preference === 'neither' && isDoor(endpoint)) throw new NotAcceptable()

    if (endpoint.streams) requirePlainBody(request.headers)
    const json = endpoint.body ? await readBodyOrNotFound(endpoint, asked, () => parse(request)) : undefined
    if (endpoint.body) {
      const terms = callerScopeOf(admitted)?.account
      asked.body = await readBodyOrNotFound(endpoint, { ...asked, sent: json }, () => endpoint.body!.read(json, terms))
    }

    const key = endpoint.creates ? idempotencyKeyOf(request) : null
    const scope = key === null ? null : callerScopeOf(admitted)
    if (!scope || !key) {
      const answer = await endpoint.handle(asked)
      if (endpoint.access.isAudited) await writeAuditEntry(given)
      return answer instanceof RawAnswer ? sendRaw(request, reply, answer) : send(request, reply, answer)
    }

    const once = { method: request.method, path: request.url.split('?', 1)[0]!, key, query: request.query, body: json }
    const replayable = await doOnce(scope, once, {
      create: async (tx) => {
        const inside = scopesWithin(given, tx)
        const answer = await endpoint.handle({ ...asked, ...inside })
        await writeAuditEntry(inside)
        if (answer instanceof RawAnswer)
          throw new Error(`${endpoint.path} creates something and answers with raw bytes`)
        return { status: answer.status, body: serializerFor(answer.status)(answer.body), location: locate(answer) }
      },
      requireVisible: async (tx, body) =>
        endpoint.requireVisible?.({ ...scopesWithin(given, tx), params, answer: JSON.parse(body) }),
    })
    if (replayable.replayed) reply.header('idempotent-replayed', 'true')
    if (replayable.location) reply.header('location', replayable.location)
    return reply.code(replayable.status).type(JSON_TYPE).send(replayable.body)
  }

  const send = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => {
    const location = locate(answer)
    if (location) reply.header('location', location)
    if (answer.headers) reply.headers(answer.headers)
    reply.code(answer.status)
    if (endpoint.answers[answer.status] === null) return reply.send()
    return sendBody(request, reply.type(JSON_TYPE), serializerFor(answer.status)(answer.body))
  }

  const locate = (answer: Answer) => (answer.location ? app.settings.baseUrl + answer.location : null)

  return { admit, handle }
}

export const REQUESTS_PER_MINUTE = 6000
const UNKNOWN_TOKENS_PER_MINUTE = 600

const JSON_TYPE = 'application/json; charset=utf-8'

const sendRaw = async (request: FastifyRequest, reply: FastifyReply, answer: RawAnswer) => {
  reply.code(answer.status).headers(answer.headers)
  if (answer.lasting) await cacheResponse(request, reply, answer.lasting)
  // Of what is not sent, not even the length is told.
  return answer.status === 304 ? reply.send() : sendBody(request, reply, answer.body)
}

const sendBody = async (request: FastifyRequest, reply: FastifyReply, body: Body) => {
  const answered = reply.getHeaders()
  const negotiated = negotiateEncoding({ method: request.method, headers: request.headers, answered, body })
  if (negotiated) reply.header('vary', varyByEncoding(answered))
  if (!negotiated?.encoding) return reply.send(body instanceof KeptText ? body.text : body)
  reply.header('content-encoding', negotiated.encoding)
  return reply.send(await encode(body, negotiated.encoding))
}

const isDoor = (endpoint: Endpoint) => endpoint.path.startsWith('/scanner/')

const knockOf = (request: FastifyRequest): RequestFacts => ({
  authorization: request.headers.authorization,
  cookie: request.headers.cookie,
  method: request.method,
  host: request.headers.host ?? '',
  ip: clientAddressOf(request.ip),
  origin: request.headers.origin,
  fetchSite: onlyOne(request.headers['sec-fetch-site']),
  params: request.params as Record<string, string>,
})

export const callerScopeOf = (given: object): CallerScope | null => {
  const scope: unknown = Object.values(given)[0]
  return scope instanceof CallerScope ? scope : null
}

/** Parts of a path that are no plain IDs: they may be secrets, or open something. */
const UNSPEAKABLE = new Set(['token', 'code', 'signed_id', 'identifier'])

/** The audit log knows an address by its pattern and the IDs in it. */
export const withAuditEntry = (given: object, { method, path }: Endpoint, params: Record<string, string>): object => {
  const subject = Object.fromEntries(Object.entries(params).filter(([name]) => !UNSPEAKABLE.has(name)))
  const note = new PendingAuditEntry(`${method} ${path}`, subject)
  return Object.fromEntries(
    Object.entries(given).map(([name, scope]) => [name, scope instanceof CallerScope ? scope.noted(note) : scope]),
  )
}

/** What was done without a transaction of the scope is noted all the same, only later. */
export const writeAuditEntry = async (given: object) => {
  const scope = callerScopeOf(given)
  if (scope?.note && !scope.note.isWritten) await scope.transaction(async () => {})
}

export const scopesWithin = (given: object, held: HeldRows): object =>
  Object.fromEntries(Object.entries(given).map(([name, scope]) => [name, (scope as CallerScope).within(held)]))

const parse = (request: FastifyRequest): unknown => {
  requirePlainBody(request.headers)
  const bytes = request.body
  if (!Buffer.isBuffer(bytes)) return undefined
  return request.headers['content-type']?.startsWith('application/x-www-form-urlencoded')
    ? parseForm(bytes)
    : parseJson(bytes)
}

/** A fault of the body is told only where the path names something, in the version that is spoken of. */
export const readBodyOrNotFound = async <T>(endpoint: Endpoint, asked: object, read: () => T): Promise<T> => {
  try {
    return read()
  } catch (fault) {
    await endpoint.exists?.(asked)
    throw fault
  }
}

const onlyOne = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

const idempotencyKeyOf = (request: FastifyRequest) => onlyOne(request.headers['idempotency-key'])?.trim() || null

/** PostgreSQL keeps no zero byte in a text, so nothing can be named by one. */
const isStorable = (param: string) => !param.includes('\0')
