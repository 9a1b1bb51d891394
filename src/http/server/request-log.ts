import type { FastifyInstance } from 'fastify'
import type { App } from '../../access/app.ts'

/** The pattern of the route and never the address itself: an address may carry a token. */
export const addRequestLog = (server: FastifyInstance, app: App) => {
  if (!app.log.isVerbose) return
  server.addHook('onResponse', (request, reply, done) => {
    const { method, caller, routeOptions } = request
    logRequest(app, {
      method,
      route: routeOptions.url ?? 'none',
      status: reply.statusCode,
      ms: reply.elapsedTime,
      ...(caller && { account: caller.account.id, credential: caller.credential.id }),
    })
    done()
  })
}

interface RequestLine {
  method: string
  route: string
  status: number
  ms: number
  account?: number
  credential?: number
}

export const logRequest = ({ log }: App, line: RequestLine) =>
  log.info({ ...line, ms: Math.round(line.ms * 10) / 10 }, 'request')
