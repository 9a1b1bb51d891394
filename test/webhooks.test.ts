import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from 'vitest'
import { opaqueIdOf } from '../src/webhooks/opaque-id.ts'
import { WEBHOOK_KINDS } from '../src/webhooks/rules.ts'
import { askAtHost } from './kit/network/ask-at-host.ts'
import { openVenueIn } from './kit/venue/venue-in.ts'
import { openVenueWithListener } from './kit/network/webhook-listener.ts'

const { listener, running } = await openVenueWithListener()

/** Neue Halle with a webhook of Foyer and one of Cem, who is assigned to the Winter Ball only. */
const open = async (kinds: string[] = []) => {
  const { report, client } = await openVenueIn(running)
  const [office, partner] = [client('office write'), client('cem write')]
  const listen = (who: typeof office, at: string) =>
    who.post('/admin/webhook_endpoints', { webhook_endpoint: { url: listener.address + at, kinds } })
  expect([(await listen(office, '/house')).status, (await listen(partner, '/cem')).status]).toEqual([201, 201])

  // oxlint-disable-next-line typescript/no-explicit-any
  const ball = (report as any).events['winter-ball']
  const hears = async (at = '/house') => {
    await running.workOffJobs()
    const bodies = listener.bodies(at).toSorted((a, b) => a.timestamp.localeCompare(b.timestamp))
    listener.heard = listener.heard.filter((each) => each.path !== at)
    return bodies
  }
  return { report, office, partner, client, ball, hears, event: { id: ball.id, slug: 'winter-ball' } }
}

type Opened = Awaited<ReturnType<typeof open>>

const BALL = '/admin/events/winter-ball'

const addParty = async ({ office, ball }: Opened, party: object = {}, at = BALL) => {
  const reply = await office.post(`${at}/guest_parties`, {
    guest_party: { customer_name: 'Petra Press', ticket_id: ball.tickets.ga, ...party },
  })
  expect(reply.status, reply.text).toBe(201)
  return reply.body
}

const kindsOf = (bodies: { type: string }[]) => bodies.map(({ type }) => type)

test('a party is told of when it is added, changed and cancelled, without codes, addresses and notes', async () => {
  const venue = await open()
  const { office, hears, event } = venue
  const party = await addParty(venue, {
    party_size: 2,
    attendee_names: { '1': 'Paul Photo' },
    delivery_email: 'petra@press.example',
    staff_note: 'Side entrance',
    customer_phone: '+49 40 123456',
    billing_city: 'Hamburg',
  })
  const told = {
    public_id: party.public_id,
    status: 'paid',
    customer_name: 'Petra Press',
    arrival_state: 'expected',
    arrived_count: 0,
    party_size: 2,
    ticket_id: party.ticket_id,
    ticket_title: 'General admission',
    creator_name: 'Olga Owner',
    created_at: party.created_at,
    admissions: party.admissions.map((each: Record<string, unknown>) => ({
      id: opaqueIdOf(String(each['public_id'])),
      attendee_name: each['attendee_name'],
      place_label: null,
      redeemed: false,
      admission_status: 'active',
    })),
  }
  const [created, ...others] = await hears()
  expect(others).toEqual([])
  expect(created).toEqual({
    type: 'guest_party.created',
    timestamp: party.created_at,
    data: { event, guest_party: told },
  })
  expect(await hears('/cem')).toEqual([created])

  const at = `${BALL}/guest_parties/${party.public_id}`
  await office.patch(at, { guest_party: { customer_name: 'Petra Presse' } })
  await office.patch(at, { deliver: true, guest_party: { customer_name: 'Petra Presse' } })
  expect(await hears()).toMatchObject([
    { type: 'guest_party.updated', data: { guest_party: { customer_name: 'Petra Presse' } } },
  ])

  const [first, second] = party.admissions
  await office.post(`${at}/admissions/${second.public_id}/cancellation`)
  expect(await hears()).toMatchObject([
    {
      type: 'admission.cancelled',
      data: { event, order_id: party.public_id, admission: { ...told.admissions[1], admission_status: 'cancelled' } },
    },
  ])
  await office.post(`${at}/admissions/${first.public_id}/cancellation`)
  const ended = await hears()
  expect(kindsOf(ended).toSorted()).toEqual(['admission.cancelled', 'guest_party.cancelled'])

  const other = await addParty(venue)
  await office.post(`${BALL}/guest_parties/${other.public_id}/cancellation`)
  expect(await office.post(`${BALL}/guest_parties/${other.public_id}/cancellation`)).toRefuse(422)
  expect(kindsOf(await hears()).toSorted()).toEqual(['guest_party.cancelled', 'guest_party.created'])
  expect(kindsOf(await hears('/cem'))).toHaveLength(6)
})

