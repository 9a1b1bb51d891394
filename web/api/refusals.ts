/** Why something could not be done, in the ways that a person is helped differently. */
export type RefusalKind =
  | 'offline'
  | 'signed_out'
  | 'not_allowed'
  | 'not_found'
  | 'conflict'
  | 'invalid'
  | 'too_many'
  | 'unavailable'
  | 'unexpected'

/** The one shape in which the fronts hear no. */
export class ApiRefusal extends Error {
  readonly kind: RefusalKind
  readonly status: number | null
  /** What is wrong by field; `base` is about the whole. */
  readonly fields: Readonly<Record<string, readonly string[]>>
  readonly retryAfterSeconds: number | null

  constructor(kind: RefusalKind, { status = null, fields = {}, retryAfterSeconds = null }: Partial<ApiRefusal> = {}) {
    super(fields['base']?.[0] ?? kind)
    this.kind = kind
    this.status = status
    this.fields = fields
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const KINDS: Record<number, RefusalKind> = {
  401: 'signed_out',
  403: 'not_allowed',
  404: 'not_found',
  409: 'conflict',
  429: 'too_many',
  503: 'unavailable',
}

export const refusalOfResponse = async (response: Response): Promise<ApiRefusal> => {
  const { status } = response
  const isOfBody = status === 400 || status === 413 || status === 415 || status === 422
  const kind = isPermissionMissing(response) ? 'not_allowed' : (KINDS[status] ?? (isOfBody ? 'invalid' : 'unexpected'))
  return new ApiRefusal(kind, {
    status,
    fields: fieldsOf(await response.json().catch(() => null)),
    retryAfterSeconds: retryAfterOf(response),
  })
}

/** A credential that is known but may not do this: signing in again would not help. */
export const isPermissionMissing = ({ status, headers }: Response) =>
  status === 401 && (headers.get('www-authenticate') ?? '').includes('insufficient_scope')

export const retryAfterOf = ({ headers }: Response): number | null => {
  const seconds = Number(headers.get('retry-after') ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds : null
}

/** By field as the office says it, or one sentence as the door does. */
const fieldsOf = (body: unknown): Record<string, string[]> => {
  if (typeof body !== 'object' || body === null) return {}
  if ('errors' in body && typeof body.errors === 'object') return body.errors as Record<string, string[]>
  return 'error' in body && typeof body.error === 'string' ? { base: [body.error] } : {}
}
