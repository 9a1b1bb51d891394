import { expect, test } from 'vitest'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'

const TEXTS = [
  'customer_name',
  'delivery_email',
  'staff_note',
  'customer_phone',
  'customer_company',
  'billing_street',
  'billing_postal_code',
  'billing_city',
  'billing_country',
  'billing_vat_id',
]
const MAPS = ['custom_field_answers', 'attendee_custom_field_answers', 'attendee_names']

const NO_TEXTS = [{}, { text: 'x' }, [], ['x'], 'a\0b', 'half \ud83d', '\udc00']
const NO_MAPS = [7, true, 'x', [], ['x']]
const NO_IDS = [-1, 0, 1.5, 'one', {}, [1], true, 2 ** 60, '99999999999999999999', '0x1']
const NO_FLAGS = ['perhaps', 2, {}, [], [true], 'yes']

/** Whatever is sent, one field at a time, with the field's own name in the answer. */
const ODD: [field: string, values: unknown[]][] = [
  ...TEXTS.map((field): [string, unknown[]] => [field, NO_TEXTS]),
  ...MAPS.map((field): [string, unknown[]] => [field, NO_MAPS]),
  ['send_to_creator', NO_FLAGS],
]
const ODD_AT_CREATION: [field: string, values: unknown[]][] = [
  ...ODD,
  ['ticket_id', NO_IDS],
  ['event_capacity_pool_id', NO_IDS],
  ['event_place_ids', [7, 'x', {}, true, [null], [-1], ['x'], [[1]], [1.5], [2 ** 60], [{}]]],
  ['party_size', [0, -1, 21, 2 ** 40, 1.5, '1.5', 'two', true, {}, [], [2], '1e1', ' ']],
]

const LONG: [field: string, most: number][] = [
  ['customer_name', 255],
  ['staff_note', 500],
  ['customer_phone', 50],
  ['customer_company', 255],
  ['billing_street', 255],
  ['billing_postal_code', 255],
  ['billing_city', 255],
  ['billing_vat_id', 255],
]

const NO_ADDRESSES = [
  'ada',
  'ada@',
  '@guest.example',
  'a b@guest.example',
  'ada@guest..example',
  'a@b@c',
  'x'.repeat(256),
]
const NO_COUNTRIES = ['ZZ', 'XX', 'Germany', 'DEU', 'D', '12', '🇩🇪']
const BLANKS = ['', ' ', '\t\n', '\u00a0', '\u3000\u2003', '\ufeff', null]

const namesOnly = (reply: { body: { errors: object } }) => Object.keys(reply.body.errors)

const wanted = (ball: WinterBall) => ({ customer_name: 'Ada', ticket_id: ball.tickets['ga'] })

test('whatever is sent for a field of a new party, that field is named and nothing is taken', async () => {
  const ball = await openWinterBall()
  const before = await ball.standing()
  const refuse = async (change: Record<string, unknown>) => {
    const reply = await ball.post({ ...wanted(ball), ...change })
    expect(reply, JSON.stringify(change)).toRefuse(422)
    expect(namesOnly(reply), JSON.stringify(change)).toEqual(Object.keys(change))
  }
  for (const [field, values] of ODD_AT_CREATION) for (const value of values) await refuse({ [field]: value })
  for (const [field, most] of LONG) await refuse({ [field]: '🎷'.repeat(most + 1) })
  for (const delivery_email of NO_ADDRESSES) await refuse({ delivery_email })
  for (const billing_country of NO_COUNTRIES) await refuse({ billing_country })
  for (const customer_name of BLANKS) await refuse({ customer_name })

  expect(await ball.standing()).toEqual(before)
  expect(await ball.queuedMails()).toEqual([])
}, 60_000)

