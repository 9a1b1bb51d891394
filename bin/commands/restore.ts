import { appsOfShards } from '../../src/access/shards.ts'
import { restoreServers } from '../../src/backup/restore-servers.ts'
import { openConnection } from '../../src/database/open-connection.ts'
import { connectToShard } from '../../src/database/open-shards.ts'
import { refreshStatistics } from '../../src/database/statistics.ts'
import { openLog } from '../../src/kernel/log.ts'
import { counted, print, readFileName, settings, withApp } from '../command-line.ts'
import { run as runAudit } from './audit.ts'

export const run = async (argv: string[]) => {
  const file = readFileName('restore', argv)
  const chosen = settings()
  const { connection, close } = await openConnection(chosen, 'command', 'restore')
  try {
    const log = openLog(chosen.logLevel)
    const reports = await restoreServers(file, {
      settings: chosen,
      connection,
      connectToShard: (shard) => connectToShard(shard, log),
    })
    for (const { shard, rows, files, createdAt, filesElsewhere } of reports) {
      const where = shard === null ? '' : ` of the shard ${shard}`
      print(`Restored ${counted(rows, 'row')} and ${counted(files, 'file')}${where} of ${createdAt}.`)
      if (filesElsewhere > 0)
        print(`${counted(filesElsewhere, 'file')} are in the object store only: S3_* must lead there.`)
    }
  } finally {
    await close()
  }
  await withApp('restore', async (app) => {
    for (const { database } of appsOfShards(app)) await refreshStatistics(database)
  })
  await runAudit()
  print('The audit found nothing.')
}
