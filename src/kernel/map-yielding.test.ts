import { expect, test } from 'vitest'
import { mapYielding } from './map-yielding.ts'

const busyFor = (ms: number) => {
  const end = performance.now() + ms
  while (performance.now() < end);
}

test('others work between things that take long, and the order stays', async () => {
  const done: string[] = []
  setImmediate(() => done.push('another'))
  const mapped = mapYielding(['a', 'b', 'c'], (name) => {
    busyFor(15)
    done.push(name)
    return name.toUpperCase()
  })
  expect(await mapped).toEqual(['A', 'B', 'C'])
  expect(done).toEqual(['a', 'another', 'b', 'c'])
})
