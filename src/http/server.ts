import { type IncomingMessage, type RequestListener, STATUS_CODES, createServer } from 'node:http'
import type { Socket } from 'node:net'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  type RequestPayload,
  type RouteOptions,
} from 'fastify'
import { siteWithoutLookup, siteOf } from '../access/shop-address.ts'
import type { App } from '../access/app.ts'
import { NotFound, Refusal } from '../kernel/refusals.ts'
import type { TrustedProxies } from '../kernel/settings.ts'
import type { Endpoint } from './endpoint.ts'
import { preferenceOf, withoutSuffix } from './negotiation.ts'
import { refusalPage } from './refusal-page.ts'
import { refuse, shapeOf } from './refuse.ts'
import { answerFromCache } from './response-cache.ts'
import { runEndpoint } from './run-endpoint.ts'

export const BODY_LIMIT = 1024 * 1024
const PARAM_LENGTH_MAX = 512
const HEADERS_MS = 10_000
/** Long enough for the largest upload over a phone's connection. */
const REQUEST_MS = 300_000
const KEEP_ALIVE_MS = 72_000
const BODY_MS = 30_000
const UNREAD_MS = 2_000
/** Whoever neither says nor takes anything for so long, in the middle of a request or an answer, has left. */
const SILENT_MS = 60_000
/** How often Node looks for requests that took too long. */
const LOOK_EVERY_MS = 5_000

class MethodNotAllowed extends Refusal {
  readonly status = 405
  constructor() {
    super({ base: ['Method not allowed'] })
  }
}

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
  tellClosing(server, closing)
  for (const endpoint of endpoints) register(server, app, endpoint, closing.signal)

  server.setErrorHandler((error, request, reply) => answerRefusal(app, error, request, reply))
  const methodsAt = methodsByPath(endpoints)
  server.setNotFoundHandler(async (request, reply) => {
    const site = await siteOf(app, request.headers.host ?? '')
    const allowed = methodsAt(site, pathOf(request))
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    if (allowed.length > 0 && request.method === 'OPTIONS') return reply.code(204).send()
    return answerRefusal(app, allowed.length > 0 ? new MethodNotAllowed() : new NotFound(), request, reply)
  })
  addHeaders(server, app)
  addRequestLog(server, app)
  return server
}

/** A number of hops is told as a function: a bare number Fastify takes for nothing at all. */
const trustOf = (proxies: TrustedProxies | null): NonNullable<FastifyServerOptions['trustProxy']> => {
  if (!proxies) return false
  return 'hops' in proxies ? (_address, hop) => hop < proxies.hops : proxies.networks
}

