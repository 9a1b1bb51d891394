import net from 'node:net'
import { takeTask } from './frame.ts'

/** Requests over connections that are kept alive, as many at once as there are connections. */
export interface HttpLoad {
  origins: string[]
  connections: number
  requests: HttpRequest[]
}

export interface HttpRequest {
  method: 'GET' | 'POST'
  path: string
  token: string
  idempotencyKey?: string
  body?: string
}

export interface HttpOutcome {
  seconds: number
  /** How often each status came. */
  statuses: Record<number, number>
  /** Milliseconds, one for each request. */
  times: number[]
}

/** Sockets and no client of Node's: it would take as long as the server, and be measured with it. */
const load = async ({ origins, connections, requests }: HttpLoad): Promise<HttpOutcome> => {
  const statuses: Record<number, number> = {}
  const times: number[] = []
  let next = 0

  const talk = async (origin: string) => {
    const { hostname, port } = new URL(origin)
    const socket = net.connect(Number(port), hostname).setNoDelay(true)
    const answers = answersOf(socket)
    while (next < requests.length) {
      const request = requests[next++]!
      const started = performance.now()
      socket.write(textOf(request, `${hostname}:${port}`))
      const status = await answers.next()
      times.push(performance.now() - started)
      statuses[status] = (statuses[status] ?? 0) + 1
    }
    socket.destroy()
  }

  const started = performance.now()
  await Promise.all(Array.from({ length: connections }, (_, n) => talk(origins[n % origins.length]!)))
  return { seconds: (performance.now() - started) / 1000, statuses, times }
}

const textOf = ({ method, path, token, idempotencyKey, body }: HttpRequest, host: string) =>
  `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nAccept: application/json\r\n` +
  (idempotencyKey === undefined ? '' : `Idempotency-Key: ${idempotencyKey}\r\n`) +
  (body === undefined
    ? '\r\n'
    : `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)

const HEAD_END = Buffer.from('\r\n\r\n')

const answersOf = (socket: net.Socket) => {
  let waiting: PromiseWithResolvers<number> | null = null
  let pieces: Buffer[] = []
  let received = 0
  let expected: number | null = null
  let status = 0

  socket.on('data', (piece) => {
    pieces.push(piece)
    received += piece.length
    if (expected === null) {
      const head = pieces.length === 1 ? piece : Buffer.concat(pieces)
      const end = head.indexOf(HEAD_END)
      if (end === -1) return
      const text = head.toString('latin1', 0, end)
      status = Number(text.slice(9, 12))
      const length = /\r\ncontent-length: (\d+)/i.exec(text)?.[1]
      if (length === undefined) {
        socket.destroy(new Error(`An answer without a length: ${text}`))
        return
      }
      expected = end + HEAD_END.length + Number(length)
    }
    if (received < expected) return
    pieces = []
    received = 0
    expected = null
    waiting?.resolve(status)
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('The connection was closed')))

  return {
    next: () => {
      waiting = Promise.withResolvers<number>()
      return waiting.promise
    },
  }
}

await takeTask(load)
