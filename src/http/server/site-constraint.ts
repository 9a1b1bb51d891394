import type { IncomingMessage } from 'node:http'
import type { FastifyServerOptions } from 'fastify'
import type { App } from '../../access/app.ts'
import { siteOfHostWithoutLookup, siteOfHost } from '../../access/shop-address.ts'

type Strategy = NonNullable<NonNullable<FastifyServerOptions['routerOptions']>['constraints']>[string]

type Handler = ReturnType<ReturnType<Strategy['storage']>['get']>

/** A shop's Host serves the shop and nothing of the console, and the other way round. */
export const siteConstraint = (app: App): Strategy => ({
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
    const site = siteOfHostWithoutLookup(app, host)
    if (site) done(null, site)
    else siteOfHost(app, host).then((found) => done(null, found), done)
  }) as unknown as Strategy['deriveConstraint']
