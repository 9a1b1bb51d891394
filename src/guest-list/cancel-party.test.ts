import { expect, test } from 'vitest'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'

const NO_LONGER = { base: ['This party can no longer be cancelled'] }
const NOT_THIS_ONE = { base: ['This admission can no longer be cancelled'] }

test('cancelling a party gives everything back, once', async () => {
  const ball = await openWinterBall()
  const options = (await ball.guestList()).ticket_options
  const parties = [
    await ball.party({ party_size: 3 }),
    await ball.party({ ticket_id: ball.tickets['floor'], party_size: 2, event_capacity_pool_id: ball.areas['front'] }),
    await ball.party({
      ticket_id: ball.tickets['seat'],
      event_place_ids: ['A-1', 'W-1', 'W-1C'].map((key) => ball.places[key]),
    }),
  ]
  expect((await ball.guestList()).ticket_options).not.toEqual(options)

  for (const party of parties) {
    const reply = await ball.office.post(ball.partyPath(party, '/cancellation'))
    expect(reply.status).toBe(200)
    expect(reply.body).toMatchObject({
      status: 'booking_cancelled',
      cancellable: false,
      party_size: 0,
      arrived_count: 0,
    })
    for (const admission of reply.body.admissions) {
      expect(admission).toMatchObject({ admission_status: 'cancelled', cancellable: false, seat_exchangeable: false })
    }
    expect((await ball.office.get(ball.partyPath(party))).body).toEqual(reply.body)
    expect(await ball.office.post(ball.partyPath(party, '/cancellation'))).toRefuse(422, NO_LONGER)
  }
  expect((await ball.guestList()).ticket_options).toEqual(options)
})

test('a party with one guest inside can no longer be cancelled', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 3 })
  await ball.letIn(party.admissions[1])
  const before = await ball.standing()

  expect((await ball.office.get(ball.partyPath(party))).body).toMatchObject({
    arrival_state: 'partially_arrived',
    arrived_count: 1,
    party_size: 3,
    cancellable: false,
  })
  expect(await ball.office.post(ball.partyPath(party, '/cancellation'))).toRefuse(422, NO_LONGER)
  expect(await ball.standing()).toEqual(before)
})

test('releasing one admission releases exactly that one', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 3 })
  const [, second] = party.admissions
  const before = (await ball.option('ga')).available_stock
  const path = ball.partyPath(party, `/admissions/${second.public_id}/cancellation`)

  const reply = await ball.office.post(path)
  expect(reply.body).toMatchObject({ status: 'paid', party_size: 2, cancellable: true })
  expect(reply.body.admissions.map((each: { admission_status: string }) => each.admission_status)).toEqual([
    'active',
    'cancelled',
    'active',
  ])
  expect((await ball.option('ga')).available_stock).toBe(before + 1)

  expect(await ball.office.post(path)).toRefuse(422, NOT_THIS_ONE)
  expect((await ball.option('ga')).available_stock).toBe(before + 1)

  await ball.office.post(ball.partyPath(party, '/cancellation'))
  expect((await ball.option('ga')).available_stock).toBe(before + 3)
})

test('with the last admission the party is cancelled', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 2 })
  for (const [n, { public_id }] of party.admissions.entries()) {
    const reply = await ball.office.post(ball.partyPath(party, `/admissions/${public_id}/cancellation`))
    expect(reply.body).toMatchObject({ status: n === 0 ? 'paid' : 'booking_cancelled', party_size: 1 - n })
  }
  expect((await ball.guestList()).guest_parties).toEqual([])
})

test('who is inside stays, and who is not can still be released', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 2 })
  const [inside, outside] = party.admissions
  await ball.letIn(inside)

  expect(await ball.office.post(ball.partyPath(party, `/admissions/${inside.public_id}/cancellation`))).toRefuse(
    422,
    NOT_THIS_ONE,
  )
  const reply = await ball.office.post(ball.partyPath(party, `/admissions/${outside.public_id}/cancellation`))
  expect(reply.body).toMatchObject({ arrival_state: 'arrived', arrived_count: 1, party_size: 1, status: 'paid' })
})

test('half of a wheelchair pair is not released alone', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({
    ticket_id: ball.tickets['seat'],
    event_place_ids: [ball.places['W-1'], ball.places['W-1C']],
  })
  const before = await ball.standing()
  for (const { public_id } of party.admissions) {
    expect(await ball.office.post(ball.partyPath(party, `/admissions/${public_id}/cancellation`))).toRefuse(
      422,
      NOT_THIS_ONE,
    )
  }
  expect(await ball.standing()).toEqual(before)
})

test('the rest of a standing party keeps its area, and a released seat can be taken again', async () => {
  const ball = await openWinterBall()
  const standing = await ball.party({
    ticket_id: ball.tickets['floor'],
    party_size: 3,
    event_capacity_pool_id: ball.areas['front'],
  })
  const kept = await ball.office.post(
    ball.partyPath(standing, `/admissions/${standing.admissions[0].public_id}/cancellation`),
  )
  expect(kept.body.admissions.map((each: { place_label: string }) => each.place_label)).toEqual([
    'Front',
    'Front',
    'Front',
  ])
  expect((await ball.option('floor')).standing_areas[0].available_stock).toBe(48)

  const ids = [ball.places['A-1'], ball.places['A-2']]
  const seated = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: ids })
  await ball.office.post(ball.partyPath(seated, `/admissions/${seated.admissions[0].public_id}/cancellation`))
  expect((await ball.option('seat')).available_places[0]).toEqual({ id: ids[0], key: 'A-1', label: 'Row A Seat 1' })
  await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: [ids[0]] })
})

test('admissions of other parties and events are not found here', async () => {
  const ball = await openWinterBall()
  const [party, other] = [await ball.party(), await ball.party()]
  const before = await ball.standing()
  for (const path of [
    ball.partyPath(party, `/admissions/${other.admissions[0].public_id}/cancellation`),
    ball.partyPath(party, '/admissions/nobody/cancellation'),
    ball
      .partyPath(party, `/admissions/${party.admissions[0].public_id}/cancellation`)
      .replace('winter-ball', 'spring-night'),
  ]) {
    expect(await ball.office.post(path)).toRefuse(404)
  }
  expect(await ball.standing()).toEqual(before)
})

test('a party can be cancelled, and a seat changed, when the event is over', async () => {
  const ball = await openWinterBall((_event, file) => {
    const past = file['events'].find((each: { slug: string }) => each.slug === 'last-summer')
    past.tickets.push({ key: 'seat', title: 'Seat', inventory_kind: 'places' })
    past.places = ['1', '2'].map((key) => ({ key, label: `Seat ${key}`, ticket: 'seat' }))
  })
  // oxlint-disable-next-line typescript/no-explicit-any
  const { tickets, places } = (ball.report as any).events['last-summer']
  const path = '/admin/events/last-summer/guest_parties'
  const { body: party } = await ball.office.post(path, {
    guest_party: { customer_name: 'Ada', ticket_id: tickets['seat'], event_place_ids: [places['1']] },
  })
  expect(party).toMatchObject({ cancellable: true, admissions: [{ cancellable: true, seat_exchangeable: true }] })
  const moved = await ball.office.post(`/admin/order_items/${party.admissions[0].public_id}/seat_exchange`, {
    seat_exchange: { event_place_id: places['2'] },
  })
  expect(moved.body).toMatchObject({ place_label: 'Seat 2', previous_place_label: 'Seat 1' })
  expect((await ball.office.post(`${path}/${party.public_id}/cancellation`)).body.status).toBe('booking_cancelled')
})
