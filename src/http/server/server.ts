import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { App } from '../../access/app.ts'
import type { TrustedProxies } from '../../kernel/settings.ts'
import type { Endpoint } from '../endpoint.ts'
import { rewriteJsonSuffix } from '../negotiation.ts'
import { sendRefusal } from './answer-refusal.ts'
import { closeConnectionsOnStop } from './close-connections.ts'
import { defaultHeaders, addDefaultHeaders } from './default-headers.ts'
import { answerFromCacheOrRoute, createHttpServer, answerMalformedHttp } from './listener.ts'
import { answerMissingRoutes } from './missing-routes.ts'
import { parseBodiesAsBuffers } from './raw-bodies.ts'
import { addRequestLog } from './request-log.ts'
import { addRequestMetrics } from './request-metrics.ts'
import { registerPreflightRoute } from './cross-origin.ts'
import { registerEndpoint } from './routes.ts'
import { siteConstraint } from './site-constraint.ts'

const BODY_LIMIT = 1024 * 1024
const PARAM_LENGTH_MAX = 512

/** The transport: routes, limits, headers and logs. What an endpoint does is run-endpoint.ts. */
export const openServer = (app: App, endpoints: readonly Endpoint[]): FastifyInstance => {
  const closing = new AbortController()
  const server = Fastify({
    logger: false,
    bodyLimit: BODY_LIMIT,
    serverFactory: (route) => createHttpServer(answerFromCacheOrRoute(app, route, closing.signal)),
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    trustProxy: trustOf(app.settings.trustedProxies),
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, constraints: { site: siteConstraint(app) } },
    rewriteUrl: rewriteJsonSuffix,
    clientErrorHandler: answerMalformedHttp,
    // What the router refuses passes no hook.
    frameworkErrors: (error, request, reply) =>
      void sendRefusal(app, error, request, reply.headers(defaultHeaders(app))),
  })

  // Declared beforehand, so that every request has the same shape from the start.
  server.decorateRequest('given')
  server.decorateRequest('caller')
  parseBodiesAsBuffers(server)
  closeConnectionsOnStop(server, closing)
  for (const endpoint of endpoints) registerEndpoint(server, app, endpoint, closing.signal)
  const forAnyOrigin = endpoints.filter(({ anyOrigin }) => anyOrigin)
  for (const [path, same] of Map.groupBy(forAnyOrigin, (each) => each.path)) registerPreflightRoute(server, path, same)

  server.setErrorHandler((error, request, reply) => sendRefusal(app, error, request, reply))
  answerMissingRoutes(server, app, endpoints)
  addDefaultHeaders(server, app)
  addRequestLog(server, app)
  addRequestMetrics(server, app)
  return server
}

/** A number of hops is told as a function: a bare number Fastify takes for nothing at all. */
const trustOf = (proxies: TrustedProxies | null): NonNullable<FastifyServerOptions['trustProxy']> => {
  if (!proxies) return false
  return 'hops' in proxies ? (_address, hop) => hop < proxies.hops : proxies.networks
}
