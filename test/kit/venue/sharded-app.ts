import pg from 'pg'
import type { App } from '../../../src/access/app.ts'
import { openShardedDirectory } from '../../../src/access/sharded-directory.ts'
import { appsOfShards, openShards } from '../../../src/access/shards.ts'
import { openShardServers } from '../../../src/database/open-shards.ts'
import { type ClonedDatabase, cloneDatabase } from '../database/database.ts'
import { openDatabaseWire } from '../database/far-database.ts'
import type { TcpProxy } from '../network/tcp-proxy.ts'

/** A further server, as far as one machine can show it: a database of its own behind a wire of its own. */
export interface FurtherServer {
  name: string
  url: string
  wire: TcpProxy
  clone: ClonedDatabase
  /** Reaches it without the wire. */
  beside: pg.Pool
  close(): Promise<void>
}

export const openFurtherServer = async (name: string): Promise<FurtherServer> => {
  const clone = await cloneDatabase()
  const wire = await openDatabaseWire()
  const beside = new pg.Pool({ ...clone.connection, max: 3 })
  beside.on('error', () => {})
  return {
    name,
    url: `postgres://${clone.connection.user}@127.0.0.1:${wire.port}/${clone.connection.database}`,
    wire,
    clone,
    beside,
    close: async () => {
      await beside.end()
      await wire.close()
      await clone.drop()
    },
  }
}

/** The same app with accounts on further servers too; what it answers with is the app of the directory. */
export const spreadOver = async (app: App, connection: pg.PoolConfig, servers: readonly FurtherServer[]) => {
  const wanted = servers.map(({ name, url }) => ({ name, url }))
  const opened = (await openShardServers({ connection, database: app.database }, wanted, {
    log: app.log,
    needsAll: false,
  }))!
  const directory = openShardedDirectory(opened.all, opened.map)
  const spread = openShards({ ...app, directory }, opened.all, opened.map)
  return { app: spread, apps: appsOfShards(spread), close: opened.close }
}
