import { expect, test } from 'vitest'
import { newGuest, openSignups } from '../../../test/kit/venue/signups.ts'

const SPRING = '/admin/events/spring-night'
const UNKNOWN = ['is not included in the list']

test('each event lists its own requests, and a link of another event of the house is no filter', async () => {
  const ball = await openSignups()
  const here = await ball.link()
  const there = (await ball.office.patch(`${SPRING}/guest_list_form`, { guest_list_form: {} })).body
  const emails = [newGuest(), newGuest()]
  await ball.submit(here.public_url, { email: emails[0] })
  await ball.submit(there.public_url, { email: emails[1] })

  expect((await ball.waiting()).requests).toMatchObject([{ email: emails[0], form_id: here.public_id }])
  expect((await ball.office.get(`${SPRING}/guest_requests`)).body).toMatchObject({
    pending_count: 1,
    requests: [{ email: emails[1], form_id: there.public_id }],
  })
  expect(await ball.office.get(`${ball.requests}?form_id=${there.public_id}`)).toRefuse(404, { base: ['Not found'] })
  expect(await ball.office.get(`${ball.requests}?form_id=%00`)).toRefuse(404, { base: ['Not found'] })
  expect(await ball.partner.get(`${SPRING}/guest_requests`)).toRefuse(404)
  const [foreign] = (await ball.office.get(`${SPRING}/guest_requests`)).body.requests
  for (const verdict of ['approval', 'rejection']) {
    expect(await ball.office.post(`${ball.requests}/${foreign.public_id}/${verdict}`)).toRefuse(404)
    expect(await ball.partner.post(`${SPRING}/guest_requests/${foreign.public_id}/${verdict}`)).toRefuse(404)
  }
  expect((await ball.office.get(`${SPRING}/guest_requests`)).body.requests).toEqual([foreign])
})

test('the tickets and areas of others are not for links, at creation and later', async () => {
  const ball = await openSignups((_event, file) =>
    Object.assign(file['events'][1], {
      tickets: [{ key: 'floor', title: 'Standing', inventory_kind: 'standing' }],
      standing_areas: [{ key: 'hall', name: 'Hall', capacity: 9, tickets: ['floor'] }],
    }),
  )
  const foreign = await openSignups()
  // oxlint-disable-next-line typescript/no-explicit-any
  const spring = (ball.report as any).events['spring-night']
  const link = await ball.link()
  const refuse = async (settings: object, errors: Record<string, string[]>) => {
    const guest_list_form = { name: 'Changed', ...settings }
    expect(await ball.office.post(ball.forms, { guest_list_form })).toRefuse(422, errors)
    expect(await ball.office.patch(`${ball.forms}/${link.public_id}`, { guest_list_form })).toRefuse(422, errors)
  }
  for (const ticket_id of [foreign.tickets['ga'], foreign.tickets['floor'], spring.tickets['floor']]) {
    await refuse({ ticket_id }, { ticket_id: UNKNOWN })
  }
  for (const event_capacity_pool_id of [foreign.areas['front'], spring.standing_areas['hall'], 99_999_999]) {
    const ticket_id = ball.tickets['floor']
    await refuse({ ticket_id, event_capacity_pool_id }, { event_capacity_pool_id: UNKNOWN })
  }
  for (const event_capacity_pool_id of [-1, 1.5, 'Hall', {}, [ball.areas['front']], true]) {
    const ticket_id = ball.tickets['floor']
    await refuse({ ticket_id, event_capacity_pool_id }, { event_capacity_pool_id: ['is invalid'] })
  }
  expect((await ball.office.get(ball.forms)).body).toEqual({ forms: [link] })
})

test('whatever is sent for a setting, it is named, and no link is made or changed', async () => {
  const ball = await openSignups()
  const link = await ball.link({ max_companions: 3 })
  const odd: Record<string, unknown[]> = {
    name: [{}, [], ['x'], 'a\0b', '\ud83d', '🎷'.repeat(201)],
    enabled: ['perhaps', 2, {}, []],
    asks_questions: ['perhaps', 2, {}, []],
    approval_mode: ['bogus', 'Manual', 1, true, {}, []],
    company_field: ['bogus', 'HIDDEN', 0, {}, []],
    phone_field: ['bogus', true, {}],
    companion_names_field: ['bogus', 7, []],
    max_companions: [-1, 20, 1.5, 'many', true, {}, [], 2 ** 40, '1e1'],
    capacity: [0, -1, 1.5, 'many', true, {}, [], 2 ** 40],
    ticket_id: [-1, 0, 1.5, 'ga', {}, [1], true, 2 ** 60],
  }
  for (const [setting, values] of Object.entries(odd)) {
    for (const value of values) {
      const guest_list_form = { ticket_id: ball.tickets['ga'], [setting]: value }
      for (const reply of [
        await ball.office.post(ball.forms, { guest_list_form }),
        await ball.office.patch(`${ball.forms}/${link.public_id}`, { guest_list_form }),
        await ball.office.patch(`${ball.path}/guest_list_form`, { guest_list_form }),
      ]) {
        expect(reply, `${setting} ${JSON.stringify(value)}`).toRefuse(422)
        expect(Object.keys(reply.body.errors)).toEqual([setting])
      }
    }
  }
  for (const body of [{}, { guest_list_form: null }, { guest_list_form: [] }, { guest_list_form: 'x' }, []]) {
    expect(await ball.office.post(ball.forms, body)).toRefuse(400)
    expect(await ball.office.patch(`${ball.forms}/${link.public_id}`, body)).toRefuse(400)
  }
  expect((await ball.office.get(ball.forms)).body).toEqual({ forms: [link] })
}, 30_000)

test('a link is rotated without a word to its guests: requests, parties and own pages are as they were', async () => {
  const ball = await openSignups()
  const link = await ball.link({ max_companions: 1 })
  const [waiting, inside] = [newGuest(), newGuest()]
  for (const email of [waiting, inside]) await ball.submit(link.public_url, { email, companions: 1 })
  await ball.approve(await ball.requestOf(inside))
  const page = await ball.ownPage(inside)
  const state = async () => [
    await ball.requestOf(waiting),
    await ball.requestOf(inside),
    await ball.guestList(),
    (await ball.visit(page)).text,
    await ball.mailsTo(waiting),
    await ball.mailsTo(inside),
  ]
  const before = await state()

  const rotated = (await ball.office.post(`${ball.forms}/${link.public_id}/rotation`)).body
  expect(rotated).toEqual({ ...link, admission_count: 2, remaining_capacity: 48, public_url: rotated.public_url })
  expect(await state()).toEqual(before)
  expect((await ball.approve(await ball.requestOf(waiting))).status).toBe(200)
})

test('news of requests and companions go to owners and managers who are there, and to no other member', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ max_companions: 2 })
  const email = newGuest()
  await ball.submit(public_url, { email })
  await ball.approve(await ball.requestOf(email))
  await ball.sendJson(`${await ball.ownPage(email)}/companions`, { guest_addition: { companions: 1 } })

  const { rows } = await ball.app.database.pool.query(
    `select p.name, n.kind from notifications n
     join memberships m on m.account_id = n.account_id and m.id = n.recipient_id
     join people p on p.id = m.person_id
     where n.account_id = $1 order by n.id, p.name`,
    [ball.accountId],
  )
  const told = rows.map(({ name, kind }) => `${name}: ${kind}`).toSorted()
  expect(told).toEqual([
    'Mara Manager: addition_pending',
    'Mara Manager: signup_pending',
    'Olga Owner: addition_pending',
    'Olga Owner: signup_pending',
  ])
})
