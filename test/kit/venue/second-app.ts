import type { App } from '../../../src/access/app.ts'
import { openBudgets } from '../../../src/access/budgets.ts'
import { openDirectory } from '../../../src/access/directory.ts'
import { openDatabase } from '../../../src/database/database.ts'
import { openServer } from '../../../src/http/server/server.ts'
import { ENDPOINTS } from '../../../src/main.ts'
import type { OpenApp } from './venue.ts'

/** Another process of the same installation, as far as one process can show it: it shares nothing but the database. */
export const openSecondApp = async ({ app }: Pick<OpenApp, 'app'>) => {
  const database = openDatabase(app.database.pool.options)
  const budgets = openBudgets({ isEnabled: app.settings.rateLimits, clock: app.clock, database })
  const second: App = { ...app, database, budgets, directory: openDirectory(database) }
  const server = openServer(second, ENDPOINTS)
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  return {
    app: second,
    origin,
    budgets,
    close: async () => {
      await server.close()
      await database.close()
    },
  }
}
