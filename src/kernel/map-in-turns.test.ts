import { expect, test } from 'vitest'
import { mapInTurns } from './map-in-turns.ts'

const busyFor = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('others work between things that take long, and the order stays', async () => {
  const done: string[] = []
  setImmediate(() => done.push('another'))
  const mapped = mapInTurns(['a', 'b', 'c'], (name) => {
    busyFor(15)
    done.push(name)
    return name.toUpperCase()
  })
  expect(await mapped).toEqual(['A', 'B', 'C'])
  expect(done).toEqual(['a', 'another', 'b', 'c'])
})
