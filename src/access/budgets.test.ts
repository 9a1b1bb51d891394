import { expect, test } from 'vitest'
import { openClient } from '../../test/api.ts'
import { openTestHouse } from '../../test/venue.ts'
import { TooManyRequests, openBudgets } from './budgets.ts'

const movable = () => {
  const clock = { at: 0, now: () => new Date(clock.at) }
  return clock
}

test('a budget may be spent at once, and comes back with the minute', () => {
  const clock = movable()
  const guesses = openBudgets(true, clock).of('guesses', 3)
  for (let i = 0; i < 3; i++) guesses.spend('door')
  expect(() => guesses.spend('door')).toThrow(TooManyRequests)
  expect(() => guesses.require('door')).toThrow(TooManyRequests)
  guesses.spend('another door')

  clock.at += 20_000
  guesses.spend('door')
  expect(() => guesses.spend('door')).toThrow(TooManyRequests)

  clock.at += 120_000
  for (let i = 0; i < 3; i++) guesses.spend('door')
})

test('asking whether something is left spends nothing', () => {
  const guesses = openBudgets(true, movable()).of('guesses', 1)
  for (let i = 0; i < 10; i++) guesses.require('door')
  guesses.spend('door')
})

test('whoever is refused is told when to come back', () => {
  const clock = movable()
  const guesses = openBudgets(true, clock).of('guesses', 2)
  guesses.spend('door')
  guesses.spend('door')
  expect(() => guesses.spend('door')).toThrow(expect.objectContaining({ status: 429, retryAfterSeconds: 30 }))
  clock.at += 29_000
  expect(() => guesses.spend('door')).toThrow(expect.objectContaining({ retryAfterSeconds: 1 }))
})

test('a name opens one budget, and switched off there is none', () => {
  const budgets = openBudgets(true, movable())
  budgets.of('guesses', 1).spend('door')
  expect(() => budgets.of('guesses', 1).spend('door')).toThrow(TooManyRequests)

  const off = openBudgets(false, movable()).of('guesses', 1)
  for (let i = 0; i < 10; i++) off.spend('door')
})

test('tokens nobody knows are guessed only so often from one address', async () => {
  const running = await openTestHouse({ environment: { FOYER_RATE_LIMITS: 'on' } })
  try {
    const guess = () => openClient(running.origin, { token: 'a-guess' }).get('/admin/events')
    const replies = await Promise.all(Array.from({ length: 800 }, guess))
    const refused = replies.find((reply) => reply.status !== 401)!
    expect(refused).toRefuse(429, { base: ['Too many requests'] })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  } finally {
    await running.close()
  }
})
