import { expect, test } from 'vitest'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const WHOLE = {
  party_size: 3,
  delivery_email: 'ada@lovelace.example',
  staff_note: 'Side entrance',
  customer_phone: '123',
  customer_company: 'Engines',
  billing_street: 'Street 1',
  billing_city: 'London',
  billing_country: 'GB',
  attendee_names: { '1': 'Bob' },
}

const wholeParty = (ball: WinterBall) =>
  ball.party({
    ...WHOLE,
    custom_field_answers: { [ball.questions['heard']!]: 'Radio', [ball.questions['terms']!]: false },
    attendee_custom_field_answers: {
      0: { [ball.questions['diet']!]: 'vegan' },
      1: { [ball.questions['diet']!]: 'fish' },
    },
  })

// oxlint-disable-next-line typescript/no-explicit-any
const patch = (ball: WinterBall, party: any, change: object, beside: object = {}) =>
  ball.office.patch(ball.partyPath(party), { guest_party: change, ...beside })

test('what is not sent keeps its value', async () => {
  const ball = await openWinterBall()
  const party = await wholeParty(ball)
  const before = (await ball.option('ga')).available_stock

  const reply = await patch(ball, party, { staff_note: 'Front entrance' })
  expect(reply.status).toBe(200)
  expect(reply.body).toEqual({ ...party, staff_note: 'Front entrance' })
  expect((await ball.office.get(ball.partyPath(party))).body).toEqual(reply.body)
  expect((await ball.option('ga')).available_stock).toBe(before)
})

test('every field that may change changes', async () => {
  const ball = await openWinterBall()
  const party = await wholeParty(ball)
  const { heard, diet } = ball.questions as Record<'heard' | 'diet', number>
  const [, bob, guest] = party.admissions

  const { body } = await patch(ball, party, {
    customer_name: 'Grace Hopper',
    delivery_email: 'Grace@navy.example',
    staff_note: 'x',
    customer_phone: '456',
    customer_company: 'Navy',
    billing_street: 'a',
    billing_postal_code: 'b',
    billing_city: 'c',
    billing_country: 'us',
    billing_vat_id: 'd',
    custom_field_answers: { [heard]: 'Friends' },
    attendee_custom_field_answers: { [bob.public_id]: { [diet]: 'meat' } },
    attendee_names: { [guest.public_id]: 'Carol' },
  })
  expect(body).toMatchObject({
    customer_name: 'Grace Hopper',
    delivery_email: 'grace@navy.example',
    staff_note: 'x',
    customer_phone: '456',
    customer_company: 'Navy',
    billing_address: { street: 'a', postal_code: 'b', city: 'c', country: 'US', vat_id: 'd' },
    custom_field_answers: { [heard]: 'Friends' },
  })
  expect(body.admissions.map((each: { attendee_name: string }) => each.attendee_name)).toEqual([
    'Grace Hopper',
    'Bob',
    'Carol',
  ])
  expect(body.admissions.map((each: { custom_field_answers: object }) => each.custom_field_answers)).toEqual([
    { [diet]: 'vegan' },
    { [diet]: 'meat' },
    {},
  ])
  for (const fixed of ['public_id', 'order_code', 'created_at', 'creator_name']) expect(body[fixed]).toBe(party[fixed])
  expect(body.admissions.map((each: { check_in_code: string }) => each.check_in_code)).toEqual(
    party.admissions.map((each: { check_in_code: string }) => each.check_in_code),
  )
})

test('a new lead name renames the lead and the unnamed, not the named; an empty name unnames', async () => {
  const ball = await openWinterBall()
  const party = await wholeParty(ball)
  const names = (body: { admissions: { attendee_name: string }[] }) => body.admissions.map((each) => each.attendee_name)

  expect(names((await patch(ball, party, { customer_name: 'Grace' })).body)).toEqual(['Grace', 'Bob', 'Guest of Grace'])
  const unnamed = await patch(ball, party, { attendee_names: { [party.admissions[1].public_id]: '' } })
  expect(names(unnamed.body)).toEqual(['Grace', 'Guest of Grace', 'Guest of Grace'])
})

