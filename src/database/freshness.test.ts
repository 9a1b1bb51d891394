import { expect, test } from 'vitest'
import { openFreshnessTracker } from './freshness.ts'

test('what was heard is taken for everything until something is written', () => {
  const freshness = openFreshnessTracker()
  expect(freshness.now()).toBeNull()
  freshness.record(new Date(), freshness.begin())
  expect(freshness.now()).toBeInstanceOf(Date)
  freshness.markDirty()
  expect(freshness.now()).toBeNull()
})

test('while the database is asked again, the answer before a write is no longer trusted', () => {
  const freshness = openFreshnessTracker()
  freshness.record(new Date(), freshness.begin())
  freshness.markDirty()
  const asked = freshness.begin()
  expect(freshness.now()).toBeNull()
  freshness.record(new Date(), asked)
  expect(freshness.now()).toBeInstanceOf(Date)
})

test('a write that comes while the database is asked is not covered by its answer', () => {
  const freshness = openFreshnessTracker()
  const asked = freshness.begin()
  freshness.markDirty()
  freshness.record(new Date(), asked)
  expect(freshness.now()).toBeNull()
})
