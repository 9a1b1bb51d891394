import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { openDatabase } from './database.ts'

/** A listening database, what it has heard, and a second one that speaks. */
const openTwo = async () => {
  const clone = await cloneDatabase()
  const [listening, speaking] = [openDatabase(clone.connection), openDatabase(clone.connection)]
  const heard: string[] = []
  let lost = 0
  listening.pgNotifications.listen('news', { hear: (payload) => heard.push(payload), forget: () => lost++ })
  const untilHearing = async () => {
    await expect.poll(() => listening.pgNotifications.barrier(), { interval: 10 }).not.toBeNull()
  }
  await untilHearing()
  return {
    listening,
    heard,
    untilHearing,
    timesLost: () => lost,
    say: (text: string) => speaking.pool.query('select pg_notify($1, $2)', ['news', text]),
    lastAsked: async () => {
      const { rows } = await speaking.pool.query<{ query_start: Date }>(`select query_start from pg_stat_activity
        where application_name = 'foyer announcements' and datname = current_database()`)
      return rows[0]!.query_start
    },
    hangUp: () =>
      speaking.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
                           where application_name = 'foyer announcements' and datname = current_database()`),
    close: async () => {
      await listening.close()
      await speaking.close()
      await clone.drop()
    },
  }
}

test('whoever has caught up has heard everything that was said before, every single time', async () => {
  const { listening, heard, say, close } = await openTwo()
  for (let n = 1; n <= 300; n++) {
    await say(String(n))
    await listening.pgNotifications.barrier()
    expect(heard.at(-1)).toBe(String(n))
  }
  await close()
})

test('keeping up has heard everything that was said through the same process, every single time', async () => {
  const { listening, heard, close } = await openTwo()
  for (let n = 1; n <= 300; n++) {
    await listening.pool.query('select pg_notify($1, $2)', ['news', String(n)])
    await listening.pgNotifications.ensureFresh()
    expect(heard.at(-1)).toBe(String(n))
  }
  await close()
})

test('while nothing is written, keeping up asks the database only now and then', async () => {
  const { listening, lastAsked, close } = await openTwo()
  const askedMeanwhile = async () => {
    await listening.pgNotifications.ensureFresh()
    const before = await lastAsked()
    for (let n = 0; n < 20; n++) await listening.pgNotifications.ensureFresh()
    return (await lastAsked()).getTime() - before.getTime()
  }
  // A slow machine may take longer for this than the database is trusted for, but not every time.
  await expect.poll(askedMeanwhile, { interval: 5 }).toBe(0)
  await close()
})

test('catching up tells the time of the database', async () => {
  const { listening, close } = await openTwo()
  const { rows } = await listening.pool.query<{ now: Date }>('select foyer_now() as now')
  const now = await listening.pgNotifications.barrier()
  expect(now!.getTime()).toBeGreaterThanOrEqual(rows[0]!.now.getTime())
  expect(now!.getTime()).toBeLessThan(rows[0]!.now.getTime() + 10_000)
  await close()
})

test('when the connection is lost listeners are told to forget, and it comes back by itself', async () => {
  const { listening, heard, say, hangUp, untilHearing, timesLost, close } = await openTwo()
  await hangUp()
  await expect.poll(timesLost, { interval: 5 }).toBe(1)

  await untilHearing()
  await say('heard')
  await listening.pgNotifications.barrier()
  expect(heard).toEqual(['heard'])
  await close()
})

test('a channel that is listened to later is heard too, and costs those before it nothing', async () => {
  const { listening, heard, say, untilHearing, timesLost, close } = await openTwo()
  const others: string[] = []
  listening.pgNotifications.listen('other', { hear: (payload) => others.push(payload), forget: () => {} })
  await untilHearing()
  await say('one')
  await listening.pool.query(`select pg_notify('other', 'two')`)
  await listening.pgNotifications.barrier()
  expect([heard, others]).toEqual([['one'], ['two']])
  expect(timesLost()).toBe(0)
  await close()
})

test('whoever follows is told from then on, hears of what was missed, and may leave', async () => {
  const { listening, untilHearing, close } = await openTwo()
  const news: (string | null)[] = []
  const leave = await listening.pgNotifications.follow('news', (payload) => news.push(payload))
  const tell = async (payload: string) => {
    await listening.pool.query('select pg_notify($1, $2)', ['news', payload])
    await listening.pgNotifications.barrier()
  }
  await tell('one')
  await listening.pool.query(`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'foyer announcements' and datname = current_database()`)
  await expect.poll(() => news).toEqual(['one', null])
  await untilHearing()
  await tell('two')
  leave()
  await tell('three')
  expect(news).toEqual(['one', null, 'two'])
  await close()
})

test('a database that nobody listens to opens no connection for it', async () => {
  const clone = await cloneDatabase()
  const database = openDatabase(clone.connection)
  expect(await database.pgNotifications.barrier()).toBeNull()
  const { rows } = await database.pool.query(`select 1 from pg_stat_activity
    where application_name = 'foyer announcements' and datname = current_database()`)
  expect(rows).toEqual([])
  await database.close()
  await clone.drop()
})
