import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Database, isDatabaseUnavailable, openDatabase } from '../../src/database/database.ts'
import { type ConnectionToDatabase, connectTo } from '../../src/database/hosts.ts'
import { type ServerPair, startServerPair } from '../kit/database/server-pair.ts'

const PATIENCE = { timeout: 30_000, interval: 20 }

let pair: ServerPair
let way: ConnectionToDatabase
let database: Database
const moves: string[] = []

beforeAll(async () => {
  pair = await startServerPair({ isSynchronous: false })
  way = connectTo('DATABASE_URL', pair.url, { onMove: (from, to) => moves.push(`${from} to ${to}`), watchEveryMs: 200 })
  database = openDatabase(way.connection)
  await database.pool.query('create table visits (id int generated always as identity)')
})

afterAll(async () => {
  await database.close()
  await way.close()
  await pair.stop()
})

const write = () => database.pool.query('insert into visits default values')
const portOf = async (through: ConnectionToDatabase) => {
  const other = openDatabase(through.connection)
  try {
    const { rows } = await other.pool.query<{ port: number }>(`select current_setting('port')::int as port`)
    return rows[0]!.port
  } finally {
    await other.close()
  }
}

test('a standby that is named first is passed over', async () => {
  const { primary, standby, urlOf } = pair
  const others = connectTo('DATABASE_URL', urlOf(standby).replace(/\/foyer$/, `,127.0.0.1:${primary.port}/foyer`))
  expect(await portOf(others)).toBe(primary.port)
  await others.close()
})

test('a standby alone is refused in words', async () => {
  const alone = connectTo('DATABASE_URL', `${pair.urlOf(pair.standby)}?target_session_attrs=read-write`)
  const fault = await portOf(alone).catch((error: Error) => error)
  expect(fault).toHaveProperty('message', `No server takes writes: 127.0.0.1:${pair.standby.port} is a standby`)
  expect(isDatabaseUnavailable(fault)).toBe(true)
  await alone.close()
})

test('a server that has become read-only is asked once more, and never on the same connection', async () => {
  await write()
  await pair.primary.ask('alter system set default_transaction_read_only = on')
  await pair.primary.ask('select pg_reload_conf()')
  const fault = await vi.waitFor(async () => {
    const outcome = await write().catch((error: unknown) => error)
    expect(outcome).toBeInstanceOf(Error)
    return outcome
  }, PATIENCE)
  expect(isDatabaseUnavailable(fault)).toBe(true)
  expect(database.pool.idleCount).toBe(0)
  await pair.primary.ask('alter system reset default_transaction_read_only')
  await pair.primary.ask('select pg_reload_conf()')
  await vi.waitFor(write, PATIENCE)
})

test('whoever waits for a server that hangs is told once another has taken over', async () => {
  const { primary, standby } = pair
  await write()
  await primary.freeze()
  const waiting = write().catch((error: unknown) => error)
  // It hangs, so nothing is known of it but its silence.
  expect(await Promise.race([waiting, delay(500, 'silence')])).toBe('silence')
  await pair.promote()
  expect(isDatabaseUnavailable(await waiting)).toBe(true)
  await vi.waitFor(write, PATIENCE)
  expect(moves).toEqual([`127.0.0.1:${primary.port} to 127.0.0.1:${standby.port}`])
})

test('the former primary that comes back is not believed, by nobody', async () => {
  const { primary, standby, url } = pair
  await primary.thaw()
  await vi.waitFor(() => primary.ask('insert into visits default values', 'foyer'), PATIENCE)
  await write()
  expect(moves).toHaveLength(1)
  const newcomer = connectTo('DATABASE_URL', url)
  expect(await portOf(newcomer)).toBe(standby.port)
  await newcomer.close()

  // Nor while the new one is away: who has seen the later timeline does not go back to the earlier one.
  await standby.kill()
  for (let refusals = 0; refusals < 20;) {
    const outcome = await write().then(
      () => 'written',
      (error: Error) => error.message,
    )
    expect(outcome).not.toBe('written')
    // Before it knows that the new one is away, it is told that it broke off.
    if (outcome.includes('is a former primary')) refusals++
    else await delay(20)
  }
  await standby.start()
  await vi.waitFor(write, PATIENCE)
  const [row] = await standby.ask<{ count: number }>('select count(*)::int as count from visits', 'foyer')
  expect(row!.count).toBeGreaterThan(3)
})
