import { expect, test } from 'vitest'
import { everythingOf, openAssistant, openTool } from '../../test/kit/venue/assistant.ts'
import { type Signups, openSignups } from '../../test/kit/venue/signups.ts'

const ACTIONS = [
  'list',
  'fields',
  'tickets',
  'places',
  'add',
  'update',
  'cancel',
  'cancel_admission',
  'move_seat',
  'forms',
  'form',
  'create_form',
  'configure_form',
  'rotate_form',
  'requests',
  'approve_request',
  'reject_request',
]
const READING = ['list', 'fields', 'tickets', 'places', 'forms', 'form', 'requests']

const as = async (ball: Signups, token: string) => {
  const { does: guests, ...rest } = await openTool(ball, token, 'manage_guest_list', { event_title: 'winter ball' })
  return { guests, ...rest }
}

const dry_run = true

test('an assistant finds an event, adds a party with seats and moves one of them', async () => {
  const ball = await openSignups()
  const { guests } = await as(ball, 'office write')

  const { does } = await openAssistant(ball, ball.report.api_tokens['office read']!)
  const { events } = await does('manage_events', { action: 'list', query: 'winter' })
  expect(events).toMatchObject([{ slug: 'winter-ball', title: 'Winter Ball' }])

  const { places } = await guests('places', { ticket_title: 'balcony seat' })
  expect(places.map(({ key }: { key: string }) => key)).toEqual(['A-1', 'A-2', 'A-4', 'A-5', 'A-6', 'W-1', 'W-1C'])

  const wanted = {
    customer_name: 'Petra Press',
    place_keys: ['A-1', 'A-2'],
    companion_names: '{"1": "Paul Photo"}',
    billing_details: '{"billing_city": "Hamburg", "billing_country": "de"}',
    customer_phone: '+49 40 123',
  }
  const before = await ball.standing()
  expect(await guests('add', { ...wanted, dry_run })).toMatchObject({ dry_run: true, would: expect.any(String) })
  expect(await ball.standing()).toEqual(before)

  const party = await guests('add', wanted)
  expect(party).toMatchObject({
    customer_name: 'Petra Press',
    party_size: 2,
    customer_phone: '+49 40 123',
    billing_address: { city: 'Hamburg', country: 'DE' },
    creator_name: 'Olga Owner',
    admissions: [{ place_label: 'Row A Seat 1' }, { attendee_name: 'Paul Photo', place_label: 'Row A Seat 2' }],
  })
  const over = await ball.office.get(ball.partyPath({ public_id: party.party_id }))
  expect(over.body).toMatchObject({ customer_name: 'Petra Press', party_size: 2 })

  const [, companion] = party.admissions
  const move = { admission_id: companion.admission_id, place_keys: ['A-6'] }
  expect(await guests('move_seat', { ...move, dry_run })).toMatchObject({ afterwards: { place_label: 'Row A Seat 6' } })
  expect(await guests('move_seat', move)).toMatchObject({
    place_label: 'Row A Seat 6',
    previous_place_label: 'Row A Seat 2',
  })
})

test('a party is changed, released in part and cancelled at once, and a dry run changes nothing', async () => {
  const ball = await openSignups()
  const { guests, fails } = await as(ball, 'office write')
  const diet = String(ball.questions['diet'])
  const heard = String(ball.questions['heard'])
  const party = await guests('add', {
    customer_name: 'Ada',
    ticket_title: 'General admission',
    party_size: 3,
    attendee_custom_field_answers: JSON.stringify({ '0': { [diet]: 'vegan' } }),
    custom_field_answers: JSON.stringify({ [heard]: 'Radio' }),
  })
  expect(party.custom_field_answers).toEqual({ [heard]: 'Radio' })
  expect(party.admissions[0].custom_field_answers).toEqual({ [diet]: 'vegan' })

  const [, second, third] = party.admissions
  const change = {
    party_id: party.party_id,
    staff_note: 'Side entrance',
    customer_phone: '+49 1',
    companion_names: JSON.stringify({ [second.admission_id]: 'Charles', [third.check_in_code]: 'Mary' }),
  }
  expect(await guests('update', { ...change, dry_run })).toMatchObject({
    dry_run: true,
    afterwards: { staff_note: 'Side entrance' },
  })
  expect((await guests('list', { party_id: party.party_id })).staff_note).toBeNull()
  const updated = await guests('update', change)
  expect(updated.admissions.map((each: { attendee_name: string }) => each.attendee_name)).toEqual([
    'Ada',
    'Charles',
    'Mary',
  ])
  expect(updated).toMatchObject({ custom_field_answers: { [heard]: 'Radio' }, staff_note: 'Side entrance' })
  expect(await fails('update', { party_id: party.party_id, deliver: true })).toMatchObject({ status: 422 })

  const release = { admission_id: third.check_in_code }
  expect(await guests('cancel_admission', { ...release, dry_run })).toMatchObject({ afterwards: { party_size: 2 } })
  expect(await guests('cancel_admission', release)).toMatchObject({ party_size: 2 })
  expect(await guests('cancel', { party_id: party.party_id })).toMatchObject({
    status: 'booking_cancelled',
    party_size: 0,
  })
  expect(await fails('cancel', { party_id: party.party_id })).toMatchObject({
    status: 422,
    errors: { base: ['This party can no longer be cancelled'] },
  })
})

