import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../endpoint.ts'

export const ANY_ORIGIN_HEADERS = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' }

/** Before access is asked, so that another site's script can read a refusal too. */
export const addAnyOriginHeaders = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  reply.headers(ANY_ORIGIN_HEADERS)
  done()
}

const PREFLIGHT_SECONDS = 86_400

/** One answer for all methods of an address that other sites may use. */
export const registerPreflightRoute = (server: FastifyInstance, path: string, endpoints: readonly Endpoint[]) => {
  const { access } = endpoints[0]!
  const methods = [...new Set(endpoints.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])))]
  const allowed = [...methods, 'OPTIONS'].join(', ')
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
          ...ANY_ORIGIN_HEADERS,
          allow: allowed,
          'access-control-allow-methods': allowed,
          'access-control-max-age': String(PREFLIGHT_SECONDS),
          vary: 'Access-Control-Request-Headers',
          ...(asked && /^[\w\s,-]{1,500}$/.test(asked) && { 'access-control-allow-headers': asked }),
        })
        .send()
    },
  })
}
