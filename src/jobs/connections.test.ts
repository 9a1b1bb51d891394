import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database.ts'
import { openLog } from '../kernel/log.ts'
import { openConnections } from './connections.ts'

test('a connection that is given back twice is given back once, and serves the next', async () => {
  const database = await cloneDatabase()
  const pool = openConnections(database.connection, 1, openLog('silent'))
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