test('a client that still confirms is understood', async () => {
  const ball = await openSignups()
  const { guests } = await as(ball, 'office write')
  const add = { customer_name: 'Ada', ticket_title: 'Crew' }
  expect(await guests('add', { ...add, confirmed: true })).toMatchObject({ customer_name: 'Ada', status: 'paid' })
  expect(await guests('add', { ...add, confirmed: true, dry_run })).toMatchObject({ dry_run: true })
  expect((await guests('list')).party_count).toBe(1)
})

test('the questions are told with ID, label, type, scope, upfront-required, options and help text', async () => {
  const ball = await openSignups()
  const { guests } = await as(ball, 'office read')
  const { questions } = await guests('fields')
  expect(questions).toEqual([
    {
      id: ball.questions['heard'],
      label: 'How did you hear of us?',
      type: 'select',
      scope: 'order',
      required: false,
      complete_later: false,
      required_upfront: false,
      options: ['Friends', 'Radio'],
      help_text: null,
    },
    expect.objectContaining({ id: ball.questions['terms'], type: 'checkbox', scope: 'order' }),
    expect.objectContaining({ id: ball.questions['diet'], scope: 'attendee', required: true, required_upfront: false }),
  ])
})

test('tickets and areas are named in any case; what is unclear is answered with choices and takes nothing', async () => {
  const ball = await openSignups((event) => {
    event['tickets'].push({ key: 'again', title: 'general admission', stock: 5 })
  })
  const { guests, fails } = await as(ball, 'office write')
  const before = await ball.standing()
  const add = { customer_name: 'Ada' }

  const twice = await fails('add', { ...add, ticket_title: 'General Admission' })
  expect(twice.errors).toEqual({ ticket_title: ['is ambiguous: say which of the choices'] })
  expect(twice.choices.map(({ id }: { id: number }) => id)).toEqual([ball.tickets['ga'], ball.tickets['again']])
  for (const ticket_title of ['Nothing', 'Table of four', '']) {
    expect(await fails('add', { ...add, ticket_title })).toMatchObject({
      errors: { ticket_title: ['is none of the choices'] },
    })
  }
  expect(await fails('add', add)).toMatchObject({ errors: { ticket_title: ["can't be blank"] } })
  const standing = { ...add, ticket_title: 'STANDING' }
  expect(await fails('add', { ...standing, standing_area: 'Middle' })).toMatchObject({
    errors: { standing_area: ['is none of the choices'] },
    choices: [{ name: 'Front' }, { name: 'Back' }],
  })
  expect(await fails('add', standing)).toMatchObject({ status: 422, errors: { standing_area: expect.anything() } })
  expect(await fails('add', { ...add, place_keys: ['A-1', 'A-3'] })).toMatchObject({ status: 422 })
  const seats = { ...add, ticket_title: 'Balcony seat', place_keys: ['A-3'] }
  expect(await fails('add', seats)).toMatchObject({ errors: { place_keys: ['Seats are no longer available'] } })
  expect(await ball.standing()).toEqual(before)

  const id = String(ball.tickets['again'])
  expect(await guests('add', { ...add, ticket_title: id })).toMatchObject({ ticket_id: ball.tickets['again'] })
  expect(await guests('add', { ...standing, standing_area: 'front' })).toMatchObject({
    admissions: [{ place_label: 'Front' }],
  })
})

