import { expect, test } from 'vitest'
import { whileEventIsLocked } from '../../../test/kit/database/held-events.ts'
import { newGuest, openSignups } from '../../../test/kit/venue/signups.ts'

const KEYS = [
  'public_id',
  'name',
  'enabled',
  'approval_mode',
  'ticket_id',
  'event_capacity_pool_id',
  'max_companions',
  'capacity',
  'company_field',
  'phone_field',
  'companion_names_field',
  'asks_questions',
  'admission_count',
  'remaining_capacity',
  'public_url',
]

test('a link is made of a ticket alone, with the defaults, an address of its own and a Location that leads back', async () => {
  const { office, reader, forms, tickets, report } = await openSignups()
  expect((await reader.get(forms)).body).toEqual({ forms: [] })

  const made = await office.post(forms, { guest_list_form: { ticket_id: tickets['ga'] } })
  expect(made.status).toBe(201)
  expect(Object.keys(made.body).toSorted()).toEqual(KEYS.toSorted())
  expect(made.body).toMatchObject({
    name: null,
    enabled: true,
    approval_mode: 'manual',
    ticket_id: tickets['ga'],
    event_capacity_pool_id: null,
    max_companions: 0,
    capacity: 50,
    company_field: 'optional',
    phone_field: 'hidden',
    companion_names_field: 'hidden',
    asks_questions: false,
    admission_count: 0,
    remaining_capacity: 50,
  })
  expect(made.body.public_url).toMatch(new RegExp(`^${report.account.shop_url}/guest_list/\\w{22,}$`))
  expect(made.body.public_url).not.toContain(made.body.public_id)

  const { pathname } = new URL(made.headers.get('location')!)
  expect((await reader.get(pathname)).body).toEqual(made.body)
})

test('an event has several links, listed oldest first, each with an ID and an address of its own', async () => {
  const { link, reader, forms } = await openSignups()
  const made = [await link({ name: 'Press' }), await link({ name: 'Friends' }), await link({ name: 'Crew' })]

  expect((await reader.get(forms)).body).toEqual({ forms: made })
  expect(new Set(made.map(({ public_id }) => public_id)).size).toBe(3)
  expect(new Set(made.map(({ public_url }) => public_url)).size).toBe(3)
})

test('a link is created once per Idempotency-Key', async () => {
  const { office, forms, tickets } = await openSignups()
  const create = () =>
    office.post(forms, { guest_list_form: { ticket_id: tickets['ga'] } }, { headers: { 'idempotency-key': 'one' } })
  const [first, second] = [await create(), await create()]

  expect(second.body).toEqual(first.body)
  expect((await office.get(forms)).body.forms).toHaveLength(1)
})

test('what is sent at creation is applied, false and the edges of the limits too', async () => {
  const { link } = await openSignups()
  expect(await link({ enabled: false, max_companions: 19, capacity: 1, name: 'x'.repeat(200) })).toMatchObject({
    enabled: false,
    max_companions: 19,
    capacity: 1,
    name: 'x'.repeat(200),
  })
  expect(await link({ name: '  ', enabled: null, capacity: '7', asks_questions: 'true' })).toMatchObject({
    name: null,
    enabled: true,
    capacity: 7,
    asks_questions: true,
  })
})

const NOT_INCLUDED = 'is not included in the list'

test.for<[string, object, Record<string, string[]>]>([
  ['a mode nobody knows', { approval_mode: 'bogus' }, { approval_mode: [NOT_INCLUDED] }],
  ['a company asked for in a way nobody knows', { company_field: 'bogus' }, { company_field: [NOT_INCLUDED] }],
  ['a phone asked for in a way nobody knows', { phone_field: 'bogus' }, { phone_field: [NOT_INCLUDED] }],
  [
    'names asked for in a way nobody knows',
    { companion_names_field: 'bogus' },
    { companion_names_field: [NOT_INCLUDED] },
  ],
  ['a name of 201 characters', { name: 'é'.repeat(201) }, { name: ['is too long (maximum is 200 characters)'] }],
  ['twenty companions', { max_companions: 20 }, { max_companions: ['must be less than or equal to 19'] }],
  ['less than no companions', { max_companions: -1 }, { max_companions: ['must be greater than or equal to 0'] }],
  ['no capacity', { capacity: 0 }, { capacity: ['must be greater than or equal to 1'] }],
  ['less than no capacity', { capacity: -1 }, { capacity: ['must be greater than or equal to 1'] }],
  ['a capacity in words', { capacity: 'abc' }, { capacity: ['is not a number'] }],
  ['half a companion', { max_companions: 1.5 }, { max_companions: ['must be an integer'] }],
  ['a switch that is neither on nor off', { enabled: 'maybe' }, { enabled: [NOT_INCLUDED] }],
  ['no ticket', { ticket_id: null }, { ticket_id: ["can't be blank"] }],
  ['a ticket that is not there', { ticket_id: 999_999_999 }, { ticket_id: [NOT_INCLUDED] }],
  ['a ticket that is no number', { ticket_id: { id: 1 } }, { ticket_id: ['is invalid'] }],
])('%s makes no link and changes none', async ([, settings, errors]) => {
  const { office, forms, tickets, link } = await openSignups()
  const before = await link()

  expect(await office.post(forms, { guest_list_form: { ticket_id: tickets['ga'], ...settings } })).toRefuse(422, errors)
  const change = { name: 'New name', ...settings }
  expect(await office.patch(`${forms}/${before.public_id}`, { guest_list_form: change })).toRefuse(422, errors)
  expect((await office.get(forms)).body).toEqual({ forms: [before] })
})