test('empty values clear what may be empty', async () => {
  const ball = await openWinterBall()
  const party = await wholeParty(ball)
  const { heard, terms, diet } = ball.questions as Record<'heard' | 'terms' | 'diet', number>
  const lead = party.admissions[0].public_id

  const { body } = await patch(ball, party, {
    delivery_email: '',
    staff_note: null,
    customer_company: '',
    billing_country: '',
    custom_field_answers: { [heard]: '', [terms]: true },
    attendee_custom_field_answers: { [lead]: { [diet]: '' } },
  })
  expect(body).toMatchObject({ delivery_email: null, staff_note: null, customer_company: null, customer_phone: '123' })
  expect(body.billing_address).toMatchObject({ country: null, city: 'London' })
  expect(body.custom_field_answers).toEqual({ [terms]: true })
  expect(body.admissions[0].custom_field_answers).toEqual({})
  expect(body.admissions[1].custom_field_answers).toEqual({ [diet]: 'fish' })
})

test('size, seats, ticket and a deliver inside the envelope change nothing', async () => {
  const ball = await openWinterBall()
  const party = await wholeParty(ball)
  const mails = await ball.queuedMails()
  const reply = await patch(ball, party, {
    party_size: 9,
    ticket_id: ball.tickets['crew'],
    event_place_ids: [ball.places['A-1']],
    event_capacity_pool_id: ball.areas['front'],
    deliver: true,
    status: 'booking_cancelled',
  })
  expect(reply.status).toBe(200)
  expect(reply.body).toEqual(party)
  expect(await ball.queuedMails()).toEqual(mails)
})

test('keys of nobody here, and of admissions that are over, change nobody', async () => {
  const ball = await openWinterBall()
  const party = await wholeParty(ball)
  const other = await wholeParty(ball)
  const { diet } = ball.questions as { diet: number }
  const [, bob] = party.admissions
  await ball.office.post(ball.partyPath(party, `/admissions/${bob.public_id}/cancellation`))
  const before = (await ball.office.get(ball.partyPath(party))).body

  const keys = ['0', '1', bob.public_id, other.admissions[1].public_id, 'toString', '__proto__']
  const reply = await patch(ball, party, {
    attendee_names: Object.fromEntries(keys.map((key) => [key, 'Mallory'])),
    attendee_custom_field_answers: Object.fromEntries(keys.map((key) => [key, { [diet]: 'glass' }])),
  })
  expect(reply.body).toEqual(before)
  expect((await ball.office.get(ball.partyPath(other))).body).toEqual(other)
})

test('a change that is refused changes nothing', async () => {
  const ball = await openWinterBall((event) => {
    event['questions'].push({ key: 'name', label: 'Badge', type: 'text', scope: 'order', required: true })
    event['questions'].push({
      key: 'size',
      label: 'Shirt',
      type: 'select',
      options: ['S', 'L'],
      scope: 'attendee',
      required: true,
    })
  })
  const { name, heard, size } = ball.questions as Record<'name' | 'heard' | 'size', number>
  const party = await ball.party({
    custom_field_answers: { [name]: 'A' },
    attendee_custom_field_answers: { 0: { [size]: 'S' } },
  })
  const lead = party.admissions[0].public_id
  const before = await ball.standing()

  for (const [change, errors] of [
    [{ customer_name: ' ' }, { customer_name: ["can't be blank"] }],
    [{ staff_note: 'x'.repeat(501) }, { staff_note: ['is too long (maximum is 500 characters)'] }],
    [{ custom_field_answers: {} }, { custom_field_answers: ["Badge can't be blank"] }],
    [{ custom_field_answers: { [name]: '' } }, { custom_field_answers: ["Badge can't be blank"] }],
    [
      { custom_field_answers: { [name]: 'A', [heard]: 'TV' } },
      { custom_field_answers: ['How did you hear of us? is not included in the list'] },
    ],
    [{ attendee_custom_field_answers: { [lead]: {} } }, { attendee_custom_field_answers: ["Shirt can't be blank"] }],
    [
      { attendee_custom_field_answers: { [lead]: { [size]: 'XL' } } },
      { attendee_custom_field_answers: ['Shirt is not included in the list'] },
    ],
    [{ delivery_email: 'nowhere' }, { delivery_email: ['is invalid'] }],
    [{ billing_country: 'Germany' }, { billing_country: ['is invalid'] }],
  ] as [object, Record<string, string[]>][]) {
    expect(await patch(ball, party, { customer_company: 'Changed', ...change })).toRefuse(422, errors)
  }
  expect(await ball.office.patch(ball.partyPath(party), { guest_party: 'x' })).toRefuse(400)
  expect(await ball.standing()).toEqual(before)
})

