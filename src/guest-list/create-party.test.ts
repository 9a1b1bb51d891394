import { expect, test } from 'vitest'
import { signedIn } from '../../test/kit/venue/sessions.ts'
import { openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const PARTY_KEYS = [
  'public_id',
  'order_code',
  'display_number',
  'status',
  'origin',
  'customer_name',
  'delivery_email',
  'staff_note',
  'customer_phone',
  'customer_company',
  'billing_address',
  'custom_field_answers',
  'arrival_state',
  'arrived_count',
  'party_size',
  'cancellable',
  'ticket_id',
  'ticket_title',
  'creator_name',
  'paid_at',
  'created_at',
  'admissions',
]
const ADMISSION_KEYS = [
  'public_id',
  'attendee_name',
  'custom_field_answers',
  'place_label',
  'check_in_code',
  'display_check_in_code',
  'redeemed',
  'redeemed_at',
  'admission_status',
  'cancellable',
  'seat_exchangeable',
]

test('a name and a ticket make a party of one, paid at once', async () => {
  const ball = await openWinterBall()
  const reply = await ball.post({ customer_name: '  Ada Lovelace ', ticket_id: ball.tickets['ga'] })

  expect(reply.status).toBe(201)
  const party = reply.body
  expect(Object.keys(party)).toEqual(PARTY_KEYS)
  expect(Object.keys(party.admissions[0])).toEqual(ADMISSION_KEYS)
  expect(party).toMatchObject({
    status: 'paid',
    origin: 'guest_list',
    customer_name: 'Ada Lovelace',
    delivery_email: null,
    staff_note: null,
    customer_phone: null,
    customer_company: null,
    billing_address: { street: null, postal_code: null, city: null, country: null, vat_id: null },
    custom_field_answers: {},
    arrival_state: 'expected',
    arrived_count: 0,
    party_size: 1,
    cancellable: true,
    ticket_id: ball.tickets['ga'],
    ticket_title: 'General admission',
    creator_name: 'Olga Owner',
  })
  expect(party.order_code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
  expect(party.display_number.replace('-', '')).toBe(party.order_code)
  expect(party.display_number).toMatch(/^.{4}-.{4}$/)
  expect(party.paid_at).toBe(party.created_at)
  expect(party.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect(party.admissions).toHaveLength(1)
  expect(party.admissions[0]).toMatchObject({
    attendee_name: 'Ada Lovelace',
    custom_field_answers: {},
    place_label: null,
    redeemed: false,
    redeemed_at: null,
    admission_status: 'active',
    cancellable: true,
    seat_exchangeable: false,
  })
  expect(party.admissions[0].display_check_in_code.replace('-', '')).toBe(party.admissions[0].check_in_code)
})

test('Location leads to the party, and show, list and creation agree on it', async () => {
  const ball = await openWinterBall()
  const reply = await ball.post({ customer_name: 'Ada', ticket_id: ball.tickets['ga'], party_size: 2 })

  const { pathname } = new URL(reply.headers.get('location')!)
  expect((await ball.reader.get(pathname)).body).toEqual(reply.body)
  expect((await ball.guestList()).guest_parties).toEqual([reply.body])
})

test('a browser is sent to the edit screen, with or without a bearer token', async () => {
  const ball = await openWinterBall()
  const party = await ball.party()
  const headers = { accept: 'text/html' }

  const reply = await ball.reader.get(ball.partyPath(party), { headers })
  expect(reply.status).toBe(302)
  expect(reply.headers.get('location')).toMatch(new RegExp(`/guest_parties/${party.public_id}/edit$`))
  expect((await ball.reader.get(`${ball.path}/guest_parties/nobody`, { headers })).status).toBe(404)

  const view = `/console/events/winter-ball/guests/${party.public_id}`
  const screen = await ball.stranger.get(reply.headers.get('location')!, { headers })
  expect([screen.status, screen.headers.get('location')]).toEqual([303, view])
  const signIn = `/sign_in?return_to=${encodeURIComponent(view)}`
  expect((await ball.stranger.get(view, { headers })).headers.get('location')).toBe(signIn)
  const olga = await signedIn(ball, 'olga@neue-halle.example')
  expect((await olga.get(view, { headers })).status).toBe(200)
})

test('parties of one to twenty take as many admissions from the stock at once', async () => {
  const ball = await openWinterBall()
  const before = (await ball.option('ga')).available_stock

  expect((await ball.party({ party_size: 20 })).admissions).toHaveLength(20)
  expect((await ball.party({ party_size: '3' })).party_size).toBe(3)
  expect((await ball.party({ party_size: null })).party_size).toBe(1)
  expect((await ball.option('ga')).available_stock).toBe(before - 24)
})

test('numbered places make the size of the party, whatever party_size says', async () => {
  const ball = await openWinterBall()
  const ids = [ball.places['A-2'], ball.places['A-1']]
  const party = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: ids, party_size: 99 })

  expect(party.party_size).toBe(2)
  expect(party.admissions.map((each: { place_label: string }) => each.place_label)).toEqual([
    'Row A Seat 2',
    'Row A Seat 1',
  ])
  expect(party.admissions[0].seat_exchangeable).toBe(true)
  const { available_places: free } = await ball.option('seat')
  expect(free.map((each: { id: number }) => each.id)).not.toEqual(expect.arrayContaining(ids))
})

test('a wheelchair place and its companion come together and stay together', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({
    ticket_id: ball.tickets['seat'],
    event_place_ids: [ball.places['W-1'], ball.places['W-1C']],
  })
  for (const admission of party.admissions)
    expect(admission).toMatchObject({ cancellable: false, seat_exchangeable: false })
})