test('a party that is refused, and one that is added twice with one key, are told of as they came to be', async () => {
  const venue = await open()
  const { office, ball, hears } = venue
  const post = (guest_party: object, headers = {}) => office.post(`${BALL}/guest_parties`, { guest_party }, { headers })
  expect(await post({ customer_name: 'x', ticket_id: ball.tickets.crew, party_size: 20 })).toMatchObject({
    status: 201,
  })
  expect(await post({ customer_name: 'x', ticket_id: ball.tickets.crew })).toRefuse(422)
  const wanted = { customer_name: 'y', ticket_id: ball.tickets.ga }
  await post(wanted, { 'idempotency-key': 'once' })
  await post(wanted, { 'idempotency-key': 'once' })
  expect(kindsOf(await hears())).toEqual(['guest_party.created', 'guest_party.created'])
})

test('who moves to another seat is told of with both', async () => {
  const venue = await open()
  const { office, ball, hears, event } = venue
  const { public_id, admissions } = await addParty(venue, {
    ticket_id: ball.tickets.seat,
    event_place_ids: [ball.places['A-1']],
  })
  await office.post(`/admin/order_items/${admissions[0].public_id}/seat_exchange`, {
    seat_exchange: { event_place_id: ball.places['A-5'] },
  })
  const [, moved] = await hears()
  expect(moved).toMatchObject({ type: 'admission.seat_moved' })
  expect(moved.data).toEqual({
    event,
    order_id: public_id,
    admission: {
      id: opaqueIdOf(admissions[0].public_id),
      place_label: 'Row A Seat 5',
      previous_place_label: 'Row A Seat 1',
    },
  })
  expect(kindsOf(await hears('/cem'))).toEqual(['guest_party.created', 'admission.seat_moved'])
})

/** A signup through the form, as a guest's browser sends it; answers with the guest's own page. */
const signUp = async ({ office, ball, report }: Opened, settings: object, fields: Record<string, string>) => {
  const { body: form } = await office.post(`${BALL}/guest_list_forms`, {
    guest_list_form: { ticket_id: ball.tickets.ga, max_companions: 4, ...settings },
  })
  const { host } = new URL(report.account.shop_url)
  const send = async (url: string, pairs: Record<string, string>) => {
    const { pathname } = new URL(url, report.account.shop_url)
    const headers = { host, accept: 'text/html', 'content-type': 'application/x-www-form-urlencoded' }
    const body = new URLSearchParams(pairs).toString()
    const reply = await askAtHost(running.origin, pathname, { method: 'POST', headers, body })
    expect(reply.status, await reply.clone().text()).toBe(303)
    return reply.headers.get('location')!.split('?')[0]!
  }
  const asked = Object.entries({ name: 'Ada Lovelace', email: 'ada@engine.example', ...fields })
  const page = await send(
    form.public_url,
    Object.fromEntries(asked.map(([key, value]) => [`guest_request[${key}]`, value])),
  )
  return {
    form,
    add: (companions: number) => send(`${page}/companions`, { 'guest_addition[companions]': `${companions}` }),
  }
}