test('deliver mails the tickets to the address that was saved with it', async () => {
  const ball = await openWinterBall()
  const party = await ball.party()

  expect(await patch(ball, party, { staff_note: 'lost' }, { deliver: true })).toRefuse(422, {
    base: ['No delivery address'],
  })
  expect((await ball.office.get(ball.partyPath(party))).body.staff_note).toBeNull()
  expect(await ball.queuedMails()).toEqual([])

  expect(
    (await patch(ball, party, { delivery_email: 'new@guest.example' }, { deliver: 'true' })).body.delivery_email,
  ).toBe('new@guest.example')
  expect(await ball.queuedMails()).toMatchObject([{ reason: 'delivered_again' }])
  expect((await ball.office.patch(ball.partyPath(party), { deliver: true })).status).toBe(200)
  expect((await ball.office.patch(ball.partyPath(party), { deliver: false })).status).toBe(200)
  expect(await ball.queuedMails()).toHaveLength(2)
})

test('send_to_creator sets the address and mails only with deliver', async () => {
  const ball = await openWinterBall()
  const party = await ball.party()
  const reply = await patch(ball, party, { send_to_creator: true, delivery_email: 'x@guest.example' })
  expect(reply.body.delivery_email).toBe('olga@neue-halle.example')
  expect(await ball.queuedMails()).toEqual([])

  const ownAddress = async () => {
    const { rows } = await ball.app.database.pool.query(
      'select delivers_to_creator as own from orders where account_id = $1',
      [ball.accountId],
    )
    return rows[0].own
  }
  await patch(ball, party, { delivery_email: 'olga@neue-halle.example', staff_note: 'x' })
  expect(await ownAddress()).toBe(true)
  await patch(ball, party, { delivery_email: 'ada@guest.example' })
  expect(await ownAddress()).toBe(false)
})

test('a cancelled party is over', async () => {
  const ball = await openWinterBall()
  const party = await wholeParty(ball)
  await ball.office.post(ball.partyPath(party, '/cancellation'))
  expect(await patch(ball, party, { staff_note: 'x' })).toRefuse(422, { base: ['This party can no longer be changed'] })
  expect(await ball.office.patch(ball.partyPath(party), { deliver: true })).toRefuse(422)
})

test('the door sees a new name and a new note, and that the ticket changed', async () => {
  const ball = await openWinterBall()
  const party = await wholeParty(ball)
  const updatedAt = async () => {
    const { rows } = await ball.app.database.pool.query<{ at: Date }>(
      'select updated_at as at from admissions where account_id = $1 order by position',
      [ball.accountId],
    )
    return rows.map(({ at }) => at.getTime())
  }
  const before = await updatedAt()
  await patch(ball, party, { staff_note: 'Green room' })
  const between = await updatedAt()
  await patch(ball, party, { customer_name: 'Grace' })
  const after = await updatedAt()
  expect(between.every((at, n) => at > before[n]!)).toBe(true)
  expect(after.every((at, n) => at > between[n]!)).toBe(true)
})

test('a party is only found under its own event and account, and a shop order is none', async () => {
  const ball = await openWinterBall((event) => {
    event['orders'] = [{ key: 'paid', customer_name: 'Paula', items: [{ ticket: 'ga' }] }]
  })
  const party = await ball.party()
  const { public_id } = (ball.report.events as Record<string, { orders: Record<string, { public_id: string }> }>)[
    'winter-ball'
  ]!.orders['paid']!
  const other = await openVenue()

  const elsewhere = ball.partyPath(party).replace('winter-ball', 'spring-night')
  for (const path of [
    elsewhere,
    ball.partyPath({ public_id }),
    ball.partyPath({ public_id: 'nobody' }),
    `${ball.path}/guest_parties/a%00b`,
  ]) {
    expect((await ball.office.get(path)).status).toBe(404)
    expect((await ball.office.patch(path, { guest_party: { customer_name: '' } })).status).toBe(404)
    expect((await ball.office.post(`${path}/cancellation`)).status).toBe(404)
  }
  expect((await other.office.get(ball.partyPath(party))).status).toBe(404)
})
