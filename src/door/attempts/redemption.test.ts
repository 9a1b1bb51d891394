import { expect, test } from 'vitest'
import { addOrder, addTicket } from '../../../test/kit/venue/orders.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const at = (id: string, slug?: string) =>
  slug ? `/scanner/events/${slug}/tickets/${id}/redemption` : `/scanner/tickets/${id}/redemption`

test('a ticket opens the door once, by its public ID or its code, with and without the event', async () => {
  const venue = await openVenue()
  const { door } = venue
  const [byId, byCode, typed, anywhere] = await addOrder(venue, 'winter-ball', { admissions: [{}, {}, {}, {}] })

  const reply = await door.post(at(byId!.publicId, 'winter-ball'))
  expect(reply.status).toBe(200)
  expect(reply.body).toMatchObject({
    public_id: byId!.publicId,
    redeemed: true,
    redeemable: false,
    blocked_reason: 'Already redeemed',
  })
  expect(Math.abs(Date.parse(reply.body.redeemed_at) - Date.now())).toBeLessThan(10_000)
  // The answer is what the next read says, to the letter.
  expect((await door.get(`/scanner/tickets/${byId!.publicId}`)).text).toBe(reply.text)

  expect((await door.post(at(byCode!.code, 'winter-ball'))).body.public_id).toBe(byCode!.publicId)
  const hyphenated = `${typed!.code.slice(0, 4)}-${typed!.code.slice(4)}`.toLowerCase()
  expect((await door.post(at(hyphenated, 'winter-ball'))).body.public_id).toBe(typed!.publicId)
  expect((await door.post(at(anywhere!.code))).status).toBe(200)

  const again = await door.post(at(byId!.code))
  expect(again.status).toBe(422)
  expect(again.body.error).toBe('Already redeemed')
  expect(again.body.ticket).toEqual(reply.body)
})

test('one admission of a party lets one person in', async () => {
  const venue = await openVenue()
  const [lead, companion] = await addOrder(venue, 'winter-ball', { origin: 'guest_list', admissions: [{}, {}] })
  expect((await venue.office.post(at(lead!.publicId))).status).toBe(200)
  expect((await venue.door.get(`/scanner/tickets/${companion!.publicId}`)).body).toMatchObject({
    redeemed: false,
    redeemable: true,
  })
})

test.each([
  ['Order archived', { archived: true }],
  ['Order refunded', { status: 'refunded' }],
  ['Order cancelled', { status: 'cancelled' }],
  ['Order cancelled', { origin: 'guest_list' as const, status: 'booking_cancelled' }],
  ['Order disputed', { status: 'disputed' }],
  ['Order unpaid', { status: 'unpaid' }],
  ['Ticket cancelled', { admissions: [{ status: 'cancelled' }] }],
  ['Ticket refunded', { admissions: [{ status: 'refund_pending' }] }],
  ['Order refunded', { status: 'refunded', admissions: [{ redeemedAt: new Date(0) }] }],
])('%s: the door says so and lets nobody in', async (reason, order) => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball', order)
  const before = await venue.door.get(`/scanner/tickets/${publicId}`)

  const reply = await venue.door.post(at(publicId, 'winter-ball'))
  expect(reply.status).toBe(422)
  expect(reply.body).toEqual({ error: reason, ticket: before.body })
})

test('a ticket of another event, another account or nobody is not found and not redeemed', async () => {
  const venue = await openVenue()
  const other = await openVenue()
  const spring = await addTicket(venue, 'spring-night')
  const foreign = await addTicket(other, 'winter-ball')

  expect(await venue.door.post(at(spring.publicId, 'winter-ball'))).toRefuse(404, 'Not found')
  expect(await venue.door.post(at(spring.code, 'winter-ball'))).toRefuse(404, 'Not found')
  expect(await venue.door.post(at(spring.publicId, 'nowhere'))).toRefuse(404, 'Not found')
  for (const id of [foreign.publicId, foreign.code, 'ABCDEFGH', '%00', 'a%2Fb', "1' or '1'='1", 'x'.repeat(300)]) {
    expect(await venue.door.post(at(id))).toRefuse(404, 'Not found')
    expect(await venue.door.post(at(id, 'winter-ball'))).toRefuse(404, 'Not found')
  }
  expect((await venue.door.get(`/scanner/tickets/${spring.publicId}`)).body.redeemed).toBe(false)
  expect((await other.door.get(`/scanner/tickets/${foreign.publicId}`)).body.redeemed).toBe(false)
})

