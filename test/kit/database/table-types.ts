import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describeTables } from './generate-table-types.ts'
import { migrate } from '../../../src/database/migrate.ts'
import { startCluster } from './cluster.ts'
import { withClient } from './template.ts'

const FILE = path.join(import.meta.dirname, '../../../src/database/table-types.ts')

/** Writes src/database/table-types.ts from the migrations (--write), or says whether it is current (--check). */
const cluster = await startCluster()
try {
  const connection = { host: cluster.host, user: cluster.user, database: 'postgres' }
  await migrate(connection)
  const text = await withClient(connection, describeTables)

  if (process.argv.includes('--write')) await writeFile(FILE, text)
  else if ((await readFile(FILE, 'utf8')) !== text) {
    console.error('src/database/table-types.ts is not what the migrations say; write it again with --write.')
    process.exitCode = 1
  }
} finally {
  await cluster.stop()
}
