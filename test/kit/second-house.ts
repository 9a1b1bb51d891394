import { openBudgets } from '../../src/access/budgets.ts'
import { openDirectory } from '../../src/access/directory.ts'
import { openDatabase } from '../../src/database/database.ts'
import { openServer } from '../../src/http/server.ts'
import { ENDPOINTS } from '../../src/main.ts'
import type { OpenHouse } from '../venue.ts'

/** Another process of the same installation, as far as one process can show it: it shares nothing but the database. */
export const openSecondHouse = async ({ house }: Pick<OpenHouse, 'house'>) => {
  const database = openDatabase(house.database.pool.options)
  const budgets = openBudgets({ isEnabled: house.settings.rateLimits, clock: house.clock, database })
  const app = openServer({ ...house, database, budgets, directory: openDirectory(database) }, ENDPOINTS)
  const origin = await app.listen({ port: 0, host: '127.0.0.1' })
  return {
    origin,
    budgets,
    close: async () => {
      await app.close()
      await database.close()
    },
  }
}
