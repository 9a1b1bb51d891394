import { expect, test } from 'vitest'
import { newGuest, openSignups, type Signups } from '../../../test/kit/venue/signups.ts'

/** A guest who has signed up, with the own page out of the mail. */
const signedUp = async (ball: Signups, settings: object = {}, fields: object = {}) => {
  const form = await ball.link({ max_companions: 4, companion_names_field: 'optional', ...settings })
  const email = newGuest()
  await ball.submit(form.public_url, { email, ...fields })
  return { form, email, page: await ball.ownPage(email) }
}

const approved = async (ball: Signups, settings: object = {}, fields: object = {}) => {
  const guest = await signedUp(ball, settings, fields)
  const { body } = await ball.approve(await ball.requestOf(guest.email))
  return { ...guest, request: body }
}

const add = (ball: Signups, page: string, companions: unknown, companion_names?: unknown) =>
  ball.sendJson(`${page}/companions`, { guest_addition: { companions, companion_names } })

test('the own page shows where the signup stands, and only that', async () => {
  const ball = await openSignups()
  const { email, page } = await signedUp(ball, {}, { name: '<b>Zoë</b>', companions: 1, companion_names: ['Omar'] })
  const { email: other } = await signedUp(ball, {}, { name: 'Somebody Else' })

  const waiting = await ball.visit(page)
  expect(waiting.status).toBe(200)
  expect(waiting.text).toContain('Waiting')
  expect(waiting.text).toContain('&lt;b&gt;Zoë&lt;/b&gt;')
  expect(waiting.text).toContain('Omar')
  for (const hidden of ['Somebody Else', other, 'Send my']) expect(waiting.text).not.toContain(hidden)
  expect(waiting.headers.get('x-robots-tag')).toBe('noindex')
  expect(waiting.headers.get('cache-control')).toBe('private, no-store')

  await ball.approve(await ball.requestOf(email))
  const confirmed = await ball.visit(page)
  expect(confirmed.text).toContain('Confirmed')
  expect(confirmed.text).toContain('Send my tickets again')
  expect((await ball.visit(`${page}x`)).status).toBe(404)
  expect((await ball.visit('/guest_signups/nothing')).text).toContain('This page is not here')
})

test('asking for a page changes nothing, however often', async () => {
  const ball = await openSignups()
  const { page, form } = await approved(ball)
  const before = [await ball.standing(), await ball.queuedMails(), await ball.waiting('?status=approved')]
  for (const url of [page, `${page}?done=sent`, `${page}?done=<script>`, form.public_url]) await ball.visit(url)
  expect([await ball.standing(), await ball.queuedMails(), await ball.waiting('?status=approved')]).toEqual(before)
  expect((await ball.visit(`${page}/resend`)).status).toBe(405)
})

test('the own page survives rotation; a disabled link only takes no more companions', async () => {
  const ball = await openSignups()
  const { page, form, email } = await approved(ball)
  await ball.office.post(`${ball.forms}/${form.public_id}/rotation`)
  expect((await ball.visit(page)).status).toBe(200)

  await ball.office.patch(`${ball.forms}/${form.public_id}`, { guest_list_form: { enabled: false } })
  expect((await ball.visit(page)).text).not.toContain('Bring more')
  expect((await add(ball, page, 1)).body).toEqual({ errors: { base: ['The guest list is closed'] } })
  expect((await ball.sendJson(`${page}/resend`, {})).status).toBe(200)
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)
})

test('tickets are sent again as they are: all of them, and no new ones', async () => {
  const ball = await openSignups()
  const { page, email } = await approved(ball, { approval_mode: 'manual' })
  await add(ball, page, 1)
  await ball.approve(await ball.requestOf(email))
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)

  const reply = await ball.sendForm(`${page}/resend`, [])
  expect(reply.status).toBe(303)
  expect(reply.headers.get('location')).toBe(`${new URL(page).pathname}?done=sent`)
  expect((await ball.visit(reply.headers.get('location')!)).text).toContain('on their way')
  expect(await ball.ticketMailsTo(email)).toHaveLength(4)
  expect((await ball.guestList()).admission_count).toBe(2)
})