test('numbered, group and foreign tickets are not for links', async () => {
  const { office, forms, tickets, report } = await openSignups()
  for (const ticket of [tickets['seat'], tickets['four'], report.events['spring-night']!.tickets['ga']]) {
    expect(await office.post(forms, { guest_list_form: { ticket_id: ticket } })).toRefuse(422, {
      ticket_id: [NOT_INCLUDED],
    })
  }
  expect((await office.get(forms)).body).toEqual({ forms: [] })
})

test('a missing envelope is a malformed request; an empty one lacks a ticket', async () => {
  const { office, forms } = await openSignups()
  expect(await office.post(forms, {})).toRefuse(400)
  expect(await office.post(forms, { guest_list_form: {} })).toRefuse(422, { ticket_id: ["can't be blank"] })
})

test('a standing ticket with one area takes it by itself; with several one must be named', async () => {
  const { office, forms, link, tickets, areas } = await openSignups((event) => {
    event['tickets'].push({ key: 'pit', title: 'Pit', inventory_kind: 'standing' })
    event['standing_areas'].push({ key: 'pit', name: 'Pit', capacity: 10, tickets: ['pit'] })
  })
  expect(await link({ ticket_id: tickets['pit'] })).toMatchObject({ event_capacity_pool_id: areas['pit'] })
  expect(await link({ ticket_id: tickets['floor'], event_capacity_pool_id: areas['back'] })).toMatchObject({
    event_capacity_pool_id: areas['back'],
  })

  const create = (settings: object) =>
    office.post(forms, { guest_list_form: { ticket_id: tickets['floor'], ...settings } })
  expect(await create({})).toRefuse(422, { event_capacity_pool_id: ["can't be blank"] })
  expect(await create({ event_capacity_pool_id: areas['pit'] })).toRefuse(422, {
    event_capacity_pool_id: [NOT_INCLUDED],
  })
  expect(await create({ ticket_id: tickets['ga'], event_capacity_pool_id: areas['front'] })).toRefuse(422, {
    event_capacity_pool_id: [NOT_INCLUDED],
  })
})

test('an update changes the keys that were sent and no others; false, 0 and blank are values', async () => {
  const { office, forms, link } = await openSignups()
  const before = await link({ name: 'Press', max_companions: 3, asks_questions: true, phone_field: 'required' })
  const patch = async (change: object) => {
    const reply = await office.patch(`${forms}/${before.public_id}`, { guest_list_form: change })
    expect(reply.status, reply.text).toBe(200)
    return reply.body
  }

  expect(await patch({ enabled: false })).toEqual({ ...before, enabled: false })
  expect(await patch({ asks_questions: false })).toEqual({ ...before, enabled: false, asks_questions: false })
  expect(await patch({ max_companions: 0, name: '' })).toEqual({
    ...before,
    enabled: false,
    asks_questions: false,
    max_companions: 0,
    name: null,
  })
  expect(await patch({ capacity: 80, public_id: 'mine', public_url: 'http://x', admission_count: 9 })).toMatchObject({
    public_id: before.public_id,
    public_url: before.public_url,
    capacity: 80,
    remaining_capacity: 80,
    admission_count: 0,
  })
  expect(await office.patch(`${forms}/${before.public_id}`, { guest_list_form: { enabled: null } })).toRefuse(422)
})

test('switching to general admission needs the area cleared, and switching areas one of the ticket', async () => {
  const { office, forms, link, tickets, areas } = await openSignups()
  const { public_id } = await link({ ticket_id: tickets['floor'], event_capacity_pool_id: areas['front'] })
  const patch = (change: object) => office.patch(`${forms}/${public_id}`, { guest_list_form: change })

  expect(await patch({ ticket_id: tickets['ga'] })).toRefuse(422, { event_capacity_pool_id: [NOT_INCLUDED] })
  expect(await patch({ event_capacity_pool_id: null })).toRefuse(422, { event_capacity_pool_id: ["can't be blank"] })
  expect((await patch({ event_capacity_pool_id: areas['back'] })).body.event_capacity_pool_id).toBe(areas['back'])
  expect((await patch({ ticket_id: tickets['ga'], event_capacity_pool_id: null })).body).toMatchObject({
    ticket_id: tickets['ga'],
    event_capacity_pool_id: null,
  })
  expect(await patch({ ticket_id: tickets['floor'] })).toRefuse(422, { event_capacity_pool_id: ["can't be blank"] })
  expect(await patch({ ticket_id: null })).toRefuse(422, { ticket_id: ["can't be blank"] })
})

