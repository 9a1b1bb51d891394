import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../access/app.ts'
import { siteOf } from '../../access/shop-address.ts'
import { preferenceOf } from '../negotiation.ts'
import { refusalPage } from '../refusal-page.ts'
import { refuse, refusalShapeOf } from '../refuse.ts'
import { ANY_ORIGIN } from './cross-origin.ts'

export const pathOf = (request: FastifyRequest) => request.url.split('?', 1)[0]!

export const answerRefusal = async (app: App, error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  // An error of the look-up that chose the route stands behind the router's own.
  const cause = (error as { code?: string }).code === 'FST_ERR_ASYNC_CONSTRAINT' ? (error as Error).cause : undefined
  // Who is gone is told nothing, and nothing was wrong here: their broken line looks like that of a database.
  if (request.raw.errored && error === request.raw.errored) return reply.code(400).send()
  const known = request.routeOptions.config?.site
  // A Host that cannot be looked up just now is answered as the console's.
  const site = known ?? (await siteOf(app, request.headers.host ?? '').catch(() => 'console' as const))
  if (!known && site === 'shop') reply.headers(ANY_ORIGIN)
  const { status, headers, body, sentence } = refuse(cause ?? error, refusalShapeOf(site, pathOf(request)), app.log)
  reply.code(status).headers(headers)
  if (site === 'shop' && preferenceOf(request.raw) === 'html') {
    const page = refusalPage(status, sentence)
    return reply.headers(page.headers).type('text/html; charset=utf-8').send(page.html)
  }
  return reply.type('application/json; charset=utf-8').send(body)
}
