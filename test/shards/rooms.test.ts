import { expect, test, vi } from 'vitest'
import { theApp } from '../kit/venue/venue.ts'

/*
 * Tests of some rooms once more, with every account on a second server. All of them are run so by hand, as
 * docs/shards.md says: FOYER_TEST_SHARDS=1.
 */
vi.stubEnv('FOYER_TEST_SHARDS', '1')

test('accounts of this file are on a second server', async () => {
  const { app, apps } = await theApp()
  expect(apps.map(({ database }) => database === app.database)).toEqual([false, true])
})

await import('../../src/door/door.test.ts')
await import('../../src/seat-exchange/exchange-seat.test.ts')
await import('../../src/feed/feed.test.ts')
await import('../../src/tasks/move-task.test.ts')
await import('../../src/team/memberships/dismissal.test.ts')
await import('../../src/vouchers/reservations/reservations.test.ts')
