import type { App } from '../../../src/access/app.ts'
import { openBudgets } from '../../../src/access/budgets.ts'
import { directoryOf } from '../../../src/access/shards.ts'
import { openServer } from '../../../src/http/server/server.ts'
import { ENDPOINTS } from '../../../src/main.ts'
import { openOwnConnections } from './own-connections.ts'
import type { OpenApp } from './venue.ts'

/** Another process of the same installation, as far as one process can show it: it shares nothing but the database. */
export const openSecondApp = async ({ app }: Pick<OpenApp, 'app'>) => {
  const own = await openOwnConnections(app)
  const budgets = openBudgets({
    isEnabled: app.settings.rateLimits,
    clock: app.clock,
    database: directoryOf(own.app),
  })
  const second: App = { ...own.app, budgets }
  const server = openServer({ ...own.front, budgets }, ENDPOINTS)
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    app: second,
    origin,
    budgets,
    close: async () => {
      await server.close()
      await own.close()
    },
  }
}
