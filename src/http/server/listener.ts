import { type IncomingMessage, type RequestListener, STATUS_CODES, createServer } from 'node:http'
import type { Socket } from 'node:net'
import type { App } from '../../access/app.ts'
import { answerFromCache } from '../response-cache.ts'
import { defaultHeaders } from './default-headers.ts'
import { logRequest } from './request-log.ts'

const HEADERS_MS = 10_000
/** Long enough for the largest upload over a phone's connection. */
const REQUEST_MS = 300_000
const KEEP_ALIVE_MS = 72_000
/** Whoever neither says nor takes anything for so long, in the middle of a request or an answer, has left. */
const SILENT_MS = 60_000
/** How often Node looks for requests that took too long. */
const LOOK_EVERY_MS = 5_000

/** A shop's feed is asked for by whole crowds at once; most of them get what the one before them got. */
export const answerFromCacheOrRoute =
  (app: App, route: RequestListener, closing: AbortSignal): RequestListener =>
  (request, response) => {
    if (hasSeveralHosts(request)) {
      response.writeHead(400, { ...defaultHeaders(app), 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify({ errors: { base: ['The request names more than one Host'] } }))
      return
    }
    const startedAt = performance.now()
    const repeated = closing.aborted ? null : answerFromCache(app, request, response)
    if (!repeated) return route(request, response)
    const ms = performance.now() - startedAt
    app.metrics?.countRequest('GET', repeated.route, repeated.status, ms / 1000)
    if (app.log.isVerbose) logRequest(app, { method: 'GET', ...repeated, ms })
  }

/** Whoever stands between us and the client may have believed the other one. Node itself keeps the first. */
const hasSeveralHosts = ({ rawHeaders }: IncomingMessage) => {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    if (name.length === 4 && name.toLowerCase() === 'host' && ++count > 1) return true
  }
  return false
}

export const createHttpServer = (answer: RequestListener) =>
  createServer(
    {
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: LOOK_EVERY_MS,
    },
    answer,
  ).setTimeout(SILENT_MS)

/** What cannot even be read as HTTP has no address yet, so it is refused in the office's shape. */
export const answerMalformedHttp = (error: NodeJS.ErrnoException, socket: Socket) => {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy()
    return
  }
  const { status, message } = UNREADABLE[error.code ?? ''] ?? { status: 400, message: 'The request is malformed' }
  const body = JSON.stringify({ errors: { base: [message] } })
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'connection: close',
  ]
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`, () => socket.destroy())
}

const UNREADABLE: Record<string, { status: number; message: string }> = {
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'The request took too long' },
  HPE_HEADER_OVERFLOW: { status: 431, message: 'The head of the request is too large' },
}
