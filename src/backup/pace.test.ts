import pg from 'pg'
import { expect, test } from 'vitest'
import { createDatabase } from '../../test/kit/database/database.ts'
import { keepPace } from './pace.ts'
import { restAfter } from './rules.ts'

test('a backup rests many times as long as it worked while the database works for others, and never for long', () => {
  expect(restAfter(10, 0)).toBe(0)
  expect(restAfter(10, 0.5)).toBe(75)
  expect(restAfter(10, 1)).toBe(150)
  expect(restAfter(60_000, 1)).toBe(500)
})

test('it gives way to somebody for whom the server works', async () => {
  const database = await createDatabase()
  const [looking, busy] = [new pg.Client(database.connection), new pg.Client(database.connection)]
  try {
    await Promise.all([looking.connect(), busy.connect()])
    const { giveWay } = keepPace(looking)
    const { rows } = await busy.query<{ pid: number }>('select pg_backend_pid() as pid')
    const working = busy.query('select pg_sleep(60)').catch((error: Error) => error.message)
    const isWorking = async () => {
      const found = await looking.query(`select state from pg_stat_activity where pid = $1`, [rows[0]!.pid])
      return found.rows[0].state
    }
    await expect.poll(isWorking).toBe('active')
    workFor(10)
    const startedAt = performance.now()
    await giveWay()
    expect(performance.now() - startedAt).toBeGreaterThan(100)
    await looking.query('select pg_cancel_backend($1)', [rows[0]!.pid])
    expect(await working).toContain('canceling statement')
  } finally {
    await Promise.all([looking.end(), busy.end()])
    await database.drop()
  }
})

const workFor = (ms: number) => {
  const until = performance.now() + ms
  while (performance.now() < until);
}