/** A shop's feed is asked for by whole crowds at once; most of them get what the one before them got. */
const answerOrPassOn =
  (app: App, route: RequestListener, closing: AbortSignal): RequestListener =>
  (request, response) => {
    if (hasSeveralHosts(request)) {
      response.writeHead(400, { ...headersOfAll(app), 'content-type': 'application/json; charset=utf-8' })
      response.end(JSON.stringify({ errors: { base: ['The request names more than one Host'] } }))
      return
    }
    const startedAt = performance.now()
    const repeated = closing.aborted ? null : answerFromCache(app, request, response)
    if (!repeated) route(request, response)
    else if (app.log.isVerbose) logRequest(app, { method: 'GET', ...repeated, ms: performance.now() - startedAt })
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

const listenFor = (answer: RequestListener) =>
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
const answerUnreadable = (error: NodeJS.ErrnoException, socket: Socket) => {
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

type Strategy = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>[string]
type Handler = ReturnType<ReturnType<Strategy['storage']>['get']>

/** A shop's Host serves the shop and nothing of the console, and the other way round. */
const siteConstraint = (app: App): Strategy => ({
  name: 'site',
  storage: () => {
    const handlers = new Map<unknown, Handler>()
    return {
      get: (site) => handlers.get(site) ?? null,
      set: (site, handler) => void handlers.set(site, handler),
    }
  },
  validate: () => true,
  deriveConstraint: deriveSite(app),
  mustMatchWhenDerived: true,
})

/** The router takes a third argument for look-ups that wait; its types do not know. */
const deriveSite = (app: App) =>
  ((request: IncomingMessage, _context: unknown, done: (error: Error | null, site?: string) => void) => {
    const host = request.headers.host ?? ''
    const site = siteWithoutLookup(app, host)
    if (site) done(null, site)
    else siteOf(app, host).then((found) => done(null, found), done)
  }) as unknown as Strategy['deriveConstraint']

/** Bodies stay bytes until access and path have been judged: a stranger's malformed JSON is still a stranger's. */
const takeRawBodies = (server: FastifyInstance) => {
  server.removeAllContentTypeParsers()
  for (const type of ['application/json', 'application/x-www-form-urlencoded']) {
    server.addContentTypeParser(type, { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
  }
}

const register = (server: FastifyInstance, app: App, endpoint: Endpoint, closing: AbortSignal) => {
  const { admit, handle } = runEndpoint(app, endpoint, closing)
  const route = {
    method: endpoint.method,
    url: endpoint.path,
    constraints: { site: endpoint.access.site },
    config: { site: endpoint.access.site },
    ...(endpoint.bodyLimit && { bodyLimit: endpoint.bodyLimit }),
    onRequest: endpoint.anyOrigin ? [openToAnyOrigin, admit] : admit,
    ...(endpoint.body && { preParsing: limitBodyTime }),
    handler: handle,
  }
  if (endpoint.anyOrigin) answerPreflights(server, endpoint)
  if (endpoint.streams) routeApart(server, route)
  else server.route(route)
}

/** In a context of its own, where no parser touches a body. */
const routeApart = (server: FastifyInstance, route: RouteOptions) =>
  void server.register(async (apart) => {
    apart.removeAllContentTypeParsers()
    apart.addContentTypeParser('*', (_request, _payload, done) => done(null))
    apart.addHook('onResponse', (request, _reply, done) => {
      cutOffUnlessRead(request.raw)
      done()
    })
    apart.route(route)
  })

const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' }

/** Before access is asked, so that another site's script can read a refusal too. */
const openToAnyOrigin = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  reply.headers(ANY_ORIGIN)
  done()
}

const PREFLIGHT_SECONDS = 86_400

const answerPreflights = (server: FastifyInstance, { path, access }: Endpoint) =>
  server.route({
    method: 'OPTIONS',
    url: path,
    constraints: { site: access.site },
    config: { site: access.site },
    handler: (request, reply) => {
      const asked = request.headers['access-control-request-headers']
      return reply
        .code(204)
        .headers({
          ...ANY_ORIGIN,
          allow: 'GET, HEAD, OPTIONS',
          'access-control-allow-methods': 'GET, HEAD, OPTIONS',
          'access-control-max-age': String(PREFLIGHT_SECONDS),
          vary: 'Access-Control-Request-Headers',
          ...(asked && /^[\w\s,-]{1,500}$/.test(asked) && { 'access-control-allow-headers': asked }),
        })
        .send()
    },
  })

/** Fires when the server is about to stop. It would wait for connections that Node does not take for idle. */
const tellClosing = (server: FastifyInstance, closing: AbortController) => {
  const silent = new Set<Socket>()
  server.server.on('connection', (socket: Socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  server.server.on('request', ({ socket }: IncomingMessage) => silent.delete(socket))
  server.addHook('preClose', async () => {
    closing.abort()
    for (const socket of silent) socket.destroy()
  })
  server.addHook('onResponse', (request, _reply, done) => {
    if (closing.signal.aborted) request.raw.socket.end()
    done()
  })
}

/** Uploads take as long as they take; anything else is said within half a minute, or not at all. */
const limitBodyTime = (request: FastifyRequest, _reply: FastifyReply, payload: RequestPayload, done: PayloadTaken) => {
  if (request.headers['content-length'] !== '0') {
    const cut = setTimeout(() => request.raw.destroy(), BODY_MS)
    request.raw.once('close', () => clearTimeout(cut))
    request.raw.once('end', () => clearTimeout(cut))
  }
  done(null, payload)
}

type PayloadTaken = (error: Error | null, payload: RequestPayload) => void

/** Whoever is answered before their body was read may finish saying it, but not for ever. */
const cutOffUnlessRead = (request: IncomingMessage) => {
  if (request.complete) return
  const cut = setTimeout(() => request.destroy(), UNREAD_MS)
  request.once('close', () => clearTimeout(cut))
  // Node reads the rest by itself only where nobody has begun to.
  request.resume()
}

/** What an address can be asked to do. Where something can be read, so can its headers alone; every address tells this. */
const methodsByPath = (endpoints: readonly Endpoint[]) => {
  const offered = endpoints.filter((each) => !each.isMethodRefused)
  const known = offered.map(({ method, path, access }) => ({
    method,
    site: access.site,
    pattern: new RegExp(`^${path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace(/:[a-z_]+/g, '[^/]+')}$`),
  }))
  return (site: string, path: string) => {
    const methods = new Set<string>(
      known.filter((each) => each.site === site && each.pattern.test(path)).map((each) => each.method),
    )
    if (methods.has('GET')) methods.add('HEAD')
    return methods.size > 0 ? [...methods, 'OPTIONS'] : []
  }
}

const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0]!

const answerRefusal = async (app: App, error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  // An error of the look-up that chose the route stands behind the router's own.
  const cause = (error as { code?: string }).code === 'FST_ERR_ASYNC_CONSTRAINT' ? (error as Error).cause : undefined
  // Who is gone is told nothing, and nothing was wrong here: their broken line looks like that of a database.
  if (request.raw.errored && error === request.raw.errored) return reply.code(400).send()
  const known = request.routeOptions.config?.site
  // A Host that cannot be looked up just now is answered as the console's.
  const site = known ?? (await siteOf(app, request.headers.host ?? '').catch(() => 'console' as const))
  if (!known && site === 'shop') reply.headers(ANY_ORIGIN)
  const { status, headers, body, sentence } = refuse(cause ?? error, shapeOf(site, pathOf(request)), app.log)
  reply.code(status).headers(headers)
  if (site === 'shop' && preferenceOf(request.raw) === 'html') {
    const page = refusalPage(status, sentence)
    return reply.headers(page.headers).type('text/html; charset=utf-8').send(page.html)
  }
  return reply.type('application/json; charset=utf-8').send(body)
}

declare module 'fastify' {
  interface FastifyContextConfig {
    site?: 'console' | 'shop'
  }
}

/** What every answer carries unless its endpoint says otherwise. */
const headersOfAll = ({ settings }: App) => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
  ...(settings.baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
})

const addHeaders = (server: FastifyInstance, app: App) => {
  const headers = headersOfAll(app)
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}

/** The pattern of the route and never the address itself: an address may carry a token. */
const addRequestLog = (server: FastifyInstance, app: App) => {
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

const logRequest = ({ log }: App, line: RequestLine) =>
  log.info({ ...line, ms: Math.round(line.ms * 10) / 10 }, 'request')
