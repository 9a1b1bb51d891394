import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { inject } from 'vitest'
import { TEMPLATE, withClient } from './template.ts'

export interface ClonedDatabase {
  connection: pg.ClientConfig
  drop(): Promise<void>
}

/** A database of its own for one test, migrated and empty. */
export const cloneDatabase = () => newDatabase(TEMPLATE)

/** A database without any of our tables, for tests of what makes them. */
export const createDatabase = () => newDatabase('template0')

const newDatabase = async (template: string): Promise<ClonedDatabase> => {
  const server = inject('postgres')
  const database = `foyer_${randomBytes(8).toString('hex')}`
  const asAdmin = (statement: string) =>
    withClient({ ...server, database: 'postgres' }, async (admin) => void (await admin.query(statement)))

  // Test files clone side by side; there copying files holds up better than copying page by page through the log.
  await asAdmin(`create database ${database} template ${template} strategy file_copy`)
  return {
    connection: { ...server, database },
    drop: () =>
      withClient({ ...server, database: 'postgres' }, async (admin) => {
        await untilLeft(admin, database)
        await admin.query(`drop database if exists ${database} with (force)`)
      }),
  }
}

const LEAVING_MS = 500

/** An ended pool closes its connections in the background; one that is cut off in that moment would fail the test. */
const untilLeft = async (admin: pg.Client, database: string) => {
  const patience = performance.now() + LEAVING_MS
  while (performance.now() < patience) {
    const { rows } = await admin.query('select from pg_stat_activity where datname = $1 limit 1', [database])
    if (rows.length === 0) return
    await delay(5)
  }
}

type Queryable = Pick<pg.ClientBase, 'query'> | pg.Pool

/** Moves foyer_now() by an interval, like '2 hours' or '-1 day', added to earlier moves. */
export const moveClock = async (client: Queryable, interval: string) => {
  await client.query('update test_kit.test_clock set "offset" = "offset" + $1::interval', [interval])
}

export const resetClock = async (client: Queryable) => {
  await client.query(`update test_kit.test_clock set "offset" = '0'`)
}

/** Lets foyer_now() move only when it is moved, and answers with what it says. */
export const freezeClock = async (client: Queryable): Promise<Date> => {
  const { rows } = await client.query<{ now: string }>('select test_kit.unmoved_now()::text as now')
  await client.query(
    `create or replace function foyer_now() returns timestamptz language sql stable parallel safe as
     'select timestamptz ''${rows[0]!.now}'' + (select "offset" from test_kit.test_clock)'`,
  )
  const frozen = await client.query<{ now: Date }>('select foyer_now() as now')
  return frozen.rows[0]!.now
}

/** Lets foyer_now() stand still for good, in a database that only one test uses. */
export const stopClock = async (client: Queryable) => {
  const { rows } = await client.query<{ now: string }>('select foyer_now()::text as now')
  await client.query(
    `create or replace function foyer_now() returns timestamptz language sql stable parallel safe
     return timestamptz '${rows[0]!.now}'`,
  )
}
