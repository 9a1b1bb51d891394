import { rm } from 'node:fs/promises'
import pg from 'pg'
import { inject } from 'vitest'
import { type ClonedDatabase, cloneDatabase } from './database.ts'
import { databaseFolder } from './folders.ts'
import { type TcpProxy, openTcpProxy } from '../network/tcp-proxy.ts'

/** A wire to the database server of this run. */
export const openDatabaseWire = (): Promise<TcpProxy> =>
  openTcpProxy({ path: `${inject('postgres').host}/.s.PGSQL.5432` })

/**
 * A database at the far end of a wire, for Foyer as a process; the test itself reaches it without the wire. With
 * FOYER_TEST_SHARDS there is a second one at the same wire: accounts are loaded there (foyer-process.ts), and looked for there.
 */
export const openFarDatabase = async (name: string) => {
  const folder = await databaseFolder(name)
  const clones = [await cloneDatabase()]
  if (process.env['FOYER_TEST_SHARDS']) clones.push(await cloneDatabase())
  const [main, second] = clones
  const proxy = await openDatabaseWire()
  const beside = new pg.Client(clones.at(-1)!.connection)
  await beside.connect()
  const urlOf = ({ connection: { user, database } }: ClonedDatabase, { port }: TcpProxy) =>
    `postgres://${user}@127.0.0.1:${port}/${database}`
  const urlAt = (wire: TcpProxy) => urlOf(main!, wire)

  return {
    proxy,
    beside,
    urlAt,
    environment: {
      FOYER_DATA: folder,
      FOYER_RATE_LIMITS: 'off',
      DATABASE_URL: urlAt(proxy),
      ...(second && { FOYER_SHARDS: `two=${urlOf(second, proxy)}` }),
    } as Record<string, string>,
    close: async () => {
      await beside.end()
      await proxy.close()
      for (const clone of clones) await clone.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
