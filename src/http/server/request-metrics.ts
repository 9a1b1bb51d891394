import type { FastifyInstance } from 'fastify'
import type { App } from '../../access/app.ts'

/** By the pattern of the route, of which there are so many and no more, whatever addresses are asked for. */
export const addRequestMetrics = (server: FastifyInstance, { metrics }: App) => {
  if (!metrics) return
  server.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url
    metrics.countRequest(route ? request.method : 'any', route ?? 'none', reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
}
