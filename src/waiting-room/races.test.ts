import { expect, onTestFinished, test } from 'vitest'
import { openSecondApp } from '../../test/kit/venue/second-app.ts'
import { type OpenSale, enterMany, openSale, turnsOf, waitingOf } from '../../test/kit/venue/sale.ts'
import { TURNS_CALLED_PER_SECOND } from './rules.ts'

const TICKETS = 20

/** A sale in two processes at once, with a line that both of them serve. */
const openRush = async () => {
  const sale = await openSale({ stock: TICKETS })
  const second = await openSecondApp(sale)
  onTestFinished(() => second.close())
  const scopes = [sale.shop, sale.scopeIn(second.app)]
  const outcomes = await Promise.all(scopes.map((scope) => enterMany(sale, TURNS_CALLED_PER_SECOND + 100, scope)))
  return { sale, scopes, queues: waitingOf(outcomes.flat()) }
}

const askAll = ({ sale, scopes, queues }: Awaited<ReturnType<typeof openRush>>) =>
  Promise.all(queues.flatMap(({ token }) => scopes.map((scope) => sale.enter(token, scope))))

const turnsUnderWay = async (sale: OpenSale) => {
  const { rows } = await sale.app.database.pool.query<{ count: number }>(
    `select count(*)::int as count from queue_places
     where account_id = $1 and used_at is null and turn_ends_at > foyer_now()`,
    [sale.accountId],
  )
  return rows[0]!.count
}

test('two processes give no more turns than there are tickets, however many ask at once', async () => {
  const rush = await openRush()
  expect(rush.queues.length).toBeGreaterThanOrEqual(150)
  for (let second = 0; second < 5; second++) {
    await rush.sale.moveClock('1 second')
    const turns = new Set(turnsOf(await askAll(rush)).map(({ placeId }) => placeId))
    expect(turns.size).toBeLessThanOrEqual(TICKETS)
    expect(await turnsUnderWay(rush.sale)).toBeLessThanOrEqual(TICKETS)
  }
  expect(await turnsUnderWay(rush.sale)).toBe(TICKETS)
})

test('the control: without the lock on the line both processes count the same turns as free', async () => {
  const rush = await openRush()
  const { pool } = rush.sale.app.database
  const call = async (client: {
    query: (text: string, values: unknown[]) => Promise<{ rows: { count: number }[] }>
  }) => {
    const { rows } = await client.query(
      `select count(*)::int as count from queue_places where account_id = $1 and used_at is null and turn_ends_at > foyer_now()`,
      [rush.sale.accountId],
    )
    return TICKETS - rows[0]!.count
  }
  const [one, two] = [await pool.connect(), await pool.connect()]
  try {
    const [first, second] = [await call(one), await call(two)]
    for (const [client, free, after] of [
      [one, first, 0],
      [two, second, first],
    ] as const) {
      await client.query(
        `update queue_places set turn_ends_at = foyer_now() + interval '30 seconds'
         where account_id = $1 and rank > $2 and rank <= $3`,
        [rush.sale.accountId, after, after + free],
      )
    }
  } finally {
    one.release()
    two.release()
  }
  expect(await turnsUnderWay(rush.sale)).toBeGreaterThan(TICKETS)
})

test('of many who use the same turn in two processes at once, one gets a ticket, and nobody gets one without a turn', async () => {
  const rush = await openRush()
  await rush.sale.moveClock('1 second')
  const turns = turnsOf(await askAll(rush))
  const claims = await Promise.all(turns.map((turn, n) => rush.sale.claim(turn, rush.scopes[n % 2])))
  const placeIds = new Set(turns.map(({ placeId }) => placeId))
  expect(claims.filter(Boolean)).toHaveLength(placeIds.size)
  expect(turns.length).toBeGreaterThan(placeIds.size)
})
