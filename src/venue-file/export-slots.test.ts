import { expect, test } from 'vitest'
import { TooManyRequests } from '../kernel/refusals.ts'
import { ExportSlots } from './export-slots.ts'

test('an account exports one after the other, and others are not held up by it', async () => {
  const slots = new ExportSlots(1_000)
  const order: string[] = []
  const end = await slots.take(1)
  const takeAgain = async () => {
    const release = await slots.take(1)
    order.push('the second of one account')
    release()
  }
  const second = takeAgain()
  const other = await slots.take(2)
  order.push('another account')
  other()
  end()
  await second
  expect(order).toEqual(['another account', 'the second of one account'])
  ;(await slots.take(1))()
})

test('whoever waits for too long is told to come again, and leaves no trace', async () => {
  const slots = new ExportSlots(20)
  const ends = await Promise.all([1, 2, 3, 4].map((account) => slots.take(account)))
  await expect(slots.take(5)).rejects.toThrow(TooManyRequests)
  await expect(slots.take(1)).rejects.toMatchObject({ retryAfterSeconds: 30 })
  for (const end of ends) end()
  ;(await slots.take(5))()
})
