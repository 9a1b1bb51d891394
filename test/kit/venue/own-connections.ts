import type { App } from '../../../src/access/app.ts'
import { openDirectory } from '../../../src/access/directory.ts'
import { openShardedDirectory } from '../../../src/access/sharded-directory.ts'
import { openShards } from '../../../src/access/shards.ts'
import { type Database, openDatabase } from '../../../src/database/database.ts'
import { openShardServers } from '../../../src/database/open-shards.ts'

export interface OwnConnections {
  /** On the same server as the app that was given. */
  app: App
  /** What requests come to: the app of the directory. */
  front: App
  close(): Promise<void>
}

/** The same installation over connections of its own, to each of its servers. */
export const openOwnConnections = async (
  app: App,
  prepare: (database: Database) => void = () => {},
): Promise<OwnConnections> => {
  if (!app.shards) {
    const { options } = app.database.pool
    const database = openDatabase({ ...options, password: options.password })
    prepare(database)
    const own = { ...app, database, directory: openDirectory(database) }
    return { app: own, front: own, close: () => database.close() }
  }

  const [main, ...others] = app.shards.all
  const database = openDatabase(main!.connection)
  const wanted = others.map(({ name, connection }) => ({ name, url: connection.connectionString! }))
  const opened = (await openShardServers({ connection: main!.connection, database }, wanted, {
    log: app.log,
    needsAll: true,
  }))!
  for (const shard of opened.all) prepare(shard.database)
  const directory = openShardedDirectory(opened.all, opened.map)
  const front = openShards({ ...app, database, directory }, opened.all, opened.map)
  const n = app.shards.all.findIndex((shard) => shard.database === app.database)
  return {
    app: front.shards!.appOn(opened.all[n]!),
    front,
    close: async () => {
      await opened.close()
      await database.close()
    },
  }
}
