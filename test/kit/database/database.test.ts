import { expect, onTestFinished, test } from 'vitest'
import { migrate } from '../../../src/database/migrate.ts'
import { cloneDatabase, moveClock, resetClock } from './database.ts'
import { withClient } from './template.ts'

const clone = async () => {
  const { connection, drop } = await cloneDatabase()
  onTestFinished(drop)
  return connection
}

const aheadOfTime = `select extract(epoch from foyer_now() - now())::float as seconds`

test('a clone is migrated, and nobody else’s', async () => {
  const [first, second] = await Promise.all([clone(), clone()])
  expect(await migrate(first)).toBe(0)

  const countPeople = 'select count(*)::int as count from people'
  await withClient(first, (client) =>
    client.query(`insert into people (name, email) values ('Ada', 'ada@venue.example')`),
  )
  expect(await withClient(first, async (client) => (await client.query(countPeople)).rows)).toEqual([{ count: 1 }])
  expect(await withClient(second, async (client) => (await client.query(countPeople)).rows)).toEqual([{ count: 0 }])
})

test('the clock can be moved, for every connection to the clone and for defaults and triggers too', async () => {
  const connection = await clone()
  await withClient(connection, async (client) => {
    const readAhead = async () => (await client.query<{ seconds: number }>(aheadOfTime)).rows[0]!.seconds
    expect(await readAhead()).toBe(0)

    await withClient(connection, (other) => moveClock(other, '2 hours'))
    await moveClock(client, '-30 minutes')
    expect(await readAhead()).toBe(5_400)

    const { rows } = await client.query(
      `insert into people (name, email) values ('Ada', 'ada@venue.example')
       returning extract(epoch from created_at - now())::float as seconds`,
    )
    expect(rows).toEqual([{ seconds: 5_400 }])

    await resetClock(client)
    expect(await readAhead()).toBe(0)
  })
})

test('within a transaction the time stands still', async () => {
  const connection = await clone()
  await withClient(connection, async (client) => {
    const readNow = async () => (await client.query(`select foyer_now()::text as now`)).rows
    await client.query('begin')
    const before = await readNow()
    await client.query('select pg_sleep(0.01)')
    expect(await readNow()).toEqual(before)
    await client.query('commit')
    expect(await readNow()).not.toEqual(before)
  })
})
