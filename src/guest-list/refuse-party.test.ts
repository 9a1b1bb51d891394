import { expect, test } from 'vitest'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

/** Refused, and everything is as it was. */
const expectRefused = async (ball: WinterBall, party: object, errors?: Record<string, string[]>) => {
  const before = await ball.standing()
  expect(await ball.post(party)).toRefuse(422, errors)
  expect(await ball.standing()).toEqual(before)
  expect(await ball.queuedMails()).toEqual([])
}

test('a party needs a name and a ticket of the event', async () => {
  const ball = await openWinterBall()
  const ticket_id = ball.tickets['ga']
  const blank = { customer_name: ["can't be blank"] }

  await expectRefused(ball, { ticket_id }, blank)
  await expectRefused(ball, { ticket_id, customer_name: '' }, blank)
  await expectRefused(ball, { ticket_id, customer_name: ' \t ' }, blank)
  await expectRefused(
    ball,
    { ticket_id, customer_name: 'x'.repeat(256) },
    { customer_name: ['is too long (maximum is 255 characters)'] },
  )
  await expectRefused(ball, { customer_name: 'Ada' }, { ticket_id: ["can't be blank"] })
  await expectRefused(ball, { customer_name: 'Ada', ticket_id: 'abc' }, { ticket_id: ['is invalid'] })
  await expectRefused(
    ball,
    { customer_name: 'Ada', ticket_id: 99_999_999 },
    { ticket_id: ['is not included in the list'] },
  )
  await expectRefused(
    ball,
    { customer_name: 'Ada', ticket_id: ball.tickets['four'] },
    { ticket_id: ['is not included in the list'] },
  )
})

test('tickets of another event and of another account are as unknown as any', async () => {
  const ball = await openWinterBall()
  const other = await openVenue()
  const events = ball.report.events as Record<string, { tickets: Record<string, number> }>
  const foreign = other.report.events as Record<string, { tickets: Record<string, number> }>

  for (const ticket_id of [events['spring-night']!.tickets['ga'], foreign['winter-ball']!.tickets['ga']]) {
    await expectRefused(ball, { customer_name: 'Ada', ticket_id }, { ticket_id: ['is not included in the list'] })
  }
})

test.each([
  [0, 'must be greater than or equal to 1'],
  [21, 'must be less than or equal to 20'],
  [-3, 'must be greater than or equal to 1'],
  [1.5, 'must be an integer'],
  ['many', 'is not a number'],
  [[2], 'is not a number'],
])('a party of %s is refused', async (party_size, message) => {
  const ball = await openWinterBall()
  await expectRefused(
    ball,
    { customer_name: 'Ada', ticket_id: ball.tickets['ga'], party_size },
    { party_size: [message] },
  )
})

test('numbered places are never assigned by the house, and never taken by half', async () => {
  const ball = await openWinterBall()
  const seat = { customer_name: 'Ada', ticket_id: ball.tickets['seat'] }
  const { places } = ball
  await ball.party({ ...seat, event_place_ids: [places['A-1']] })
  const gone = { event_place_ids: ['Seats are no longer available'] }
  const refusedAt = (event_place_ids: unknown, errors?: Record<string, string[]>) =>
    expectRefused(ball, { ...seat, event_place_ids }, errors)

  await expectRefused(ball, seat, { event_place_ids: ["can't be blank"] })
  await refusedAt([], { event_place_ids: ["can't be blank"] })
  await refusedAt([places['A-2'], places['A-1']], gone)
  await refusedAt([places['A-2'], places['A-3']], gone)
  await refusedAt([places['A-2'], places['A-2']], { event_place_ids: ['is invalid'] })
  await refusedAt([places['A-2'], 99_999_999], { event_place_ids: ['is not included in the list'] })
  await refusedAt(['seat one'], { event_place_ids: ['is invalid'] })
  await refusedAt(
    Array.from({ length: 21 }, (_, n) => n + 1),
    { event_place_ids: ['is too long (maximum is 20 entries)'] },
  )
  await refusedAt([places['W-1']])
  await refusedAt([places['W-1C'], places['A-2']])
  await expectRefused(
    ball,
    { customer_name: 'Ada', ticket_id: ball.tickets['ga'], event_place_ids: [places['A-2']] },
    { event_place_ids: ['is invalid'] },
  )
})