test('whatever is sent for a field of a party that is there, that field is named and nothing changes', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 2, delivery_email: 'ada@guest.example', staff_note: 'Side entrance' })
  const [before, mails] = [await ball.standing(), await ball.queuedMails()]
  const refuse = async (change: Record<string, unknown>) => {
    const guest_party = { customer_company: 'Changed', ...change }
    const reply = await ball.office.patch(ball.partyPath(party), { deliver: true, guest_party })
    expect(reply, JSON.stringify(change)).toRefuse(422)
    expect(namesOnly(reply), JSON.stringify(change)).toEqual(Object.keys(change))
  }
  for (const [field, values] of ODD) for (const value of values) await refuse({ [field]: value })
  for (const [field, most] of LONG) await refuse({ [field]: '🎷'.repeat(most + 1) })
  for (const delivery_email of NO_ADDRESSES) await refuse({ delivery_email })
  for (const billing_country of NO_COUNTRIES) await refuse({ billing_country })
  for (const customer_name of BLANKS) await refuse({ customer_name })
  for (const deliver of NO_FLAGS) {
    expect(await ball.office.patch(ball.partyPath(party), { deliver })).toRefuse(422, {
      deliver: ['is not included in the list'],
    })
  }
  expect(await ball.standing()).toEqual(before)
  expect(await ball.queuedMails()).toEqual(mails)
}, 60_000)

test('every fault of a party is told at once, each under its field', async () => {
  const ball = await openWinterBall()
  const reply = await ball.post({
    customer_name: '  ',
    ticket_id: 'x',
    party_size: 21,
    delivery_email: 'nowhere',
    staff_note: 'x'.repeat(501),
    billing_country: 'Atlantis',
    attendee_names: [],
  })
  expect(reply).toRefuse(422, {
    customer_name: ["can't be blank"],
    ticket_id: ['is invalid'],
    party_size: ['must be less than or equal to 20'],
    delivery_email: ['is invalid'],
    staff_note: ['is too long (maximum is 500 characters)'],
    billing_country: ['is invalid'],
    attendee_names: ['is invalid'],
  })
  for (const messages of Object.values(reply.body.errors)) {
    expect(messages).toEqual([expect.any(String)])
  }
})

test('names of any script, emoji, markup and numbers are names, up to the last character', async () => {
  const ball = await openWinterBall()
  for (const [sent, shown] of [
    ['🎷🎺', '🎷🎺'],
    ['👩‍👩‍👧‍👦', '👩‍👩‍👧‍👦'],
    ['شهرزاد', 'شهرزاد'],
    ['<script>alert(1)</script>', '<script>alert(1)</script>'],
    ["Robert'); drop table orders;--", "Robert'); drop table orders;--"],
    ['\\', '\\'],
    ['🎷'.repeat(255), '🎷'.repeat(255)],
    [7, '7'],
    [' \u00a0Ada\u3000', 'Ada'],
  ] as const) {
    const party = await ball.party({
      customer_name: sent,
      customer_company: sent,
      party_size: 2,
      attendee_names: { 1: sent },
    })
    expect(party).toMatchObject({ customer_name: shown, customer_company: shown })
    expect(party.admissions.map((each: { attendee_name: string }) => each.attendee_name)).toEqual([shown, shown])
    expect((await ball.office.get(ball.partyPath(party))).body).toEqual(party)
  }
  expect((await ball.guestList(`?query=${encodeURIComponent('🎷🎺')}`)).guest_parties).toHaveLength(1)
})

