import { once } from 'node:events'
import { type Server, createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { type Log, describeError } from '../kernel/log.ts'
import { METRICS_PATH, bearsToken } from './endpoints.ts'

interface ListenerOptions {
  host: string
  port: number
  /** Null: whoever reaches the port may read. */
  token: string | null
  log: Log
}

/** A port of its own, which processes without a web server have too, and which no proxy leads to. */
export const listenForScrapes = async (
  registry: Registry,
  { host, port, token, log }: ListenerOptions,
): Promise<Server> => {
  const answer = async (url: string, authorization: string | undefined) => {
    if (url.split('?', 1)[0] !== METRICS_PATH) return { status: 404, type: 'text/plain', text: 'Not found\n' }
    if (token !== null && !bearsToken(authorization, token)) {
      return { status: 401, type: 'text/plain', text: 'Authentication required\n' }
    }
    return { status: 200, type: registry.contentType, text: await registry.metrics() }
  }
  const server = createServer((request, response) => {
    request.resume()
    answer(request.url ?? '', request.headers.authorization).then(
      ({ status, type, text }) => response.writeHead(status, { 'content-type': type }).end(text),
      (error: unknown) => {
        log.warn(describeError(error), 'metrics could not be told')
        response.writeHead(500).end()
      },
    )
  })
  server.listen({ host, port })
  await once(server, 'listening')
  return server
}
