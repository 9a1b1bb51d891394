import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { openLog } from '../kernel/log.ts'
import { openWorkerPool } from './connections.ts'

test('a connection that is given back twice is given back once, and serves the next', async () => {
  const database = await cloneDatabase()
  const pool = openWorkerPool(database.connection, 1, openLog('silent'))
  const release = await new Promise<() => void>((resolve, reject) =>
    pool.connect((error, _client, giveBack) => (error ? reject(error) : resolve(giveBack))),
  )
  release()
  const holder = await pool.connect()
  expect(() => release()).not.toThrow()

  // The second time took nothing away from whoever holds it now.
  expect([pool.totalCount, pool.idleCount]).toEqual([1, 0])
  holder.release()
  expect((await pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
  await pool.end()
  await database.drop()
})

test('a lost connection is told, unless it was to be given up anyway', async () => {
  const database = await cloneDatabase()
  const lines: string[] = []
  const pool = openWorkerPool(
    database.connection,
    1,
    openLog('warn', (line) => lines.push(line)),
  )
  const { rows } = await pool.query('select pg_backend_pid() as pid')
  const beside = openWorkerPool(database.connection, 1, openLog('silent'))
  await beside.query('select pg_terminate_backend($1)', [rows[0].pid])
  await expect.poll(() => lines.length).toBe(1)
  expect(lines[0]).toContain('The worker lost a database connection')

  await pool.query('select 1')
  const ending = pool.end()
  // What a server that is stopped as well says last.
  pool.emit('error', new Error('terminating connection due to administrator command'))
  await ending
  expect(lines).toHaveLength(1)
  await beside.end()
  await database.drop()
})
