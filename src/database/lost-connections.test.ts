import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { openDatabaseWire } from '../../test/kit/database/far-database.ts'
import { endPool, handleLostConnections } from './lost-connections.ts'

const SILENCE_MS = 300

test('a connection that falls silent is cut, also when it was idle for long before, and an idle one never is', async () => {
  const clone = await cloneDatabase()
  const wire = await openDatabaseWire()
  const pool = new pg.Pool({ ...clone.connection, host: '127.0.0.1', port: wire.port, max: 1 })
  handleLostConnections(pool, { silenceMs: SILENCE_MS })

  const backend = async () => (await pool.query('select pg_backend_pid() as pid')).rows[0].pid
  const first = await backend()
  await delay(SILENCE_MS * 3)
  expect(await backend()).toBe(first)
  await delay(SILENCE_MS * 3)

  wire.swallow()
  await expect(pool.query('select 1')).rejects.toMatchObject({ code: 'ETIMEDOUT' })
  wire.reset()
  wire.mend()
  expect(await backend()).not.toBe(first)
  await endPool(pool)
  await wire.close()
  await clone.drop()
})
