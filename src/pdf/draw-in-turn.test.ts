import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { drawInTurn } from './draw-in-turn.ts'

test('however many draw at once, others have their turn after ten milliseconds of it, from the first page on', async () => {
  // Whatever else was drawn in this process was drawn before.
  let now = performance.now() + 1_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  let drawn = 0
  const draw = async () => {
    for (let page = 0; page < 3; page++) {
      await drawInTurn(async () => {
        await Promise.resolve()
        now += 3
        drawn += 1
      })
    }
  }
  const drawing = Promise.all(Array.from({ length: 20 }, draw))
  const counts = [drawn]
  while (counts.at(-1)! < 60) {
    await nextRound()
    counts.push(drawn)
  }
  await drawing
  clock.mockRestore()
  const inEachRound = counts.map((count, round) => count - (counts[round - 1] ?? 0))
  expect(Math.max(...inEachRound)).toBeLessThanOrEqual(4)
})

test('a page that cannot be drawn keeps nobody else from theirs', async () => {
  const torn = drawInTurn(() => {
    throw new Error('No such font')
  })
  const whole = drawInTurn(() => 'whole')
  await expect(torn).rejects.toThrow('No such font')
  expect(await whole).toBe('whole')
})
