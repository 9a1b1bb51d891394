import type { FastifyInstance } from 'fastify'
import type { App } from '../../access/app.ts'
import { siteOfHost } from '../../access/shop-address.ts'
import { NotFound, Refusal } from '../../kernel/refusals.ts'
import type { Endpoint } from '../endpoint.ts'
import { sendRefusal, pathWithoutQuery } from './answer-refusal.ts'

class MethodNotAllowed extends Refusal {
  readonly status = 405
  constructor() {
    super({ base: ['Method not allowed'] })
  }
}

export const answerMissingRoutes = (server: FastifyInstance, app: App, endpoints: readonly Endpoint[]) => {
  const methodsAt = methodsByPath(endpoints)
  server.setNotFoundHandler(async (request, reply) => {
    const site = await siteOfHost(app, request.headers.host ?? '')
    const allowed = methodsAt(site, pathWithoutQuery(request))
    if (allowed.length > 0) reply.header('allow', allowed.join(', '))
    if (allowed.length > 0 && request.method === 'OPTIONS') return reply.code(204).send()
    return sendRefusal(app, allowed.length > 0 ? new MethodNotAllowed() : new NotFound(), request, reply)
  })
}

/** What an address can be asked to do. Where something can be read, so can its headers alone; every address tells this. */
const methodsByPath = (endpoints: readonly Endpoint[]) => {
  const offered = endpoints.filter((each) => !each.isMethodRefused)
  const known = offered.map(({ method, path, access }) => ({
    method,
    site: access.site,
    pattern: patternOf(path),
  }))
  return (site: string, path: string) => {
    const methods = new Set<string>(
      known.filter((each) => each.site === site && each.pattern.test(path)).map((each) => each.method),
    )
    if (methods.has('GET')) methods.add('HEAD')
    return methods.size > 0 ? [...methods, 'OPTIONS'] : []
  }
}

/** A part that is named stands for anything without a slash, an asterisk at the end for anything at all. */
const patternOf = (path: string) => {
  const exact = path.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${exact.replace(/:[a-z_]+/g, '[^/]+').replace(/\\\*$/, '.*')}$`)
}
