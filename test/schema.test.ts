import { globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { describeTables } from './kit/database/generate-table-types.ts'
import { type Catalogue, readCatalogue } from './kit/database/catalogue.ts'
import { cloneDatabase } from './kit/database/database.ts'
import { withClient } from './kit/database/template.ts'

const ROOT = path.join(import.meta.dirname, '..')

/** Tables that belong to no account, and why. */
const GLOBAL_TABLES: Record<string, string> = {
  accounts: 'the accounts themselves',
  people: 'one person may work for two venues',
  push_keys: 'push services know the installation, not the account',
  schema_migrations: 'the history of the schema',
  backups: 'they are of the installation, with all accounts in them',
  workers: 'the processes of the installation',
  sign_in_links: 'whoever signs in is a person first, and a member of an account next',
  passkeys: 'they are a person’s own, like the password',
  passkey_challenges: 'they are answered before the account is known',
  spent_budgets: 'whoever guesses has shown no account yet',
  shards: 'the servers of the installation',
  shard_identity: 'which of them this server is',
}

/** Tables that lead to an account and are looked up before it is known, so their keys cannot begin with it. */
const DIRECTORY_TABLES: Record<string, string> = {
  shop_hosts: 'a Host header is all a visitor brings',
  credential_digests: 'a secret is all a caller brings',
  invitation_tokens: 'a mailed link is all an invited person brings',
  pairing_digests: 'the secret of a QR code is all a new device brings',
  payment_webhook_keys: 'the key in its address is all a payment provider brings',
  directory_entries: 'it leads to accounts on other servers by any of these',
}

/** Foreign keys whose target is never deleted and never changes its key, so that nothing ever looks them up. */
const UNINDEXED_FOREIGN_KEYS: Record<string, string> = {}

/** Real time on purpose; nothing else may ask any clock but foyer_now(). */
const REAL_TIME: Record<string, string> = {
  'migrations/0017-jobs.sql':
    'moving the clock of the house must not make living processes look dead, and lanes wait by the same time as other jobs',
  'migrations/0033-rush.sql': 'lanes wait by the same time as other jobs',
  'src/jobs/lanes/records.ts': 'they wait by the same time as other jobs',
  'src/jobs/records.ts': 'moving the clock of the house must not make living processes look dead',
  'src/metrics/records.ts': 'it tells how long jobs wait, by the time they wait by',
}

let catalogue: Catalogue
let afterBadManners: Catalogue
let tableTypes: string

beforeAll(async () => {
  const { connection, drop } = await cloneDatabase()
  await withClient(connection, async (client) => {
    catalogue = await readCatalogue(client)
    tableTypes = await describeTables(client)
    await client.query(BAD_MANNERS)
    afterBadManners = await readCatalogue(client)
  })
  await drop()
})

/** Breaks every rule once, so that each check can be seen to notice. */
const BAD_MANNERS = `
  create table forgotten (id int primary key);
  create table rude (
    account_id bigint not null, id bigint not null primary key, event_id bigint not null,
    check (event_id > 0), unique (event_id, account_id)
  );
  create table ruder (
    account_id bigint not null, id bigint not null, rude_id bigint not null references rude (id),
    constraint ruder_are_known_by_id primary key (account_id, id)
  );
  create unique index rude_by_sum on rude ((id + event_id));`

const isTenant = ({ tables }: Catalogue, name: string) =>
  !(name in GLOBAL_TABLES) &&
  !(name in DIRECTORY_TABLES) &&
  tables.some((table) => table.name === name && table.columns.includes('account_id'))

const forgottenTables = ({ tables }: Catalogue) =>
  tables
    .filter(({ name, columns }) => !columns.includes('account_id') && !(name in GLOBAL_TABLES))
    .map(({ name }) => name)

const keysWithoutAccount = (catalogue: Catalogue) =>
  catalogue.indexes
    .filter((index) => isTenant(catalogue, index.table) && index.isUnique && index.columns[0] !== 'account_id')
    .map(({ table, name }) => `${table}: ${name}`)

const tablesWithoutKey = (catalogue: Catalogue) =>
  catalogue.tables
    .filter(({ name }) => !catalogue.indexes.some((index) => index.table === name && index.isUnique))
    .map(({ name }) => name)

const looseForeignKeys = (catalogue: Catalogue) =>
  catalogue.foreignKeys
    .filter(({ target }) => isTenant(catalogue, target))
    .filter(
      ({ columns, targetColumns }) =>
        columns.length < 2 || columns[0] !== 'account_id' || targetColumns[0] !== 'account_id',
    )
    .map(({ table, name }) => `${table}: ${name}`)

const foreignKeysWithoutIndex = ({ foreignKeys, indexes }: Catalogue) =>
  foreignKeys
    .filter(({ name }) => !(name in UNINDEXED_FOREIGN_KEYS))
    .filter(
      ({ table, columns }) =>
        !indexes.some(
          (index) =>
            index.table === table &&
            // A row whose key is null refers to nothing, so an index may leave it out.
            (!index.condition || columns.some((column) => index.condition === `(${column} IS NOT NULL)`)) &&
            new Set(index.columns.slice(0, columns.length)).symmetricDifference(new Set(columns)).size === 0,
        ),
    )
    .map(({ table, name }) => `${table}: ${name}`)

/** The names PostgreSQL gives by itself: the table, perhaps columns, and one of these endings. */
const automaticNames = (catalogue: Catalogue) =>
  catalogue.constraints
    .filter(({ table }) => isTenant(catalogue, table))
    .filter(
      ({ table, name }) =>
        !/[_ ]/.test(name) || (name.startsWith(`${table}_`) && /_(pkey|key|fkey|check|excl)\d*$/.test(name)),
    )
    .map(({ table, name }) => `${table}: ${name}`)

test('the catalogue has been read', () => {
  expect(catalogue.tables.filter(({ name }) => isTenant(catalogue, name)).length).toBeGreaterThanOrEqual(15)
  expect(catalogue.indexes.length).toBeGreaterThanOrEqual(40)
  expect(catalogue.foreignKeys.length).toBeGreaterThanOrEqual(20)
})

test('every table belongs to an account or is listed with its reason', () => {
  expect(forgottenTables(catalogue)).toEqual([])
  expect(forgottenTables(afterBadManners)).toEqual(['forgotten'])
})

test('every listed table exists, and is of the kind its list says', () => {
  const columnsOf = (name: string) => catalogue.tables.find((table) => table.name === name)?.columns
  for (const name of Object.keys(GLOBAL_TABLES)) expect.soft(columnsOf(name), name).not.toContain('account_id')
  for (const name of Object.keys(DIRECTORY_TABLES)) expect.soft(columnsOf(name), name).toContain('account_id')

  const names = catalogue.foreignKeys.map(({ name }) => name)
  for (const name of Object.keys(UNINDEXED_FOREIGN_KEYS)) expect.soft(names).toContain(name)
})

test('every primary key and every unique constraint of an account’s table begins with account_id', () => {
  expect(keysWithoutAccount(catalogue)).toEqual([])
  expect(tablesWithoutKey(catalogue)).toEqual([])
  expect(keysWithoutAccount(afterBadManners)).toEqual([
    'rude: rude_by_sum',
    'rude: rude_event_id_account_id_key',
    'rude: rude_pkey',
  ])
})

test('every foreign key to an account’s table carries account_id first, on both sides', () => {
  expect(looseForeignKeys(catalogue)).toEqual([])
  expect(looseForeignKeys(afterBadManners)).toEqual(['ruder: ruder_rude_id_fkey'])
})

test('every foreign key has an index that leads with its columns', () => {
  expect(foreignKeysWithoutIndex(catalogue)).toEqual([])
  expect(foreignKeysWithoutIndex(afterBadManners)).toEqual(['ruder: ruder_rude_id_fkey'])
})

test('every constraint of an account’s table has a name that somebody chose', () => {
  expect(automaticNames(catalogue)).toEqual([])
  expect(automaticNames(afterBadManners)).toEqual([
    'rude: rude_event_id_account_id_key',
    'rude: rude_event_id_check',
    'rude: rude_pkey',
    'ruder: ruder_rude_id_fkey',
  ])
})

const CLOCKS =
  /(?<![\w.])now\s*\(|\b(?:current_timestamp|current_date|current_time|localtimestamp|localtime)\b|\b(?:transaction|statement|clock)_timestamp\s*\(/gi
const THE_HOUSE_CLOCK = /create function foyer_now\(\)[^;]*;/
const COMMENTS = /--.*$|\/\/.*$|\/\*[\s\S]*?\*\//gm

test('SQL asks no clock but foyer_now()', async () => {
  const files = globSync(['migrations/*.sql', 'src/**/records.ts'], { cwd: ROOT })
  expect(files.length).toBeGreaterThanOrEqual(6)

  for (const file of files) {
    const text = (await readFile(path.join(ROOT, file), 'utf8')).replace(COMMENTS, '').replace(THE_HOUSE_CLOCK, '')
    const clocks = (text.match(CLOCKS) ?? []).filter((clock) => !(file in REAL_TIME && clock === 'clock_timestamp('))
    expect.soft(clocks, file).toEqual([])
  }
})

test('table-types.ts is what the migrations say', async () => {
  const written = await readFile(path.join(ROOT, 'src/database/table-types.ts'), 'utf8')
  expect(written, 'write it again: node test/kit/database/table-types.ts --write').toBe(tableTypes)
})
