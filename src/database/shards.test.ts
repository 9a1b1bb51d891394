import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { openDatabase } from './database.ts'
import { openShardMap } from './shards.ts'

test('where accounts live is read again when the listener stands, be it while it is read for the first time', async () => {
  const clone = await cloneDatabase()
  const database = openDatabase(clone.connection)
  await database.pool.query(`insert into shards (name, number) values ('main', 0), ('two', 1)`)
  await database.pool.query(`insert into account_shards (account_id, shard) values (7, 'two')`)
  const shards = ['main', 'two'].map((name) => ({ name, connection: clone.connection, database }))
  const troubles: Error[] = []
  // As fast as a connection can be: the listener stands before the first answer is there.
  const { pgNotifications } = database
  const listen: typeof pgNotifications.listen = (channel, listener) => {
    listener.resume?.()
    listener.resume?.()
    return pgNotifications.listen(channel, listener)
  }
  const directory = { ...database, pgNotifications: { ...pgNotifications, listen } }

  const map = await openShardMap(directory, shards, (error) => troubles.push(error))
  expect([map.of(7).name, map.of(8).name]).toEqual(['two', 'main'])
  await database.pool.query('delete from account_shards')
  await expect.poll(() => map.of(7).name).toBe('main')
  expect(troubles).toEqual([])
  await database.close()
  await clone.drop()
})