test('a single standing area is chosen by itself, one of several is the caller’s choice', async () => {
  const ball = await openWinterBall((event) => {
    event['tickets'].push({ key: 'pit', title: 'Pit', inventory_kind: 'standing' })
    event['standing_areas'].push(
      { key: 'pit', name: 'Pit', capacity: 5, tickets: ['pit'] },
      { key: 'shut', name: 'Shut', capacity: 5, open: false, tickets: ['pit'] },
    )
  })
  const alone = await ball.party({ ticket_id: ball.tickets['pit'], party_size: 2 })
  expect(alone.admissions[0].place_label).toBe('Pit')
  expect((await ball.option('pit')).standing_areas).toEqual([
    { id: ball.areas['pit'], name: 'Pit', label: 'Pit', available_stock: 3 },
  ])

  const chosen = await ball.party({
    ticket_id: ball.tickets['floor'],
    party_size: 2,
    event_capacity_pool_id: ball.areas['back'],
  })
  expect(chosen.admissions[1].place_label).toBe('Back')
  expect(
    (await ball.option('floor')).standing_areas.map((each: { available_stock: number }) => each.available_stock),
  ).toEqual([50, 88])
})

test('what is sent about the guest comes back, billing nested', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({
    delivery_email: ' Ada@Lovelace.Example ',
    staff_note: 'é'.repeat(500),
    customer_phone: '+44 20 7946 0000',
    customer_company: 'Analytical Engines',
    billing_street: '1 St James’s Sq',
    billing_postal_code: 'SW1Y',
    billing_city: 'London',
    billing_country: 'gb',
    billing_vat_id: 'GB123',
  })
  expect(party).toMatchObject({
    delivery_email: 'ada@lovelace.example',
    staff_note: 'é'.repeat(500),
    customer_phone: '+44 20 7946 0000',
    customer_company: 'Analytical Engines',
    billing_address: { street: '1 St James’s Sq', postal_code: 'SW1Y', city: 'London', country: 'GB', vat_id: 'GB123' },
  })
})

test('companions are named by position, the lead by customer_name, the rest are guests of the lead', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({
    party_size: 4,
    attendee_names: { '0': 'Nobody', '1': ' Bob ', '2': ' ', '9': 'Late' },
  })
  expect(party.admissions.map((each: { attendee_name: string }) => each.attendee_name)).toEqual([
    'Ada Lovelace',
    'Bob',
    'Guest of Ada Lovelace',
    'Guest of Ada Lovelace',
  ])
})

