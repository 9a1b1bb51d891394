import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import type { App } from '../../access/app.ts'
import type { TrustedProxies } from '../../kernel/settings.ts'
import type { Endpoint } from '../endpoint.ts'
import { withoutSuffix } from '../negotiation.ts'
import { answerRefusal } from './answer-refusal.ts'
import { closeConnections } from './close-connections.ts'
import { headersOfAll, addHeaders } from './default-headers.ts'
import { answerOrPassOn, listenFor, answerUnreadable } from './listener.ts'
import { answerMissingRoutes } from './missing-routes.ts'
import { takeRawBodies } from './raw-bodies.ts'
import { addRequestLog } from './request-log.ts'
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
    serverFactory: (route) => listenFor(answerOrPassOn(app, route, closing.signal)),
    forceCloseConnections: 'idle',
    return503OnClosing: true,
    trustProxy: trustOf(app.settings.trustedProxies),
    exposeHeadRoutes: true,
    routerOptions: { maxParamLength: PARAM_LENGTH_MAX, constraints: { site: siteConstraint(app) } },
    rewriteUrl: withoutSuffix,
    clientErrorHandler: answerUnreadable,
    // What the router refuses passes no hook.
    frameworkErrors: (error, request, reply) =>
      void answerRefusal(app, error, request, reply.headers(headersOfAll(app))),
  })

  // Declared beforehand, so that every request has the same shape from the start.
  server.decorateRequest('given')
  server.decorateRequest('caller')
  takeRawBodies(server)
  closeConnections(server, closing)
  for (const endpoint of endpoints) registerEndpoint(server, app, endpoint, closing.signal)

  server.setErrorHandler((error, request, reply) => answerRefusal(app, error, request, reply))
  answerMissingRoutes(server, app, endpoints)
  addHeaders(server, app)
  addRequestLog(server, app)
  return server
}

/** A number of hops is told as a function: a bare number Fastify takes for nothing at all. */
const trustOf = (proxies: TrustedProxies | null): NonNullable<FastifyServerOptions['trustProxy']> => {
  if (!proxies) return false
  return 'hops' in proxies ? (_address, hop) => hop < proxies.hops : proxies.networks
}
