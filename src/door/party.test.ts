import { expect, test } from 'vitest'
import { tellsNoSecret } from '../../test/kit/venue/door-secrets.ts'
import { type WinterBall, openWinterBall } from '../../test/kit/venue/winter-ball.ts'

interface Admission {
  public_id: string
  check_in_code: string
  attendee_name: string
  redeemed: boolean
  redeemed_at: string | null
}

const ticketOf = async (ball: WinterBall, { public_id }: { public_id: string }) => {
  const reply = await ball.door.get(`/scanner/tickets/${public_id}`)
  expect(reply.status).toBe(200)
  return reply.body
}

const redeem = (ball: WinterBall, { public_id }: { public_id: string }) =>
  ball.door.post(`/scanner/events/winter-ball/tickets/${public_id}/redemption`)

test('the guest list and the door speak of a guest in the same words', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({
    customer_name: 'Zoë Lindqvist',
    party_size: 3,
    staff_note: 'Press table',
    delivery_email: 'hidden.address@secret.example',
    customer_phone: '+49 40 5550199',
    billing_city: 'Geheimstadt',
    attendee_names: { 1: '王小明' },
  })
  const admissions = party.admissions as Admission[]
  expect(admissions).toHaveLength(3)
  for (const admission of admissions) {
    const { public_id, check_in_code, attendee_name } = admission
    const ticket = await ticketOf(ball, admission)
    expect(ticket).toMatchObject({ public_id, check_in_code, attendee_name, buyer_name: 'Zoë Lindqvist' })
    expect(ticket).toMatchObject({ guest_list: true, staff_note: 'Press table', redeemable: true })
    expect((await ball.door.get(`/scanner/tickets/${check_in_code}`)).body).toEqual(ticket)
  }

  const batch = { attempts: [{ client_id: 'a', event_slug: 'winter-ball', public_id: admissions[0]!.public_id }] }
  const answers = [
    await ball.door.get('/scanner/events/winter-ball/snapshot'),
    await ball.door.get('/scanner/events/winter-ball/tickets'),
    await ball.door.get('/scanner/search?q=hidden.address'),
    await ball.door.get('/scanner/tickets?query=guest+of+zoë'),
    await redeem(ball, admissions[0]!),
    await redeem(ball, admissions[0]!),
    await ball.door.post('/scanner/redemption_attempts', batch),
    await ball.door.post('/scanner/redemption_attempts', batch),
    await ball.door.get('/scanner/events/winter-ball/attempts'),
  ]
  for (const { text } of answers) {
    expect(text).toContain(admissions.find(({ public_id }) => text.includes(public_id))!.public_id)
    tellsNoSecret(text)
  }
})

test('who comes in at the door has arrived on the guest list', async () => {
  const ball = await openWinterBall()
  const party = await ball.party({ party_size: 2 })
  const other = await ball.party({ customer_name: 'Berta' })
  const [first, second] = party.admissions as [Admission, Admission]
  const shown = async () => (await ball.office.get(ball.partyPath(party))).body
  expect(await ball.guestList()).toMatchObject({ expected_count: 3, arrived_count: 0 })
  expect(await shown()).toMatchObject({ arrival_state: 'expected', arrived_count: 0, cancellable: true })

  const online = await redeem(ball, first)
  expect(await shown()).toMatchObject({
    arrival_state: 'partially_arrived',
    arrived_count: 1,
    cancellable: false,
    admissions: [
      { public_id: first.public_id, redeemed: true, redeemed_at: online.body.redeemed_at },
      { public_id: second.public_id, redeemed: false, redeemed_at: null },
    ],
  })
  expect(await ball.guestList()).toMatchObject({ arrived_count: 1 })

  const { body } = await ball.door.post('/scanner/redemption_attempts', {
    attempts: [{ client_id: 'a', event_slug: 'winter-ball', public_id: second.public_id }],
  })
  const [synced] = body.redemption_attempts
  expect(await shown()).toMatchObject({
    arrival_state: 'arrived',
    arrived_count: 2,
    cancellable: false,
    admissions: [{ redeemed: true }, { redeemed: true, redeemed_at: synced.accepted_at }],
  })
  const list = await ball.guestList()
  expect(list.arrived_count).toBe(2)
  expect(list.guest_parties).toMatchObject([{ arrival_state: 'arrived' }, { public_id: other.public_id }])
  expect((await ball.guestList('?filter=expected')).guest_parties).toMatchObject([{ public_id: other.public_id }])
  expect((await ball.guestList('?filter=arrived')).guest_parties).toMatchObject([{ public_id: party.public_id }])
})

