import http2 from 'node:http2'
import { type CircuitBreaker, openCircuitBreaker } from './circuit-breaker.ts'
import { CALL_TIMEOUT_MS, CallStalled } from './time-limits.ts'

export interface Http2Request {
  path: string
  headers: Record<string, string>
  body: string
}

export interface Http2Answer {
  status: number
  headers: http2.IncomingHttpHeaders
  body: string
}

export interface Http2Client {
  post(request: Http2Request): Promise<Http2Answer>
  close(): void
}

/** A client certificate and its key, in PEM. */
export interface ClientCertificate {
  cert: string
  key: string
}

const IDLE_MS = 60_000
const ANSWER_MAX = 16 * 1024

/**
 * Posts over one connection at a time, many requests on it side by side. The connection is made when it is needed and
 * left when nobody needed it for a minute; one that is lost, or that the server wants to end, is made anew by the next
 * request. What is not answered in time ends the connection, because nothing else tells that it is dead.
 */
export const openHttp2Client = (
  origin: string,
  certificate: ClientCertificate | null,
  { timeoutMs = CALL_TIMEOUT_MS }: { timeoutMs?: number } = {},
): Http2Client => {
  const breaker: CircuitBreaker = openCircuitBreaker()
  let session: http2.ClientHttp2Session | null = null

  const leave = (left: http2.ClientHttp2Session) => {
    if (session === left) session = null
  }

  const connect = (): http2.ClientHttp2Session => {
    if (session && !session.closed && !session.destroyed) return session
    const made = http2.connect(origin, { ...certificate })
    // Requests on it are told of the error themselves.
    made.on('error', () => leave(made))
    made.on('goaway', () => leave(made))
    made.on('close', () => leave(made))
    made.setTimeout(IDLE_MS, () => made.close())
    // A connection that waits for something to do keeps no process from ending; one with a request on it has a timer.
    made.unref()
    session = made
    return made
  }

  return {
    post: (request) => breaker(() => post(connect(), request, timeoutMs)),
    close: () => session?.close(),
  }
}

const post = (session: http2.ClientHttp2Session, { path, headers, body }: Http2Request, timeoutMs: number) =>
  new Promise<Http2Answer>((resolve, reject) => {
    const stream = session.request({ ':method': 'POST', ':path': path, ...headers })
    const timer = setTimeout(() => {
      reject(new CallStalled('There was no answer'))
      session.destroy()
    }, timeoutMs)
    const pieces: Buffer[] = []
    let length = 0
    let answered: http2.IncomingHttpHeaders = {}
    stream.on('response', (received) => void (answered = received))
    stream.on('data', (piece: Buffer) => {
      length += piece.length
      if (length <= ANSWER_MAX) pieces.push(piece)
      else stream.close(http2.constants.NGHTTP2_CANCEL)
    })
    stream.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    stream.on('close', () => {
      clearTimeout(timer)
      const status = Number(answered[':status'] ?? 0)
      if (status === 0) reject(new Error('The connection ended without an answer'))
      else resolve({ status, headers: answered, body: Buffer.concat(pieces).toString() })
    })
    stream.end(body)
  })
