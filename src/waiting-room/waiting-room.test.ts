import { expect, test } from 'vitest'
import { enterMany, openSale, turnsOf, waitingOf } from '../../test/kit/venue/sale.ts'
import { TURNS_CALLED_PER_SECOND } from './rules.ts'

/** As many as are served without a line, and a few more who stand in it. */
const rush = async (sale: Awaited<ReturnType<typeof openSale>>, waiting: number) => {
  const outcomes = await enterMany(sale, TURNS_CALLED_PER_SECOND + waiting + 5)
  return { outcomes, queues: waitingOf(outcomes) }
}

test('a quiet sale lets everybody in and has no waiting room', async () => {
  const sale = await openSale({ stock: 100 })
  for (let n = 0; n < 20; n++) expect(await sale.enter()).toEqual({ kind: 'admitted', turn: null })
  expect(await sale.line()).toBeNull()
})

test('when more come than are let in they stand in line, in the order in which they came', async () => {
  const sale = await openSale({ stock: 1_000 })
  const { outcomes, queues } = await rush(sale, 100)
  expect(outcomes.filter(({ kind }) => kind === 'admitted').length).toBeLessThan(TURNS_CALLED_PER_SECOND + 10)
  expect(queues.map(({ position }) => position)).toEqual(queues.map((_, n) => n + 1))
  for (const { token, retryAfterSeconds: seconds } of queues) {
    expect(token).toMatch(/^[\w-]{22}$/)
    expect(seconds).toBeGreaterThanOrEqual(1)
  }

  await sale.moveClock('1 second')
  const later = await Promise.all(queues.map(({ token }) => sale.enter(token)))
  const admitted = later.flatMap(({ kind }, n) => (kind === 'admitted' ? [n] : []))
  expect(admitted.length).toBeGreaterThanOrEqual(TURNS_CALLED_PER_SECOND)
  expect(admitted).toEqual(admitted.map((_, n) => n))
  const positions = waitingOf(later).map(({ position }) => position)
  expect(positions).toEqual(positions.map((_, n) => n + 1))
})

test('whoever asks without a place while others wait goes to the end; asking often gains nothing', async () => {
  const sale = await openSale({ stock: 1_000 })
  const { queues } = await rush(sale, 100)
  const last = queues.at(-1)!
  const [fresh] = waitingOf([await sale.enter()])
  expect(fresh!.position).toBeGreaterThan(last.position! - TURNS_CALLED_PER_SECOND)
  let before = last.position!
  for (let n = 0; n < 30; n++) {
    const [asked] = waitingOf([await sale.enter(last.token)])
    expect(asked!.position).toBeLessThanOrEqual(before)
    before = asked!.position!
  }
  expect(before).toBeGreaterThan(1)
  expect((await sale.line())!['place_count']).toBe(queues.length + 1)
})

test('a turn is used up by a claim, once; a refused claim keeps it; one that is not used lapses', async () => {
  const sale = await openSale({ stock: 1_000 })
  const { queues } = await rush(sale, 60)
  await sale.moveClock('1 second')
  const [first, second, third] = queues
  const take = async (token: string) => turnsOf([await sale.enter(token)])[0]!
  const turn = await take(first!.token)
  expect(await take(first!.token)).toEqual(turn)

  const both = await Promise.all([sale.claim(turn), sale.claim(turn)])
  expect(both.toSorted()).toEqual([false, true])
  await expect(sale.enter(first!.token)).rejects.toThrow('has been used')

  const kept = await take(second!.token)
  await sale.app.database.pool.query('update tickets set stock = claimed_count where id = $1', [sale.ticketId])
  expect(await sale.claim(kept)).toBe(false)
  await sale.app.database.pool.query('update tickets set stock = 1000 where id = $1', [sale.ticketId])
  expect(await take(second!.token)).toEqual(kept)
  expect(await sale.claim(kept)).toBe(true)

  const lapsing = await take(third!.token)
  await sale.moveClock('4 minutes')
  expect(await sale.claim(lapsing)).toBe(false)
})

