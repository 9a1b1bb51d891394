import { expect, test } from 'vitest'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'

type Loaded = Record<
  string,
  {
    orders: Record<
      string,
      { public_id: string; order_code: string; items: { public_id: string; check_in_code: string }[] }
    >
  }
>

test('orders of a venue file stand as they are, and what is live holds its inventory', async () => {
  const ball = await openWinterBall((event) => {
    event['orders'] = [
      {
        key: 'paid',
        customer_name: 'Paula Paid',
        customer_email: 'Paula@guest.example',
        custom_field_answers: { heard: 'Radio' },
        billing_country: 'DE',
        created_at: '-P2D',
        items: [
          { ticket: 'ga', attendee_name: 'Pit', redeemed_at: '-PT1H' },
          { ticket: 'seat', place: 'A-1' },
          { ticket: 'floor', standing_area: 'back' },
          { ticket: 'ga', admission_status: 'cancelled' },
        ],
      },
      {
        key: 'half',
        customer_name: 'Wil',
        status: 'disputed',
        archived: true,
        items: [{ ticket: 'seat', place: 'W-1' }],
      },
      { key: 'open', customer_name: 'Uwe', status: 'unpaid', items: [{ ticket: 'ga' }] },
    ]
  })
  const printed = (ball.report.events as Loaded)['winter-ball']!.orders
  const { rows } = await ball.app.database.pool.query(
    `select o.public_id, o.order_code, o.status, o.delivery_email, o.total_cents, o.paid_at is not null as paid,
       o.archived_at is not null as archived, o.answers, a.check_in_code, a.attendee_name, a.is_lead, a.place_label,
       a.place_snapshot, a.status as item_status, a.redeemed_at is not null as redeemed
     from orders o join admissions a on a.order_id = o.id and a.account_id = o.account_id
     where o.account_id = $1 order by o.id, a.position`,
    [ball.accountId],
  )

  expect(rows[0]).toMatchObject({
    public_id: printed['paid']!.public_id,
    order_code: printed['paid']!.order_code,
    status: 'paid',
    delivery_email: 'paula@guest.example',
    total_cents: 12500,
    paid: true,
    archived: false,
    answers: { [ball.questions['heard']!]: 'Radio' },
    attendee_name: 'Pit',
    is_lead: false,
    place_snapshot: null,
    redeemed: true,
  })
  expect(rows[1]).toMatchObject({
    is_lead: true,
    place_label: 'Row A Seat 1',
    place_snapshot: { key: 'A-1', section: 'Balcony', row: 'A', seat: '1', area: null, accessibility: null },
  })
  expect(rows[2]).toMatchObject({ place_label: 'Back', place_snapshot: { key: null, area: 'Back' } })
  expect(rows[3]).toMatchObject({ item_status: 'cancelled' })
  expect(rows[4]).toMatchObject({ status: 'disputed', archived: true, place_snapshot: { accessibility: 'wheelchair' } })
  expect(rows[5]).toMatchObject({ status: 'unpaid', paid: false })
  expect(Object.values(printed).flatMap(({ items }) => items.map((each) => each.check_in_code))).toEqual(
    rows.map((row) => row.check_in_code),
  )
  expect((await ball.option('ga')).available_stock).toBe(198)
  expect((await ball.option('floor')).available_stock).toBe(139)
})

test.each<[object, string]>([
  [{ ticket: 'seat' }, 'events[0].orders[0].items[0].place: is missing.'],
  [
    { ticket: 'ga', place: 'A-1' },
    'events[0].orders[0].items[0].place: is given, but the ticket has no numbered places.',
  ],
  [{ ticket: 'floor' }, 'events[0].orders[0].items[0].standing_area: is missing.'],
  [
    { ticket: 'ga', standing_area: 'back' },
    'events[0].orders[0].items[0].standing_area: is given, but the ticket is not a standing one.',
  ],
  [{ ticket: 'seat', place: 'A-3' }, 'events[0].orders: a place is taken, blocked, or of another ticket.'],
  [
    { ticket: 'ga', admission_status: 'cancelled', redeemed_at: '-PT1H' },
    'events[0].orders[0].items[0].redeemed_at: is given, but what is cancelled is never redeemed.',
  ],
])('an item like %o is named with its place in the file', async (item, sentence) => {
  const load = openWinterBall((event) => {
    event['orders'] = [{ key: 'o', customer_name: 'O', items: [item] }]
  })
  await expect(load).rejects.toThrow(sentence)
})

test('a hold of a venue file that finds no room is refused', async () => {
  const load = (holds: object[]) =>
    openWinterBall((event) => {
      event['holds'] = holds
    })
  const expires_at = '+PT15M'
  await expect(load([{ ticket: 'crew', quantity: 21, expires_at }])).rejects.toThrow(
    'events[0].holds[0]: the ticket has no stock left for this.',
  )
  await expect(load([{ ticket: 'floor', expires_at }])).rejects.toThrow('events[0].holds[0].standing_area: is missing.')
  await expect(
    load([
      { ticket: 'seat', places: ['A-1'], expires_at },
      { ticket: 'seat', places: ['A-1'], expires_at },
    ]),
  ).rejects.toThrow('events[0].holds[1]: a place is taken, blocked, or of another ticket.')
})