test('the last places are not given away twice, and a party has its bounds', async () => {
  const ball = await openSignups()
  const { guests, fails } = await as(ball, 'office write')
  const add = { ticket_title: 'crew', customer_name: 'Ada' }
  const tooMany = await fails('add', { ...add, party_size: 21 })
  expect(tooMany.errors).toEqual({ party_size: ['must be less than or equal to 20'] })
  await guests('add', { ...add, party_size: 20 })
  const refusal = (await ball.post({ customer_name: 'Eve', ticket_id: ball.tickets['crew'] })).body
  for (const more of [{}, { dry_run }]) {
    const { status, errors } = await fails('add', { ...add, ...more })
    expect(status).toBe(422)
    expect(Object.values(errors)).toEqual(Object.values(refusal.errors))
  }
})

test('JSON that is no JSON object changes nothing', async () => {
  const ball = await openSignups()
  const { fails } = await as(ball, 'office write')
  const link = await ball.link()
  const before = await ball.standing()
  for (const parameter of [
    'billing_details',
    'custom_field_answers',
    'attendee_custom_field_answers',
    'companion_names',
  ]) {
    for (const broken of ['{"a":', '[1]', '"text"', 'null', '12']) {
      const add = { customer_name: 'Ada', ticket_title: 'Crew', [parameter]: broken }
      expect((await fails('add', add)).errors, `${parameter} ${broken}`).toEqual({
        [parameter]: ['must be a JSON object in a string'],
      })
    }
  }
  for (const signup_fields of ['{', '{"surname": "hidden"}', '{"phone": "maybe"}', '[]']) {
    const { errors } = await fails('configure_form', { form_id: link.public_id, signup_fields })
    expect(Object.keys(errors), signup_fields).toEqual(['signup_fields'])
  }
  const unknown = { customer_name: 'Ada', ticket_title: 'Crew', billing_details: '{"iban": "DE1"}' }
  expect(Object.keys((await fails('add', unknown)).errors)).toEqual(['billing_details'])
  expect(await ball.standing()).toEqual(before)
  expect((await ball.office.get(`${ball.forms}/${link.public_id}`)).body).toEqual(link)
})

test('a co-organizer names admissions by their codes, within the assigned events only', async () => {
  const ball = await openSignups()
  const { guests, fails } = await as(ball, 'cem write')
  const added = { customer_name: 'Ada', ticket_title: 'Balcony seat', place_keys: ['A-1', 'A-2'] }
  const party = await guests('add', added)
  expect(party.creator_name).toBe('Cem Partner')
  const [lead, companion] = party.admissions
  expect(lead.admission_id).toBe(lead.check_in_code)
  expect(JSON.stringify(await guests('list'))).not.toContain(
    (await ball.office.get(ball.partyPath({ public_id: party.party_id }))).body.admissions[0].public_id,
  )

  const names = { companion_names: JSON.stringify({ [companion.admission_id]: 'Mary' }) }
  expect(await guests('update', { party_id: party.party_id, ...names })).toMatchObject({
    admissions: [{ attendee_name: 'Ada' }, { attendee_name: 'Mary' }],
  })
  const move = { admission_id: companion.admission_id, place_keys: ['A-4'] }
  expect(await guests('move_seat', move)).toMatchObject({ place_label: 'Row A Seat 4' })
  const release = { party_id: party.party_id, admission_id: lead.admission_id }
  expect(await guests('cancel_admission', release)).toMatchObject({ party_size: 1 })

  const elsewhere = await fails('list', { event_title: 'Spring Night' })
  expect(elsewhere).toMatchObject({ status: 404, errors: { event_title: ['is none of the choices'] } })
  expect(elsewhere.choices).toMatchObject([{ slug: 'winter-ball' }])
})

