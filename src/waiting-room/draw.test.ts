import { expect, test } from 'vitest'
import { enterMany, openSale, turnsOf, waitingOf } from '../../test/kit/venue/sale.ts'
import { TURNS_CALLED_PER_SECOND } from './rules.ts'

const EARLY = 600

/** Early comers in the order in which they came, drawn, with their positions. */
const drawEarly = async () => {
  const sale = await openSale({ stock: 5_000, startsIn: '+PT10M' })
  const before = waitingOf(await enterMany(sale, EARLY / 2))
  await sale.moveClock('10 minutes 2 seconds')
  const early = [...before, ...waitingOf(await enterMany(sale, EARLY / 2))]
  return { sale, early }
}

const rankOf = async (sale: Awaited<ReturnType<typeof openSale>>) => {
  const { rows } = await sale.app.database.pool.query<{ id: number; rank: number }>(
    'select id, rank from queue_places where account_id = $1 order by id',
    [sale.accountId],
  )
  return rows.map(({ rank }) => rank)
}

/** How much two orders have to do with each other: 1 the same, 0 nothing, -1 reversed. */
const correlation = (ranks: readonly number[]) => {
  const n = ranks.length
  const squares = ranks.reduce((sum, rank, arrival) => sum + (rank - 1 - arrival) ** 2, 0)
  return 1 - (6 * squares) / (n * (n * n - 1))
}

test('early comers learn nothing until the draw, and then their order has nothing to do with when they came', async () => {
  const { sale, early } = await drawEarly()
  expect(early).toHaveLength(EARLY)
  expect(new Set(early.map(({ position }) => position))).toEqual(new Set([null]))
  expect(await sale.enter(early[0]!.token)).toMatchObject({ kind: 'waiting', queue: { position: null } })

  await sale.moveClock('4 seconds')
  const drawn = await Promise.all(early.map(({ token }) => sale.enter(token)))
  expect(turnsOf(drawn).length).toBeGreaterThanOrEqual(TURNS_CALLED_PER_SECOND)
  const ranks = await rankOf(sale)
  expect(ranks.toSorted((a, b) => a - b)).toEqual(ranks.map((_, n) => n + 1))
  // By chance it is beyond 0.35 once in far more than 10^16 draws of 600: that is eight and a half standard deviations.
  expect(Math.abs(correlation(ranks))).toBeLessThan(0.35)
  // The control: the order in which they came would not pass.
  expect(correlation(ranks.toSorted((a, b) => a - b))).toBe(1)
})

test('whoever comes after the draw stands behind all who were drawn', async () => {
  const { sale, early } = await drawEarly()
  await sale.moveClock('4 seconds')
  await sale.enter(early[0]!.token)
  const later = waitingOf(await enterMany(sale, 5))
  expect(later.map(({ position }) => position! - later[0]!.position!)).toEqual([0, 1, 2, 3, 4])
  expect(await rankOf(sale)).toEqual([...(await rankOf(sale)).slice(0, EARLY), 601, 602, 603, 604, 605])
})

test('early comers who can all be let in together do not wait for the draw', async () => {
  const sale = await openSale({ stock: 100, startsIn: '+PT10M' })
  const early = waitingOf(await enterMany(sale, 20))
  expect(early).toHaveLength(20)
  for (const { retryAfterSeconds: seconds } of early) expect(seconds).toBe(60)
  await sale.moveClock('10 minutes')
  const outcomes = await Promise.all(early.map(({ token }) => sale.enter(token)))
  expect(turnsOf(outcomes)).toHaveLength(20)
  expect(await sale.enter()).toEqual({ kind: 'admitted', turn: null })
})

test('long before the sale nobody stands in line', async () => {
  const sale = await openSale({ stock: 100, startsIn: '+PT1H' })
  expect(await sale.enter()).toEqual({ kind: 'not_started' })
  expect(await sale.line()).toBeNull()
})

test('a sale that is put off takes its line along', async () => {
  const sale = await openSale({ stock: 100, startsIn: '+PT10M' })
  const [place] = waitingOf(await enterMany(sale, 1))
  const { rows } = await sale.app.database.pool.query<{ at: Date }>(
    `update events set sales_starts_at = sales_starts_at + interval '5 minutes' where id = $1 returning sales_starts_at as at`,
    [sale.eventId],
  )
  expect(rows).toHaveLength(1)
  await sale.moveClock('11 minutes')
  expect(await sale.enter(place!.token)).toMatchObject({ kind: 'waiting', queue: { position: null } })
  await sale.moveClock('5 minutes')
  expect(await sale.enter(place!.token)).toMatchObject({ kind: 'admitted' })
})
