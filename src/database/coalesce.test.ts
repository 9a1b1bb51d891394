import { setImmediate as nextTurn } from 'node:timers/promises'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { coalesce } from './coalesce.ts'

/** Batches that stay away until they are let home one by one. */
const slowApp = () => {
  const batches: { keys: number[]; come: () => void; fail: (error: Error) => void }[] = []
  const run = (keys: number[]) =>
    new Promise<string[]>((resolve, reject) => {
      batches.push({ keys, come: () => resolve(keys.map((key) => `answer ${key}`)), fail: reject })
    })
  return { batches, run }
}

test('a lone call leaves in the same turn of the event loop', async () => {
  const { batches, run } = slowApp()
  const ask = coalesce(run)

  const answer = ask(1)
  await nextTurn()
  expect(batches.map((batch) => batch.keys)).toEqual([[1]])

  batches[0]!.come()
  expect(await answer).toBe('answer 1')
})

test('calls that arrive together leave together, at most so many in a batch', async () => {
  const { batches, run } = slowApp()
  const ask = coalesce(run, { maxBatch: 3, concurrency: 5 })

  const answers = Promise.all([1, 2, 3, 4, 5, 6, 7].map(ask))
  await nextTurn()
  expect(batches.map((batch) => batch.keys)).toEqual([[1, 2, 3], [4, 5, 6], [7]])

  for (const batch of batches) batch.come()
  expect(await answers).toEqual([1, 2, 3, 4, 5, 6, 7].map((key) => `answer ${key}`))
})

test('while enough batches are away further calls gather, and leave as one when the first comes home', async () => {
  const { batches, run } = slowApp()
  const ask = coalesce(run, { concurrency: 2 })

  void ask(1)
  await nextTurn()
  void ask(2)
  await nextTurn()
  void ask(3)
  await nextTurn()
  void ask(4)
  await nextTurn()
  expect(batches.map((batch) => batch.keys)).toEqual([[1], [2]])

  batches[1]!.come()
  await nextTurn()
  // Whoever arrives in the same turn goes along.
  void ask(5)
  await nextTurn()
  expect(batches.map((batch) => batch.keys)).toEqual([[1], [2], [3, 4, 5]])
})

test('a batch that fails rejects its own calls only', async () => {
  const { batches, run } = slowApp()
  const ask = coalesce(run, { maxBatch: 2 })

  const answers = Promise.allSettled([1, 2, 3].map(ask))
  await nextTurn()
  batches[0]!.fail(new Error('lost'))
  batches[1]!.come()

  expect(await answers).toMatchObject([
    { status: 'rejected', reason: { message: 'lost' } },
    { status: 'rejected', reason: { message: 'lost' } },
    { status: 'fulfilled', value: 'answer 3' },
  ])
})

test('after a failure the next call leaves as usual', async () => {
  let count = 0
  const ask = coalesce<number, number>(
    (keys) => {
      if (count++ === 0) throw new Error('thrown before anything was awaited')
      return Promise.resolve(keys)
    },
    { concurrency: 1 },
  )

  await expect(ask(1)).rejects.toThrow('thrown before anything was awaited')
  expect(await ask(2)).toBe(2)
})

test('a batch with too few answers is an error, not somebody else’s answer', async () => {
  const ask = coalesce<number, number>((keys) => Promise.resolve(keys.slice(1)))
  await expect(Promise.all([ask(1), ask(2)])).rejects.toThrow('A batch of 2 calls got 1 answers.')
})

test('every caller gets its own answer, however calls and batches overlap', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.scheduler(),
      fc.array(fc.tuple(fc.nat(50), fc.boolean()), { maxLength: 60 }),
      fc.integer({ min: 1, max: 7 }),
      fc.integer({ min: 1, max: 4 }),
      async (scheduler, calls, maxBatch, concurrency) => {
        let away = 0
        const run = async (keys: number[]) => {
          away++
          expect(away).toBeLessThanOrEqual(concurrency)
          expect(keys.length).toBeLessThanOrEqual(maxBatch)
          await scheduler.schedule(Promise.resolve(), `batch of ${keys.length}`)
          away--
          if (keys.includes(13)) throw new Error('a batch with 13 fails')
          return keys.map((key) => `answer ${key}`)
        }
        const ask = coalesce(run, { maxBatch, concurrency })

        const answers: Promise<string>[] = []
        for (const [key, pauses] of calls) {
          answers.push(ask(key))
          if (pauses) await nextTurn()
        }
        const settled = Promise.allSettled(answers)
        await scheduler.waitFor(settled)

        for (const [index, answer] of (await settled).entries()) {
          const key = calls[index]![0]
          if (answer.status === 'fulfilled') expect(answer.value).toBe(`answer ${key}`)
          else expect(answer.reason).toEqual(new Error('a batch with 13 fails'))
        }
        expect(away).toBe(0)
      },
    ),
  )
})
