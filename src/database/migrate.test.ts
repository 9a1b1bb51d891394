import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { createDatabase } from '../../test/kit/database/database.ts'
import { withClient } from '../../test/kit/database/template.ts'
import { Misconfigured } from '../kernel/settings.ts'
import { migrate, refuseOldServer } from './migrate.ts'

const emptyDatabase = async () => {
  const { connection, drop } = await createDatabase()
  onTestFinished(drop)
  const query = (text: string, values: unknown[] = []) =>
    withClient(connection, async (client) => (await client.query(text, values)).rows)
  return { connection, query }
}

const migrationsFolder = async (files: Record<string, string>) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'foyer-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const write = async (more: Record<string, string>) => {
    for (const [name, text] of Object.entries(more)) await writeFile(path.join(folder, name), text)
  }
  await write(files)
  return { folder, write }
}

const CHAIRS = { '0001-chairs.sql': 'create table chairs (id int);' }
const TABLES = { '0002-tables.sql': 'create table tables (id int);' }

test('an empty database gets every migration in order, and the schema of the jobs', async () => {
  const { connection, query } = await emptyDatabase()
  const { folder } = await migrationsFolder({ ...TABLES, ...CHAIRS })
  const said: string[] = []

  expect(await migrate(connection, { folder, log: (message) => said.push(message) })).toBe(2)

  expect(said).toEqual(['Applied the migration 0001-chairs.', 'Applied the migration 0002-tables.'])
  expect(await query('select number, name from schema_migrations order by number')).toEqual([
    { number: 1, name: '0001-chairs' },
    { number: 2, name: '0002-tables' },
  ])
  expect(await query('select count(*)::int as jobs from graphile_worker.jobs')).toEqual([{ jobs: 0 }])
})

test('a database that is up to date is left alone, even while somebody holds the lock', async () => {
  const { connection, query } = await emptyDatabase()
  const { folder, write } = await migrationsFolder(CHAIRS)
  await migrate(connection, { folder })

  await migrate(connection, {
    folder,
    alsoUnderLock: async () => {
      expect(await migrate(connection, { folder })).toBe(0)
    },
  })

  await write(TABLES)
  expect(await migrate(connection, { folder })).toBe(1)
  expect(await query('select * from tables')).toEqual([])
})

test('a pool can be given in place of its settings', async () => {
  const { connection } = await emptyDatabase()
  const { folder } = await migrationsFolder(CHAIRS)
  const pool = new pg.Pool(connection)

  expect(await migrate(pool, { folder })).toBe(1)
  expect((await pool.query('select * from chairs')).rows).toEqual([])
  await pool.end()
})

test('of several processes that start at once one migrates and the others find nothing to do', async () => {
  const { connection } = await emptyDatabase()
  const { folder } = await migrationsFolder({
    '0001-chairs.sql': 'create table chairs (id int); select pg_sleep(0.2);',
  })
  let together = 0
  const alsoUnderLock = async (client: pg.Client) => {
    expect(++together).toBe(1)
    await client.query('select pg_sleep(0.02)')
    together--
  }

  const counts = await Promise.all(Array.from({ length: 6 }, () => migrate(connection, { folder, alsoUnderLock })))
  expect(counts.toSorted()).toEqual([0, 0, 0, 0, 0, 1])
})

test('a migration that fails leaves nothing of itself behind and says where it failed', async () => {
  const { connection, query } = await emptyDatabase()
  const { folder, write } = await migrationsFolder({
    ...CHAIRS,
    '0002-tables.sql': 'create table tables (id int);\ncreate table tables (id nonsense);',
  })

  await expect(migrate(connection, { folder })).rejects.toThrow(
    'The migration 0002-tables failed: line 2: type "nonsense" does not exist',
  )
  expect(await query(`select to_regclass('chairs') is not null as chairs, to_regclass('tables') as tables`)).toEqual([
    { chairs: true, tables: null },
  ])

  await write(TABLES)
  expect(await migrate(connection, { folder })).toBe(1)
})

test('an applied migration that was changed since is refused', async () => {
  const { connection } = await emptyDatabase()
  const { folder, write } = await migrationsFolder(CHAIRS)
  await migrate(connection, { folder })

  await write({ '0001-chairs.sql': 'create table chairs (id bigint);' })
  await expect(migrate(connection, { folder })).rejects.toThrow(
    new Misconfigured(
      'The migration 0001-chairs.sql is not the one that was applied to the database as 0001-chairs; applied migrations never change.',
    ),
  )
})

test('a database whose history is another one is refused with what to do, and left as it is', async () => {
  const { connection, query } = await emptyDatabase()
  const { folder } = await migrationsFolder({ '0001-stools.sql': 'create table stools (id int);', ...TABLES })
  await migrate(connection, { folder })

  await expect(migrate(connection, { folder: (await migrationsFolder(CHAIRS)).folder })).rejects.toThrow(
    new Misconfigured(
      'The database has the migration 0001-stools where this version of Foyer has 0001-chairs: it was made by other migrations and cannot be brought up to date. Start with an empty database or another FOYER_DATA, or start the version that made this one.',
    ),
  )
  expect(await query(`select to_regclass('stools') is not null as stools, to_regclass('chairs') as chairs`)).toEqual([
    { stools: true, chairs: null },
  ])
})

test('a database that is ahead of this version is refused', async () => {
  const { connection } = await emptyDatabase()
  await migrate(connection, { folder: (await migrationsFolder({ ...CHAIRS, ...TABLES })).folder })

  await expect(migrate(connection, { folder: (await migrationsFolder(CHAIRS)).folder })).rejects.toThrow(
    /^The database has the migration 0002-tables, which this version of Foyer does not know/,
  )
})

test('a gap is refused, in the folder and in the database', async () => {
  const { connection, query } = await emptyDatabase()
  const { folder } = await migrationsFolder({ ...CHAIRS, ...TABLES })
  await migrate(connection, { folder })

  await query('delete from schema_migrations where number = 1')
  await expect(migrate(connection, { folder })).rejects.toThrow(
    new Misconfigured('The database has the migration 0002-tables but not number 1 before it.'),
  )
  await expect(migrate(connection, { folder: (await migrationsFolder(TABLES)).folder })).rejects.toThrow(
    new Misconfigured('The migration 0002-tables.sql stands where number 1 was expected.'),
  )
})

test('the jobs’ schema is migrated again when its version is another', async () => {
  const { connection, query } = await emptyDatabase()
  const { folder } = await migrationsFolder(CHAIRS)
  await migrate(connection, { folder })
  const readMark = () => query(`select obj_description('graphile_worker'::regnamespace, 'pg_namespace') as mark`)
  const mark = await readMark()

  await query(`comment on schema graphile_worker is 'graphile-worker 0.1.0'`)
  expect(await migrate(connection, { folder })).toBe(0)
  expect(await readMark()).toEqual(mark)
})

test('a server that is too old is refused by its version', () => {
  expect(() => refuseOldServer({ version_number: 140_012, version: '14.12 (Debian)' })).toThrow(
    new Misconfigured('Foyer needs PostgreSQL 15 or newer; the database server is 14.12 (Debian).'),
  )
  expect(() => refuseOldServer({ version_number: 150_000, version: '15.0' })).not.toThrow()
})
