import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint } from '../endpoint.ts'

export const ANY_ORIGIN = { 'access-control-allow-origin': '*', 'access-control-expose-headers': 'ETag' }

/** Before access is asked, so that another site's script can read a refusal too. */
export const openToAnyOrigin = (_request: FastifyRequest, reply: FastifyReply, done: () => void) => {
  reply.headers(ANY_ORIGIN)
  done()
}

const PREFLIGHT_SECONDS = 86_400

export const answerPreflights = (server: FastifyInstance, { path, access }: Endpoint) =>
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
