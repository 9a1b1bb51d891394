import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { CircuitOpen, openCircuitBreaker } from './circuit-breaker.ts'

const SLOW_MS = 30
const REST_MS = 200

const open = () => {
  const call = openCircuitBreaker({ slowMs: SLOW_MS, restMs: REST_MS })
  let tries = 0
  const ask = (work: () => Promise<unknown>) =>
    call(() => {
      tries++
      return work()
    }).catch((error: Error) => error)
  return { ask, tries: () => tries }
}

const hang = async () => {
  await delay(SLOW_MS + 10)
  throw new Error('no answer')
}

const refuse = async () => {
  throw new Error('refused')
}

test('a refusal is an answer: the next call is tried', async () => {
  const { ask, tries } = open()
  for (let n = 0; n < 3; n++) expect(await ask(refuse)).toMatchObject({ message: 'refused' })
  expect(tries()).toBe(3)
})

test('after a call that waited in vain, others are turned away at once for a while', async () => {
  const { ask, tries } = open()
  expect(await ask(hang)).toMatchObject({ message: 'no answer' })
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask(hang)))
  expect(answers.every((answer) => answer instanceof CircuitOpen)).toBe(true)
  expect(tries()).toBe(1)
})

test('then a single one tries, and once it is answered everybody is let through', async () => {
  const { ask, tries } = open()
  await ask(hang)
  await delay(REST_MS + 20)
  const answers = await Promise.all(Array.from({ length: 5 }, () => ask(hang)))
  expect(answers.filter((answer) => answer instanceof CircuitOpen)).toHaveLength(4)
  expect(tries()).toBe(2)

  await delay(REST_MS + 20)
  expect(await ask(async () => 'well')).toBe('well')
  expect(await Promise.all([ask(async () => 1), ask(async () => 2)])).toEqual([1, 2])
})
