import { expect, test } from 'vitest'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const pathOf = ({ public_id }: { public_id: string }) => `/admin/order_items/${public_id}/seat_exchange`

// oxlint-disable-next-line typescript/no-explicit-any
const seatedAt = async (ball: WinterBall, key: string, party: object = {}): Promise<any> => {
  const { admissions } = await ball.party({
    ticket_id: ball.tickets['seat'],
    event_place_ids: [ball.places[key]],
    ...party,
  })
  return admissions[0]
}

const move = (ball: WinterBall, item: { public_id: string }, event_place_id: unknown) =>
  ball.office.post(pathOf(item), { seat_exchange: { event_place_id } })

test('the choices are the free seats of the same ticket, without the current, blocked and linked ones', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'].push({ key: 'box', title: 'Box', inventory_kind: 'places' })
    event['places'].push({ key: 'B-1', label: 'Box 1', ticket: 'box' })
  })
  const item = await seatedAt(ball, 'A-1')
  await seatedAt(ball, 'A-2')

  const reply = await ball.reader.get(pathOf(item))
  expect(reply.body).toEqual({
    public_id: item.public_id,
    place_label: 'Row A Seat 1',
    current_place_id: ball.places['A-1'],
    available_places: ['4', '5', '6'].map((n) => ({
      id: ball.places[`A-${n}`],
      key: `A-${n}`,
      label: `Row A Seat ${n}`,
    })),
  })
})

test('a move frees the old seat, takes the new one and keeps the ticket', async () => {
  const ball = await openWinterBall()
  const item = await seatedAt(ball, 'A-1')
  const reply = await move(ball, item, ball.places['A-5'])
  expect(reply.body).toEqual({
    public_id: item.public_id,
    place_label: 'Row A Seat 5',
    previous_place_label: 'Row A Seat 1',
  })

  const {
    guest_parties: [party],
    ticket_options,
  } = await ball.guestList()
  expect(party.admissions[0]).toEqual({ ...item, place_label: 'Row A Seat 5' })
  const free = ticket_options
    .find((each: { id: number }) => each.id === ball.tickets['seat'])
    .available_places.map((each: { key: string }) => each.key)
  expect(free).toEqual(['A-1', 'A-2', 'A-4', 'A-6', 'W-1', 'W-1C'])
  expect((await ball.office.get(pathOf(item))).body.current_place_id).toBe(ball.places['A-5'])

  const { rows } = await ball.app.database.pool.query('select place_snapshot from admissions where public_id = $1', [
    item.public_id,
  ])
  expect(rows[0].place_snapshot).toEqual({
    key: 'A-5',
    label: 'Row A Seat 5',
    section: 'Balcony',
    row: 'A',
    seat: '5',
    area: null,
    accessibility: null,
  })
})

test('the seat of a paid order moves in the same way', async () => {
  const ball = await openWinterBall((event) => {
    event['orders'] = [
      {
        key: 'paid',
        customer_name: 'Paula',
        customer_email: 'paula@guest.example',
        items: [{ ticket: 'seat', place: 'A-1' }],
      },
      { key: 'back', customer_name: 'Rita', status: 'refunded', items: [{ ticket: 'seat', place: 'A-2' }] },
    ]
  })
  const { orders } = (
    ball.report.events as Record<string, { orders: Record<string, { items: { public_id: string }[] }> }>
  )['winter-ball']!
  expect((await move(ball, orders['paid']!.items[0]!, ball.places['A-4'])).status).toBe(200)
  expect(await ball.queuedMails()).toMatchObject([{ reason: 'seat_moved' }])
  expect(await move(ball, orders['back']!.items[0]!, ball.places['A-5'])).toRefuse(422)
})

test('a move is mailed where there is an address, once, and to nobody else', async () => {
  const ball = await openWinterBall()
  await move(ball, await seatedAt(ball, 'A-1'), ball.places['A-2'])
  expect(await ball.queuedMails()).toEqual([])

  await move(ball, await seatedAt(ball, 'A-4', { delivery_email: 'ada@guest.example' }), ball.places['A-5'])
  expect(await ball.queuedMails()).toMatchObject([
    { reason: 'issued' },
    { reason: 'seat_moved', admission_ids: [expect.any(Number)] },
  ])
})

test('a pass in a wallet is updated after a move', async () => {
  const ball = await openWinterBall()
  const [moved, other] = [await seatedAt(ball, 'A-1'), await seatedAt(ball, 'A-2')]
  const { pool } = ball.app.database
  await pool.query('update admissions set has_wallet_pass = true where public_id = any($1)', [
    [moved.public_id, other.public_id],
  ])
  await move(ball, moved, ball.places['A-4'])
  const { rows } = await pool.query(
    `select m.public_id from lane_jobs j join admissions m on m.id = (j.payload ->> 'admission_id')::bigint
     where j.account_id = $1 and j.name = 'wallet.update'`,
    [ball.accountId],
  )
  expect(rows).toEqual([{ public_id: moved.public_id }])
})

