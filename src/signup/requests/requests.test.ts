import { expect, test } from 'vitest'
import { newGuest, openSignups } from '../../../test/kit/venue/signups.ts'

const NO_ROOM = { base: ['Not enough places available'] }
const REVIEWED = { base: ['This request has already been reviewed'] }
const CLOSED = { base: ['The guest list is closed'] }

test('a new request waits, says what the guest entered, and holds nothing', async () => {
  const { link, submit, waiting, option, office, forms } = await openSignups()
  const form = await link({ max_companions: 2, companion_names_field: 'optional', phone_field: 'optional' })
  const before = await option('ga')
  const name = '<script>alert(1)</script> ignore all previous instructions'
  const sent = { name, company: 'Engine Works', phone: '+49 40 1', companions: 2, companion_names: ['Charles', ''] }
  expect(await submit(form.public_url, { ...sent, email: ' Ada.Request@Engine.EXAMPLE ' })).toMatchObject({
    status: 201,
    body: { status: 'pending' },
  })

  const { requests, ...rest } = await waiting()
  expect(rest).toEqual({ status: 'pending', pending_count: 1, next_page: null })
  expect(requests).toEqual([
    {
      public_id: expect.stringMatching(/^\w{20,}$/),
      form_id: form.public_id,
      ...sent,
      email: 'ada.request@engine.example',
      companion_names: ['Charles'],
      answers: [],
      party_size: 3,
      total_party_size: 3,
      status: 'pending',
      created_at: expect.stringMatching(/Z$/),
      reviewed_at: null,
      order_public_id: null,
      pending_addition: null,
      additions: [],
    },
  ])
  expect(await option('ga')).toEqual(before)
  expect((await office.get(`${forms}/${form.public_id}`)).body).toMatchObject({
    admission_count: 0,
    remaining_capacity: 50,
  })
})

test('an approval issues the party the guest asked for, mails its tickets once and counts on the link', async () => {
  const ball = await openSignups()
  const { link, submit, requestOf, approve, office, path, forms, questions } = ball
  const form = await link({
    max_companions: 2,
    companion_names_field: 'optional',
    phone_field: 'optional',
    asks_questions: true,
  })
  const email = newGuest()
  const answers = { [questions['heard']!]: 'Radio', [questions['diet']!]: 'vegan', 999: 'x' }
  await submit(form.public_url, {
    name: 'Zoë',
    email,
    company: 'Halle',
    phone: '040 1',
    companions: 2,
    companion_names: ['', 'Omar'],
    answers,
  })
  const request = await requestOf(email)
  expect(request.answers).toEqual([
    { id: questions['heard'], label: 'How did you hear of us?', type: 'select', value: 'Radio' },
    { id: questions['terms'], label: 'I accept the house rules', type: 'checkbox', value: false },
  ])

  const approved = await approve(request)
  expect(approved).toMatchObject({
    status: 200,
    body: {
      ...request,
      status: 'approved',
      reviewed_at: expect.stringMatching(/Z$/),
      order_public_id: expect.any(String),
    },
  })
  const party = (await office.get(`${path}/guest_parties/${approved.body.order_public_id}`)).body
  expect(party).toMatchObject({
    origin: 'guest_list',
    status: 'paid',
    customer_name: 'Zoë',
    delivery_email: email,
    customer_company: 'Halle',
    customer_phone: '040 1',
    party_size: 3,
    creator_name: 'Olga Owner',
    custom_field_answers: { [questions['heard']!]: 'Radio', [questions['terms']!]: false },
  })
  expect(party.admissions.map((each: { attendee_name: string }) => each.attendee_name)).toEqual([
    'Zoë',
    'Guest of Zoë',
    'Omar',
  ])
  expect((await office.get(`${forms}/${form.public_id}`)).body).toMatchObject({
    admission_count: 3,
    remaining_capacity: 47,
  })
  expect(await ball.ticketMailsTo(email)).toHaveLength(1)

  expect((await approve(request)).body).toEqual(approved.body)
  expect(await ball.reject(request)).toRefuse(422, REVIEWED)
  expect(await ball.ticketMailsTo(email)).toHaveLength(1)
  expect((await ball.guestList()).guest_parties).toHaveLength(1)
})

test('a rejection is final, issues nothing and writes to nobody', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const email = newGuest()
  await ball.submit(public_url, { email })
  const before = await ball.mailsTo(email)

  const request = await ball.requestOf(email)
  const rejected = await ball.reject(request)
  expect(rejected).toMatchObject({ status: 200, body: { status: 'rejected', order_public_id: null } })
  expect(rejected.body.reviewed_at).not.toBeNull()
  expect((await ball.reject(request)).body).toEqual(rejected.body)
  expect(await ball.approve(request)).toRefuse(422, REVIEWED)
  expect(await ball.requestOf(email)).toEqual(rejected.body)
  expect(await ball.mailsTo(email)).toEqual(before)
  expect((await ball.guestList()).guest_parties).toEqual([])
})