test('whoever one door let in is inside for every other, in whatever way it asks', async () => {
  const ball = await openWinterBall()
  const [admission] = (await ball.party({ customer_name: 'Ina Inside' })).admissions as [Admission]
  const other = ball.client(ball.report.devices['Door 2'])
  const path = '/scanner/events/winter-ball/snapshot'
  const before = await other.get(path)
  expect(before.body.tickets).toMatchObject([{ redeemed: false, redeemable: true }])

  const { body: ticket } = await redeem(ball, admission)
  const tag = before.headers.get('etag')!
  for (const asked of [
    await other.get(path),
    await other.get(path, { headers: { 'if-none-match': tag } }),
    await other.get(`${path}?since=${before.body.generated_at}`),
    await other.get('/scanner/events/winter-ball/tickets'),
    await other.get('/scanner/tickets?query=inside'),
    await other.get(`/scanner/search?q=${admission.check_in_code}`),
  ]) {
    expect([asked.status, asked.body?.tickets]).toEqual([200, [ticket]])
  }
})

test('what staff change about a guest is news at the door', async () => {
  const ball = await openWinterBall()
  const places = [ball.places['A-1'], ball.places['A-2']]
  const party = await ball.party({ ticket_id: ball.tickets['seat'], event_place_ids: places, staff_note: 'Press' })
  const [lead, companion] = party.admissions as [Admission, Admission]
  let known = await ticketOf(ball, lead)
  expect(known).toMatchObject({ place_label: 'Row A Seat 1', staff_note: 'Press', place_snapshot: { key: 'A-1' } })

  /** The ticket after a change, which must be told by its time. */
  const after = async (change: Promise<{ status: number }>) => {
    expect((await change).status).toBe(200)
    const ticket = await ticketOf(ball, lead)
    expect(Date.parse(ticket.updated_at)).toBeGreaterThan(Date.parse(known.updated_at))
    known = ticket
    return ticket
  }
  const patch = (guest_party: object) => ball.office.patch(ball.partyPath(party), { guest_party })

  expect(await after(patch({ customer_name: 'Grace' }))).toMatchObject({ buyer_name: 'Grace', attendee_name: 'Grace' })
  expect(await after(patch({ staff_note: '' }))).not.toHaveProperty('staff_note')

  const move = { seat_exchange: { event_place_id: ball.places['A-5'] } }
  expect(await after(ball.office.post(`/admin/order_items/${lead.public_id}/seat_exchange`, move))).toMatchObject({
    place_label: 'Row A Seat 5',
    place_snapshot: { key: 'A-5', seat: '5' },
  })
  const cancel = (rest: string) => ball.office.post(ball.partyPath(party, rest))
  expect(await after(cancel(`/admissions/${lead.public_id}/cancellation`))).toMatchObject({
    redeemable: false,
    blocked_reason: 'Ticket cancelled',
  })
  expect(await redeem(ball, lead)).toMatchObject({ status: 422, body: { error: 'Ticket cancelled', ticket: known } })
  expect((await ball.door.get(`/scanner/search?q=${lead.check_in_code}`)).body.tickets).toEqual([known])
  expect((await ball.door.get('/scanner/search?q=grace')).body.tickets).toMatchObject([
    { public_id: companion.public_id },
  ])

  expect(await after(cancel('/cancellation'))).toMatchObject({ blocked_reason: 'Order cancelled' })
  expect(await redeem(ball, companion)).toMatchObject({ status: 422, body: { error: 'Order cancelled' } })
  expect((await ball.door.get('/scanner/search?q=grace')).body.tickets).toEqual([])
})