test('a seat that is taken, blocked, linked, elsewhere or nowhere is no target, and nothing moves', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'].push({ key: 'box', title: 'Box', inventory_kind: 'places' })
    event['places'].push({ key: 'B-1', label: 'Box 1', ticket: 'box' })
  })
  const other = await openWinterBall()
  const item = await seatedAt(ball, 'A-1')
  await seatedAt(ball, 'A-2')
  const before = await ball.standing()
  const gone = { event_place_id: ['Seats are no longer available'] }
  const unknown = { event_place_id: ['is not included in the list'] }

  for (const [target, errors] of [
    [ball.places['A-1'], gone],
    [ball.places['A-2'], gone],
    [ball.places['A-3'], gone],
    [ball.places['W-1'], unknown],
    [ball.places['B-1'], unknown],
    [other.places['A-4'], unknown],
    [99_999_999, unknown],
    [null, { event_place_id: ["can't be blank"] }],
    ['x', { event_place_id: ['is invalid'] }],
  ] as const) {
    expect(await move(ball, item, target)).toRefuse(422, errors as Record<string, string[]>)
  }
  expect(await ball.office.post(pathOf(item), {})).toRefuse(400)
  expect(await ball.standing()).toEqual(before)
})

test('linked, redeemed, cancelled and unnumbered admissions stay where they are', async () => {
  const ball = await openWinterBall()
  const {
    admissions: [linked],
  } = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['W-1'], ball.places['W-1C']] })
  const inside = await seatedAt(ball, 'A-1')
  await ball.letIn(inside)
  const gone = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ball.places['A-2']] })
  await ball.office.post(ball.partyPath(gone, '/cancellation'))
  const {
    admissions: [unnumbered],
  } = await ball.party()
  const before = await ball.standing()

  for (const item of [linked, inside, gone.admissions[0]]) {
    expect((await ball.office.get(pathOf(item))).body.available_places).toEqual([])
    expect(await move(ball, item, ball.places['A-5'])).toRefuse(422, {
      base: ['This admission cannot be moved to another place'],
    })
  }
  expect(await ball.office.get(pathOf(unnumbered))).toRefuse(422, { base: ['This admission has no numbered place'] })
  expect(await move(ball, unnumbered, ball.places['A-5'])).toRefuse(422, {
    base: ['This admission has no numbered place'],
  })
  expect(await ball.standing()).toEqual(before)
})

test('a checkout whose time is over holds no seat back, one under way does', async () => {
  const ball = await openWinterBall((event) => {
    event['holds'] = [
      { ticket: 'seat', places: ['A-2'], expires_at: '+PT15M' },
      { ticket: 'seat', places: ['A-4'], expires_at: '-PT1M' },
    ]
  })
  const item = await seatedAt(ball, 'A-1')
  expect(await move(ball, item, ball.places['A-2'])).toRefuse(422, {
    event_place_id: ['Seats are no longer available'],
  })
  expect((await move(ball, item, ball.places['A-4'])).status).toBe(200)
})

test('a co-organizer reaches the seats of assigned events only, and a stranger none', async () => {
  const seats = {
    tickets: [{ key: 'seat', title: 'Seat', inventory_kind: 'places' }],
    places: [
      { key: 'S-1', label: 'S 1', ticket: 'seat' },
      { key: 'S-2', label: 'S 2', ticket: 'seat' },
    ],
    guest_parties: [{ key: 'p', customer_name: 'Ada', ticket: 'seat', places: ['S-1'] }],
  }
  const ball = await openWinterBall((_event, file) => Object.assign(file['events'][1], seats))
  const spring = (
    ball.report.events as Record<
      string,
      { places: Record<string, number>; guest_parties: Record<string, { admissions: { public_id: string }[] }> }
    >
  )['spring-night']!
  const item = await seatedAt(ball, 'A-1')
  const elsewhere = spring.guest_parties['p']!.admissions[0]!
  const body = { seat_exchange: { event_place_id: spring.places['S-2'] } }
  const other = await openVenue()

  expect((await ball.partner.get(pathOf(item))).status).toBe(200)
  expect((await ball.partner.get(pathOf(elsewhere))).status).toBe(404)
  expect(await ball.partner.post(pathOf(elsewhere), body)).toRefuse(404, { base: ['Not found'] })
  expect(await ball.partner.post(pathOf(elsewhere), {})).toRefuse(404)
  expect((await other.office.get(pathOf(item))).status).toBe(404)
  expect((await ball.office.get(pathOf({ public_id: 'nobody' }))).status).toBe(404)
  expect((await ball.reader.post(pathOf(item), body)).status).toBe(401)
  for (const caller of [ball.stranger, ball.door]) expect((await caller.get(pathOf(item))).status).toBe(401)
  expect((await ball.office.post(pathOf(elsewhere), body)).status).toBe(200)

  await ball.app.database.pool.query('delete from assignments where account_id = $1', [ball.accountId])
  expect((await ball.partner.get(pathOf(item))).status).toBe(404)
})
