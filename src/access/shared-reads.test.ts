import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { shareReads } from './batches.ts'
import { openAccountForJob } from './job-scope.ts'
import type { Rows } from './scopes.ts'

const openScope = async () => {
  const { app, report } = await openVenue()
  return (await openAccountForJob(app, report.account.id))!
}

test('who asks the same at the same time shares an answer, and who asks something else has another', async () => {
  const scope = await openScope()
  const read: number[] = []
  const ask = shareReads(async (rows: Rows, { n }: { n: number }) => {
    read.push(n)
    const { rows: found } = await sql<{ twice: number }>`select ${n}::int * 2 as twice`.execute(rows.db)
    return found[0]!.twice
  })
  expect(await Promise.all([1, 2, 1, 1, 2].map((n) => ask(scope, { n })))).toEqual([2, 4, 2, 2, 4])
  expect(read.toSorted()).toEqual([1, 2])
  expect(await ask(scope, { n: 1 })).toBe(2)
  expect(read).toHaveLength(3)
})

test('an answer is never older than the question', async () => {
  const scope = await openScope()
  let now = 0
  const ask = shareReads(async (rows: Rows, _key: { of: string }) => {
    const seen = now
    await sql`select pg_sleep(0.02)`.execute(rows.db)
    return seen
  })
  for (let round = 1; round <= 20; round++) {
    const before = ask(scope, { of: 'the hour' })
    await sql`select 1`.execute(scope.rows.db)
    now = round
    expect(await ask(scope, { of: 'the hour' })).toBe(round)
    await before
  }
})

test('a question that cannot be answered fails for those who asked it alone', async () => {
  const scope = await openScope()
  const ask = shareReads(async (rows: Rows, { divisor }: { divisor: number }) => {
    const { rows: found } = await sql<{ part: number }>`select 12 / ${divisor}::int as part`.execute(rows.db)
    return found[0]!.part
  })
  const outcomes = await Promise.allSettled([3, 0, 4, 0].map((divisor) => ask(scope, { divisor })))
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected'])
})
