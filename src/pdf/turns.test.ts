import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { nextTurn } from './turns.ts'

test('of all who draw at once one has its turn in each round of the event loop', async () => {
  let taken = 0
  const drawing = Promise.all(Array.from({ length: 20 }, async () => nextTurn().then(() => (taken += 1))))
  const seen: number[] = []
  for (let round = 0; round < 12; round++) {
    await nextRound()
    seen.push(taken)
  }
  const most = Math.max(...seen.map((count, round) => count - (seen[round - 1] ?? 0)))
  expect(most).toBe(1)
  await drawing
  expect(taken).toBe(20)
})
