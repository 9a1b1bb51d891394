import type pg from 'pg'
import { openEmbeddedServer } from '../embedded-postgres/server.ts'
import { openLog } from '../kernel/log.ts'
import { Misconfigured, type Settings } from '../kernel/settings.ts'
import { type ConnectionToDatabase, connectTo } from './hosts.ts'
import { migrate } from './migrate.ts'

/** The way to the database, whatever is in it: the embedded server is started, and made where there is none. */
export const openConnection = async (
  settings: Settings,
  role: 'serve' | 'command',
  name: string,
): Promise<ConnectionToDatabase> => {
  const log = openLog(settings.logLevel)
  if (settings.databaseUrl) {
    return connectTo('DATABASE_URL', settings.databaseUrl, {
      onMove: (from, to) => log.warn({ from, to }, 'Another database server takes the writes now'),
    })
  }
  return openEmbeddedServer(settings.dataFolder, { role, name, onTrouble: (message) => log.warn({}, message) })
}

/** Brings it up to date. */
export const migrateOrExplain = async (connection: pg.PoolConfig, settings: Settings) => {
  try {
    await migrate(connection)
  } catch (error) {
    if (error instanceof Misconfigured || !settings.databaseUrl) throw error
    const { code, message } = error as { code?: string; message: string }
    throw new Misconfigured(`The database of DATABASE_URL does not answer: ${message || code}.`)
  }
}
