import { expect, test } from 'vitest'
import { oneByOne } from './one-by-one.ts'

test('each begins when the one before has ended, well or not, and is answered its own', async () => {
  const inTurn = oneByOne()
  const steps: string[] = []
  const first = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  const answers = [
    inTurn(() => {
      steps.push('first begins')
      begun.resolve()
      return first.promise.finally(() => steps.push('first ends'))
    }),
    inTurn(() => {
      steps.push('second fails')
      throw new Error('second')
    }),
    inTurn(() => {
      steps.push('third')
      return 3
    }),
  ]
  const settled = Promise.allSettled(answers)
  await begun.promise
  expect(steps).toEqual(['first begins'])
  first.resolve('one')
  expect(await settled).toMatchObject([{ value: 'one' }, { reason: { message: 'second' } }, { value: 3 }])
  expect(steps).toEqual(['first begins', 'first ends', 'second fails', 'third'])
})