test('a place of another ticket, event or account is none of this ticket’s', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'].push({ key: 'box', title: 'Box', inventory_kind: 'places' })
    event['places'].push({ key: 'B-1', label: 'Box 1', ticket: 'box' })
  })
  const other = await openWinterBall()
  for (const id of [ball.places['B-1'], other.places['A-1']]) {
    await expectRefused(
      ball,
      { customer_name: 'Ada', ticket_id: ball.tickets['seat'], event_place_ids: [id] },
      { event_place_ids: ['is not included in the list'] },
    )
  }
})

test('a standing party needs an area with room that its ticket opens', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'].push({ key: 'pit', title: 'Pit', inventory_kind: 'standing' })
    event['standing_areas'].push({ key: 'pit', name: 'Pit', capacity: 5, blocked: 2, tickets: ['pit'] })
  })
  const floor = { customer_name: 'Ada', ticket_id: ball.tickets['floor'] }
  await expectRefused(ball, floor, { event_capacity_pool_id: ["can't be blank"] })
  await expectRefused(
    ball,
    { ...floor, event_capacity_pool_id: ball.areas['pit'] },
    { event_capacity_pool_id: ['is not included in the list'] },
  )
  await expectRefused(
    ball,
    { ...floor, event_capacity_pool_id: 99_999_999 },
    { event_capacity_pool_id: ['is not included in the list'] },
  )
  await expectRefused(
    ball,
    { customer_name: 'Ada', ticket_id: ball.tickets['pit'], party_size: 4 },
    { event_capacity_pool_id: ['Not enough places available'] },
  )
  await expectRefused(
    ball,
    { customer_name: 'Ada', ticket_id: ball.tickets['ga'], event_capacity_pool_id: ball.areas['pit'] },
    { event_capacity_pool_id: ['is not included in the list'] },
  )
})

test('stock and shared capacity bound a party, and nothing of it is taken', async () => {
  const ball = await openWinterBall((event) => {
    event['capacity'] = 5
    event['tickets'][0].stock = 3
    event['tickets'].push({ key: 'free', title: 'Free' })
  })
  const short = { base: ['Not enough places available'] }
  await expectRefused(ball, { customer_name: 'Ada', ticket_id: ball.tickets['ga'], party_size: 4 }, short)
  await expectRefused(ball, { customer_name: 'Ada', ticket_id: ball.tickets['free'], party_size: 6 }, short)
  await ball.party({ party_size: 3 })
  await expectRefused(ball, { customer_name: 'Ada', ticket_id: ball.tickets['free'], party_size: 3 }, short)
  await expectRefused(
    ball,
    {
      customer_name: 'Ada',
      ticket_id: ball.tickets['seat'],
      event_place_ids: ['A-1', 'A-2', 'A-4'].map((key) => ball.places[key]),
    },
    short,
  )
  await ball.party({ ticket_id: ball.tickets['free'], party_size: 2 })
})