test('the link of today decides ticket and area, also when it is disabled by then', async () => {
  const ball = await openSignups()
  const { office, forms, tickets, areas } = ball
  const form = await ball.link()
  const emails = [newGuest(), newGuest()]
  for (const email of emails) await ball.submit(form.public_url, { email })
  const first = await ball.approve(await ball.requestOf(emails[0]!))

  const change = {
    ticket_id: tickets['floor'],
    event_capacity_pool_id: areas['front'],
    enabled: false,
    approval_mode: 'automatic',
  }
  await office.patch(`${forms}/${form.public_id}`, { guest_list_form: change })
  expect((await ball.requestOf(emails[1]!)).status).toBe('pending')
  const second = await ball.approve(await ball.requestOf(emails[1]!))

  const partyOf = async (reply: { body: { order_public_id: string } }) =>
    (await office.get(`${ball.path}/guest_parties/${reply.body.order_public_id}`)).body
  expect(await partyOf(first)).toMatchObject({ ticket_id: tickets['ga'] })
  expect(await partyOf(second)).toMatchObject({ ticket_id: tickets['floor'], admissions: [{ place_label: 'Front' }] })
})

test.for([
  ['the quota of the link', { capacity: 2 }, undefined],
  ['the stock of the ticket', {}, { stock: 2 }],
  ['the capacity of the event', {}, { capacity: 2 }],
] as const)('%s is never exceeded: the request waits on and nothing has changed', async ([, settings, limit]) => {
  const ball = await openSignups((event) => {
    if (limit && 'stock' in limit) event['tickets'][0].stock = limit.stock
    if (limit && 'capacity' in limit) event['capacity'] = limit.capacity
  })
  const { public_url } = await ball.link({ ...settings, max_companions: 1 })
  const emails = [newGuest(), newGuest()]
  for (const email of emails) await ball.submit(public_url, { email, companions: 1 })
  expect((await ball.approve(await ball.requestOf(emails[0]!))).status).toBe(200)

  const before = await ball.standing()
  const request = await ball.requestOf(emails[1]!)
  expect(await ball.approve(request)).toRefuse(422, NO_ROOM)
  expect(await ball.requestOf(emails[1]!)).toEqual(request)
  expect(await ball.standing()).toEqual(before)
  expect(await ball.ticketMailsTo(emails[1]!)).toEqual([])
})

test('a full or closed standing area is no room; raising a quota makes some', async () => {
  const ball = await openSignups((event) => {
    event['standing_areas'][0].capacity = 1
  })
  const form = await ball.link({
    ticket_id: ball.tickets['floor'],
    event_capacity_pool_id: ball.areas['front'],
    capacity: 1,
  })
  const emails = [newGuest(), newGuest()]
  for (const email of emails) await ball.submit(form.public_url, { email })
  expect((await ball.approve(await ball.requestOf(emails[0]!))).status).toBe(200)

  const request = await ball.requestOf(emails[1]!)
  expect(await ball.approve(request)).toRefuse(422, NO_ROOM)
  const patch = (change: object) => ball.office.patch(`${ball.forms}/${form.public_id}`, { guest_list_form: change })
  expect((await patch({ capacity: 3 })).body).toMatchObject({ admission_count: 1, remaining_capacity: 2 })
  expect(await ball.approve(request)).toRefuse(422, NO_ROOM)
  await patch({ event_capacity_pool_id: ball.areas['back'] })
  expect((await ball.approve(request)).status).toBe(200)
  expect((await patch({ capacity: 1 })).body).toMatchObject({ admission_count: 2, remaining_capacity: 0 })
})

test('links have quotas of their own, share the inventory with staff, and get places back that are cancelled', async () => {
  const ball = await openSignups((event) => {
    event['tickets'][0].stock = 4
  })
  const [one, other] = [await ball.link({ max_companions: 1 }), await ball.link()]
  const countOf = async (form: { public_id: string }) =>
    (await ball.office.get(`${ball.forms}/${form.public_id}`)).body.admission_count
  const [first, second] = [newGuest(), newGuest()]
  await ball.submit(one.public_url, { email: first, companions: 1 })
  await ball.submit(other.public_url, { email: second })
  const approved = (await ball.approve(await ball.requestOf(first))).body
  expect([await countOf(one), await countOf(other)]).toEqual([2, 0])

  await ball.party({ party_size: 2 })
  expect([await countOf(one), await countOf(other)]).toEqual([2, 0])
  expect(await ball.approve(await ball.requestOf(second))).toRefuse(422, NO_ROOM)

  const party = `${ball.path}/guest_parties/${approved.order_public_id}`
  const [, companion] = (await ball.office.get(party)).body.admissions
  await ball.office.post(`${party}/admissions/${companion.public_id}/cancellation`)
  expect(await countOf(one)).toBe(1)
  expect((await ball.approve(await ball.requestOf(second))).status).toBe(200)
  await ball.office.post(`${party}/cancellation`)
  expect(await countOf(one)).toBe(0)
  expect(await ball.requestOf(first)).toEqual(approved)
  expect((await ball.approve(approved)).body).toEqual(approved)
})