test('places, areas, tickets and questions of others are none here, and nothing happens to them', async () => {
  const seats = {
    tickets: [
      { key: 'ga', title: 'General admission' },
      { key: 'floor', title: 'Standing', inventory_kind: 'standing' },
      { key: 'seat', title: 'Seat', inventory_kind: 'places' },
    ],
    standing_areas: [{ key: 'hall', name: 'Hall', capacity: 9, tickets: ['floor'] }],
    places: [{ key: 'S-1', label: 'S 1', ticket: 'seat' }],
    questions: [
      { key: 'song', label: 'Your song', type: 'text', scope: 'order' },
      { key: 'hat', label: 'Your hat', type: 'text', scope: 'attendee' },
    ],
  }
  const ball = await openWinterBall((_event, file) => Object.assign(file['events'][1], seats))
  const foreign = await openWinterBall()
  // oxlint-disable-next-line typescript/no-explicit-any
  const spring = (ball.report as any).events['spring-night']
  const unknown = ['is not included in the list']
  const before = [await ball.standing(), await foreign.standing()]

  for (const other of [
    { tickets: foreign.tickets, seat: foreign.places['A-1'], area: foreign.areas['front'] },
    { tickets: spring.tickets, seat: spring.places['S-1'], area: spring.standing_areas['hall'] },
  ]) {
    for (const ticket_id of Object.values(other.tickets)) {
      expect(await ball.post({ customer_name: 'Ada', ticket_id })).toRefuse(422, { ticket_id: unknown })
    }
    const seat = { customer_name: 'Ada', ticket_id: ball.tickets['seat'] }
    for (const event_place_ids of [[other.seat], [ball.places['A-1'], other.seat]]) {
      expect(await ball.post({ ...seat, event_place_ids })).toRefuse(422, { event_place_ids: unknown })
    }
    const floor = { customer_name: 'Ada', ticket_id: ball.tickets['floor'], event_capacity_pool_id: other.area }
    expect(await ball.post(floor)).toRefuse(422, { event_capacity_pool_id: unknown })
  }
  expect([await ball.standing(), await foreign.standing()]).toEqual(before)

  const other = await ball.party({ party_size: 2 })
  const { song, hat } = spring.questions
  const { diet } = ball.questions
  const party = await ball.party({
    party_size: 2,
    custom_field_answers: { [song]: 'x', [hat]: 'x', [diet!]: 'x', constructor: 'x' },
    attendee_custom_field_answers: {
      0: { [hat]: 'x', [song]: 'x' },
      [other.admissions[1].public_id]: { [diet!]: 'glass' },
      2: { [diet!]: 'nobody' },
      '-1': { [diet!]: 'nobody' },
    },
    attendee_names: { [other.admissions[1].public_id]: 'Mallory', 2: 'Nobody', '01': 'Nobody', '1.0': 'Nobody' },
  })
  expect(party.custom_field_answers).toEqual({})
  for (const admission of party.admissions) expect(admission.custom_field_answers).toEqual({})
  expect(party.admissions[1].attendee_name).toBe('Guest of Ada Lovelace')
  expect((await ball.office.get(ball.partyPath(other))).body).toEqual(other)
})

