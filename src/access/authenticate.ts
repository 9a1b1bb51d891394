import { NotFound, Unauthorized } from '../kernel/refusals.ts'
import type { App } from './app.ts'
import { SESSION_COOKIE, readCookie } from './cookies.ts'
import type { EventInPath, AuthenticatedRequest } from './directory.ts'
import { type RequestOrigin, isCrossSiteForgery } from './request-origin.ts'
import { digestOf, hasWrongChecksum } from './tokens.ts'

/** What access needs to know of a request; the HTTP floor fills it in. */
export interface RequestFacts extends RequestOrigin {
  authorization: string | undefined
  cookie: string | undefined
  params: Readonly<Record<string, string>>
}

/** A bearer header, valid or not, always wins over a cookie. */
export const authenticate = async (
  app: App,
  request: RequestFacts,
  eventSlug: string | null,
  { leadsOn = false } = {},
): Promise<AuthenticatedRequest> => {
  if (request.authorization === undefined) {
    const session = await authenticateBySessionCookie(app, request, eventSlug, { leadsOn })
    if (!session) throw new Unauthorized()
    if (isCrossSiteForgery(app, request)) throw new Unauthorized({ insufficient: true })
    return session
  }

  const token = bearerOf(request.authorization)
  if (!token || hasWrongChecksum(token)) throw new Unauthorized()

  const key = { digest: digestOf(token), eventSlug: storable(eventSlug), leadsOn }
  const introduction = await app.directory.findCaller(key)
  if (!introduction || introduction.caller.credential.kind === 'session') throw new Unauthorized()
  return introduction
}

/**
 * The same at the door, where a device that was revoked is told so. What a device without a line calls the event stays
 * good there when the event gets another slug.
 */
export const authenticateAtDoor = async (
  app: App,
  request: RequestFacts,
  eventSlug: string | null,
): Promise<AuthenticatedRequest> => {
  try {
    return await authenticate(app, request, eventSlug, { leadsOn: true })
  } catch (error) {
    const token = bearerOf(request.authorization)
    if (!token || hasWrongChecksum(token) || !(error instanceof Unauthorized)) throw error
    const isRevokedDevice = await app.directory.isRevokedDevice(digestOf(token))
    throw isRevokedDevice ? new Unauthorized({ isRevokedDevice }) : error
  }
}

export const authenticateBySessionCookie = async (
  app: App,
  request: RequestFacts,
  eventSlug: string | null,
  { leadsOn = false } = {},
): Promise<AuthenticatedRequest | null> => {
  const token = readCookie(app.settings, SESSION_COOKIE, request.cookie)
  if (!token || hasWrongChecksum(token)) return null

  const key = { digest: digestOf(token), eventSlug: storable(eventSlug), leadsOn }
  const session = await app.directory.findCaller(key)
  return session?.caller.credential.kind === 'session' ? session : null
}

const bearerOf = (authorization: string | undefined) => /^bearer +([^\s,]+) *$/i.exec(authorization ?? '')?.[1]

/** PostgreSQL keeps no zero byte in a text, so nothing can be named by one. */
const storable = (slug: string | null) => (slug?.includes('\0') ? '' : slug)

export const requireEvent = ({ caller, event }: AuthenticatedRequest): EventInPath => {
  if (!event) throw new NotFound()
  if (caller.credential.role === 'co_organizer' && !event.assigned) throw new NotFound()
  return event
}
