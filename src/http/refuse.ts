import { isDatabaseUnavailable } from '../database/database.ts'
import { describeError, type Log } from '../kernel/log.ts'
import { Refusal, TooManyRequests, Unauthorized } from '../kernel/refusals.ts'
import { UnsupportedBodyEncoding } from './body.ts'

/**
 * The two shapes in which Foyer says no: `error`, one sentence, at the door and where a shop shows its programme;
 * `errors`, by field, elsewhere.
 */
export type RefusalShape = 'errors' | 'error'

export const refusalShapeOf = (site: 'console' | 'shop', path: string): RefusalShape =>
  site === 'shop' ? (BUYING.test(path) ? 'errors' : 'error') : /^\/scanner(\/|$)/.test(path) ? 'error' : 'errors'

const BUYING = /^\/(checkouts|orders)(\/|$)/

export interface RefusedAnswer {
  status: number
  headers: Record<string, string>
  body: string
  /** The same for people. */
  sentence: string
}

/** Whose request it was, for the log. */
interface RefusedRequest {
  route?: string | undefined
  account?: number | undefined
}

/** The one mapper from what was thrown to what is answered. What nobody foresaw is logged, and told without detail. */
export const refusedAnswerOf = (
  error: unknown,
  shape: RefusalShape,
  log: Log,
  request: RefusedRequest = {},
): RefusedAnswer => {
  if (error instanceof Refusal) {
    const refused = answer(error.status, shape, error.errors, headersOf(error))
    const isRevokedDevice = error instanceof Unauthorized && error.isRevokedDevice
    return isRevokedDevice ? { ...refused, body: JSON.stringify({ error: refused.sentence, revoked: true }) } : refused
  }
  if (isDatabaseUnavailable(error)) {
    log.warn({ ...request, ...describeError(error) }, 'the database is not available')
    return answer(503, shape, { base: ['The service is temporarily unavailable'] }, { 'retry-after': '2' })
  }
  const transport = TRANSPORT_FAULTS[(error as { code?: string }).code ?? '']
  if (transport) return answer(transport.status, shape, { base: [transport.message] })

  const status = (error as { statusCode?: number }).statusCode
  if (status && status >= 400 && status < 500) return answer(status, shape, { base: ['The request is malformed'] })

  log.error({ ...request, ...describeError(error) }, 'a request failed unexpectedly')
  return answer(500, shape, { base: ['Something went wrong'] })
}

const TRANSPORT_FAULTS: Record<string, { status: number; message: string }> = {
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: 'The body is too large' },
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, message: 'The content type is not supported; send application/json' },
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: { status: 400, message: 'The body is shorter or longer than announced' },
  FST_ERR_BAD_URL: { status: 400, message: 'The address is malformed' },
  FST_ERR_MAX_PARAM_LENGTH: { status: 404, message: 'Not found' },
  FST_ERR_HANDLER_TIMEOUT: { status: 503, message: 'The service is temporarily unavailable' },
}

const headersOf = (refusal: Refusal): Record<string, string> => {
  if (refusal instanceof Unauthorized) {
    const detail = refusal.insufficient ? ', error="insufficient_scope"' : ''
    return { 'www-authenticate': `Bearer realm="Foyer"${detail}` }
  }
  if (refusal instanceof UnsupportedBodyEncoding) return { 'accept-encoding': 'identity' }
  if (refusal instanceof TooManyRequests) return { 'retry-after': String(refusal.retryAfterSeconds) }
  return {}
}

const answer = (
  status: number,
  shape: RefusalShape,
  errors: Refusal['errors'],
  headers: Record<string, string> = {},
) => ({
  status,
  headers,
  body: JSON.stringify(shape === 'errors' ? { errors } : { error: sentenceOf(errors) }),
  sentence: sentenceOf(errors),
})

/** The first fault as a sentence: base messages as they are, others with the field they are about. */
const sentenceOf = (errors: Refusal['errors']): string => {
  const [field, messages] = Object.entries(errors)[0] ?? ['base', ['Refused']]
  return field === 'base' ? messages[0]! : `${field} ${messages[0]}`
}
