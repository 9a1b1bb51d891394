import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../access/app.ts'
import type { CallerScope } from '../access/scopes.ts'
import { NotFound, Refusal } from '../kernel/refusals.ts'
import { createAccessHook } from './admit-request.ts'
import { type Answer, RawAnswer } from './answers.ts'
import { isRecord, readFields, requireUnencodedBody } from './body.ts'
import { clientAddressOf } from './client-address.ts'
import type { Endpoint } from './endpoint.ts'
import { type IdempotentRequest, runIdempotently } from './idempotency.ts'
import { preferredFormatOf, wantsOnlyJson } from './negotiation.ts'
import { parseRequestBody, readBodyOrNotFound } from './read-request-body.ts'
import { requestFactsOf, firstHeaderValue } from './request-facts.ts'
import {
  callerScopeOf,
  withPendingAuditEntry,
  writeAuditEntryIfPending,
  scopesInTransaction,
} from './request-scopes.ts'
import { sendRawAnswer, sendEncodedBody, JSON_TYPE } from './send-answer.ts'
import { serializersOf } from './serializers.ts'

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

  let queryOfNothing: object | undefined
  /** Most addresses come without a query, and nothing is always read the same way. */
  const readQuery = (sent: unknown): object => {
    if (!endpoint.query) return {}
    if (!isRecord(sent) || Object.keys(sent).length > 0) return readFields(endpoint.query, sent)
    return (queryOfNothing ??= Object.freeze(readFields(endpoint.query, sent)))
  }

  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const admitted = request.given!
    const params = request.params as Record<string, string>
    for (const name in params) if (!isStorable(params[name]!)) throw new NotFound()
    const given = endpoint.access.isAudited ? withPendingAuditEntry(admitted, endpoint, params) : admitted
    const asked = {
      ...given,
      params,
      query: readQuery(request.query),
      body: undefined as unknown,
      headers: request.headers,
      ip: clientAddressOf(request.ip),
      stream: request.raw,
      closing,
      readmit: async () => endpoint.access.admit(app, requestFactsOf(request)),
    }

    const preference = preferredFormatOf(request.raw)
    const isPageWanted = preference === 'html' || (endpoint.isOnlyPage && !wantsOnlyJson(request.raw))
    if (isPageWanted && endpoint.page) return sendRawAnswer(request, reply, await endpoint.page(asked))
    if (preference === 'html' && endpoint.form) {
      return sendRawAnswer(request, reply, await endpoint.form({ ...asked, sent: parseRequestBody(request) }))
    }
    if (preference === 'neither' && isDoor(endpoint)) throw new NotAcceptable()

    if (endpoint.streams) requireUnencodedBody(request.headers)
    const json = endpoint.body ? await readBodyOrNotFound(endpoint, asked, () => parseRequestBody(request)) : undefined
    if (endpoint.body) {
      const terms = callerScopeOf(admitted)?.account
      asked.body = await readBodyOrNotFound(endpoint, { ...asked, sent: json }, () => endpoint.body!.read(json, terms))
    }

    const key = endpoint.creates ? idempotencyKeyOf(request) : null
    const scope = key === null ? null : callerScopeOf(admitted)
    if (!scope || !key) {
      const answer = await endpoint.handle(asked)
      if (endpoint.access.isAudited) await writeAuditEntryIfPending(given)
      return answer instanceof RawAnswer ? sendRawAnswer(request, reply, answer) : send(request, reply, answer)
    }

    const once = { method: request.method, path: request.url.split('?', 1)[0]!, key, query: request.query, body: json }
    return createOnce(scope, once, { given, asked, reply })
  }

  /** With an Idempotency-Key: repeating the request repeats the answer. */
  const createOnce = async (scope: CallerScope, once: IdempotentRequest, { given, asked, reply }: Creation) => {
    const replayable = await runIdempotently(scope, once, {
      create: async (tx) => {
        const inside = scopesInTransaction(given, tx)
        const answer = await endpoint.handle({ ...asked, ...inside })
        await writeAuditEntryIfPending(inside)
        if (answer instanceof RawAnswer)
          throw new Error(`${endpoint.path} creates something and answers with raw bytes`)
        return { status: answer.status, body: serializerFor(answer.status)(answer.body), location: locate(answer) }
      },
      requireVisible: async (tx, body) =>
        endpoint.requireVisible?.({
          ...scopesInTransaction(given, tx),
          params: asked.params,
          answer: JSON.parse(body),
        }),
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
    return sendEncodedBody(request, reply.type(JSON_TYPE), serializerFor(answer.status)(answer.body))
  }

  const locate = (answer: Answer) => (answer.location ? app.settings.baseUrl + answer.location : null)

  return { admit: createAccessHook(app, endpoint), handle }
}

interface Creation {
  given: object
  asked: { params: Record<string, string> }
  reply: FastifyReply
}

const isDoor = (endpoint: Endpoint) => endpoint.path.startsWith('/scanner/')

const idempotencyKeyOf = (request: FastifyRequest) =>
  firstHeaderValue(request.headers['idempotency-key'])?.trim() || null

/** PostgreSQL keeps no zero byte in a text, so nothing can be named by one. */
const isStorable = (param: string) => !param.includes('\0')
