import { expect, test } from 'vitest'
import { cloneDatabase } from '../../test/kit/database/database.ts'
import { withClient } from '../../test/kit/database/template.ts'
import { blockedReason, greetedName, parseScanTime } from './rules.ts'

test('the database and the door reach the same verdict in every state a ticket can be in', async () => {
  const orders = ['paid', 'booking_cancelled', 'unpaid', 'refunded', 'cancelled', 'disputed']
  const admissions = ['active', 'cancelled', 'refunded', 'refund_pending']
  const times = [null, new Date(0)]
  const states = orders.flatMap((orderStatus) =>
    admissions.flatMap((status) =>
      times.flatMap((archivedAt) =>
        times.flatMap((redeemedAt) =>
          (redeemedAt ? times : [null]).map((leftAt) => ({ orderStatus, status, archivedAt, redeemedAt, leftAt })),
        ),
      ),
    ),
  )
  expect(states).toHaveLength(144)

  const { connection, drop } = await cloneDatabase()
  const verdicts = await withClient(connection, async (client) => {
    const { rows } = await client.query<{ reason: string | null }>(
      `select why_blocked(order_status, archived_at, status, redeemed_at) as reason
       from unnest($1::text[], $2::timestamptz[], $3::text[], $4::timestamptz[]) with ordinality
         as states (order_status, archived_at, status, redeemed_at, n) order by n`,
      [
        states.map((state) => state.orderStatus),
        states.map((state) => state.archivedAt),
        states.map((state) => state.status),
        states.map((state) => (state.leftAt ? null : state.redeemedAt)),
      ],
    )
    return rows.map((row) => row.reason)
  })
  await drop()
  expect(verdicts).toEqual(states.map(blockedReason))
  expect(verdicts.filter((reason) => reason === null)).toHaveLength(2)
})

test('whom the door greets', () => {
  const guest = { origin: 'guest_list', customerName: 'Mara', attendeeName: null, isLead: false }
  expect(greetedName({ ...guest, isLead: true, attendeeName: 'ignored' })).toBe('Mara')
  expect(greetedName(guest)).toBe('Guest of Mara')
  expect(greetedName({ ...guest, attendeeName: 'Nils' })).toBe('Nils')
  expect(greetedName({ ...guest, origin: 'shop' })).toBe('Mara')
  expect(greetedName({ ...guest, origin: 'shop', attendeeName: 'Nils' })).toBe('Nils')
})

test.each([
  ['2026-12-15T18:03:40Z', '2026-12-15T18:03:40.000Z'],
  ['2026-12-15T20:03:40.123456+02:00', '2026-12-15T18:03:40.123Z'],
  ['2026-12-15T20:03+0200', '2026-12-15T18:03:00.000Z'],
  ['2026-12-15T18:03:40', '2026-12-15T18:03:40.000Z'],
  ['2026-12-15 18:03:40', null],
  ['2026-12-15T25:03:40Z', null],
  ['2026-02-30T18:03:40Z', null],
  ['0000-01-01T00:00:00Z', null],
  [1_797_357_820, null],
])('the time of a scan: %s', (given, time) => {
  expect(parseScanTime(given)?.toISOString() ?? null).toBe(time)
})
