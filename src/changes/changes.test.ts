import { expect, onTestFinished, test } from 'vitest'
import { openEventStream } from '../../test/kit/network/event-stream.ts'
import { BUYER, offerTransfers, openBuyer } from '../../test/kit/venue/checkouts.ts'
import type { Client } from '../../test/kit/venue/client.ts'
import { addOrder } from '../../test/kit/venue/orders.ts'
import { openSecondApp } from '../../test/kit/venue/second-app.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'
import { deleteOldAccountChanges } from './records.ts'
import { TOPICS, type Topic } from './rules.ts'

const CHANGES = '/admin/changes'

type Versions = Partial<Record<Topic, string>>

const versionsFor = async (client: Client): Promise<Versions> => (await client.get(CHANGES)).body.topics

const changedBetween = (before: Versions, after: Versions) =>
  TOPICS.filter((topic) => before[topic] !== after[topic]).toSorted()

/** Which topics the reader sees change while it is done. */
const changedBy = async (client: Client, work: () => Promise<unknown>) => {
  const before = await versionsFor(client)
  await work()
  return changedBetween(before, await versionsFor(client))
}

const listen = async (origin: string, token: string) => {
  const stream = await openEventStream(`${origin}${CHANGES}/stream`, { authorization: `Bearer ${token}` })
  onTestFinished(() => stream.close())
  return stream
}

const member = (venue: Venue, email: string) => venue.report.people[email]!.membership_id

const succeed = async (reply: ReturnType<Client['post']>) => {
  const { status, text, body } = await reply
  expect(status, text).toBeLessThan(300)
  return body
}

test('every write changes the topics it is about, and no other', async () => {
  const { venue, begin, change, pay, see, tickets } = await openBuyer()
  const { office } = venue
  const by = (work: () => Promise<unknown>) => changedBy(office, work)

  expect(await by(() => offerTransfers(venue))).toEqual(['audit_log', 'payment_methods'])
  const token = await begin([{ ticket_id: tickets['ga'], quantity: 1 }])
  await change(token, BUYER)
  expect(await by(() => pay(token, 'bank_transfer'))).toEqual(['orders'])
  const { order, total } = await see(token)
  const payments = `/admin/orders/${order.public_id}/payments`
  expect(await by(() => succeed(office.post(payments, { amount: '1.00', reference: 'cash' })))).toEqual([
    'audit_log',
    'orders',
  ])
  const rest = (Number(total) - 1).toFixed(2)
  await succeed(office.post(payments, { amount: rest, reference: 'cash' }))
  const refunds = `/admin/orders/${order.public_id}/refunds`
  expect(await by(() => succeed(office.post(refunds, { amount: '2.00', reason: 'Sorry' })))).toEqual([
    'audit_log',
    'orders',
  ])

  let voucher = ''
  expect(
    await by(async () => {
      voucher = (await succeed(office.post('/admin/vouchers', { voucher: { amount: '20.00' } }))).id
    }),
  ).toEqual(['audit_log', 'vouchers'])
  const adjustment = { direction: 'credit', amount: '5.00', reason: 'Rain' }
  expect(await by(() => succeed(office.post(`/admin/vouchers/${voucher}/adjustment`, adjustment)))).toEqual([
    'audit_log',
    'vouchers',
  ])

  const mara = member(venue, 'mara@neue-halle.example')
  const role = { membership: { role: 'scanner' } }
  expect(await by(() => succeed(office.patch(`/admin/memberships/${mara}/role`, role)))).toContain('team')
  const invitation = { email: 'new@neue-halle.example', role: 'manager' }
  expect(await by(() => succeed(office.post('/admin/invitations', { invitation })))).toEqual(['audit_log', 'team'])

  const { scanner_devices: devices } = (await office.get('/admin/scanner_devices')).body
  const device = devices.find(({ revoked_at }: { revoked_at: string | null }) => revoked_at === null)
  expect(await by(() => venue.door.post('/scanner/heartbeat', { queue: 3 }))).toEqual(['devices'])
  expect(await by(() => venue.door.post('/scanner/heartbeat', { queue: 3 }))).toEqual([])
  expect(await by(() => venue.door.post('/scanner/heartbeat', { queue: 4 }))).toEqual(['devices'])
  expect(await by(() => office.delete(`/admin/scanner_devices/${device.id}`))).toEqual(['audit_log', 'devices'])
  const api_token = { description: 'Website', permission: 'read' }
  expect(await by(() => succeed(office.post('/admin/api_tokens', { api_token })))).toEqual(['audit_log', 'tokens'])
  const webhook_endpoint = { url: 'https://example.com/told', description: 'x', kinds: [] }
  expect(await by(() => succeed(office.post('/admin/webhook_endpoints', { webhook_endpoint })))).toEqual([
    'audit_log',
    'webhooks',
  ])
  expect(await by(() => succeed(office.patch('/admin/account', { account: { name: 'Hall' } })))).toEqual([
    'account',
    'audit_log',
  ])

  const ball = '/admin/events/winter-ball'
  expect(await by(() => succeed(office.patch(ball, { event: { title: 'Ball' } })))).toContain('events')
  const question = { label: 'Song', type: 'text', scope: 'order' }
  expect(await by(() => succeed(office.post(`${ball}/questions`, { question })))).toContain('events')
  const [ticket] = (await office.get(`${ball}/tickets`)).body.tickets
  expect(await by(() => succeed(office.patch(`${ball}/tickets/${ticket.id}`, { ticket: { title: 'T' } })))).toContain(
    'events',
  )
  const guest_list_form = { name: 'Press', ticket_id: tickets['ga'], max_companions: 1 }
  expect(await by(() => succeed(office.post(`${ball}/guest_list_forms`, { guest_list_form })))).toContain('signup')

  const task = { title: 'Chairs', assignee_id: member(venue, 'cem@partner.example'), event_slug: 'winter-ball' }
  expect(await changedBy(venue.partner, () => succeed(office.post('/admin/tasks', { task })))).toEqual(['inbox'])
  const guest_party = { customer_name: 'Guest', ticket_id: tickets['ga'], party_size: 1 }
  expect(await by(() => succeed(office.post(`${ball}/guest_parties`, { guest_party })))).not.toContain('orders')
})