test('who waits, was rejected or lost the tickets has none to send', async () => {
  const ball = await openSignups()
  const NONE = { errors: { base: ['There are no tickets to send'] } }
  const { page, email } = await signedUp(ball)
  expect(await ball.sendJson(`${page}/resend`, {})).toMatchObject({ status: 422, body: NONE })
  await ball.reject(await ball.requestOf(email))
  expect(await ball.sendJson(`${page}/resend`, {})).toMatchObject({ status: 422, body: NONE })
  expect(await add(ball, page, 1)).toMatchObject({
    status: 422,
    body: { errors: { base: ['This signup was not accepted'] } },
  })
  const rejected = await ball.visit(page)
  expect(rejected.text).toContain('Not accepted')
  expect(rejected.text).not.toContain('<form')

  const lost = await approved(ball)
  await ball.office.post(`${ball.path}/guest_parties/${lost.request.order_public_id}/cancellation`)
  expect((await ball.visit(lost.page)).text).toContain('Your tickets were cancelled')
  expect((await ball.sendForm(`${lost.page}/resend`, [])).status).toBe(422)
  expect((await add(ball, lost.page, 1)).body).toEqual({ errors: { base: ['These tickets were cancelled'] } })
})

test('where staff took the address away nothing is sent, and nobody is told that it was', async () => {
  const ball = await openSignups()
  const { page, email, request } = await approved(ball)
  const party = `${ball.path}/guest_parties/${request.order_public_id}`
  const deliverTo = (delivery_email: string | null) => ball.office.patch(party, { guest_party: { delivery_email } })

  await deliverTo(null)
  expect((await ball.visit(page)).text).not.toContain('Send my')
  expect(await ball.sendJson(`${page}/resend`, {})).toMatchObject({
    status: 422,
    body: { errors: { base: ['There are no tickets to send'] } },
  })
  await deliverTo(email)
  expect((await ball.visit(page)).text).toContain('Send my')
  expect((await ball.sendJson(`${page}/resend`, {})).status).toBe(200)
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)
})

test('who is left of a group that came later may bring more, as the page says', async () => {
  const ball = await openSignups()
  const { page, email, request } = await approved(ball)
  await add(ball, page, 1)
  await ball.approve(await ball.requestOf(email))
  await ball.office.post(`${ball.path}/guest_parties/${request.order_public_id}/cancellation`)

  expect((await ball.visit(page)).text).toContain('Bring more')
  expect(await add(ball, page, 1)).toMatchObject({ status: 200, body: { waiting_companions: 1 } })
})

test('companions added before the decision make the party larger', async () => {
  const ball = await openSignups()
  const { page, email } = await signedUp(ball, {}, { companions: 1 })
  expect((await add(ball, page, 2, ['', 'Omar'])).body).toEqual({ status: 'pending', waiting_companions: 0 })
  expect(await ball.requestOf(email)).toMatchObject({
    status: 'pending',
    companions: 3,
    companion_names: ['', '', 'Omar'],
    party_size: 4,
    pending_addition: null,
  })
  expect((await ball.approve(await ball.requestOf(email))).body).toMatchObject({ total_party_size: 4 })
})

test('companions added after the decision wait as a group of their own, and are decided by themselves', async () => {
  const ball = await openSignups()
  const { page, email, request, form } = await approved(ball, {}, { companions: 1 })
  const reply = await ball.sendForm(`${page}/companions`, [
    ['guest_addition[companions]', '2'],
    ['guest_addition[companion_names][]', 'Omar'],
    ['guest_addition[companion_names][]', ''],
  ])
  expect(reply.headers.get('location')).toBe(`${new URL(page).pathname}?done=waiting`)

  const [pending] = (await ball.waiting()).requests
  expect(pending).toMatchObject({
    status: 'approved',
    companions: 1,
    total_party_size: 2,
    additions: [],
    order_public_id: request.order_public_id,
    pending_addition: { companions: 2, companion_names: ['Omar'], created_at: expect.stringMatching(/Z$/) },
  })
  expect((await ball.waiting('?status=approved')).requests).toEqual([pending])
  expect((await ball.waiting()).pending_count).toBe(1)
  expect((await ball.waiting(`?form_id=${form.public_id}`)).pending_count).toBe(1)
  expect(await ball.ticketMailsTo(email)).toHaveLength(1)
  expect(await ball.inbox()).toMatchObject([{ kind: 'addition_pending' }, { kind: 'signup_pending' }])

  const { body } = await ball.approve(request)
  expect(body).toMatchObject({
    status: 'approved',
    companions: 1,
    party_size: 2,
    total_party_size: 4,
    pending_addition: null,
    order_public_id: request.order_public_id,
    reviewed_at: request.reviewed_at,
    additions: [{ companions: 2, order_public_id: expect.any(String) }],
  })
  const party = (await ball.office.get(`${ball.path}/guest_parties/${body.additions[0].order_public_id}`)).body
  expect(party).toMatchObject({
    origin: 'guest_list',
    customer_name: 'Ada Lovelace',
    delivery_email: email,
    party_size: 2,
  })
  expect(party.admissions.map((each: { attendee_name: string }) => each.attendee_name)).toEqual([
    'Omar',
    'Guest of Ada Lovelace',
  ])
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)
  expect((await ball.office.get(`${ball.forms}/${form.public_id}`)).body.admission_count).toBe(4)

  expect((await ball.approve(request)).body).toEqual(body)
  expect(await ball.reject(request)).toRefuse(422)
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)
})

