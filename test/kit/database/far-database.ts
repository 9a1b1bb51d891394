import { rm } from 'node:fs/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { cloneDatabase } from './database.ts'
import { databaseFolder } from './folders.ts'
import { type TcpProxy, openTcpProxy } from '../network/tcp-proxy.ts'

/** A wire to the database server of this run. */
export const openDatabaseWire = (): Promise<TcpProxy> =>
  openTcpProxy({ path: `${inject('postgres').host}/.s.PGSQL.5432` })

/** A database at the far end of a wire, for Foyer as a process; the test itself reaches it without the wire. */
export const openFarDatabase = async (name: string) => {
  const folder = await databaseFolder(name)
  const clone = await cloneDatabase()
  const proxy = await openDatabaseWire()
  const beside = new pg.Client(clone.connection)
  await beside.connect()
  const urlAt = ({ port }: TcpProxy) =>
    `postgres://${clone.connection.user}@127.0.0.1:${port}/${clone.connection.database}`

  return {
    proxy,
    beside,
    urlAt,
    environment: { FOYER_DATA: folder, FOYER_RATE_LIMITS: 'off', DATABASE_URL: urlAt(proxy) } as Record<string, string>,
    close: async () => {
      await beside.end()
      await proxy.close()
      await clone.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