test('topics are for those who may read what they are about', async () => {
  const venue = await openVenue()
  const named = async (client: Client) => Object.keys(await versionsFor(client)).toSorted()
  expect(await named(venue.office)).toEqual(TOPICS.toSorted())
  expect(await named(venue.client(venue.report.api_tokens['mara write']))).toEqual(
    TOPICS.filter((topic) => topic !== 'audit_log' && topic !== 'payment_methods').toSorted(),
  )
  expect(await named(venue.partner)).toEqual(['events', 'inbox', 'orders', 'signup', 'tokens', 'webhooks'])
  expect(await venue.door.get(CHANGES)).toRefuse(401)
  expect(await venue.stranger.get(CHANGES)).toRefuse(401)
})

test('a co-organizer learns nothing of other events, of others’ tokens and webhooks, or of other accounts', async () => {
  const venue = await openVenue()
  const { partner, office } = venue
  const by = (work: () => Promise<unknown>) => changedBy(partner, work)
  expect(await by(() => addOrder(venue, 'winter-ball'))).toEqual(['orders'])
  expect(await by(() => addOrder(venue, 'spring-night'))).toEqual([])
  expect(await by(() => office.patch('/admin/events/spring-night', { event: { title: 'Other' } }))).toEqual([])
  const webhook_endpoint = { url: 'https://example.com/told', description: 'x', kinds: [] }
  expect(await by(() => office.post('/admin/webhook_endpoints', { webhook_endpoint }))).toEqual([])
  expect(await by(() => partner.post('/admin/webhook_endpoints', { webhook_endpoint }))).toEqual(['webhooks'])
  const api_token = { description: 'x', permission: 'read' }
  expect(await by(() => office.post('/admin/api_tokens', { api_token }))).toEqual([])
  expect(await by(() => partner.post('/admin/api_tokens', { api_token }))).toEqual(['tokens'])
  const foreign = await openVenue()
  expect(await changedBy(office, () => foreign.office.post('/admin/vouchers', { voucher: { amount: '1' } }))).toEqual(
    [],
  )
})

test('a change is told within a second, to those it concerns and to nobody else', async () => {
  const venue = await openVenue()
  const second = await openSecondApp(venue)
  onTestFinished(() => second.close())
  const office = await listen(second.origin, venue.report.api_tokens['office read']!)
  const cem = await listen(venue.origin, venue.report.api_tokens['cem read']!)
  expect(office.headers.get('content-type')).toContain('text/event-stream')
  const first = await office.next()
  expect(first.event).toBe('changes')
  expect((await cem.next()).event).toBe('changes')

  await addOrder(venue, 'spring-night')
  const told = await office.next()
  expect(changedBetween(first.data.topics, told.data.topics)).toEqual(['orders'])
  await addOrder(venue, 'winter-ball')
  expect(changedBetween(told.data.topics, (await office.next()).data.topics)).toEqual(['orders'])
  // What came before it would have been told before it.
  const own = await versionsFor(venue.partner)
  expect((await cem.next()).data.topics).toEqual(own)
  expect(cem.waiting).toEqual([])
})

test('a transaction that began early and ended late is not missed', async () => {
  const venue = await openVenue()
  const { pool } = venue.app.database
  const early = await pool.connect()
  try {
    await early.query('begin')
    await early.query(`update payment_methods set enabled = true where account_id = $1 and name = 'at_the_door'`, [
      venue.report.account.id,
    ])
    expect(await changedBy(venue.office, () => offerTransfers(venue))).toContain('payment_methods')
    expect(await changedBy(venue.office, () => early.query('commit'))).toEqual(['payment_methods'])
  } finally {
    await early.query('rollback')
    early.release()
  }
})

test('what was refused or rolled back changes nothing', async () => {
  const { office } = await openVenue()
  expect(await changedBy(office, () => office.post('/admin/vouchers', { voucher: { amount: '-1' } }))).toEqual([])
  expect(await changedBy(office, () => office.post('/admin/invitations', { invitation: { email: '' } }))).toEqual([])
})

test('a stream ends with its credential', async () => {
  const venue = await openVenue()
  const made = await venue.office.post('/admin/api_tokens', { api_token: { description: 'x', permission: 'read' } })
  const stream = await listen(venue.origin, made.body.token)
  await stream.next()
  await venue.office.delete(`/admin/api_tokens/${made.body.id}`)
  await stream.ended()
  expect(stream.waiting).toEqual([])
})

test('rows of an hour ago are swept, and those who listen only look again', async () => {
  const venue = await openVenue()
  const { pool } = venue.app.database
  const count = async () => {
    const { rows } = await pool.query('select count(*)::int as n from account_changes where account_id = $1', [
      venue.report.account.id,
    ])
    return rows[0].n
  }
  expect(await count()).toBeGreaterThan(0)
  await pool.query(`update account_changes set changed_at = foyer_now() - interval '61 minutes'`)
  await deleteOldAccountChanges(venue.app.database)
  expect(await count()).toBe(0)
  expect(await changedBy(venue.office, () => addOrder(venue, 'winter-ball'))).toEqual(['orders'])
})