test('reading is not redeeming: a read token, a revoked device and a stranger are refused', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const lost = venue.client(venue.report.devices['Lost phone'])
  for (const client of [venue.reader, lost, venue.stranger]) {
    for (const path of [at(publicId), at(publicId, 'winter-ball')]) expect((await client.post(path)).status).toBe(401)
  }
  expect((await venue.door.get(`/scanner/tickets/${publicId}`)).body.redeemed).toBe(false)

  const { pool } = venue.app.database
  await pool.query(`update credentials set revoked_at = foyer_now() where account_id = $1 and description = 'Door 1'`, [
    venue.report.account.id,
  ])
  expect(await venue.door.post(at(publicId))).toRefuse(401, 'Authentication required')
})

test('with a key an answer that got lost can be asked for again, online and by sync', async () => {
  const venue = await openVenue()
  const [first, second] = await addOrder(venue, 'winter-ball', { admissions: [{}, {}] })
  const key = { headers: { 'idempotency-key': 'scan-1' } }
  const once = await venue.door.post(at(first!.publicId, 'winter-ball'), undefined, key)
  const twice = await venue.door.post(at(first!.code), undefined, key)
  expect([once.status, twice.status]).toEqual([200, 200])
  expect(twice.text).toBe(once.text)

  const attempt = { client_id: 'scan-1', event_slug: 'winter-ball', public_id: first!.publicId }
  const sync = await venue.door.post('/scanner/redemption_attempts', { attempts: [attempt] })
  expect(sync.body.redemption_attempts[0]).toMatchObject({ result: 'accepted', message: 'Ticket redeemed' })

  expect(await venue.door.post(at(second!.publicId), undefined, key)).toRefuse(
    409,
    'This Idempotency-Key was used for another ticket',
  )
  expect((await venue.door.get(`/scanner/tickets/${second!.publicId}`)).body.redeemed).toBe(false)
  expect((await venue.office.post(at(first!.publicId), undefined, key)).status).toBe(422)
})

test('a refusal with a key stays said, whatever becomes of the ticket', async () => {
  const venue = await openVenue()
  const { publicId, code } = await addTicket(venue, 'winter-ball', { status: 'unpaid' })
  const key = (name: string) => ({ headers: { 'idempotency-key': name } })
  const before = await venue.door.post(at(publicId, 'winter-ball'), undefined, key('early'))
  expect([before.status, before.body.error]).toEqual([422, 'Order unpaid'])

  await venue.app.database.pool.query(`update orders set status = 'paid' where account_id = $1`, [
    venue.report.account.id,
  ])
  const again = await venue.door.post(at(code), undefined, key('early'))
  expect([again.status, again.body.error, again.body.ticket.redeemable]).toEqual([422, 'Order unpaid', true])
  expect((await venue.door.post(at(code), undefined, key('later'))).status).toBe(200)
  expect((await venue.door.post(at(publicId), undefined, key('later'))).status).toBe(200)
  expect((await venue.door.post(at(publicId), undefined, key('last'))).body.error).toBe('Already redeemed')

  expect(await venue.door.post(at('nobody'), undefined, key('nobody'))).toRefuse(404, 'Not found')
  expect(await venue.door.post(at('nobody'), undefined, key('nobody'))).toRefuse(404, 'Not found')
  expect((await venue.reader.get('/scanner/events/winter-ball/attempts')).body.attempts).toMatchObject([
    { client_id: 'last', result: 'conflict' },
    { client_id: 'later', result: 'accepted' },
    { client_id: 'early', result: 'blocked' },
  ])
})

test('what a co-organizer scanned is not shown again once the event is no longer theirs', async () => {
  const venue = await openVenue()
  const { partner } = venue
  const { pool } = venue.app.database
  const [online, byCode, synced, blocked] = await addOrder(venue, 'winter-ball', {
    admissions: [{}, {}, {}, { status: 'cancelled' }],
  })
  const attempts = [
    { client_id: 'synced', event_slug: 'winter-ball', public_id: synced!.publicId },
    { client_id: 'blocked', event_slug: 'winter-ball', public_id: blocked!.publicId },
    { client_id: 'nothing', event_slug: 'winter-ball', public_id: 'nothing' },
  ]
  const sync = (more: object[] = []) =>
    partner.post('/scanner/redemption_attempts', { attempts: [...attempts, ...more] })
  const keyed = (id: string, key: string) => partner.post(at(id), undefined, { headers: { 'idempotency-key': key } })
  const first = await keyed(online!.publicId, 'online')
  const typed = await keyed(byCode!.code, 'by-code')
  const told = await sync()
  expect([first.status, typed.status, told.status]).toEqual([200, 200, 200])

  const { rows: assignments } = await pool.query('delete from assignments where account_id = $1 returning *', [
    venue.report.account.id,
  ])
  expect(await keyed(online!.publicId, 'online')).toRefuse(404, 'Not found')
  expect(await keyed(byCode!.code, 'by-code')).toRefuse(404, 'Not found')
  const hidden = await sync([{ client_id: 'by-code', event_slug: 'winter-ball', public_id: 'something' }])
  expect(hidden.body.redemption_attempts).toMatchObject([
    { result: 'accepted', ticket: null, public_id: synced!.publicId },
    { result: 'blocked', ticket: null },
    { result: 'not_found', ticket: null },
    { result: 'accepted', ticket: null, public_id: 'something' },
  ])
  for (const secret of ['Zoë Lindqvist', synced!.code, byCode!.publicId]) expect(hidden.text).not.toContain(secret)

  for (const { account_id, membership_id, event_id } of assignments) {
    await pool.query('insert into assignments (account_id, membership_id, event_id) values ($1, $2, $3)', [
      account_id,
      membership_id,
      event_id,
    ])
  }
  expect((await keyed(online!.publicId, 'online')).text).toBe(first.text)
  expect((await keyed(byCode!.code, 'by-code')).text).toBe(typed.text)
  expect((await sync()).text).toBe(told.text)
})

