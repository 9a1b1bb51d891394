import type { FastifyInstance, RouteOptions } from 'fastify'
import type { App } from '../../access/app.ts'
import type { Endpoint } from '../endpoint.ts'
import { runEndpoint } from '../run-endpoint.ts'
import { addAnyOriginHeaders } from './cross-origin.ts'
import { limitBodyTime, limitUnreadBodyTime } from './raw-bodies.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    site?: 'console' | 'shop'
    /** Whether there is anything for browsers at this address; what has only JSON refuses in JSON, too. */
    hasPages?: boolean
  }
}

export const registerEndpoint = (server: FastifyInstance, app: App, endpoint: Endpoint, closing: AbortSignal) => {
  const { admit, handle } = runEndpoint(app, endpoint, closing)
  const route = {
    method: endpoint.method,
    url: endpoint.path,
    constraints: { site: endpoint.access.site },
    config: {
      site: endpoint.access.site,
      hasPages: Boolean(endpoint.undocumented || endpoint.page || endpoint.form),
    },
    ...(endpoint.bodyLimit && { bodyLimit: endpoint.bodyLimit }),
    onRequest: endpoint.anyOrigin ? [addAnyOriginHeaders, admit] : admit,
    ...(endpoint.body && { preParsing: limitBodyTime }),
    handler: handle,
  }
  if (endpoint.streams) routeApart(server, route)
  else server.route(route)
}

/** In a context of its own, where no parser touches a body. */
const routeApart = (server: FastifyInstance, route: RouteOptions) =>
  void server.register(async (apart) => {
    apart.removeAllContentTypeParsers()
    apart.addContentTypeParser('*', (_request, _payload, done) => done(null))
    apart.addHook('onResponse', (request, _reply, done) => {
      limitUnreadBodyTime(request.raw)
      done()
    })
    apart.route(route)
  })
