import { expect, test } from 'vitest'
import { openSignups } from '../../test/kit/venue/signups.ts'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'
import { bodyOf, leaves } from '../../test/kit/network/read-eml.ts'

// Tests name the fields they are about.
// oxlint-disable-next-line typescript/no-explicit-any
type Shown = any

const atDoor = async (ball: WinterBall, identifier: string): Promise<Shown> => {
  const reply = await ball.door.get(`/scanner/tickets/${identifier}`)
  expect(reply.status, reply.text).toBe(200)
  return reply.body
}

const redeem = (ball: WinterBall, identifier: string) => ball.door.post(`/scanner/tickets/${identifier}/redemption`)

const partyAsIs = async (ball: WinterBall, party: Shown): Promise<Shown> =>
  (await ball.reader.get(ball.partyPath(party))).body

test('door and office know an admission by the same ID and code, and who comes in arrives on the list', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 2, attendee_names: { 1: 'Bob' }, staff_note: 'Side entrance' })
  const [lead, bob] = party.admissions
  for (const identifier of [bob.public_id, bob.check_in_code, bob.display_check_in_code]) {
    expect(await atDoor(ball, identifier)).toMatchObject({
      public_id: bob.public_id,
      attendee_name: 'Bob',
      staff_note: 'Side entrance',
      redeemable: true,
    })
  }

  const let_in = await redeem(ball, bob.check_in_code)
  expect(let_in.status).toBe(200)
  const partly = await partyAsIs(ball, party)
  expect(partly).toMatchObject({
    arrival_state: 'partially_arrived',
    arrived_count: 1,
    party_size: 2,
    cancellable: false,
    admissions: [
      { redeemed: false, redeemed_at: null, cancellable: true },
      { redeemed: true, redeemed_at: let_in.body.redeemed_at, admission_status: 'active', cancellable: false },
    ],
  })
  expect(partly.admissions[1].redeemed_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  expect((await ball.guestList('?filter=expected')).guest_parties).toEqual([partly])

  await redeem(ball, lead.public_id)
  const inside = await partyAsIs(ball, party)
  expect(inside).toMatchObject({ arrival_state: 'arrived', arrived_count: 2 })
  expect(await ball.guestList('?filter=arrived')).toMatchObject({
    expected_count: 0,
    arrived_count: 2,
    admission_count: 2,
    guest_parties: [inside],
  })
})

test('what the office changes is what the door reads next, with a later date', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 2, staff_note: 'Side entrance' })
  const [lead, companion] = party.admissions
  const before = await atDoor(ball, companion.public_id)
  expect(before).toMatchObject({ attendee_name: 'Guest of Ada Lovelace', staff_note: 'Side entrance' })

  await ball.office.patch(ball.partyPath(party), {
    guest_party: { customer_name: 'Grace', staff_note: '', attendee_names: { [companion.public_id]: '王小明 🎷' } },
  })
  const after = await atDoor(ball, companion.public_id)
  expect(after).toMatchObject({ attendee_name: '王小明 🎷', check_in_code: before.check_in_code })
  expect(after).not.toHaveProperty('staff_note')
  expect(Date.parse(after.updated_at)).toBeGreaterThan(Date.parse(before.updated_at))
  expect((await atDoor(ball, lead.public_id)).attendee_name).toBe('Grace')
})

test('an admission that is over, alone or with its party, opens no door', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 2 })
  const whole = await ball.party()
  const [gone, stays] = party.admissions
  await ball.office.post(ball.partyPath(party, `/admissions/${gone.public_id}/cancellation`))
  await ball.office.post(ball.partyPath(whole, '/cancellation'))

  for (const { public_id, check_in_code } of [gone, whole.admissions[0]]) {
    expect(await atDoor(ball, public_id)).toMatchObject({ redeemable: false, blocked_reason: expect.any(String) })
    for (const identifier of [public_id, check_in_code]) expect((await redeem(ball, identifier)).status).toBe(422)
    const synced = await ball.door.post('/scanner/redemption_attempts', {
      attempts: [{ client_id: public_id, event_slug: 'winter-ball', public_id }],
    })
    expect(synced.body.redemption_attempts).toMatchObject([{ result: 'blocked' }])
  }
  expect((await redeem(ball, stays.public_id)).status).toBe(200)
  expect(await partyAsIs(ball, party)).toMatchObject({ arrival_state: 'arrived', arrived_count: 1, party_size: 1 })
})

test('a ticket that is renamed leaves the parties it was issued for as they are', async () => {
  const ball = await openWinterBall()
  const before = await ball.party()
  await ball.app.database.pool.query(`update tickets set title = 'Ground floor' where account_id = $1 and id = $2`, [
    ball.accountId,
    ball.tickets['ga'],
  ])
  expect(await partyAsIs(ball, before)).toEqual(before)
  expect((await ball.option('ga')).title).toBe('Ground floor')
  expect((await ball.party()).ticket_title).toBe('Ground floor')
})

test('the note for the door is in no mail, and a party with an invoice address still costs nothing', async () => {
  const ball = await openSignups()
  const address = 'note@door.example'
  await ball.party({ delivery_email: address, staff_note: 'Owes us a favour', billing_street: '1 St James’s Sq' })
  const mails = await ball.ticketMailsTo(address)
  expect(mails).toHaveLength(1)
  const texts = [bodyOf(mails[0]!, 'text/plain'), ...leaves(mails[0]!).map(({ part }) => part.body.toString('latin1'))]
  for (const text of texts) expect(text).not.toContain('favour')

  const { rows } = await ball.app.database.pool.query(
    'select status, total_cents as total from orders where account_id = $1',
    [ball.accountId],
  )
  expect(rows).toEqual([{ status: 'paid', total: 0 }])
})

test('parties of approved signups and of companions who came later are on the list like any other', async () => {
  const ball = await openSignups()
  const { public_url } = await ball.link({ max_companions: 2, companion_names_field: 'optional' })
  const email = 'listed@signup.example'
  await ball.submit(public_url, { name: 'Zoë Müller', email })
  const request = await ball.requestOf(email)
  await ball.approve(request)
  await ball.sendJson(`${await ball.ownPage(email)}/companions`, {
    guest_addition: { companions: 2, companion_names: ['Omar'] },
  })
  const { body } = await ball.approve(request)

  const list = await ball.guestList()
  expect(list).toMatchObject({ expected_count: 3, admission_count: 3 })
  expect(list.guest_parties.map((each: Shown) => [each.public_id, each.origin, each.party_size])).toEqual([
    [body.order_public_id, 'guest_list', 1],
    [body.additions[0].order_public_id, 'guest_list', 2],
  ])
  for (const each of list.guest_parties) expect(await partyAsIs(ball, each)).toEqual(each)
  expect((await ball.guestList('?query=omar')).guest_parties).toEqual([list.guest_parties[1]])
  expect((await ball.guestList(`?query=${email}`)).guest_parties).toEqual(list.guest_parties)

  const added = list.guest_parties[1]
  await ball.office.post(ball.partyPath(added, `/admissions/${added.admissions[0].public_id}/cancellation`))
  expect((await ball.office.get(ball.forms)).body.forms[0]).toMatchObject({ admission_count: 2 })
  expect(await ball.requestOf(email)).toMatchObject({ status: 'approved', additions: body.additions })
})
