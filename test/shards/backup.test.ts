import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { serverBackup, writeBackupFiles } from '../../src/backup/back-up-servers.ts'
import { createDatabase } from '../kit/database/database.ts'
import { restoreArchive } from '../kit/database/restore-archive.ts'
import { withClient } from '../kit/database/template.ts'
import { openTestApp, openVenueAt } from '../kit/venue/venue.ts'

const house = await openTestApp({ shards: ['two'] })
const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-test-'))

afterAll(async () => {
  await house.close()
  await rm(folder, { recursive: true, force: true })
})

test('a backup has an archive of each server, and each comes back as it was', async () => {
  const [main, two] = house.apps
  const venues = [await openVenueAt({ ...house, app: main! }), await openVenueAt({ ...house, app: two! })]
  const file = path.join(folder, 'backup.tar.gz')
  const settings = { ...main!.settings, secret: 'only for tests, and long enough for them' }
  const written = await writeBackupFiles({ ...main!, settings }, main!.database.pool.options, file)
  expect(written.map((each) => each.file)).toEqual([serverBackup(file, 'two'), file])

  for (const [n, archive] of [file, serverBackup(file, 'two')].entries()) {
    const target = await createDatabase()
    await restoreArchive(archive, null, { settings, connection: target.connection })
    const { rows } = await withClient(target.connection, (client) =>
      client.query('select a.subdomain, s.name from accounts a, shard_identity s'),
    )
    expect(rows).toEqual([{ subdomain: venues[n]!.report.account.subdomain, name: n === 0 ? 'main' : 'two' }])
    await target.drop()
  }
})
