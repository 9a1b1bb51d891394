import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeJson } from './write-json.ts'

const read = async (value: unknown) => JSON.parse((await Array.fromAsync(writeJson(value))).join(''))

async function* streamed<T>(things: T[]) {
  yield* things
}

test('whatever is JSON is written as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), async (value) => {
      expect(await read(value)).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})

test('lists that are read while they are written stand in the text like any other', async () => {
  const venue = {
    name: 'Neue Halle',
    closed: undefined,
    venues: streamed([]),
    events: streamed([
      { slug: 'ball', orders: streamed([{ key: 'a' }, { key: 'b' }]) },
      { slug: 'night', orders: streamed([]) },
    ]),
  }
  expect(await read(venue)).toEqual({
    name: 'Neue Halle',
    venues: [],
    events: [
      { slug: 'ball', orders: [{ key: 'a' }, { key: 'b' }] },
      { slug: 'night', orders: [] },
    ],
  })
})

test('a long list goes out in pieces, and is read no further than they are taken', async () => {
  let count = 0
  async function* orders() {
    for (;;) yield { key: `order ${count++}` }
  }
  const pieces = writeJson({ orders: orders() })
  await pieces.next()
  expect(count).toBeLessThan(5_000)
  await pieces.return(undefined)
})
