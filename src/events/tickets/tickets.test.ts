import { expect, test } from 'vitest'
import { atShop } from '../../../test/kit/venue/shop.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'
import { openWinterBall } from '../../../test/kit/venue/winter-ball.ts'

const PATH = '/admin/events/winter-ball/tickets'

// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

test('a ticket is added last, shown, changed by what is sent, moved and deleted', async () => {
  const { office, reader } = await openVenue()
  const made = await office.post(PATH, {
    ticket: { title: ' Frühbucher ', price: '19.5', stock: '40', access_codes: ['B', ' a '], features: ['Drink'] },
  })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({
    key: 'fruehbucher',
    title: 'Frühbucher',
    kind: 'StandardTicket',
    color: expect.stringMatching(/^#[0-9a-f]{6}$/),
    features: ['Drink'],
    price: '19.50',
    inventory_kind: 'ga',
    stock: 40,
    max_per_order: null,
    hidden: false,
    access_codes: ['a', 'b'],
    group_size: null,
    tax_rate: '0.00',
    position: 6,
    claimed_count: 0,
    lock_version: 0,
  })
  expect((await reader.get(PATH)).body.tickets.at(-1)).toEqual(made.body)

  const changed = await office.patch(`${PATH}/${made.body.id}`, {
    ticket: { price: '21.00', stock: null, access_codes: ['c'], hidden: true, lock_version: 0 },
  })
  expect(changed.body).toMatchObject({
    title: 'Frühbucher',
    price: '21.00',
    stock: null,
    access_codes: ['c'],
    hidden: true,
    lock_version: 1,
  })

  const moved = await office.patch(`${PATH}/${made.body.id}/position`, { position: 2 })
  expect(moved.body).toMatchObject({ position: 2, lock_version: 2 })
  const keys = async () => (await reader.get(PATH)).body.tickets.map(({ key }: Shown) => key)
  expect(await keys()).toEqual(['ga', 'fruehbucher', 'floor', 'seat', 'crew', 'four'])
  expect((await office.patch(`${PATH}/${made.body.id}/position`, { position: 99 })).body.position).toBe(6)

  expect((await office.delete(`${PATH}/${made.body.id}`)).status).toBe(204)
  expect(await keys()).toEqual(['ga', 'floor', 'seat', 'crew', 'four'])
  expect((await office.patch(`${PATH}/${made.body.id}`, { ticket: { title: 'x' } })).status).toBe(404)
})

test('stock never falls below what is claimed, and what has ended claims nothing', async () => {
  const ball = await openWinterBall((event) => {
    event['holds'] = [
      { ticket: 'ga', quantity: 2, expires_at: '+PT15M' },
      { ticket: 'ga', quantity: 7, expires_at: '-PT1M' },
    ]
  })
  const { office, tickets } = ball
  await ball.party({ party_size: 3 })
  const shown = (await office.get(PATH)).body.tickets[0]
  expect(shown.claimed_count).toBe(5)
  expect(await office.patch(`${PATH}/${tickets['ga']}`, { ticket: { stock: 4 } })).toRefuse(422, {
    stock: ['must be greater than or equal to 5'],
  })
  expect((await office.patch(`${PATH}/${tickets['ga']}`, { ticket: { stock: 5 } })).body.stock).toBe(5)
  expect((await ball.post({ customer_name: 'Late', ticket_id: tickets['ga'] })).status).toBe(422)
  expect((await office.patch(`${PATH}/${tickets['ga']}`, { ticket: { stock: 6 } })).status).toBe(200)
  expect((await ball.post({ customer_name: 'Late', ticket_id: tickets['ga'] })).status).toBe(201)
})

test('what is in use stays, and it is said by what', async () => {
  const ball = await openWinterBall((event) => {
    event['holds'] = [{ ticket: 'four', quantity: 1, expires_at: '+PT15M' }]
  })
  const { office, tickets } = ball
  const party = await ball.party()
  await office.post(ball.partyPath(party, '/cancellation'))
  const linked = await office.post(`${ball.path}/guest_list_forms`, { guest_list_form: { ticket_id: tickets['crew'] } })
  expect(linked.status, linked.text).toBe(201)
  const reasons = {
    ga: 'This ticket was issued',
    four: 'Checkouts under way hold this ticket',
    seat: 'This ticket has 8 places',
    floor: 'This ticket opens standing areas: Front, Back',
    crew: 'Signup links issue this ticket',
  }
  for (const [key, reason] of Object.entries(reasons)) {
    expect(await office.delete(`${PATH}/${tickets[key]}`)).toRefuse(422, { base: [reason] })
  }
  const kept = {
    four: "can't be changed: 1 are claimed",
    seat: "can't be changed: the ticket has places",
    floor: "can't be changed: the ticket opens Front, Back",
    crew: "can't be changed: signup links issue the ticket",
  }
  for (const [key, reason] of Object.entries(kept)) {
    const to = key === 'floor' ? 'ga' : 'standing'
    const reply = await office.patch(`${PATH}/${tickets[key]}`, { ticket: { inventory_kind: to } })
    expect(reply).toRefuse(422, { inventory_kind: [reason] })
  }
  expect((await office.patch(`${PATH}/${tickets['ga']}`, { ticket: { inventory_kind: 'standing' } })).status).toBe(200)
})

test('a stale version is 409, and nothing changes without a change', async () => {
  const { office, report } = await openVenue()
  const id = report.events['winter-ball']!.tickets['ga']!
  await office.patch(`${PATH}/${id}`, { ticket: { title: 'Entry', lock_version: 0 } })
  const stale = await office.patch(`${PATH}/${id}`, { ticket: { stock: 'x', lock_version: 0 } })
  expect(stale).toRefuse(409, { base: ['This ticket was changed by someone else; reload and try again'] })
  expect((await office.patch(`${PATH}/${id}/position`, { position: 3, lock_version: 0 })).status).toBe(409)

  const before = (await office.get('/admin/events/winter-ball')).body
  const same = await office.patch(`${PATH}/${id}`, { ticket: { title: 'Entry' } })
  expect(same.body.lock_version).toBe(1)
  expect((await office.get('/admin/events/winter-ball')).body).toEqual(before)
})

test('the shop, the door and the log see a change, and orders stay as they are', async () => {
  const ball = await openWinterBall()
  const { office, tickets, door } = ball
  const party = await ball.party()
  const shop = atShop(ball)
  const asked = async () => (await shop.get('/events/winter-ball.json')).body.tickets[0]
  expect(await asked()).toMatchObject({ title: 'General admission' })
  await ball.moveClock('1 minute')
  const snapshot = '/scanner/events/winter-ball/snapshot'
  const first = await door.get(snapshot)
  const { updated_at: since } = (await office.get('/admin/events/winter-ball')).body

  await office.patch(`${PATH}/${tickets['ga']}`, {
    ticket: { title: 'Entry', price: '99.00', color: '#112233' },
  })
  expect(await asked()).toMatchObject({ title: 'Entry', price: { amount: '99.00' } })
  const next = await door.get(`${snapshot}?since=${first.body.generated_at}`, {
    headers: { 'if-none-match': first.headers.get('etag')! },
  })
  expect(next.status).toBe(200)
  expect(next.body.tickets).toMatchObject([{ ticket_color: '#112233', ticket_title: 'General admission' }])
  expect((await office.get(ball.partyPath(party))).body.ticket_title).toBe('General admission')
  expect((await office.get('/admin/events/winter-ball')).body.updated_at > since).toBe(true)
  const { rows } = await ball.app.database.pool.query(
    `select action, subject from audit_entries where account_id = $1 and action like 'PATCH %'`,
    [ball.accountId],
  )
  expect(rows).toMatchObject([
    {
      action: 'PATCH /admin/events/:event_slug/tickets/:id',
      subject: { keys: ['tickets'], id: String(tickets['ga']) },
    },
  ])
  await ball.moveClock('-1 minute')
})

test.each([
  [{ title: ' ' }, { title: ["can't be blank"] }],
  [{ title: 'x', price: '1.001' }, { price: ['has too many decimals'] }],
  [{ title: 'x', price: '-1' }, { price: ['must be greater than or equal to 0'] }],
  [{ title: 'x', stock: -1 }, { stock: ['must be greater than or equal to 0'] }],
  [{ title: 'x', stock: 3_000_000_000 }, { stock: ['must be less than or equal to 2147483647'] }],
  [{ title: 'x', color: 'red' }, { color: ['is invalid'] }],
  [{ title: 'x', group_size: 4 }, { group_size: ['must be blank'] }],
  [{ title: 'x', kind: 'GroupTicket' }, { group_size: ["can't be blank"] }],
  [{ title: 'x', key: 'ga' }, { key: ['has already been taken'] }],
  [{ title: 'x', access_codes: ['A', 'a'] }, { access_codes: ['has the same entry twice'] }],
  [{ title: 'x', inventory_kind: 'air' }, { inventory_kind: ['is not included in the list'] }],
])('a ticket %j is refused by field', async (ticket, errors) => {
  const { office } = await openVenue()
  const before = (await office.get(PATH)).text
  expect(await office.post(PATH, { ticket })).toRefuse(422, errors)
  const [first] = (await office.get(PATH)).body.tickets
  if (!('kind' in ticket) && !('key' in ticket)) {
    expect(await office.patch(`${PATH}/${first.id}`, { ticket })).toRefuse(422, errors)
  }
  expect((await office.get(PATH)).text).toBe(before)
})

test('tickets of another event or account are not found', async () => {
  const { office, report } = await openVenue()
  const other = await openVenue()
  for (const id of [
    report.events['spring-night']!.tickets['ga'],
    other.report.events['winter-ball']!.tickets['ga'],
    'x',
  ]) {
    for (const reply of [
      await office.patch(`${PATH}/${id}`, { ticket: { title: 'x' } }),
      await office.patch(`${PATH}/${id}`, { ticket: { stock: 'x' } }),
      await office.patch(`${PATH}/${id}/position`, { position: 1 }),
      await office.delete(`${PATH}/${id}`),
    ]) {
      expect(reply.status).toBe(404)
    }
  }
})
