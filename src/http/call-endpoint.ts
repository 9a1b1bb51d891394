import type { ObtainGrant } from '../access/access.ts'
import type { AuditSubject } from '../access/audit.ts'
import type { CallerScope, TransactionDb } from '../access/scopes.ts'
import { NotFound } from '../kernel/refusals.ts'
import { REQUESTS_PER_MINUTE } from './admit-request.ts'
import { type Answer, RawAnswer } from './answers.ts'
import { readFields } from './body.ts'
import type { Endpoint } from './endpoint.ts'
import { readBodyOrNotFound } from './read-request-body.ts'
import {
  callerScopeOf,
  writeAuditEntryIfPending,
  withPendingAuditEntry,
  scopesInTransaction,
} from './request-scopes.ts'
import { type Serialize, serializersOf } from './serializers.ts'

export type QueryValue = string | number | boolean | undefined

/** What is asked of an endpoint, as an address and a body of JSON would say it. */
export interface InternalRequest {
  params?: Readonly<Record<string, string>>
  query?: Readonly<Record<string, QueryValue>>
  body?: unknown
}

/** Somebody who was let in elsewhere in Foyer, and asks on. */
export interface InternalCaller {
  open: ObtainGrant
  ip: string
  /** What the audit log shall say beside the route and its IDs. */
  remark: AuditSubject
  /** Where everything is read, so that several answers are of one moment; null: each for itself. */
  held: TransactionDb | null
}

export interface ShownAnswer {
  status: number
  body: unknown
}

/**
 * Asks an endpoint from inside Foyer. Access, path, body and data are judged in the same order as over HTTP, with
 * the same budget, the same note in the audit log, and the answer goes through the same serializer.
 */
export const callEndpointInternally = async (
  asking: InternalCaller,
  endpoint: Endpoint,
  question: InternalRequest,
): Promise<ShownAnswer> => {
  const { admitted, asked } = await approach(asking, endpoint, question)
  const given = endpoint.access.isAudited ? withPendingAuditEntry(admitted, endpoint, asked.params) : admitted
  callerScopeOf(given)?.note?.add(asking.remark)

  const answer = await endpoint.handle({ ...asked, ...given })
  if (endpoint.access.isAudited) await writeAuditEntryIfPending(given)
  return show(endpoint, answer)
}

/**
 * Does the same in a transaction that is then rolled back: the answer tells what would happen, and nothing did. Only
 * for endpoints whose whole effect is in the transaction of their scope.
 */
export const dryRunEndpoint = async (
  asking: InternalCaller,
  endpoint: Endpoint,
  question: InternalRequest,
): Promise<ShownAnswer> => {
  const { admitted, asked, scope } = await approach(asking, endpoint, question)
  try {
    return await scope.transaction(async (tx) => {
      throw new Rehearsed(show(endpoint, await endpoint.handle({ ...asked, ...scopesInTransaction(admitted, tx) })))
    })
  } catch (ended) {
    if (ended instanceof Rehearsed) return ended.answer
    throw ended
  }
}

class Rehearsed extends Error {
  readonly answer: ShownAnswer

  constructor(answer: ShownAnswer) {
    super('The rehearsal is over')
    this.answer = answer
  }
}

const approach = async (
  { open, ip, held }: InternalCaller,
  endpoint: Endpoint,
  { params = {}, query = {}, body }: InternalRequest,
) => {
  const opened = await open(endpoint.access, params)
  const admitted = held ? scopesInTransaction(opened, held) : opened
  const scope = requireCaller(admitted)
  scope.app.budgets.of('requests of a credential', REQUESTS_PER_MINUTE).spend(scope.credential.id)
  for (const name in params) if (params[name]!.includes('\0')) throw new NotFound()

  const asked = {
    ...admitted,
    params: { ...params },
    query: endpoint.query ? readFields(endpoint.query, texts(query)) : {},
    body: undefined as unknown,
    headers: {},
    ip,
    sent: body,
  }
  if (endpoint.body)
    asked.body = await readBodyOrNotFound(endpoint, asked, () => endpoint.body!.read(body, scope.account))
  return { admitted, asked, scope }
}

const requireCaller = (given: object): CallerScope => {
  const scope = callerScopeOf(given)
  if (!scope) throw new Error('Only endpoints for callers can be asked from inside')
  return scope
}

/** An address knows nothing but texts. */
const texts = (query: Readonly<Record<string, QueryValue>>) =>
  Object.fromEntries(
    Object.entries(query).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

const serializers = new WeakMap<Endpoint, (status: number) => Serialize>()

const show = (endpoint: Endpoint, answer: Answer | RawAnswer): ShownAnswer => {
  if (answer instanceof RawAnswer) throw new Error(`${endpoint.path} answers with raw bytes`)
  if (endpoint.answers[answer.status] === null) return { status: answer.status, body: null }

  const serializerFor = serializers.get(endpoint) ?? serializersOf(endpoint)
  serializers.set(endpoint, serializerFor)
  return { status: answer.status, body: JSON.parse(serializerFor(answer.status)(answer.body)) }
}
