import type { FastifyReply, FastifyRequest } from 'fastify'
import type { App } from '../../access/app.ts'
import { shopOfHost, siteOfHost } from '../../access/shop-address.ts'
import { FALLBACK_LANGUAGE, type Language } from '../../languages/rules.ts'
import { preferredFormatOf } from '../negotiation.ts'
import { refusalPage } from '../refusal-page.ts'
import { refusedAnswerOf, refusalShapeOf } from '../refuse.ts'
import { languageOfRequest, preferredLanguage } from '../request-language.ts'
import { ANY_ORIGIN_HEADERS } from './cross-origin.ts'

export const pathWithoutQuery = (request: FastifyRequest) => request.url.split('?', 1)[0]!

export const sendRefusal = async (app: App, error: unknown, request: FastifyRequest, reply: FastifyReply) => {
  // An error of the look-up that chose the route stands behind the router's own.
  const cause = (error as { code?: string }).code === 'FST_ERR_ASYNC_CONSTRAINT' ? (error as Error).cause : undefined
  // Who is gone is told nothing, and nothing was wrong here: their broken line looks like that of a database.
  if (request.raw.errored && error === request.raw.errored) return reply.code(400).send()
  const { site: known, hasPages = true } = request.routeOptions.config ?? {}
  // A Host that cannot be looked up just now is answered as the console's.
  const site = known ?? (await siteOfHost(app, request.headers.host ?? '').catch(() => 'console' as const))
  if (!known && site === 'shop') reply.headers(ANY_ORIGIN_HEADERS)
  const { status, headers, body, sentence } = refusedAnswerOf(
    cause ?? error,
    refusalShapeOf(site, pathWithoutQuery(request)),
    app.log,
    { route: request.routeOptions.url, account: request.caller?.account.id },
  )
  reply.code(status).headers(headers)
  if (site === 'shop' && hasPages && preferredFormatOf(request.raw) === 'html') {
    const page = refusalPage(status, sentence, await languageFor(app, request, status))
    return reply.headers(page.headers).type('text/html; charset=utf-8').send(page.html)
  }
  return reply.type('application/json; charset=utf-8').send(body)
}

/** While the database cannot be asked, nobody waits for it to hear so in the language of the shop. */
const languageFor = async (app: App, { headers }: FastifyRequest, status: number): Promise<Language> => {
  if (status >= 500) return preferredLanguage(headers['accept-language']) ?? FALLBACK_LANGUAGE
  const shop = await Promise.resolve(shopOfHost(app, headers.host ?? '')).catch(() => null)
  return languageOfRequest(shop?.account ?? null, headers)
}