test('no dry run leaves a trace', async () => {
  const ball = await openSignups()
  const { guests } = await as(ball, 'office write')
  const seated = await ball.party({
    ticket_id: ball.tickets['seat'],
    event_place_ids: [ball.places['A-1'], ball.places['A-2']],
    delivery_email: 'ada@engine.example',
  })
  const link = await ball.link()
  await ball.submit(link.public_url, { email: 'bob@engine.example' })
  const request = await ball.requestOf('bob@engine.example')
  await ball.workOffJobs()

  const before = await everythingOf(ball)
  const { public_id: party_id } = seated
  const [{ public_id: admission_id }] = seated.admissions
  const { public_id: request_id } = request
  const writes: [string, object][] = [
    ['add', { customer_name: 'Eve', ticket_title: 'Crew', party_size: 3, delivery_email: 'eve@engine.example' }],
    ['update', { party_id, customer_name: 'Eve', deliver: true }],
    ['cancel', { party_id }],
    ['cancel_admission', { admission_id }],
    ['move_seat', { admission_id, place_keys: ['A-5'] }],
    ['create_form', { ticket_title: 'Crew' }],
    ['configure_form', { signup_enabled: false }],
    ['rotate_form', {}],
    ['approve_request', { request_id }],
    ['reject_request', { request_id }],
  ]
  expect(writes.map(([action]) => action)).toEqual(ACTIONS.filter((action) => !READING.includes(action)))
  for (const [action, args] of writes) {
    const dry = await guests(action, { ...args, dry_run })
    expect(dry, action).toMatchObject({ dry_run: true, would: expect.any(String) })
    expect(dry.next).toContain('without dry_run')
    // Whoever says no explicitly is not overheard.
    expect(await guests(action, { ...args, confirmed: false }), action).toMatchObject({ dry_run: true })
  }
  await Promise.all(writes.map(([action, args]) => guests(action, { ...args, dry_run: 'true' })))
  expect(await everythingOf(ball)).toEqual(before)
})

test('what belongs to another account is not found, and stays as it is', async () => {
  const ball = await openSignups()
  const other = await openSignups()
  const { fails } = await as(ball, 'office write')
  const party = await other.party()
  const link = await other.link()
  await other.submit(link.public_url)
  const request = await other.requestOf('ada@engine.example')
  const before = await everythingOf(other)
  const { public_id: admission_id } = party.admissions[0]
  for (const more of [{}, { dry_run }]) {
    for (const [action, args] of [
      ['update', { party_id: party.public_id, customer_name: 'Eve' }],
      ['cancel', { party_id: party.public_id }],
      ['cancel_admission', { admission_id }],
      ['move_seat', { admission_id, place_keys: ['A-1'] }],
      ['configure_form', { form_id: link.public_id, signup_enabled: false }],
      ['rotate_form', { form_id: link.public_id }],
      ['approve_request', { request_id: request.public_id }],
      ['reject_request', { request_id: request.public_id }],
    ] as const) {
      expect(await fails(action, { ...args, ...more }), action).toEqual({
        status: 404,
        errors: { base: ['Not found'] },
      })
    }
  }
  expect(await everythingOf(other)).toEqual(before)
})

test('a read token sees and does only reading', async () => {
  const ball = await openSignups()
  const writer = await as(ball, 'office write')
  const reader = await as(ball, 'office read')
  expect(await writer.actions()).toEqual(ACTIONS)
  expect(await reader.actions()).toEqual(READING)

  const before = await ball.standing()
  for (const action of ACTIONS.filter((each) => !READING.includes(each))) {
    for (const more of [{}, { dry_run }]) {
      expect(await reader.fails(action, { customer_name: 'Ada', ...more }), action).toEqual({
        status: 401,
        errors: { base: ['This credential may not do that'] },
      })
    }
  }
  expect(await ball.standing()).toEqual(before)
  expect((await reader.guests('tickets')).tickets).toHaveLength(4)
  const { body } = await ball.reader.get(`${ball.path}/ticket_options`)
  expect(body.ticket_options).toEqual((await ball.guestList()).ticket_options)
})

test('a long list comes in short pages, and a search finds the one', async () => {
  const ball = await openSignups()
  const { guests } = await as(ball, 'office write')
  for (let n = 10; n < 55; n++) await ball.party({ customer_name: `Guest ${n}`, staff_note: 'x'.repeat(300) })
  const first = await guests('list')
  expect(first).toMatchObject({ party_count: 45, expected_count: 45, next_page: 2 })
  expect(first.guest_parties).toHaveLength(20)
  const last = await guests('list', { page: 3 })
  expect(last.next_page).toBeNull()
  expect(last.guest_parties.map((each: { customer_name: string }) => each.customer_name).at(-1)).toBe('Guest 54')
  expect(await guests('list', { query: 'guest 31' })).toMatchObject({ guest_parties: [{ customer_name: 'Guest 31' }] })
  expect(await guests('list', { filter: 'arrived' })).toMatchObject({ guest_parties: [] })
  expect(await guests('list', { party_id: '', query: '', page: 1 })).toEqual(first)
})
