import { sql } from 'kysely'
import pg from 'pg'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { startCluster } from '../../test/kit/database/cluster.ts'
import { type ClonedDatabase, cloneDatabase } from '../../test/kit/database/database.ts'
import { withClient } from '../../test/kit/database/template.ts'
import {
  type Database,
  constraintOf,
  isStatementFault,
  isDatabaseUnavailable,
  isUniqueViolation,
  openDatabase,
} from './database.ts'

let clone: ClonedDatabase
let database: Database

beforeAll(async () => {
  clone = await cloneDatabase()
  database = openDatabase(clone.connection)
})

afterAll(async () => {
  await database.close()
  await clone.drop()
})

const caught = async (attempt: Promise<unknown>): Promise<unknown> => {
  try {
    await attempt
  } catch (error) {
    return error
  }
  throw new Error('Nothing was thrown.')
}

test('values arrive as the table types say', async () => {
  const { rows } = await database.pool.query(`select
    9007199254740991::int8 as int8, array[1, null]::int8[] as int8s, 12.50::numeric as "numeric",
    array[0.10]::numeric[] as numerics, '2026-03-29'::date as date, array['2026-03-29']::date[] as dates,
    '1 day 02:00'::interval as "interval", '2026-03-29T12:00:00Z'::timestamptz as timestamptz,
    'infinity'::timestamptz as "infinity", '\\x00ff'::bytea as bytea, '{"a": [1]}'::jsonb as jsonb, '{a,"b c"}'::text[] as texts`)

  expect(rows).toEqual([
    {
      int8: 9007199254740991,
      int8s: [1, null],
      numeric: '12.50',
      numerics: ['0.10'],
      date: '2026-03-29',
      dates: ['2026-03-29'],
      interval: '1 day 02:00:00',
      timestamptz: new Date('2026-03-29T12:00:00Z'),
      infinity: new Date(8.64e15),
      bytea: Buffer.from([0, 255]),
      jsonb: { a: [1] },
      texts: ['a', 'b c'],
    },
  ])
})

test('other connections of the process keep the parsers of pg', async () => {
  const rows = await withClient(clone.connection, async (client) => (await client.query('select 1::int8 as one')).rows)
  expect(rows).toEqual([{ one: '1' }])
})

test('a connection carries our name and does not run a statement forever', async () => {
  const { rows } = await sql`
    select current_setting('application_name') as name, current_setting('statement_timeout') as timeout
  `.execute(database.kysely)
  expect(rows).toEqual([{ name: 'foyer', timeout: '30s' }])
})

test('a refused row names its constraint', async () => {
  const enrol = () => database.kysely.insertInto('people').values({ name: 'Ada', email: 'ada@venue.example' }).execute()
  await enrol()

  const error = await caught(enrol())
  expect(constraintOf(error)).toBe('an_address_belongs_to_one_person')
  expect(isUniqueViolation(error)).toBe(true)
  expect(isUniqueViolation(error, 'an_address_belongs_to_one_person')).toBe(true)
  expect(isUniqueViolation(error, 'a_subdomain_belongs_to_one_account')).toBe(false)
  expect(isDatabaseUnavailable(error)).toBe(false)
  expect(constraintOf(new Error('no constraint'))).toBeUndefined()
})

test('the pool survives the database going away and coming back', async () => {
  const cluster = await startCluster()
  onTestFinished(() => cluster.stop())
  const troubles: Error[] = []
  const fleeting = openDatabase(
    { host: cluster.host, user: cluster.user, database: 'postgres' },
    { onTrouble: (error) => troubles.push(error) },
  )
  onTestFinished(() => fleeting.close())
  const ask = (text = 'select 1') => fleeting.pool.query(text)

  const caughtInTheAct = [caught(ask('select pg_sleep(10)')), caught(ask('select pg_sleep(10)'))]
  await Promise.all([ask(), ask()])
  await cluster.crash()
  for (const error of await Promise.all(caughtInTheAct)) expect(isDatabaseUnavailable(error)).toBe(true)
  // Both that were idle must have noticed, or the next question still meets one of them.
  await expect.poll(() => troubles.length).toBe(2)

  const gone = await caught(ask())
  expect(gone).toMatchObject({ code: 'ENOENT', syscall: 'connect' })
  expect(isDatabaseUnavailable(gone)).toBe(true)

  await cluster.comeBack()
  expect((await ask('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a connection that an administrator ends is unavailability', async () => {
  const error = await caught(database.pool.query('select pg_terminate_backend(pg_backend_pid())'))
  expect(isDatabaseUnavailable(error)).toBe(true)
  expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
})

test('a full pool is unavailability, after a moment of waiting', async () => {
  const narrow = openDatabase({ ...clone.connection, max: 1, connectionTimeoutMillis: 2_000 })
  const client = await narrow.pool.connect()

  expect(isDatabaseUnavailable(await caught(narrow.pool.query('select 1')))).toBe(true)

  client.release()
  await narrow.close()
})

test('nobody listening, and a server without free connections, are unavailability', async () => {
  const deaf = openDatabase({ host: '127.0.0.1', port: 1, user: 'foyer', database: 'postgres' })
  expect(isDatabaseUnavailable(await caught(deaf.pool.query('select 1')))).toBe(true)
  await deaf.close()

  for (const code of ['08006', '57P01', '57P02', '57P03', '53300', '53100', '57014', '25006', '58030']) {
    expect(isDatabaseUnavailable(Object.assign(new pg.DatabaseError('said by the server', 0, 'error'), { code }))).toBe(
      true,
    )
  }
})

test('two who wait for each other: one is told to try again, and nothing of it is done', async () => {
  const [left, right] = [await database.pool.connect(), await database.pool.connect()]
  await left.query('begin; select pg_advisory_xact_lock(1)')
  await right.query('begin; select pg_advisory_xact_lock(2)')
  const outcomes = await Promise.allSettled([
    left.query('select pg_advisory_xact_lock(2)'),
    right.query('select pg_advisory_xact_lock(1)'),
  ])
  const errors = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
  expect(errors).toMatchObject([{ code: '40P01' }])
  expect([isDatabaseUnavailable(errors[0]), isStatementFault(errors[0])]).toEqual([true, true])
  for (const client of [left, right]) {
    await client.query('rollback')
    client.release()
  }
})

test('our own mistakes are not unavailability', async () => {
  expect(isDatabaseUnavailable(await caught(database.pool.query('select nonsense')))).toBe(false)
  expect(isDatabaseUnavailable(Object.assign(new Error('no such file'), { code: 'ENOENT', syscall: 'open' }))).toBe(
    false,
  )
  expect(isDatabaseUnavailable(new TypeError('x is not a function'))).toBe(false)
  expect(isDatabaseUnavailable('text')).toBe(false)
})
