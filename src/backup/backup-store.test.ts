import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import S3rver from '@20minutes/s3rver'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDatabase } from '../../test/kit/database/database.ts'
import { type OpenApp, openTestApp } from '../../test/kit/venue/venue.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'
import { openObjectStoreClient } from '../files/object-store-client.ts'
import { type ObjectStoreSettings, readSettings } from '../kernel/settings.ts'
import { openBackupStore } from './backup-store.ts'
import { makeDailyBackup } from './jobs.ts'
import { restoreArchive } from '../../test/kit/database/restore-archive.ts'

let folder: string
let store: S3rver
let running: OpenApp
let settings: ObjectStoreSettings

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-backups-'))
  store = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: folder,
    configureBuckets: ['foyer', 'safe'].map((name) => ({ name, configs: [] })),
  })
  const { port } = await store.run()
  running = await openTestApp({
    environment: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: 'foyer',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
      FOYER_BACKUP: 'daily:2',
      FOYER_BACKUP_FOLDER: 's3://safe/neue-halle',
    },
  })
  settings = running.app.settings.backup!.store!
  await openVenueIn(running)
})

afterAll(async () => {
  await running.close()
  await store.close()
  await rm(folder, { recursive: true, force: true })
})

const runJob = () =>
  makeDailyBackup.run({}, {
    context: { app: running.app, mailer: null! },
    log: running.app.log,
  } as unknown as Parameters<typeof makeDailyBackup.run>[1])

test('a backup a day goes into the bucket, the newest are kept, and it can be restored', async () => {
  const client = openObjectStoreClient(settings)
  await client.put('neue-halle/notes.txt', 4, Readable.from([Buffer.from('mine')]))
  for (let day = 0; day < 3; day++) {
    await runJob()
    await running.moveClock('24 hours')
  }
  const names = await openBackupStore(settings, 'neue-halle').list()
  const archives = (server: string) => names.filter((name) => new RegExp(`^${server}foyer-.*\\.tar\\.gz$`).test(name))
  const servers = ['', ...running.furtherServers.map(({ name }) => `${name}/`)]
  for (const server of servers) expect(archives(server)).toHaveLength(2)
  expect(names.toSorted()).toEqual([...servers.flatMap(archives), 'notes.txt'].toSorted())
  expect(await readdir(running.dataFolder)).not.toContain('backups')

  const file = path.join(folder, 'fetched.tar.gz')
  await writeFile(file, await buffer((await client.get(`neue-halle/${archives(servers.at(-1)!)[1]}`))!.bytes))
  const database = await createDatabase()
  const target = {
    settings: readSettings({ FOYER_DATA: path.join(folder, 'elsewhere') }),
    connection: database.connection,
  }
  expect((await restoreArchive(file, null, target)).rows).toBeGreaterThan(50)
  await database.drop()
})

test('what is larger than a part arrives whole, and its size is told', async () => {
  const bytes = randomBytes(40 * 1024 ** 2 + 7)
  const size = await openBackupStore(settings, 'large').write('archive', async (sink) => {
    for (let start = 0; start < bytes.length; start += 1_000_003) {
      if (!sink.write(bytes.subarray(start, start + 1_000_003))) await new Promise((done) => sink.once('drain', done))
    }
    sink.end()
  })
  expect(size).toBe(bytes.length)
  const stored = await buffer((await openObjectStoreClient(settings).get('large/archive'))!.bytes)
  const sumOf = (some: Buffer) => createHash('sha256').update(some).digest('hex')
  expect(sumOf(stored)).toBe(sumOf(bytes))
})

test('an archive that breaks off is not there, and neither is one for which there is no bucket', async () => {
  const broken = openBackupStore(settings, 'broken')
  const write = broken.write('archive', async (sink) => {
    sink.write(randomBytes(20 * 1024 ** 2))
    throw new Error('the database went away')
  })
  await expect(write).rejects.toThrow('the database went away')
  expect(await broken.list()).toEqual([])

  const nowhere = openBackupStore({ ...settings, bucket: 'nowhere' }, 'x')
  await expect(nowhere.write('archive', async (sink) => void sink.end('bytes'))).rejects.toThrow(
    /^The backup could not be written: the bucket nowhere at http:\S+ does not take it\.$/,
  )
})
