import { sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { openDatabase } from './database.ts'
import { handleLostConnections } from './lost-connections.ts'
import { prepareStatement, discardOldPlans, runPrepared } from './prepared.ts'

test('a prepared statement is planned once under its name, also within a transaction, and takes new values each time', async () => {
  const clone = await cloneDatabase()
  const database = openDatabase({ ...clone.connection, max: 1 })
  const double = (db: typeof database.kysely, n: number) =>
    runPrepared(db, 'double', sql<{ twice: number }>`select ${n}::int * 2 as twice`)

  expect(await double(database.kysely, 2)).toEqual([{ twice: 4 }])
  expect(await database.kysely.transaction().execute((db) => double(db, 21))).toEqual([{ twice: 42 }])
  const { rows } = await database.pool.query(
    'select (generic_plans + custom_plans)::int as runs from pg_prepared_statements where name = $1',
    ['double'],
  )
  expect(rows).toEqual([{ runs: 2 }])

  const half = prepareStatement('half', sql<{ half: number }>`select $1::int / 2 as half`)
  expect(await half(database.kysely, [42])).toEqual([{ half: 21 }])
  expect(await half(database.kysely, [8])).toEqual([{ half: 4 }])

  await database.close()
  await clone.drop()
})

test.each([
  { age: 60_000, kept: 'Index Only Scan' },
  { age: 0, kept: 'Seq Scan' },
])('a plan that is older than $age ms is made anew: $kept', async ({ age, kept }) => {
  const clone = await cloneDatabase()
  const pool = new pg.Pool({ ...clone.connection, max: 1, options: '-c plan_cache_mode=force_generic_plan' })
  handleLostConnections(pool, { silenceMs: 60_000 })
  discardOldPlans(pool, age)

  await pool.query('set enable_seqscan = off')
  await pool.query({ name: 'find', text: 'select from accounts where id = $1', values: [1] })
  await pool.query('set enable_seqscan = on; set enable_indexscan = off; set enable_bitmapscan = off')
  const { rows } = await pool.query('explain execute find(1)')
  expect(rows[0]['QUERY PLAN']).toContain(kept)

  await pool.end()
  await clone.drop()
})