test('whoever does not come when called makes room for the next, and may still come', async () => {
  const sale = await openSale({ stock: 5 })
  const { queues } = await rush(sale, 60)
  await sale.moveClock('1 second')
  // Five turns for five tickets: the sixth is called only when one of them is free.
  expect(await sale.enter(queues[5]!.token)).toMatchObject({ kind: 'waiting', queue: { position: 1 } })
  await sale.moveClock('31 seconds')
  expect(await sale.enter(queues[5]!.token)).toMatchObject({ kind: 'admitted' })
  expect(await sale.enter(queues[10]!.token)).toMatchObject({ kind: 'waiting', queue: { position: 1 } })
  // The first missed the call. Somebody's turn ends, and it comes before everybody who was not called yet.
  expect(await sale.enter(queues[0]!.token)).toMatchObject({ kind: 'waiting', queue: { position: 1 } })
  await sale.moveClock('31 seconds')
  expect(await sale.enter(queues[0]!.token)).toMatchObject({ kind: 'admitted' })
})

test('when nothing is left those who wait are told so at once, and the line goes on when something comes back', async () => {
  const sale = await openSale({ stock: 2 })
  const { queues } = await rush(sale, 60)
  await sale.moveClock('1 second')
  for (const { token } of queues.slice(0, 2))
    expect(await sale.claim(turnsOf([await sale.enter(token)])[0]!)).toBe(true)
  await sale.moveClock('1 second')
  const left = queues.slice(2)
  const told = await Promise.all(left.map(({ token }) => sale.enter(token)))
  expect(new Set(told.map(({ kind }) => kind))).toEqual(new Set(['sold_out']))

  await sale.moveClock('90 seconds')
  await sale.enter(left.at(-1)!.token)
  // Whoever asks does not wait until it is written down that they did.
  await expect.poll(async () => (await sale.line())!['called_at']).toEqual(sale.app.clock.now())
  await sale.moveClock('90 seconds')
  await sale.app.database.pool.query('update tickets set stock = 3 where id = $1', [sale.ticketId])
  await sale.moveClock('1 second')
  expect(await sale.enter(left[1]!.token)).toMatchObject({ kind: 'waiting', queue: { position: 1 } })
  expect(await sale.enter(left[0]!.token)).toMatchObject({ kind: 'admitted' })
})

test('the waiting room goes away by itself when nobody waits any more, and when all who waited have left', async () => {
  const sale = await openSale({ stock: 1_000 })
  const { queues } = await rush(sale, 10)
  await sale.moveClock('1 second')
  for (const { token } of queues) await sale.claim(turnsOf([await sale.enter(token)])[0] ?? null)
  expect((await sale.line())!['closed_at']).not.toBeNull()
  expect(await sale.enter()).toEqual({ kind: 'admitted', turn: null })

  await rush(sale, 300)
  expect((await sale.line())!['closed_at']).toBeNull()
  await sale.moveClock('3 minutes')
  expect(await sale.enter()).toMatchObject({ kind: 'admitted' })
  expect((await sale.line())!['closed_at']).not.toBeNull()
  expect(await sale.enter()).toEqual({ kind: 'admitted', turn: null })

  await sale.moveClock('2 hours')
  await sale.workOffJobs()
  expect(await sale.line()).toBeNull()
})

test('a token of another event, of another shop, a long one or nonsense is refused', async () => {
  const [sale, other] = [await openSale({ stock: 1_000 }), await openSale({ stock: 1_000 })]
  const { queues } = await rush(other, 10)
  const tokens = [
    queues[0]!.token,
    'x'.repeat(22),
    'x'.repeat(10_240),
    '',
    '../..',
    "' or 1=1 --",
    '\0',
    'é'.repeat(22),
  ]
  for (const token of tokens) await expect(sale.enter(token)).rejects.toThrow('is not a place in this line')
  expect(await sale.line()).toBeNull()
})

test('FOYER_RATE_LIMITS=off lifts it', async () => {
  const sale = await openSale({ stock: 1_000, startsIn: '+PT10M' })
  Object.assign(sale.app.settings, { rateLimits: false })
  const outcomes = await enterMany(sale, 200)
  expect(new Set(outcomes.map(({ kind }) => kind))).toEqual(new Set(['admitted']))
  expect(await sale.line()).toBeNull()
})