test('a signup is told of when it comes in and when it is decided, and so are companions who come later', async () => {
  const venue = await open()
  const { office, hears, event } = venue
  const { form, add } = await signUp(venue, {}, { companions: '1' })
  const { requests } = (await office.get(`${BALL}/guest_requests`)).body
  const [request] = requests
  const told = {
    public_id: request.public_id,
    form_id: form.public_id,
    name: 'Ada Lovelace',
    party_size: 2,
    total_party_size: 2,
    status: 'pending',
    created_at: request.created_at,
    reviewed_at: null,
    order_public_id: null,
  }
  const [requested, ...rest] = await hears()
  expect(rest).toEqual([])
  expect(requested).toMatchObject({ type: 'guest_signup.requested' })
  expect(requested.data).toEqual({ event, guest_request: told, addition: null, order_id: null })
  expect(await hears('/cem')).toEqual([requested])

  await add(1)
  expect(await hears()).toMatchObject([
    {
      type: 'guest_signup.requested',
      data: { guest_request: { party_size: 3, status: 'pending' }, addition: { companions: 1 } },
    },
  ])

  const at = `${BALL}/guest_requests/${request.public_id}`
  const { body: approved } = await office.post(`${at}/approval`)
  await office.post(`${at}/approval`)
  const decided = await hears()
  expect(kindsOf(decided).toSorted()).toEqual(['guest_party.created', 'guest_signup.approved'])
  expect(decided.find(({ type }) => type === 'guest_signup.approved')!.data).toEqual({
    event,
    guest_request: {
      ...told,
      party_size: 3,
      total_party_size: 3,
      status: 'approved',
      reviewed_at: approved.reviewed_at,
      order_public_id: approved.order_public_id,
    },
    addition: null,
    order_id: approved.order_public_id,
  })
  expect(decided.find(({ type }) => type === 'guest_party.created')!.data).toMatchObject({
    guest_party: { public_id: approved.order_public_id, customer_name: 'Ada Lovelace', party_size: 3 },
  })

  await add(1)
  expect(await hears()).toMatchObject([
    {
      type: 'guest_signup.requested',
      data: { guest_request: { status: 'approved' }, addition: { companions: 1 }, order_id: null },
    },
  ])
  await office.post(`${at}/rejection`)
  await office.post(`${at}/rejection`)
  expect(await hears()).toMatchObject([
    { type: 'guest_signup.rejected', data: { guest_request: { status: 'approved' }, addition: { companions: 1 } } },
  ])
})

test('a request that is turned down, and one that the house grants by itself', async () => {
  const venue = await open()
  const { office, hears } = venue
  await signUp(venue, {}, { email: 'eve@guest.example' })
  const [request] = (await office.get(`${BALL}/guest_requests`)).body.requests
  await office.post(`${BALL}/guest_requests/${request.public_id}/rejection`)
  expect(kindsOf(await hears())).toEqual(['guest_signup.requested', 'guest_signup.rejected'])

  const { add } = await signUp(venue, { name: 'Friends', approval_mode: 'automatic' }, { email: 'fred@guest.example' })
  const granted = await hears()
  expect(kindsOf(granted).toSorted()).toEqual([
    'guest_party.created',
    'guest_signup.approved',
    'guest_signup.requested',
  ])
  for (const { type, data } of granted.filter((each) => each.type !== 'guest_party.created')) {
    const party = granted.find((each) => each.type === 'guest_party.created')!.data.guest_party.public_id
    expect([type, data.guest_request.status, data.order_id]).toEqual([type, 'approved', party])
  }
  await add(2)
  const added = await hears()
  expect(kindsOf(added).toSorted()).toEqual(kindsOf(granted).toSorted())
  expect(added.map(({ data }) => data.addition?.companions ?? data.guest_party.party_size)).toEqual([2, 2, 2])
})