test('answers of every type come back as they can be sent again', async () => {
  const types = ['text', 'textarea', 'number', 'date', 'email', 'phone', 'checkbox'] as const
  const sent = {
    text: 'Größe 🎷',
    textarea: 'one\ntwo',
    number: 12.5,
    date: '2026-12-31',
    email: 'Ada@Engine.example',
    phone: '+49 40 1234',
    checkbox: 1,
  }
  const options = ['Beer', 'Wine', 'Water']
  const ball = await openWinterBall((event) => {
    for (const scope of ['order', 'attendee']) {
      for (const type of types) event['questions'].push({ key: `${scope} ${type}`, label: type, type, scope })
      event['questions'].push(
        { key: `${scope} select`, label: 'select', type: 'select', scope, options },
        { key: `${scope} multi_select`, label: 'multi', type: 'multi_select', scope, options },
      )
    }
  })
  const answers = (scope: string, given: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(given).map(([type, value]) => [ball.questions[`${scope} ${type}`]!, value]))
  const all = { ...sent, select: 'Wine', multi_select: ['Water', 'Beer'] }
  const party = await ball.party({
    party_size: 2,
    custom_field_answers: answers('order', all),
    attendee_custom_field_answers: { 1: answers('attendee', all) },
  })
  const stored = { ...all, number: '12.5', checkbox: true, multi_select: ['Beer', 'Water'] }
  expect(party.custom_field_answers).toEqual(answers('order', stored))
  expect(party.admissions[0].custom_field_answers).toEqual({})
  expect(party.admissions[1].custom_field_answers).toEqual(answers('attendee', stored))

  const again = await ball.office.patch(ball.partyPath(party), {
    guest_party: {
      custom_field_answers: party.custom_field_answers,
      attendee_custom_field_answers: Object.fromEntries(
        party.admissions.map((each: { public_id: string; custom_field_answers: object }) => [
          each.public_id,
          each.custom_field_answers,
        ]),
      ),
    },
  })
  expect(again.body).toEqual(party)

  for (const [type, value] of Object.entries({
    text: { a: 1 },
    textarea: 'x'.repeat(5001),
    number: 'many',
    date: '2026-02-30',
    email: 'nobody',
    phone: 'call me',
    checkbox: 'perhaps',
    select: 'Milk',
    multi_select: ['Beer', 'Milk'],
  })) {
    const order = { custom_field_answers: answers('order', { [type]: value }) }
    const reply = await ball.office.patch(ball.partyPath(party), { guest_party: order })
    expect(reply, type).toRefuse(422)
    expect(namesOnly(reply)).toEqual(['custom_field_answers'])
    const attendee = { attendee_custom_field_answers: { 0: answers('attendee', { [type]: value }) } }
    const refused = await ball.post({ ...wanted(ball), ...attendee })
    expect(refused, type).toRefuse(422)
    expect(namesOnly(refused)).toEqual(['attendee_custom_field_answers'])
  }
  expect((await ball.office.get(ball.partyPath(party))).body).toEqual(party)
})

test('a search for anything at all finds names and addresses, and never an answer', async () => {
  const ball = await openWinterBall()
  const { heard, diet } = ball.questions as Record<'heard' | 'diet', number>
  await ball.party({
    custom_field_answers: { [heard]: 'Radio' },
    attendee_custom_field_answers: { 0: { [diet]: 'Vegan' } },
  })
  for (const query of ['radio', 'vegan', '\0', '🎷'.repeat(400), `x${'🎷'.repeat(127)}`, "'", '\\', 'a'.repeat(3000)]) {
    const list = await ball.guestList(`?query=${encodeURIComponent(query)}`)
    expect(list.guest_parties, query).toHaveLength(query === '\0' ? 1 : 0)
    expect(list.admission_count).toBe(1)
  }
  expect((await ball.guestList('?query=ada&query=nobody')).guest_parties).toEqual([])
  expect((await ball.guestList('?query[]=ada&filter[]=arrived')).filter).toBe('all')
})

test('what is left of a numbered ticket is the least of its free places, its stock and the house', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'][2].stock = 4
    event['capacity'] = 6
  })
  const optionAfter = async (size: number) => {
    if (size > 0) await ball.party({ party_size: size })
    const { available_stock, unlimited_stock, available_places } = await ball.option('seat')
    return [available_stock, unlimited_stock, available_places.length]
  }
  expect(await optionAfter(0)).toEqual([4, false, 7])
  expect(await optionAfter(3)).toEqual([3, false, 7])
  expect(await optionAfter(3)).toEqual([0, false, 7])

  // Nobody can be told of less than nothing, because Foyer cannot be made smaller than what is taken.
  for (const [table, change] of [
    ['events', 'capacity = 5'],
    ['tickets', 'stock = 2'],
  ] as const) {
    const { rows } = await ball.app.database.pool.query(
      `select id from ${table} where account_id = $1 and claimed_count > 5`,
      [ball.accountId],
    )
    expect(rows).toHaveLength(1)
    const lower = ball.app.database.pool.query(`update ${table} set ${change} where id = $1`, [rows[0].id])
    await expect(lower).rejects.toThrow(/never_over/)
  }
})
