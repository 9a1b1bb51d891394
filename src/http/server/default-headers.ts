import type { FastifyInstance } from 'fastify'
import type { App } from '../../access/app.ts'

/** What every answer carries unless its endpoint says otherwise. */
export const defaultHeaders = ({ settings }: App) => ({
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'private, no-store',
  ...(settings.baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
})

export const addDefaultHeaders = (server: FastifyInstance, app: App) => {
  const headers = defaultHeaders(app)
  server.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers)
    done()
  })
}