test('what happens on the board is told, to co-organizers as far as it is about their events', async () => {
  const venue = await open()
  const { office, hears, event, report } = venue
  const { membership_id } = report.people['mara@neue-halle.example']!
  const { body: task } = await office.post('/admin/tasks', {
    task: { title: 'Order wristbands', description: 'Blue ones', event_slug: 'winter-ball', due_on: '2030-01-31' },
  })
  const [created] = await hears()
  expect(created).toMatchObject({ type: 'task.created' })
  const told = {
    id: task.id,
    title: 'Order wristbands',
    status: 'open',
    position: 1,
    lock_version: 0,
    due_on: '2030-01-31',
    assignee: null,
    archived_at: null,
    created_at: task.created_at,
    updated_at: task.updated_at,
  }
  expect(created.data).toEqual({ event, task: told })

  const at = `/admin/tasks/${task.id}`
  await office.patch(at, { task: { assignee_id: membership_id } })
  await office.patch(at, { task: { title: 'Order wristbands' } })
  await office.patch(`${at}/position`, { position: { status: 'done' } })
  const { body: comment } = await office.post(`${at}/comments`, { comment: { body: 'They come on Friday.' } })
  await office.post(`${at}/archive`)
  await office.post(`${at}/archive`)
  await office.delete(`${at}/archive`)
  await office.delete(at)
  const later = await hears()
  expect(kindsOf(later)).toEqual([
    'task.updated',
    'task.updated',
    'task.commented',
    'task.archived',
    'task.restored',
    'task.deleted',
  ])
  expect(later[0].data.task.assignee).toEqual({ id: membership_id, name: 'Mara Manager' })
  expect(later[1].data.task).toMatchObject({ status: 'done', position: 1 })
  expect(later[2].data).toEqual({
    event,
    task: later[1].data.task,
    comment: {
      id: comment.id,
      body: 'They come on Friday.',
      author: 'Olga Owner',
      created_at: comment.created_at,
    },
  })
  expect(later[3].data.task.archived_at).toMatch(/Z$/)
  expect(later[5].data.task).toMatchObject({ id: task.id, archived_at: null })
  expect(await hears('/cem')).toEqual([created, ...later])

  await office.post('/admin/tasks', { task: { title: 'Tax return' } })
  await office.post('/admin/tasks', { task: { title: 'Other show', event_slug: 'spring-night' } })
  expect((await hears()).map(({ data }) => data.event)).toEqual([
    null,
    expect.objectContaining({ slug: 'spring-night' }),
  ])
  expect(await hears('/cem')).toEqual([])
})

test('a co-organizer hears nothing of events they are not assigned to when it is sent', async () => {
  const venue = await open()
  const { hears, report } = venue
  const spring = (report as { events: Record<string, { tickets: Record<string, number> }> }).events['spring-night']!
  await addParty(venue, { ticket_id: spring.tickets['ga'] }, '/admin/events/spring-night')
  await addParty(venue)
  await running.app.database.pool.query('delete from assignments where account_id = $1', [report.account.id])
  expect(kindsOf(await hears())).toEqual(['guest_party.created', 'guest_party.created'])
  expect(await hears('/cem')).toEqual([])
})

test('an endpoint that named its kinds hears no others', async () => {
  const venue = await open(['guest_party.cancelled'])
  const party = await addParty(venue)
  await venue.office.post('/admin/tasks', { task: { title: 'x' } })
  await venue.office.post(`${BALL}/guest_parties/${party.public_id}/cancellation`)
  expect(kindsOf(await venue.hears())).toEqual(['guest_party.cancelled'])
  expect(kindsOf(await venue.hears('/cem'))).toEqual(['guest_party.cancelled'])
})

test('where nobody listens nothing is written down', async () => {
  const venue = await open()
  const { office, hears, report } = venue
  const { webhook_endpoints } = (await office.get('/admin/webhook_endpoints')).body
  await office.delete(`/admin/webhook_endpoints/${webhook_endpoints[0].id}`)
  await office.patch(`/admin/webhook_endpoints/${webhook_endpoints[1].id}`, { webhook_endpoint: { enabled: false } })
  await addParty(venue)
  await signUp(venue, { approval_mode: 'automatic' }, {})
  await office.post('/admin/tasks', { task: { title: 'x' } })
  const { rows } = await running.app.database.pool.query('select from webhook_messages where account_id = $1', [
    report.account.id,
  ])
  expect(rows).toEqual([])
  expect([...(await hears()), ...(await hears('/cem'))]).toEqual([])
})

test('every kind is on the page about webhooks', async () => {
  const page = await readFile(path.join(import.meta.dirname, '../docs/webhooks.md'), 'utf8')
  const listed = Array.from(page.matchAll(/^\| `(\w+\.\w+)`/gm), ([, kind]) => kind)
  expect(listed).toEqual(WEBHOOK_KINDS)
})
