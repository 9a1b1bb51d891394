import type { IncomingMessage } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest, RequestPayload } from 'fastify'

const BODY_MS = 30_000
const UNREAD_MS = 2_000

/** Bodies stay bytes until access and path have been judged: a stranger's malformed JSON is still a stranger's. */
export const parseBodiesAsBuffers = (server: FastifyInstance) => {
  server.removeAllContentTypeParsers()
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    server.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  }
}

/** Uploads take as long as they take; anything else is said within half a minute, or not at all. */
export const limitBodyTime = (
  request: FastifyRequest,
  _reply: FastifyReply,
  payload: RequestPayload,
  done: PayloadTaken,
) => {
  if (request.headers['content-length'] !== '0') {
    const cut = setTimeout(() => request.raw.destroy(), BODY_MS)
    request.raw.once('close', () => clearTimeout(cut))
    request.raw.once('end', () => clearTimeout(cut))
  }
  done(null, payload)
}

type PayloadTaken = (error: Error | null, payload: RequestPayload) => void

/** Whoever is answered before their body was read may finish saying it, but not for ever. */
export const limitUnreadBodyTime = (request: IncomingMessage) => {
  if (request.complete) return
  const cut = setTimeout(() => request.destroy(), UNREAD_MS)
  request.once('close', () => clearTimeout(cut))
  // Node reads the rest by itself only where nobody has begun to.
  request.resume()
}
