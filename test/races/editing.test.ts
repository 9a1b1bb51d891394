import { expect, test } from 'vitest'
import { eventOf } from '../kit/venue/shop.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'
import { openWinterBall } from '../kit/venue/winter-ball.ts'

/*
 * Somebody edits while guests come in. The control, which comes last because the guard is not put back, shows that the
 * constraint would have caught an editor who does not wait.
 */

const countsOf = async ({ app, report }: Pick<Venue, 'app' | 'report'>) => {
  const { rows } = await app.database.pool.query<{ capacity: number; claimed: number }>(
    `select capacity, claimed_count as claimed from events where account_id = $1 and slug = 'winter-ball'`,
    [report.account.id],
  )
  return rows[0]!
}

test('an editor waits for guests who are coming in, and counts them', async () => {
  const venue = await openVenue((file) => void (eventOf(file)['capacity'] = 100))
  const { claimed } = await countsOf(venue)
  const guests = await venue.app.database.pool.connect()
  try {
    await guests.query('begin')
    await guests.query(
      `update events set claimed_count = claimed_count + 5 where account_id = $1 and slug = 'winter-ball'`,
      [venue.report.account.id],
    )
    const edit = venue.office.patch('/admin/events/winter-ball', { event: { capacity: claimed + 1 } })
    await waitForLock(venue)
    await guests.query('commit')
    const refused = await edit
    expect(refused.status).toBe(422)
    expect(refused.body.errors).toEqual({ capacity: [`must be greater than or equal to ${claimed + 5}`] })
  } finally {
    guests.release()
  }
  expect(await countsOf(venue)).toEqual({ capacity: 100, claimed: claimed + 5 })
})

test('parties and changes of the capacity at once: nobody fails, and the event is never overbooked', async () => {
  const ball = await openWinterBall((event) => void (event['capacity'] = 60))
  const party = { customer_name: 'Ada', party_size: 2, ticket_id: ball.tickets['ga'] }
  const replies = await Promise.all(
    Array.from({ length: 40 }, (_, n) =>
      n % 2 === 0
        ? ball.office.post(`${ball.path}/guest_parties`, { guest_party: party })
        : ball.office.patch(ball.path, { event: { capacity: 10 + ((n * 7) % 40) } }),
    ),
  )
  expect(new Set(replies.map(({ status }) => status)).difference(new Set([200, 201, 422]))).toEqual(new Set())
  const { capacity, claimed } = await countsOf(ball)
  expect(claimed).toBeLessThanOrEqual(capacity)
})

test('control: an editor who looks without waiting is stopped by the constraint, and by nothing without it', async () => {
  const venue = await openVenue((file) => void (eventOf(file)['capacity'] = 100))
  const { pool } = venue.app.database
  const { claimed } = await countsOf(venue)
  await pool.query(
    `update events set claimed_count = claimed_count + 5 where account_id = $1 and slug = 'winter-ball'`,
    [venue.report.account.id],
  )
  const editBlindly = () =>
    pool.query(`update events set capacity = $2 where account_id = $1 and slug = 'winter-ball'`, [
      venue.report.account.id,
      claimed + 1,
    ])
  await expect(editBlindly()).rejects.toThrow('an_event_is_never_overbooked')

  await pool.query('alter table events drop constraint an_event_is_never_overbooked')
  await editBlindly()
  const after = await countsOf(venue)
  expect(after.claimed).toBeGreaterThan(after.capacity)
})

/** Until somebody waits for a row that somebody else holds. */
const waitForLock = async ({ app }: Pick<Venue, 'app'>): Promise<void> => {
  await expect
    .poll(
      async () => {
        const { rows } = await app.database.pool.query(
          `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        return rows.length
      },
      { timeout: 20_000 },
    )
    .toBeGreaterThan(0)
}
