import { expect, test } from 'vitest'
import { type Signups, newGuest, openSignups } from '../../../test/kit/venue/signups.ts'

const add = (ball: Signups, page: string, companions: number) =>
  ball.sendJson(`${page}/companions`, { guest_addition: { companions } })

const change = async (ball: Signups, link: { public_id: string }, guest_list_form: object) => {
  const reply = await ball.office.patch(`${ball.forms}/${link.public_id}`, { guest_list_form })
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

test('what the link did not ask stays unanswered, and keeps nobody from being approved', async () => {
  const ball = await openSignups((event) => {
    event['questions'].push(
      { key: 'badge', label: 'Badge', type: 'text', scope: 'order', required: true },
      { key: 'age', label: 'Age', type: 'number', scope: 'attendee', required: true },
    )
  })
  const { public_url } = await ball.link({ max_companions: 1 })
  const email = newGuest()
  await ball.submit(public_url, { email, companions: 1 })
  const { status, body } = await ball.approve(await ball.requestOf(email))
  expect(status).toBe(200)
  const party = (await ball.office.get(ball.partyPath({ public_id: body.order_public_id }))).body
  expect(party.custom_field_answers).toEqual({})
  expect(party.admissions.map((each: { custom_field_answers: object }) => each.custom_field_answers)).toEqual([{}, {}])
})

test('a guest whom staff added meanwhile can still be approved', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link()
  const email = newGuest()
  await ball.submit(public_url, { email })
  await ball.party({ delivery_email: email })
  expect((await ball.approve(await ball.requestOf(email))).body).toMatchObject({ status: 'approved' })
  expect((await ball.guestList()).guest_parties).toHaveLength(2)
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)
})

test('a link whose places are gone still takes requests, and its page stays open', async () => {
  const ball = await openSignups()
  const link = await ball.link({ capacity: 1 })
  const [first, second] = [newGuest(), newGuest()]
  await ball.submit(link.public_url, { email: first })
  await ball.approve(await ball.requestOf(first))
  expect((await ball.office.get(`${ball.forms}/${link.public_id}`)).body.remaining_capacity).toBe(0)

  const page = await ball.visit(link.public_url)
  expect(page.status).toBe(200)
  expect(page.text).toContain('subject to confirmation')
  expect(page.text).toContain('<form method="post">')
  expect((await ball.submit(link.public_url, { email: second })).body).toEqual({ status: 'pending' })
  expect(await ball.approve(await ball.requestOf(second))).toRefuse(422, { base: ['Not enough places available'] })
  await change(ball, link, { capacity: 2 })
  expect((await ball.approve(await ball.requestOf(second))).status).toBe(200)
})

test('a link that becomes automatic decides for those who come, not for those who wait', async () => {
  const ball = await openSignups()
  const link = await ball.link({ max_companions: 4 })
  const [waiting, inside] = [newGuest(), newGuest()]
  for (const email of [waiting, inside]) await ball.submit(link.public_url, { email })
  await ball.approve(await ball.requestOf(inside))
  const page = await ball.ownPage(inside)
  await add(ball, page, 1)
  await change(ball, link, { approval_mode: 'automatic' })

  expect((await ball.requestOf(waiting)).status).toBe('pending')
  expect((await ball.requestOf(inside)).pending_addition).toMatchObject({ companions: 1 })
  // A group that waits is one group, so whoever joins it waits with it.
  expect((await add(ball, page, 1)).body).toEqual({ status: 'approved', waiting_companions: 2 })
  expect((await ball.approve(await ball.requestOf(inside))).body).toMatchObject({
    pending_addition: null,
    additions: [{ companions: 2 }],
  })
  expect((await add(ball, page, 1)).body).toEqual({ status: 'approved', waiting_companions: 0 })
  expect((await ball.requestOf(inside)).additions).toHaveLength(2)

  await change(ball, link, { approval_mode: 'manual' })
  expect((await add(ball, page, 1)).body).toEqual({ status: 'approved', waiting_companions: 1 })
})

test('a companion who was cancelled was brought all the same, and a lower maximum sends nobody home', async () => {
  const ball = await openSignups()
  const link = await ball.link({ max_companions: 2 })
  const email = newGuest()
  await ball.submit(link.public_url, { email, companions: 1 })
  const { body: request } = await ball.approve(await ball.requestOf(email))
  const party = (await ball.office.get(ball.partyPath({ public_id: request.order_public_id }))).body
  await ball.office.post(ball.partyPath(party, `/admissions/${party.admissions[1].public_id}/cancellation`))

  const page = await ball.ownPage(email)
  expect((await add(ball, page, 2)).status).toBe(422)
  expect((await add(ball, page, 1)).status).toBe(200)
  await change(ball, link, { max_companions: 0 })
  expect((await ball.visit(page)).text).not.toContain('Bring more')
  expect((await add(ball, page, 1)).body).toEqual({ errors: { companions: ['You cannot bring more companions'] } })
  expect((await ball.requestOf(email)).pending_addition).toMatchObject({ companions: 1 })
  expect((await ball.approve(request)).body).toMatchObject({ total_party_size: 3, additions: [{ companions: 1 }] })
})

test('each reason why there is no room keeps an addition waiting, and takes nothing', async () => {
  const ball = await openSignups((event) => {
    event['tickets'][0].stock = 3
  })
  const link = await ball.link({ max_companions: 5, capacity: 6 })
  const email = newGuest()
  await ball.submit(link.public_url, { email })
  await ball.approve(await ball.requestOf(email))
  const page = await ball.ownPage(email)
  await add(ball, page, 2)
  const request = await ball.requestOf(email)
  await ball.party()

  const refused = async (sentence: string) => {
    const before = [await ball.standing(), await ball.queuedMails()]
    expect(await ball.approve(request)).toRefuse(422, { base: [sentence] })
    expect([await ball.standing(), await ball.queuedMails()]).toEqual(before)
    expect(await ball.requestOf(email)).toEqual(request)
  }
  await refused('Not enough places available')
  await change(ball, link, { ticket_id: ball.tickets['crew'], capacity: 2 })
  await refused('Not enough places available')
  await change(ball, link, { capacity: 3 })
  const { pool } = ball.app.database
  const cancel = (at: string) =>
    pool.query(`update events set cancelled_at = ${at} where account_id = $1 and id = $2`, [
      ball.accountId,
      ball.eventId,
    ])
  await cancel('foyer_now()')
  await refused('The guest list is closed')
  await cancel('null')
  expect((await ball.approve(request)).body).toMatchObject({ additions: [{ companions: 2 }], pending_addition: null })
})

test('links are not deleted, and requests are not made, by any method', async () => {
  const ball = await openSignups()
  const link = await ball.link()
  for (const [method, at] of [
    ['DELETE', `${ball.forms}/${link.public_id}`],
    ['DELETE', ball.forms],
    ['PUT', `${ball.forms}/${link.public_id}`],
    ['POST', `${ball.path}/guest_list_form`],
    ['DELETE', `${ball.path}/guest_list_form`],
    ['POST', ball.requests],
    ['PUT', ball.requests],
  ] as const) {
    expect(await ball.office.ask(method, at), `${method} ${at}`).toRefuse(405)
  }
  expect((await ball.office.get(ball.forms)).body).toEqual({ forms: [link] })
  expect((await ball.waiting()).requests).toEqual([])
})
