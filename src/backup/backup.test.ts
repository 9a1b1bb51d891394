import { execFileSync } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { afterAll, expect, test } from 'vitest'
import { checkAll } from '../../test/kit/database/consistency.ts'
import { cloneDatabase, createDatabase, type ClonedDatabase } from '../../test/kit/database/database.ts'
import { readCatalogue } from '../../test/kit/database/catalogue.ts'
import { openClient } from '../../test/kit/venue/client.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { uploadFile } from '../../test/kit/venue/uploads.ts'
import { openBudgets } from '../access/budgets.ts'
import { openDirectory } from '../access/directory.ts'
import { openDatabase } from '../database/database.ts'
import { migrate } from '../database/migrate.ts'
import { storageOf } from '../files/open-storage.ts'
import { openServer } from '../http/server/server.ts'
import { HOUR_MS } from '../kernel/durations.ts'
import { readSettings } from '../kernel/settings.ts'
import { ENDPOINTS } from '../main.ts'
import { writeArchive } from './archive.ts'
import { backUp } from './back-up.ts'
import { makeDailyBackup } from './jobs.ts'
import { findTables } from './records.ts'
import { restoreArchive } from '../../test/kit/database/restore-archive.ts'
import { findBackupWarnings } from './warnings.ts'
import { writeBackupFile } from './write-backup-file.ts'

const folders: string[] = []
const databases: ClonedDatabase[] = []
afterAll(async () => {
  await Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true })))
  await Promise.all(databases.map((database) => database.drop()))
})

const newFolder = async () => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-backup-'))
  folders.push(folder)
  return folder
}

const newTarget = async (make: () => Promise<ClonedDatabase> = createDatabase, environment = {}) => {
  const database = await make()
  databases.push(database)
  const settings = readSettings({ FOYER_DATA: await newFolder(), ...environment })
  return { settings, connection: database.connection }
}

