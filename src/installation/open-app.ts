import { openBudgets } from '../access/budgets.ts'
import { openDirectory } from '../access/directory.ts'
import { openShardedDirectory } from '../access/sharded-directory.ts'
import { openShards } from '../access/shards.ts'
import type { App } from '../access/app.ts'
import { findBackupWarnings } from '../backup/warnings.ts'
import { openDatabase } from '../database/database.ts'
import { requireCertificateFiles } from '../database/hosts.ts'
import { migrateOrExplain, openConnection } from '../database/open-connection.ts'
import { findReplicaWarnings } from '../database/replica.ts'
import { openShardServers } from '../database/open-shards.ts'
import { systemClock } from '../kernel/clock.ts'
import { describeError, openLog } from '../kernel/log.ts'
import { openSecrets } from '../kernel/secrets.ts'
import type { Settings } from '../kernel/settings.ts'
import type { Monitoring } from '../monitoring/open-monitoring.ts'
import { issuersOfInstallation } from '../wallet/configuration/issuers.ts'

export interface OpenApp {
  app: App
  connection: ConnectionConfig
  /** From now on nobody new should be sent here. */
  markStopping(): void
  close(): Promise<void>
}

interface OpenAppOptions {
  monitoring?: Monitoring
  /** Called once the database can be reached, before anything in it is changed. */
  beforeMigrating?: () => Promise<void>
}

type ConnectionConfig = Parameters<typeof openDatabase>[0]

/** An installation with its database up to date, for the server and for every command beside it. */
export const openApp = async (
  settings: Settings,
  role: 'serve' | 'command',
  name: string,
  { monitoring, beforeMigrating = async () => {} }: OpenAppOptions = {},
): Promise<OpenApp> => {
  // Said before anything is opened: a certificate that cannot be used is a wrong setting.
  issuersOfInstallation(settings)
  if (settings.databaseReadUrl) requireCertificateFiles('DATABASE_READ_URL', settings.databaseReadUrl)
  const log = openLog(settings.logLevel)
  const secrets = openSecrets(settings)
  const { connection, close: closeConnection } = await openConnection(settings, role, name)

  try {
    await beforeMigrating()
    await migrateOrExplain(connection, settings)
  } catch (error) {
    await closeConnection()
    throw error
  }

  const options = {
    onTrouble: (error: Error) => log.warn(describeError(error), 'an idle connection to the database was lost'),
    onStatement: monitoring?.observeStatement,
  }
  const database = openDatabase(connection, {
    ...options,
    replica: settings.databaseReadUrl ? { connectionString: settings.databaseReadUrl } : null,
  })
  const needsAll = name === 'migrate'
  const servers = await openShardServers({ connection, database }, settings.shards, {
    ...options,
    log,
    needsAll,
  }).catch(async (error: unknown) => {
    await database.close()
    await closeConnection()
    throw error
  })
  const directoryOptions = {
    onTrouble: (error: Error) =>
      log.warn(describeError(error), 'the last uses of credentials could not be written down'),
  }
  let isStopping = false
  const alone: App = {
    settings,
    secrets,
    clock: systemClock,
    log,
    budgets: openBudgets({
      isEnabled: settings.rateLimits,
      clock: systemClock,
      database,
      onTrouble: (error) => log.warn(describeError(error), 'what was spent of a budget could not be given back'),
    }),
    database,
    shards: null,
    directory: servers
      ? openShardedDirectory(servers.all, servers.map, directoryOptions)
      : openDirectory(database, directoryOptions),
    findWarnings: () => findWarnings({ settings, database, clock: systemClock }),
    metrics: monitoring?.metrics ?? null,
    isStopping: () => isStopping,
  }
  const app = servers ? openShards(alone, servers.all, servers.map) : alone

  return {
    app,
    connection,
    markStopping: () => {
      isStopping = true
    },
    close: async () => {
      await recordLastUses(app)
      await servers?.close()
      await database.close()
      await closeConnection()
    },
  }
}

/** Everything that is not yet a fault but will become one. */
export const findWarnings = async (app: Pick<App, 'settings' | 'database' | 'clock'>): Promise<string[]> => [
  ...(await findBackupWarnings(app)),
  ...findReplicaWarnings(app.database.replica),
]

/** A database that is gone already is no reason not to stop. */
const recordLastUses = async ({ directory, log }: App) => {
  try {
    await directory.recordUses()
  } catch (error) {
    log.warn(describeError(error), 'the last uses of credentials could not be written down')
  }
}
