import type { IncomingMessage } from 'node:http'
import { assistantOfOrganizer } from '../access/access.ts'
import { RawAnswer } from '../http/answers.ts'
import { parseJson } from '../http/body.ts'
import { type Endpoint, endpoint } from '../http/endpoint.ts'
import type { RequestHeaders } from '../http/headers.ts'
import { once } from '../kernel/once.ts'
import { Refusal } from '../kernel/refusals.ts'
import type { Tool } from './tool.ts'

const MESSAGE_MAX = 1024 * 1024
const MESSAGE_MS = 30_000
/** Older revisions of the protocol let a client say several things at once. */
const TOGETHER_MAX = 20

const PARSE_ERROR = -32700
const INVALID_REQUEST = -32600
const METHOD_NOT_ALLOWED = -32000

const message = (openTools: () => Promise<readonly Tool[]>) =>
  endpoint({
    method: 'POST',
    path: '/mcp',
    says: 'One message of the Model Context Protocol: the tools of an assistant.',
    access: assistantOfOrganizer(),
    answers: {},
    streams: true,
    undocumented: true,
    handle: async ({ account, open, headers, ip, stream }) => {
      const bytes = await readBytes(stream)
      if (bytes === 'too large') return protocolError(413, INVALID_REQUEST, 'The message is too large')
      const said = parse(bytes)
      if (said === undefined) return protocolError(400, PARSE_ERROR, 'The message is no JSON')
      if (Array.isArray(said) && said.length > TOGETHER_MAX) {
        return protocolError(400, INVALID_REQUEST, `At most ${TOGETHER_MAX} messages can be said at once`)
      }

      // Loaded with the first message: an installation without an assistant starts sooner.
      const [{ answerMcpRequest }, tools] = await Promise.all([import('./protocol.ts'), openTools()])
      const request = requestOf(`${account.app.settings.baseUrl}/mcp`, headers)
      const response = await answerMcpRequest({ account, open, ip, tools }, request, said)
      return new RawAnswer(response.status, Object.fromEntries(response.headers), await response.text())
    },
  })

const elsewhere = (method: 'GET' | 'DELETE', says: string) =>
  endpoint({
    method,
    path: '/mcp',
    says,
    access: assistantOfOrganizer(),
    answers: {},
    undocumented: true,
    isMethodRefused: true,
    handle: async () => protocolError(405, METHOD_NOT_ALLOWED, says, { allow: 'POST, OPTIONS' }),
  })

/** Bounded in size and in time: whoever says more, or takes longer, is not listened to. */
const readBytes = async (stream: IncomingMessage): Promise<Buffer | 'too large'> => {
  const cut = setTimeout(() => stream.destroy(), MESSAGE_MS)
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > MESSAGE_MAX) return 'too large'
      chunks.push(chunk)
    }
  } catch (error) {
    // Who hangs up in the middle has said nothing, and nobody is there to be told.
    if (!stream.destroyed) throw error
    return Buffer.alloc(0)
  } finally {
    clearTimeout(cut)
  }
  return Buffer.concat(chunks)
}

const parse = (bytes: Buffer): unknown => {
  try {
    return parseJson(bytes)
  } catch (fault) {
    if (fault instanceof Refusal) return undefined
    throw fault
  }
}

/** The headers the protocol looks at. The credential has been judged already and goes no further. */
const requestOf = (url: string, headers: RequestHeaders) => {
  const spoken = Object.entries(headers).flatMap(([name, value]) =>
    (name === 'content-type' || name.startsWith('mcp-')) && typeof value === 'string' ? [[name, value]] : [],
  )
  // The protocol wants a client to name both types; whatever it names, JSON is what it can read.
  const accept = 'application/json, text/event-stream'
  return new Request(url, { method: 'POST', headers: { ...Object.fromEntries(spoken), accept } })
}

const protocolError = (status: number, code: number, says: string, headers: Record<string, string> = {}) =>
  new RawAnswer(
    status,
    { 'content-type': 'application/json', ...headers },
    JSON.stringify({ jsonrpc: '2.0', error: { code, message: says }, id: null }),
  )

export const assistantEndpoints = (orderEndpoints: readonly Endpoint[]): Endpoint[] => [
  message(once(async () => (await import('./tools.ts')).toolsOf(orderEndpoints))),
  elsewhere('GET', 'No stream is offered: every answer comes with its request.'),
  elsewhere('DELETE', 'No session is kept, so none can be ended.'),
]