test('redemptions that arrive together are each answered by their own ticket', async () => {
  const venue = await openVenue()
  const tickets = await addOrder(venue, 'winter-ball', { admissions: Array.from({ length: 40 }, () => ({})) })
  const replies = await Promise.all(tickets.map(({ publicId }) => venue.door.post(at(publicId, 'winter-ball'))))
  expect(replies.map((reply) => [reply.status, reply.body.public_id])).toEqual(
    tickets.map(({ publicId }) => [200, publicId]),
  )
})

test('every attempt is kept with who made it, newest first', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball', { email: 'hidden.address@secret.example' })
  await venue.door.post(at(publicId, 'winter-ball'))
  await venue.office.post(at(publicId))
  await venue.door.post(at('unknown-ticket', 'winter-ball'))
  const offline = { event_slug: 'winter-ball', public_id: publicId, scanned_at: '2026-01-02T20:00:00+01:00' }
  await venue.door.post('/scanner/redemption_attempts', { attempts: [{ client_id: 'c1', ...offline }] })

  const reply = await venue.reader.get('/scanner/events/winter-ball/attempts')
  expect(reply.body.next_page).toBe(null)
  expect(reply.body.attempts).toMatchObject([
    {
      client_id: 'c1',
      result: 'conflict',
      scanned_at: '2026-01-02T19:00:00.000Z',
      scanner: { type: 'scanner_device', name: 'Door 1' },
    },
    { client_id: null, public_id: 'unknown-ticket', result: 'not_found', attendee_name: null },
    { result: 'conflict', message: 'Already redeemed', scanner: { type: 'api_token', name: 'office write' } },
    {
      client_id: null,
      public_id: publicId,
      result: 'accepted',
      attendee_name: 'Zoë Lindqvist',
      ticket_title: 'General admission',
    },
  ])
  expect(reply.text).not.toContain('secret')

  const many = Array.from({ length: 60 }, (_, n) => ({ client_id: `m${n}`, ...offline }))
  await venue.door.post('/scanner/redemption_attempts', { attempts: many })
  const first = await venue.reader.get('/scanner/events/winter-ball/attempts')
  expect([first.body.attempts.length, first.body.next_page, first.body.attempts[0].client_id]).toEqual([50, 2, 'm59'])
  const second = await venue.reader.get('/scanner/events/winter-ball/attempts?page=2')
  expect([second.body.attempts.length, second.body.next_page]).toEqual([14, null])
})

test('the door counts who is expected and who has arrived', async () => {
  const venue = await openVenue()
  const tickets = await addOrder(venue, 'winter-ball', {
    admissions: [{}, {}, {}, { ticket: 'floor' }, { status: 'cancelled' }],
  })
  await addTicket(venue, 'winter-ball', { status: 'refunded' })
  await venue.door.post(at(tickets[0]!.publicId))
  await venue.moveClock('10 minutes')
  await venue.door.post(at(tickets[3]!.publicId))

  const { body } = await venue.reader.get('/scanner/events/winter-ball/stats')
  expect(body).toMatchObject({
    expected: 4,
    arrived: 2,
    ticket_types: [
      { ticket_title: 'General admission', expected: 3, arrived: 1 },
      { ticket_title: 'Standing', expected: 1, arrived: 1 },
    ],
    arrivals: [{ arrived: 1 }, { arrived: 1 }],
  })
  expect(Date.parse(body.arrivals[0].starts_at) % 300_000).toBe(0)
  expect((await venue.reader.get('/scanner/events/last-summer/stats')).body).toEqual({
    expected: 0,
    arrived: 0,
    ticket_types: [],
    arrivals: [],
  })
})
