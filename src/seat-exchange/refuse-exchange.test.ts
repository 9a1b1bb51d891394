import { expect, test } from 'vitest'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

const pathOf = ({ public_id }: { public_id: string }) => `/admin/order_items/${public_id}/seat_exchange`

const seatedAt = async (ball: WinterBall, key: string, party: object = {}): Promise<Shown> => {
  const seat = { ticket_id: ball.tickets['seat'], event_place_ids: [ball.places[key]] }
  return (await ball.party({ ...seat, ...party })).admissions[0]
}

const move = (ball: WinterBall, item: { public_id: string }, event_place_id: unknown) =>
  ball.office.post(pathOf(item), { seat_exchange: { event_place_id } })

test('whatever is no place is refused by its field, whatever is no body is malformed, and nobody moves', async () => {
  const ball = await openWinterBall()
  const item = await seatedAt(ball, 'A-1', { delivery_email: 'ada@guest.example' })
  const [before, mails] = [await ball.standing(), await ball.queuedMails()]

  for (const value of [0, -1, 1.5, 'A-2', {}, [], [ball.places['A-2']], true, 2 ** 60, '99999999999999999999']) {
    const reply = await move(ball, item, value)
    expect(reply, JSON.stringify(value)).toRefuse(422, { event_place_id: ['is invalid'] })
  }
  for (const body of [{ seat_exchange: {} }, { seat_exchange: { event_place_id: '' } }]) {
    expect(await ball.office.post(pathOf(item), body)).toRefuse(422, { event_place_id: ["can't be blank"] })
  }
  for (const body of [{}, { seat_exchange: null }, { seat_exchange: [] }, { seat_exchange: 7 }, []]) {
    expect(await ball.office.post(pathOf(item), body)).toRefuse(400)
  }
  expect(await ball.office.ask('POST', pathOf(item), { raw: '{' })).toRefuse(400)
  expect(await ball.standing()).toEqual(before)
  expect(await ball.queuedMails()).toEqual(mails)
})

test('a number as text is a place, and keys beside it change nothing else', async () => {
  const ball = await openWinterBall()
  const item = await seatedAt(ball, 'A-1')
  const event_place_id = String(ball.places['A-2'])
  const reply = await ball.office.post(pathOf(item), {
    seat_exchange: { event_place_id, attendee_name: 'Mallory', ticket_id: ball.tickets['ga'], status: 'cancelled' },
  })
  expect(reply.body).toEqual({
    public_id: item.public_id,
    place_label: 'Row A Seat 2',
    previous_place_label: 'Row A Seat 1',
  })
  expect((await ball.guestList()).guest_parties[0].admissions[0]).toEqual({ ...item, place_label: 'Row A Seat 2' })
})

test('the door sees the new seat under the same code, and the old seat is free for the next', async () => {
  const ball = await openWinterBall()
  const item = await seatedAt(ball, 'A-1')
  const atDoor = async () => (await ball.door.get(`/scanner/tickets/${item.check_in_code}`)).body
  const before = await atDoor()
  await move(ball, item, ball.places['A-6'])
  const after = await atDoor()
  expect(after).toMatchObject({ public_id: item.public_id, place_label: 'Row A Seat 6' })
  expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))

  const next = await seatedAt(ball, 'A-1')
  expect(await move(ball, item, ball.places['A-1'])).toRefuse(422, {
    event_place_id: ['Seats are no longer available'],
  })
  expect((await ball.office.get(pathOf(next))).body).toMatchObject({ current_place_id: ball.places['A-1'] })
})

test('who stands has no seat to leave', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ ticket_id: ball.tickets['floor'], event_capacity_pool_id: ball.areas['front'] })
  const before = await ball.standing()
  const [standing] = party.admissions
  const none = { base: ['This admission has no numbered place'] }
  expect(standing).toMatchObject({ place_label: 'Front', seat_exchangeable: false })
  expect(await ball.office.get(pathOf(standing))).toRefuse(422, none)
  expect(await move(ball, standing, ball.places['A-1'])).toRefuse(422, none)
  expect(await ball.standing()).toEqual(before)
})

test('the items of others are not there, whatever is sent, and a reader moves nobody', async () => {
  const ball = await openWinterBall()
  const other = await openVenue()
  const item = await seatedAt(ball, 'A-1')
  const before = await ball.standing()
  const body = { seat_exchange: { event_place_id: ball.places['A-2'] } }
  for (const sent of [body, {}, { seat_exchange: { event_place_id: 'x' } }]) {
    expect(await other.office.post(pathOf(item), sent)).toRefuse(404, { base: ['Not found'] })
    expect(await ball.office.post(pathOf({ public_id: 'nobody' }), sent)).toRefuse(404, { base: ['Not found'] })
    for (const caller of [ball.reader, ball.stranger, ball.door]) {
      expect(await caller.post(pathOf(item), sent)).toRefuse(401)
    }
  }
  expect(await ball.standing()).toEqual(before)
})