test('a declined group leaves the tickets alone and its room to others', async () => {
  const ball = await openSignups()
  const { page, email, request } = await approved(ball, { max_companions: 2 })
  await add(ball, page, 2)
  const declined = await ball.reject(request)
  expect(declined.body).toEqual(request)
  expect((await ball.reject(request)).body).toEqual(request)
  expect(await ball.approve(request)).toRefuse(422)
  expect(await ball.ticketMailsTo(email)).toHaveLength(1)

  expect((await add(ball, page, 2)).status).toBe(200)
  expect((await ball.approve(request)).body.additions).toHaveLength(1)
})

test('who comes later joins the group that waits, and each time staff are told', async () => {
  const ball = await openSignups()
  const { page, email } = await approved(ball)
  await add(ball, page, 1, ['Omar'])
  const { created_at } = (await ball.requestOf(email)).pending_addition
  expect((await add(ball, page, 2, ['', 'Wei'])).body).toEqual({ status: 'approved', waiting_companions: 3 })
  expect((await ball.requestOf(email)).pending_addition).toEqual({
    companions: 3,
    companion_names: ['Omar', '', 'Wei'],
    created_at,
  })
  expect((await ball.inbox()).filter(({ kind }) => kind === 'addition_pending')).toHaveLength(2)
})

test('the maximum of the link counts everybody: at first, approved, waiting; names are asked as the link asks', async () => {
  const ball = await openSignups()
  const { page, request } = await approved(
    ball,
    { max_companions: 3, companion_names_field: 'required' },
    {
      companions: 1,
      companion_names: ['Omar'],
    },
  )
  for (const companions of [3, 0, -1, 'x', '1.5', undefined]) {
    expect((await add(ball, page, companions, ['A', 'B', 'C'])).status, String(companions)).toBe(422)
  }
  expect((await add(ball, page, 1, [])).body).toEqual({ errors: { companion_names: ["can't be blank"] } })
  const refused = await ball.sendForm(`${page}/companions`, [['guest_addition[companions]', '1']])
  expect(refused.status).toBe(422)
  expect(refused.text).toContain('Name of companion 1 can&#39;t be blank')
  expect((await ball.waiting()).requests).toEqual([])

  expect((await add(ball, page, 1, ['Wei'])).status).toBe(200)
  await ball.approve(request)
  expect((await add(ball, page, 1, ['Ana'])).status).toBe(200)
  for (const companions of [1, 2]) {
    expect((await add(ball, page, companions, ['Ivo'])).body).toEqual({
      errors: { companions: ['You cannot bring more companions'] },
    })
  }
  expect((await ball.visit(page)).text).not.toContain('Bring more')
})

test('an automatic link lets companions in at once, as far as there is room', async () => {
  const ball = await openSignups()
  const form = await ball.link({ approval_mode: 'automatic', max_companions: 5, capacity: 3 })
  const email = newGuest()
  const first = await ball.sendForm(form.public_url, [
    ['guest_request[name]', 'Ada'],
    ['guest_request[email]', email],
  ])
  const page = first.headers.get('location')!.split('?')[0]!

  const reply = await ball.sendForm(`${page}/companions`, [['guest_addition[companions]', '2']])
  expect(reply.headers.get('location')).toBe(`${page}?done=added`)
  expect(await ball.requestOf(email)).toMatchObject({
    pending_addition: null,
    total_party_size: 3,
    additions: [{ companions: 2 }],
  })
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)
  expect(await ball.inbox()).toEqual([])
  expect((await add(ball, page, 1)).status).toBe(422)

  await ball.office.patch(`${ball.forms}/${form.public_id}`, {
    guest_list_form: { capacity: 9, ticket_id: ball.tickets['crew'] },
  })
  await ball.party({ ticket_id: ball.tickets['crew'], party_size: 20 })
  expect((await add(ball, page, 1)).body).toEqual({ status: 'approved', waiting_companions: 1 })
  expect(await ball.approve(await ball.requestOf(email))).toRefuse(422, { base: ['Not enough places available'] })
  expect((await ball.requestOf(email)).pending_addition).toMatchObject({ companions: 1 })
  expect(await ball.inbox()).toMatchObject([{ kind: 'addition_pending' }])
})