test.for([
  ['over', `starts_at = foyer_now() - interval '2 days', doors_open_at = null`],
  ['cancelled', 'cancelled_at = foyer_now()'],
  ['not published', 'published_at = null'],
] as const)('no guest is approved for an event that is %s, but a request may still be rejected', async ([, change]) => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const email = newGuest()
  await ball.submit(public_url, { email })
  await ball.app.database.pool.query(`update events set ${change} where account_id = $1 and id = $2`, [
    ball.accountId,
    ball.eventId,
  ])

  const request = await ball.requestOf(email)
  expect(await ball.approve(request)).toRefuse(422, CLOSED)
  expect(await ball.requestOf(email)).toEqual(request)
  expect((await ball.reject(request)).status).toBe(200)
})

test('lists are newest first, 25 a page, and count what waits within the filter', async () => {
  const ball = await openSignups()
  const [one, other] = [await ball.link(), await ball.link()]
  for (let n = 1; n <= 25; n++)
    await ball.submit(one.public_url, { name: `Guest ${n}`, email: `page${n}@signup.example` })
  expect((await ball.waiting()).next_page).toBeNull()
  await ball.submit(other.public_url, { name: 'Guest 26', email: 'page26@signup.example' })

  const first = await ball.waiting()
  expect(first).toMatchObject({ pending_count: 26, next_page: 2 })
  expect(first.requests.map((each: { name: string }) => each.name)).toEqual(
    Array.from({ length: 25 }, (_, n) => `Guest ${26 - n}`),
  )
  expect(await ball.waiting('?page=2')).toMatchObject({ next_page: null, requests: [{ name: 'Guest 1' }] })
  expect(await ball.waiting('?page=3')).toMatchObject({ pending_count: 26, next_page: null, requests: [] })
  for (const page of ['0', '-1', 'two', '1.5', '99999999999']) {
    expect((await ball.waiting(`?page=${page}`)).requests, page).toHaveLength(25)
  }

  const ofOther = await ball.waiting(`?form_id=${other.public_id}`)
  expect(ofOther).toMatchObject({ pending_count: 1, requests: [{ name: 'Guest 26', form_id: other.public_id }] })
  await ball.approve(ofOther.requests[0])
  await ball.reject(await ball.requestOf('page1@signup.example'))
  expect(await ball.waiting('?status=approved')).toMatchObject({
    status: 'approved',
    pending_count: 24,
    requests: [{ name: 'Guest 26' }],
  })
  expect(await ball.waiting('?status=rejected')).toMatchObject({ status: 'rejected', requests: [{ name: 'Guest 1' }] })
  expect(await ball.waiting('?status=bogus')).toMatchObject({ status: 'pending', pending_count: 24 })
})

test('what another event or account has is not there, and nobody signs up through the office', async () => {
  const [here, elsewhere] = [await openSignups(), await openSignups()]
  const form = await elsewhere.link()
  const email = newGuest()
  await elsewhere.submit(form.public_url, { email })
  const foreign = await elsewhere.requestOf(email)

  expect(await here.office.get(`${here.requests}?form_id=${form.public_id}`)).toRefuse(404)
  expect(await here.office.get(`${here.requests}?form_id=nothing`)).toRefuse(404)
  expect((await here.waiting()).requests).toEqual([])
  for (const verdict of ['approval', 'rejection']) {
    expect(await here.office.post(`${here.requests}/${foreign.public_id}/${verdict}`)).toRefuse(404)
    expect(
      await elsewhere.office.post(`/admin/events/spring-night/guest_requests/${foreign.public_id}/${verdict}`),
    ).toRefuse(404)
    expect(await elsewhere.reader.post(`${elsewhere.requests}/${foreign.public_id}/${verdict}`)).toRefuse(401)
  }
  expect((await elsewhere.reader.get(elsewhere.requests)).status).toBe(200)
  expect([404, 405]).toContain((await elsewhere.office.post(elsewhere.requests, { guest_request: {} })).status)
  expect(await elsewhere.requestOf(email)).toEqual(foreign)
})

test('who approves is who added the party: a co-organizer by name, a token as the owner', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const email = newGuest()
  await ball.submit(public_url, { email })
  const request = await ball.requestOf(email)
  const approved = await ball.partner.post(`${ball.requests}/${request.public_id}/approval`)

  const party = await ball.office.get(`${ball.path}/guest_parties/${approved.body.order_public_id}`)
  expect(party.body.creator_name).toBe('Cem Partner')
})

test('owners and managers are told of each new request, and nobody else', async () => {
  const ball = await openSignups()
  const [manual, automatic] = [await ball.link(), await ball.link({ approval_mode: 'automatic' })]
  const email = newGuest()
  await ball.submit(manual.public_url, { name: 'Wanda Waiting', email })
  await ball.submit(manual.public_url, { name: 'Wanda Waiting', email })
  await ball.submit(automatic.public_url, { email: newGuest() })

  for (const token of ['olga write', 'mara write']) {
    expect(await ball.inbox(token)).toMatchObject([
      { kind: 'signup_pending', title: 'Wanda Waiting would like to join the guest list of Winter Ball' },
    ])
  }
  for (const token of ['cem write', 'sami write', 'pia write']) expect(await ball.inbox(token)).toEqual([])
})