const withClient = async <T>(connection: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> => {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const PLAN = Buffer.from('%PDF-1.4 where the tables stand')
const POSTER = Buffer.from('not really a picture, but bytes all the same')

/** A house with rows in most tables, a file and a picture, and its archive. */
const backUpVenue = async (environment = {}) => {
  const venue = await openVenue()
  await uploadFile({ origin: venue.origin, client: venue.office }, PLAN)
  await storageOf(venue.app).images.write('poster.png', POSTER)
  const settings = { ...venue.app.settings, ...environment }
  const file = path.join(await newFolder(), 'house.tar.gz')
  const connection = venue.app.database.pool
  const report = await writeBackupFile(file, { settings, connection, now: venue.app.clock.now() })
  return { venue, file, report }
}

/** Every row of every table as COPY writes it, in an order of its own. */
const dumpRows = (connection: pg.ClientConfig) =>
  withClient(connection, async (client) => {
    const dump = new Map<string, string[]>()
    for (const { table } of await findTables(client)) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from public."${table}" t order by 1`)
      dump.set(
        table,
        rows.map(({ row }) => row),
      )
    }
    return dump
  })

const dumpSchema = (connection: pg.ClientConfig) =>
  withClient(connection, async (client) => {
    const catalogue = await readCatalogue(client)
    const { rows: keys } = await client.query(`
      select conrelid::regclass::text as "table", conname, convalidated, pg_get_constraintdef(oid) as definition
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`)
    const { rows: triggers } = await client.query(`
      select tgrelid::regclass::text as "table", tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`)
    return { catalogue, keys, triggers }
  })

test('what was backed up beside a working house is all there elsewhere, and works', async () => {
  const { venue, file, report } = await backUpVenue()
  const target = await newTarget()
  const restored = await restoreArchive(file, null, target)
  expect(restored).toMatchObject({ rows: report.rows, files: 2, filesElsewhere: 0 })

  const before = await dumpRows(venue.app.database.pool.options)
  before.delete('backups')
  const after = await dumpRows(target.connection)
  after.delete('backups')
  expect(after).toEqual(before)
  const untouched = await cloneDatabase()
  databases.push(untouched)
  expect(await dumpSchema(target.connection)).toEqual(await dumpSchema(untouched.connection))

  // The same token, the same guests, the same bytes, and new rows get numbers of their own.
  const database = openDatabase(target.connection)
  const { settings } = target
  const app = { ...venue.app, settings, database, directory: openDirectory(database) }
  const server = openServer(
    { ...app, budgets: openBudgets({ isEnabled: false, clock: app.clock, database }) },
    ENDPOINTS,
  )
  const origin = await server.listen({ port: 0, host: '127.0.0.1' })
  const office = openClient(origin, { token: venue.report.api_tokens['office write'] })
  const guests = '/admin/events/winter-ball/guest_list'
  expect((await office.get(guests)).body).toEqual((await venue.office.get(guests)).body)
  expect((await office.post('/admin/tasks', { task: { title: 'After the fire' } })).status).toBe(201)
  const images = storageOf(app).images
  expect(await images.has('poster.png')).toBe(true)
  expect(await checkAll(app)).toEqual([])
  await server.close()
  await database.close()
})

test('an archive is read by ordinary tools, which also check its sums', async () => {
  const { file } = await backUpVenue()
  const folder = await newFolder()
  execFileSync('tar', ['-xzf', file, '-C', folder])
  execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: folder })
  const accounts = await readFile(path.join(folder, 'tables/accounts/000001.tsv'), 'utf8')
  expect(accounts).toContain('neue-halle-')
  expect(await readdir(path.join(folder, 'images'))).toEqual(['poster.png'])
})

test('an encrypted archive opens with its passphrase and with no other', async () => {
  const { file, report } = await backUpVenue({ backupPassphrase: 'rain on the queue' })
  const target = await newTarget()
  expect((await readFile(file)).subarray(0, 19).toString()).toBe('age-encryption.org/')
  await expect(restoreArchive(file, null, target)).rejects.toThrow('is encrypted')
  await expect(restoreArchive(file, 'sun on the queue', target)).rejects.toThrow('does not open with this passphrase')
  expect(await restoreArchive(file, 'rain on the queue', target)).toMatchObject({ rows: report.rows })
})

test('an archive that was cut off or changed is refused, and the installation stays empty', async () => {
  const { file, report } = await backUpVenue()
  const bytes = await readFile(file)
  const target = await newTarget()
  const damaged = path.join(await newFolder(), 'damaged.tar.gz')
  const refuse = async (content: Buffer) => {
    await writeFile(damaged, content)
    await expect(restoreArchive(damaged, null, target)).rejects.toThrow(
      /^The (archive|file) .*(damaged|cut off|no backup)/,
    )
    const rows = await withClient(
      target.connection,
      async (client) => (await client.query(`select coalesce(to_regclass('public.accounts')::text, '') as there`)).rows,
    )
    if (rows[0].there !== '') expect((await dumpRows(target.connection)).get('accounts')).toEqual([])
  }
  for (const part of [0, 0.01, 0.5, 0.9, 0.999]) await refuse(bytes.subarray(0, Math.floor(bytes.length * part)))
  for (const part of [0.3, 0.7]) {
    const changed = Buffer.from(bytes)
    changed[Math.floor(bytes.length * part)]! ^= 0xff
    await refuse(changed)
  }
  // Not a bit is wrong with the compression here: only the sums can tell.
  const folder = await newFolder()
  execFileSync('tar', ['-xzf', file, '-C', folder])
  const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n')
  const accounts = path.join(folder, 'tables/accounts/000001.tsv')
  await writeFile(accounts, (await readFile(accounts, 'utf8')).replace('neue-halle-', 'neue-halle+'))
  execFileSync('tar', ['-czf', damaged, '-C', folder, ...names])
  await refuse(await readFile(damaged))

  expect(await restoreArchive(file, null, target)).toMatchObject({ rows: report.rows })
})

test('an installation in use, and another secret, are refused', async () => {
  const { venue, file } = await backUpVenue()
  const inUse = { settings: venue.app.settings, connection: venue.app.database.pool }
  await expect(restoreArchive(file, null, inUse)).rejects.toThrow('Foyer is running on this database')
  const quiet = await newTarget()
  await withClient({ ...quiet.connection, application_name: 'foyer announcements' }, async () => {
    await expect(restoreArchive(file, null, quiet)).rejects.toThrow('Foyer is running on this database')
  })
  const target = await newTarget(createDatabase, { FOYER_SECRET: 'quite another secret than the one it was' })
  await expect(restoreArchive(file, null, target)).rejects.toThrow('FOYER_SECRET is another')
  const full = await newTarget()
  await restoreArchive(file, null, full)
  await expect(restoreArchive(file, null, full)).rejects.toThrow('This installation is in use')
})

test('an archive of an older version is brought up to date, one of a newer version is refused', async () => {
  const known = await withClient(
    (await newTarget(cloneDatabase)).connection,
    async (client) => (await client.query('select number, name, checksum from schema_migrations order by number')).rows,
  )
  const older = await newTarget()
  await migrate(older.connection, { upTo: known.slice(0, -1) })
  await withClient(older.connection, (client) =>
    client.query(`insert into people (email, name) values ('henrike@house.example', 'Henrike')`),
  )
  const file = path.join(await newFolder(), 'older.tar.gz')
  const now = new Date()
  await writeArchive(createWriteStream(file), { passphrase: null, now }, async (archive) => {
    await backUp(archive, { ...older, now })
  })
  const target = await newTarget(cloneDatabase)
  await restoreArchive(file, null, target)
  expect(await migrate(target.connection)).toBe(1)
  expect((await dumpRows(target.connection)).get('people')).toHaveLength(1)

  const folder = await newFolder()
  execFileSync('tar', ['-xzf', file, '-C', folder])
  const manifest = JSON.parse(await readFile(path.join(folder, 'manifest.json'), 'utf8'))
  const rewrite = async (changes: object) => {
    await writeFile(path.join(folder, 'manifest.json'), JSON.stringify({ ...manifest, ...changes }))
    const names = execFileSync('tar', ['-tzf', file], { encoding: 'utf8' }).trim().split('\n')
    const changed = path.join(await newFolder(), 'changed.tar.gz')
    execFileSync('tar', ['-czf', changed, '-C', folder, ...names])
    return restoreArchive(changed, null, await newTarget())
  }
  await expect(rewrite({ format: 2, foyer: '9.0.0' })).rejects.toThrow('was written by Foyer 9.0.0')
  const future = [...known, { number: known.length + 1, name: '9999-future', checksum: 'x' }]
  await expect(rewrite({ migrations: future })).rejects.toThrow('does not know')
})

test('a backup a day, of which the newest are kept, and a warning when it does not come', async () => {
  const venue = await openVenue()
  const folder = await newFolder()
  const app = { ...venue.app, settings: { ...venue.app.settings, backup: { keep: 2, folder, store: null } } }
  const run = () =>
    makeDailyBackup.run({}, { context: { app, mailer: null! }, log: app.log } as unknown as Parameters<
      typeof makeDailyBackup.run
    >[1])
  await writeFile(path.join(folder, 'notes.txt'), 'mine')
  const names = []
  for (const hours of [0, 1, 23, 24, 24]) {
    await venue.moveClock(`${hours} hours`)
    await run()
    names.push((await readdir(folder)).filter((name) => name.startsWith('foyer-')).length)
  }
  expect(names).toEqual([1, 1, 2, 2, 2])
  expect(await readdir(folder)).toContain('notes.txt')
  expect(await findBackupWarnings(app)).toEqual([])
  await venue.moveClock('31 hours')
  expect(await findBackupWarnings(app)).toEqual([
    expect.stringMatching(/^The last backup is of .*; one was due every day\.$/),
  ])
  expect((await venue.stranger.get('/healthz?detail')).body).toEqual({ status: 'ok', warnings: [] })
  expect((await venue.stranger.get('/healthz')).body).toEqual({ status: 'ok' })
})

test('the scheduled backup is made by one process at a time, ends when that one stops, and outlives no process that was killed', async () => {
  const venue = await openVenue()
  const folder = await newFolder()
  const app = { ...venue.app, settings: { ...venue.app.settings, backup: { keep: 5, folder, store: null } } }
  const run = (signal?: AbortSignal) =>
    makeDailyBackup.run({}, { context: { app, mailer: null! }, log: app.log, signal } as unknown as Parameters<
      typeof makeDailyBackup.run
    >[1])
  const [ofYesterday, underWay] = ['foyer-2026-11-17T030000Z.tar.gz.partial', 'foyer-2026-11-18T030000Z.tar.gz.partial']
  for (const name of [ofYesterday, underWay]) await writeFile(path.join(folder, name), 'half an archive')
  const before = new Date(Date.now() - 2 * HOUR_MS)
  await utimes(path.join(folder, ofYesterday), before, before)

  await expect(run(AbortSignal.abort(new Error('stopping')))).rejects.toThrow('stopping')
  expect(await readdir(folder)).toEqual([underWay])
  await Promise.all([run(), run()])
  expect((await readdir(folder)).filter((name) => name !== underWay)).toEqual([
    expect.stringMatching(/^foyer-.*Z\.tar\.gz$/),
  ])
})