test('while its area is closed a link stays with it and can be changed, also by what was read of it', async () => {
  const { office, forms, link, path, tickets, areas } = await openSignups()
  const before = await link({ ticket_id: tickets['floor'], event_capacity_pool_id: areas['front'] })
  const area = `${path}/standing_areas/${areas['front']}`
  expect((await office.patch(area, { standing_area: { open: false } })).status).toBe(200)

  for (const sent of [before, { ticket_id: before.ticket_id }, { event_capacity_pool_id: areas['front'] }]) {
    const guest_list_form = { ...sent, enabled: false }
    const reply = await office.patch(`${forms}/${before.public_id}`, { guest_list_form })
    expect(reply.body).toEqual({ ...before, enabled: false })
  }
})

test('a ticket or an area that goes while a link is made or changed for it is none of the list', async () => {
  const ball = await openSignups()
  const { office, forms, tickets, areas } = ball
  const { public_id } = await ball.link()
  const crew = { guest_list_form: { ticket_id: tickets['crew'] } }
  const front = { guest_list_form: { ticket_id: tickets['floor'], event_capacity_pool_id: areas['front'] } }
  const [made, changed, filled] = await whileEventIsLocked(
    ball.app.database.pool,
    ball,
    () => [office.post(forms, crew), office.patch(`${forms}/${public_id}`, crew), office.post(forms, front)],
    `delete from tickets where account_id = ${ball.accountId} and id = ${tickets['crew']};
     delete from standing_areas where account_id = ${ball.accountId} and id = ${areas['front']}`,
  )
  expect(made).toRefuse(422, { ticket_id: [NOT_INCLUDED] })
  expect(changed).toRefuse(422, { ticket_id: [NOT_INCLUDED] })
  expect(filled).toRefuse(422, { event_capacity_pool_id: [NOT_INCLUDED] })
})

test('rotation gives a fresh address at once and changes nothing else', async () => {
  const { office, forms, link, visit, submit, waiting } = await openSignups()
  const before = await link({ name: 'Press', enabled: true })
  const rotate = () => office.post(`${forms}/${before.public_id}/rotation`)
  const email = newGuest()
  await submit(before.public_url, { email })

  const [first, second] = [(await rotate()).body, (await rotate()).body]
  expect(first).toEqual({ ...before, public_url: first.public_url })
  expect(new Set([before, first, second].map(({ public_url }) => public_url)).size).toBe(3)
  expect((await office.get(`${forms}/${before.public_id}`)).body).toEqual(second)

  for (const gone of [before.public_url, first.public_url]) {
    expect((await visit(gone)).status).toBe(404)
    expect((await submit(gone, { email: newGuest() })).status).toBe(404)
  }
  expect((await visit(second.public_url)).status).toBe(200)
  expect((await waiting()).requests).toMatchObject([{ email, form_id: before.public_id }])
})

test('a disabled link is rotated and stays disabled', async () => {
  const { office, forms, link } = await openSignups()
  const { public_id } = await link({ enabled: false })
  expect((await office.post(`${forms}/${public_id}/rotation`)).body).toMatchObject({ public_id, enabled: false })
})

test('the token of the address is no ID, and links of other events and accounts are not there', async () => {
  const here = await openSignups()
  const elsewhere = await openSignups()
  const [mine, foreign] = [await here.link(), await elsewhere.link()]
  const token = mine.public_url.split('/').at(-1)

  const addresses = [
    `${here.forms}/${token}`,
    `${here.forms}/nothing`,
    `${here.forms}/${foreign.public_id}`,
    `/admin/events/spring-night/guest_list_forms/${mine.public_id}`,
  ]
  for (const address of addresses) {
    expect(await here.office.get(address)).toRefuse(404, { base: ['Not found'] })
    expect(await here.office.patch(address, { guest_list_form: { enabled: 'maybe' } })).toRefuse(404)
    expect(await here.office.post(`${address}/rotation`)).toRefuse(404)
  }
  expect((await elsewhere.visit(mine.public_url)).status).toBe(404)
})

test('a read token reads; every write with it is refused and changes nothing', async () => {
  const { reader, office, forms, path, link, tickets } = await openSignups()
  const before = await link()
  const body = { guest_list_form: { ticket_id: tickets['ga'], enabled: false } }

  expect((await reader.get(forms)).status).toBe(200)
  expect((await reader.get(`${path}/guest_list_form`)).status).toBe(200)
  expect(await reader.post(forms, body)).toRefuse(401)
  expect(await reader.patch(`${forms}/${before.public_id}`, body)).toRefuse(401)
  expect(await reader.post(`${forms}/${before.public_id}/rotation`)).toRefuse(401)
  expect(await reader.patch(`${path}/guest_list_form`, body)).toRefuse(401)
  expect((await office.get(forms)).body).toEqual({ forms: [before] })
})

test('a co-organizer works on the links of assigned events alone', async () => {
  const { partner, link, forms } = await openSignups()
  await link()
  expect((await partner.get(forms)).body.forms).toHaveLength(1)
  expect(await partner.get('/admin/events/spring-night/guest_list_forms')).toRefuse(404)
})