test('answers are stored by question and attendee, and strangers’ questions are dropped', async () => {
  const ball = await openWinterBall()
  const { heard, terms, diet } = ball.questions as { heard: number; terms: number; diet: number }
  const party = await ball.party({
    party_size: 2,
    custom_field_answers: { [heard]: 'Radio', [terms]: 'true', [diet]: 'vegan', 999999: 'x' },
    attendee_custom_field_answers: {
      '0': { [diet]: 'vegan' },
      '1': { [diet]: 7, [heard]: 'Radio' },
      '7': { [diet]: 'x' },
    },
  })
  expect(party.custom_field_answers).toEqual({ [heard]: 'Radio', [terms]: true })
  expect(party.admissions[0].custom_field_answers).toEqual({ [diet]: 'vegan' })
  expect(party.admissions[1].custom_field_answers).toEqual({ [diet]: '7' })

  const again = await ball.office.patch(ball.partyPath(party), {
    guest_party: { custom_field_answers: party.custom_field_answers },
  })
  expect(again.body).toEqual(party)
})

test('tickets are mailed to the delivery address, and to nobody without one', async () => {
  const ball = await openWinterBall()
  await ball.party()
  expect(await ball.queuedMails()).toEqual([])

  await ball.party({ delivery_email: 'ada@lovelace.example' })
  expect(await ball.queuedMails()).toMatchObject([{ reason: 'issued' }])
})

test('send_to_creator delivers to the account owner, or to the person behind a personal token', async () => {
  const ball = await openWinterBall()
  const mine = await ball.party({ send_to_creator: true, delivery_email: 'other@guest.example' })
  expect(mine.delivery_email).toBe('olga@neue-halle.example')

  const body = { guest_party: { customer_name: 'Ada', ticket_id: ball.tickets['ga'], send_to_creator: '1' } }
  const cems = await ball.partner.post(`${ball.path}/guest_parties`, body)
  expect(cems.body).toMatchObject({ delivery_email: 'cem@partner.example', creator_name: 'Cem Partner' })
  expect(await ball.queuedMails()).toHaveLength(2)
})

test('codes and IDs are unique across parties', async () => {
  const ball = await openWinterBall()
  const parties = [await ball.party({ party_size: 5 }), await ball.party({ party_size: 5 })]
  const admissions = parties.flatMap((party) => party.admissions)
  expect(new Set(admissions.map((each) => each.check_in_code)).size).toBe(10)
  expect(new Set(admissions.map((each) => each.public_id)).size).toBe(10)
  expect(parties[0].order_code).not.toBe(parties[1].order_code)
})

test('no key of the body reaches what it may not set', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({
    status: 'booking_cancelled',
    origin: 'shop',
    public_id: 'mine',
    order_code: 'AAAAAAAA',
    creator_name: 'Me',
    account_id: 1,
    walk_in: true,
    table_id: 4,
  })
  expect(party).toMatchObject({ status: 'paid', origin: 'guest_list', creator_name: 'Olga Owner', party_size: 1 })
  expect(party.public_id).not.toBe('mine')
})

test('an Idempotency-Key adds a party once, and frees itself when the party was refused', async () => {
  const ball = await openWinterBall()
  const headers = { 'idempotency-key': 'party-1' }
  const refused = await ball.post({ customer_name: '', ticket_id: ball.tickets['ga'] }, { headers })
  expect(refused).toRefuse(422)

  const good = { customer_name: 'Ada', ticket_id: ball.tickets['ga'], delivery_email: 'ada@guest.example' }
  const first = await ball.post(good, { headers })
  const second = await ball.post(good, { headers })
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('idempotent-replayed')).toBe('true')
  expect(second.headers.get('location')).toBe(first.headers.get('location'))
  expect(await ball.post({ ...good, party_size: 2 }, { headers })).toRefuse(422)

  expect((await ball.guestList()).admission_count).toBe(1)
  expect(await ball.queuedMails()).toHaveLength(1)
})

test('parties can be added to drafts and to events that are over', async () => {
  const { office, report } = await openVenue()
  for (const slug of ['draft-show', 'last-summer']) {
    const ticket_id = (report.events as Record<string, { tickets: Record<string, number> }>)[slug]!.tickets['ga']
    const reply = await office.post(`/admin/events/${slug}/guest_parties`, {
      guest_party: { customer_name: 'Ada', ticket_id },
    })
    expect(reply.status).toBe(201)
  }
})
