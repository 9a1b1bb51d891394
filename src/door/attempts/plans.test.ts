import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { addOrder, addTicket } from '../../../test/kit/venue/orders.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { useGenericPlans } from '../../database/prepared.ts'
import { attemptRedemptions } from './judged/records.ts'

const BEFORE = 400
const LATER = 600
const ASKED = 40

test('a plan from the time of the first orders still looks each ticket up when there are many', async () => {
  const venue = await openVenue()
  const { kysely, pool } = venue.app.database
  const { rows } = await pool.query<{ id: number }>('select id from credentials where account_id = $1 limit 1', [
    venue.report.account.id,
  ])
  const attemptAt = (publicId: string) => ({
    accountId: venue.report.account.id,
    credentialId: rows[0]!.id,
    eventId: null,
    membershipId: null,
    eventSlug: '',
    identifier: { publicId, code: null },
    clientId: null,
    scannedAt: null,
    kind: 'entry' as const,
    reason: null,
    refused: null,
  })
  await addOrder(venue, 'winter-ball', { admissions: Array.from({ length: BEFORE }, () => ({})) })
  const newTicket = async () => (await addTicket(venue, 'winter-ball')).publicId

  await kysely.transaction().execute(async (tx) => {
    await useGenericPlans(tx)
    await attemptRedemptions(tx, [attemptAt(await newTicket())])

    const later: string[] = []
    for (let n = 0; n < LATER; n++) later.push(await newTicket())
    const judged = await attemptRedemptions(tx, later.slice(0, ASKED).map(attemptAt))
    expect(judged.map(({ result }) => result)).toEqual(Array(ASKED).fill('accepted'))

    const { rows: read } = await sql<{ tuples: number }>`
      select sum(idx_tup_fetch)::int as tuples from pg_stat_xact_user_tables where relname in ('orders', 'admissions')
    `.execute(tx)
    // Each of them among all of the account at worst, but never each order with each ticket.
    expect(read[0]!.tuples).toBeLessThan(ASKED * (BEFORE + LATER) * 4)
  })
})
