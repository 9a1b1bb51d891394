import type pg from 'pg'
import type { ConnectionToDatabase } from '../database/hosts.ts'
import type { Settings } from '../kernel/settings.ts'
import { MAIN_SHARD, type ShardSettings } from '../kernel/shard-settings.ts'
import { FileFault } from '../loading/fault.ts'
import { serverBackup } from './back-up-servers.ts'
import { type RestoredCompany, findRestoredCompany } from './records.ts'
import { type LoadedArchive, type RestoreReport, loadArchive } from './restore.ts'

interface ServersToRestore {
  settings: Settings
  connection: pg.PoolConfig
  /** The way to a further server. */
  connectToShard: (shard: ShardSettings) => ConnectionToDatabase
}

export interface ServerReport extends RestoreReport {
  /** Null for the first one. */
  shard: string | null
}

/**
 * Brings the archives of all servers back, all of them or none: their rows are in place, and found to be of one backup,
 * before the first of them commits. A further server that the backup did not know begins empty.
 */
export const restoreServers = async (file: string, target: ServersToRestore): Promise<ServerReport[]> => {
  const { settings, connection, connectToShard } = target
  const loaded: (LoadedArchive & { shard: string | null })[] = []
  const ways: ConnectionToDatabase[] = []
  const load = async (shard: string | null, archive: string, to: pg.PoolConfig) => {
    const one = { shard, ...(await loadArchive(archive, settings.backupPassphrase, { settings, connection: to })) }
    loaded.push(one)
    return one
  }
  try {
    const main = await load(null, file, connection)
    const company = await findRestoredCompany(main.client)
    refuseUnnamed(file, company, settings.shards)
    for (const shard of settings.shards.filter(({ name }) => company?.shards.includes(name))) {
      const archive = serverBackup(file, shard.name)
      const way = connectToShard(shard)
      ways.push(way)
      const one = await load(shard.name, archive, way.connection)
      const own = await findRestoredCompany(one.client)
      const isOfIt = own?.directoryId === company!.directoryId && own.name === shard.name
      if (!isOfIt || one.report.createdAt !== main.report.createdAt) {
        throw new FileFault(`The archive ${archive} is not of the same backup as ${file}.`)
      }
    }
    // The first one last: until then nothing leads to the others.
    for (const { client } of loaded.toReversed()) await client.query('commit')
    return loaded.map(({ shard, report }) => ({ shard, ...report }))
  } finally {
    for (const { client } of loaded) await client.end()
    for (const way of ways) await way.close()
  }
}

const refuseUnnamed = (file: string, company: RestoredCompany | null, wanted: readonly ShardSettings[]) => {
  if (!company) return
  if (company.name !== MAIN_SHARD) {
    throw new FileFault(
      `The archive ${file} is that of the shard "${company.name}"; give the one of the first server, beside which it lies.`,
    )
  }
  const missing = company.inhabited.filter((shard) => !wanted.some(({ name }) => name === shard))
  if (missing.length === 0) return
  throw new FileFault(
    `The backup has accounts on the shards ${missing.join(', ')}, which FOYER_SHARDS does not name. Give each an empty database, be it beside the first; accounts can be moved from there.`,
  )
}
