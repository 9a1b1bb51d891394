import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { yieldBetweenPages } from './yield-between-pages.ts'

test('however many draw at once, others have their turn after ten milliseconds of it', async () => {
  // Whatever else was drawn in this process was drawn before.
  let now = performance.now() + 1_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  let drawn = 0
  const draw = async () => {
    for (let page = 0; page < 3; page++) {
      now += 3
      drawn += 1
      await yieldBetweenPages()
    }
  }
  const drawing = Promise.all(Array.from({ length: 20 }, draw))
  // The first page of each is begun before anybody could be let in.
  const counts = [drawn]
  while (counts.at(-1)! < 60) {
    await nextRound()
    counts.push(drawn)
  }
  await drawing
  clock.mockRestore()
  const inEachRound = counts.slice(1).map((count, round) => count - counts[round]!)
  expect(Math.max(...inEachRound)).toBeLessThanOrEqual(4)
})