test('what is required upfront is asked, what may come later is not', async () => {
  const ball = await openWinterBall((event) => {
    event['questions'].push(
      { key: 'rules', label: 'House rules', type: 'checkbox', scope: 'order', required: true },
      { key: 'age', label: 'Age', type: 'number', scope: 'attendee', required: true },
    )
  })
  const { heard, rules, age } = ball.questions as Record<'heard' | 'rules' | 'age', number>
  const party = {
    customer_name: 'Ada',
    ticket_id: ball.tickets['ga'],
    party_size: 2,
    custom_field_answers: { [rules]: true },
    attendee_custom_field_answers: { 0: { [age]: 36 }, 1: { [age]: '40' } },
  }
  const refused = (change: object, errors: Record<string, string[]>) =>
    expectRefused(ball, { ...party, ...change }, errors)

  await refused({ custom_field_answers: {} }, { custom_field_answers: ["House rules can't be blank"] })
  await refused(
    { custom_field_answers: { [rules]: false } },
    { custom_field_answers: ['House rules must be accepted'] },
  )
  await refused(
    { custom_field_answers: { [rules]: true, [heard]: 'radio' } },
    { custom_field_answers: ['How did you hear of us? is not included in the list'] },
  )
  await refused(
    { attendee_custom_field_answers: { 0: { [age]: 36 } } },
    { attendee_custom_field_answers: ["Age can't be blank"] },
  )
  await refused(
    { attendee_custom_field_answers: { 0: { [age]: 36 }, 1: { [age]: 'old' } } },
    { attendee_custom_field_answers: ['Age is not a number'] },
  )
  await refused(
    { attendee_custom_field_answers: { 0: 'x', 1: { [age]: 1 } } },
    { attendee_custom_field_answers: ['is invalid', "Age can't be blank"] },
  )
  await refused({ custom_field_answers: 'x' }, { custom_field_answers: ['is invalid'] })
  expect((await ball.post(party)).status).toBe(201)
})

test('notes, addresses, names and countries that do not fit are named one by one', async () => {
  const ball = await openWinterBall()
  await expectRefused(
    ball,
    {
      customer_name: 'Ada',
      ticket_id: ball.tickets['ga'],
      staff_note: 'x'.repeat(501),
      delivery_email: 'ada at home',
      billing_country: 'ZZ',
      customer_phone: '1'.repeat(51),
      send_to_creator: 'perhaps',
    },
    {
      send_to_creator: ['is not included in the list'],
      delivery_email: ['is invalid'],
      staff_note: ['is too long (maximum is 500 characters)'],
      customer_phone: ['is too long (maximum is 50 characters)'],
      billing_country: ['is invalid'],
    },
  )
  await expectRefused(
    ball,
    { customer_name: 'Ada', ticket_id: ball.tickets['ga'], party_size: 2, attendee_names: { 1: 'x'.repeat(256) } },
    { attendee_names: ['is too long (maximum is 255 characters)'] },
  )
  await expectRefused(
    ball,
    { customer_name: 'A\0da', ticket_id: ball.tickets['ga'] },
    { customer_name: ['is invalid'] },
  )
})

test('without its envelope the request is malformed', async () => {
  const ball = await openWinterBall()
  const path = `${ball.path}/guest_parties`
  for (const body of [{}, { guest_party: null }, { guest_party: 'x' }, { guest_party: [] }, []]) {
    expect(await ball.office.post(path, body)).toRefuse(400)
  }
  expect(await ball.office.ask('POST', path, { raw: '{"guest_party":' })).toRefuse(400)
})

test('only those who may write to this event add to its list, and what is not theirs is not there', async () => {
  const ball = await openWinterBall()
  const other = await openVenue()
  const body = { guest_party: { customer_name: 'Ada', ticket_id: ball.tickets['ga'] } }
  const party = await ball.party()
  const before = await ball.standing()

  for (const [method, path] of [
    ['POST', `${ball.path}/guest_parties`],
    ['PATCH', ball.partyPath(party)],
    ['POST', ball.partyPath(party, '/cancellation')],
    ['POST', ball.partyPath(party, `/admissions/${party.admissions[0].public_id}/cancellation`)],
  ] as const) {
    for (const caller of [ball.stranger, ball.reader, ball.door])
      expect((await caller.ask(method, path, { body })).status).toBe(401)
    expect((await ball.partner.ask(method, path.replace('winter-ball', 'spring-night'), { body })).status).toBe(404)
    if (method !== 'POST' || path.includes(party.public_id))
      expect((await other.office.ask(method, path, { body })).status).toBe(404)
  }
  for (const path of [`${ball.path}/guest_list`, ball.partyPath(party)]) {
    for (const caller of [ball.stranger, ball.door]) expect((await caller.get(path)).status).toBe(401)
    expect((await ball.reader.get(path)).status).toBe(200)
    expect((await ball.partner.get(path)).status).toBe(200)
  }
  expect(await other.office.get(ball.partyPath(party))).toRefuse(404, { base: ['Not found'] })
  expect(await ball.standing()).toEqual(before)
})
