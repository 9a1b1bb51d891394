import { expect, test } from 'vitest'
import { type When, whileEventIsLocked, withoutOrdersOf } from '../../test/kit/database/held-events.ts'
import { checkAll } from '../../test/kit/database/consistency.ts'
import type { VenueFile } from '../../test/kit/venue/neue-halle.ts'
import { readOutbox } from '../../test/kit/venue/outbox.ts'
import { openVenueIn } from '../../test/kit/venue/venue-in.ts'
import { openVenueWithListener } from '../../test/kit/network/webhook-listener.ts'
import { leaves, mailbox } from '../../test/kit/network/read-eml.ts'

const { listener, running } = await openVenueWithListener()

const PARTIES = '/admin/events/winter-ball/guest_parties'
const NO_ROOM = 'Not enough places available'

type Input = { customer_name: string; delivery_email?: string; [field: string]: unknown }

/** Neue Halle, whose webhook listens, with two people at work on one list. */
const open = async (change: (event: VenueFile) => void) => {
  const { report, client } = await openVenueIn(running, (file) => change(file['events'][0]))
  const office = client('office write')
  const hook = { url: `${listener.address}/${report.account.id}`, kinds: ['guest_party.created'] }
  expect((await office.post('/admin/webhook_endpoints', { webhook_endpoint: hook })).status).toBe(201)
  const { id: eventId, tickets, standing_areas: areas } = report.events['winter-ball']!
  const people = [
    { name: 'Olga Owner', post: office.post },
    { name: 'Mara Manager', post: client('mara write').post },
  ] as const

  return {
    office,
    accountId: report.account.id,
    eventId,
    tickets,
    areas,
    /** Who asks, by turns. */
    at: (n: number) => people[n % people.length]!,
    add: (n: number, wanted: Input, headers: Record<string, string> = {}) =>
      people[n % people.length]!.post(PARTIES, { guest_party: { ticket_id: tickets['ga'], ...wanted } }, { headers }),
  }
}

type Opened = Awaited<ReturnType<typeof open>>

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await running.app.database.pool.query<Row>(text, values)).rows

const auditEntries = (accountId: number) =>
  query<{ publicId: string; by: string }>(
    `select subject->>'public_id' as "publicId", actor_name as by from audit_entries
     where account_id = $1 and action = 'POST /admin/events/:event_slug/guest_parties'`,
    [accountId],
  )

/** How many transactions made the parties that are there. */
const transactionCount = async (accountId: number) => {
  const [row] = await query<{ count: number }>(
    'select count(distinct xmin::text)::int as count from orders where account_id = $1',
    [accountId],
  )
  return row!.count
}

/** The addresses that tickets were sent to, each as often as it got some. */
const addressees = async () =>
  (await readOutbox(running))
    .filter((mail) => leaves(mail).some(({ type }) => type === 'application/pdf'))
    .map((mail) => mailbox(mail, 'to').address)

const heardOf = ({ accountId }: Opened): string[] =>
  listener.bodies(`/${accountId}`).map(({ data }) => data.guest_party.public_id)

/** What every party that was added leaves behind, once, and nobody else does. */
const expectTraces = async (
  venue: Opened,
  added: { n: number; body: { public_id: string; creator_name: string }; delivery_email?: string | undefined }[],
) => {
  for (const { n, body } of added) expect(body.creator_name).toBe(venue.at(n).name)
  const byId = (a: { publicId: string }, b: { publicId: string }) => (a.publicId < b.publicId ? -1 : 1)
  expect((await auditEntries(venue.accountId)).toSorted(byId)).toEqual(
    added.map(({ n, body }) => ({ publicId: body.public_id, by: venue.at(n).name })).toSorted(byId),
  )

  await running.workOffJobs()
  expect(heardOf(venue).toSorted()).toEqual(added.map(({ body }) => body.public_id).toSorted())
  const guests = added.flatMap(({ delivery_email }) => delivery_email ?? [])
  const mine = `.${venue.accountId}.example`
  expect((await addressees()).filter((address) => address.endsWith(mine)).toSorted()).toEqual(guests.toSorted())
  expect(await checkAll(running.app)).toEqual([])
}

const wishOf = ({ accountId }: Opened, n: number): Input => ({
  customer_name: `Guest ${n}`,
  ...(n % 2 === 0 && { delivery_email: `guest${n}@of.${accountId}.example` }),
})

test('sixteen parties at once for ten places: ten are added, six are told, and each leaves its own trace', async () => {
  const venue = await open((event) => (event['capacity'] = 10))
  const keyOf = (n: number) => (n % 4 === 3 ? { 'idempotency-key': `party-${n}` } : undefined)
  const wishes = Array.from({ length: 16 }, (_, n) => wishOf(venue, n))

  const replies = await whileEventIsLocked(running.app.database.pool, venue, () =>
    wishes.map((wanted, n) => venue.add(n, wanted, keyOf(n))),
  )
  const answers = replies.map((reply, n) => ({ ...reply, n, ...wishes[n]! }))
  const added = answers.filter(({ status }) => status === 201)
  const refused = answers.filter(({ status }) => status !== 201)
  expect(added).toHaveLength(10)
  expect(refused).toHaveLength(6)
  for (const reply of refused) expect(reply).toRefuse(422, { base: [NO_ROOM] })
  for (const { body, customer_name, delivery_email, headers } of added) {
    expect(body).toMatchObject({ customer_name, delivery_email: delivery_email ?? null, party_size: 1 })
    expect(headers.get('location')).toMatch(new RegExp(`${PARTIES}/${body.public_id}$`))
  }
  expect(new Set(added.map(({ body }) => body.order_code)).size).toBe(10)
  expect(await transactionCount(venue.accountId)).toBeLessThan(10)
  await expectTraces(venue, added)

  for (const { n, status, body, headers, customer_name } of answers) {
    const key = keyOf(n)
    if (!key) continue
    const again = await venue.add(n, wishes[n]!, key)
    expect(again.status, customer_name).toBe(status)
    expect(again.body).toEqual(body)
    expect(again.headers.get('location')).toBe(headers.get('location'))
    expect(again.headers.get('idempotent-replayed')).toBe(status === 201 ? 'true' : null)
  }
  await expectTraces(venue, added)
})

test('each of those who are served together is told what was short for it alone', async () => {
  const venue = await open((event) => {
    event['capacity'] = 16
    event['tickets'][0].stock = 3
    event['standing_areas'][0].capacity = 2
    event['standing_areas'][1].capacity = 20
  })
  const { tickets, areas } = venue
  const front = { ticket_id: tickets['floor'], event_capacity_pool_id: areas['front'] }
  const back = { ticket_id: tickets['floor'], event_capacity_pool_id: areas['back'] }
  // Whoever is first: what is refused would be refused in an empty house, and for the same reason in a full one.
  const asked: [Input, number, Record<string, string[]>?][] = [
    [{ customer_name: 'The whole stock', party_size: 3 }, 201],
    [{ customer_name: 'More than the stock', party_size: 4 }, 422, { base: [NO_ROOM] }],
    [{ customer_name: 'All of the front', ...front, party_size: 2 }, 201],
    [{ customer_name: 'More than the front', ...front, party_size: 3 }, 422, { event_capacity_pool_id: [NO_ROOM] }],
    [{ customer_name: 'More than the house', ...back, party_size: 17 }, 422, { base: [NO_ROOM] }],
    [{ customer_name: 'Some of the back', ...back, party_size: 7 }, 201],
    [{ customer_name: 'No area', ticket_id: tickets['floor'] }, 422, { event_capacity_pool_id: ["can't be blank"] }],
    [{ customer_name: ' ' }, 422, { customer_name: ["can't be blank"] }],
  ]
  const replies = await whileEventIsLocked(running.app.database.pool, venue, () =>
    asked.map(([wanted], n) => venue.add(n, wanted)),
  )
  expect(replies.map(({ status }) => status)).toEqual(asked.map(([, status]) => status))
  for (const [n, [, status, errors]] of asked.entries()) if (errors) expect(replies[n]).toRefuse(status, errors)
  const added = replies.map((reply, n) => ({ ...reply, n })).filter(({ status }) => status === 201)
  await expectTraces(venue, added)
  const late = { customer_name: 'Late', ticket_id: tickets['crew'] }
  expect(await venue.add(0, { ...late, party_size: 5 })).toRefuse(422, { base: [NO_ROOM] })
  expect((await venue.add(0, { ...late, party_size: 4 })).status).toBe(201)
})

test.for<When>(['at once', 'at the commit'])(
  'one whom the database will not have, %s, harms nobody who is served with it',
  async (when) => {
    const venue = await open(() => {})
    const { pool } = running.app.database
    const wishes = Array.from({ length: 12 }, (_, n) => ({
      ...wishOf(venue, n),
      ...(n === 7 && { customer_name: 'Mallory' }),
    }))
    const asked = await withoutOrdersOf(pool, { name: 'Mallory', when }, async () => {
      const replies = await whileEventIsLocked(pool, venue, () =>
        wishes.map((wanted, n) => venue.add(n, wanted, n === 3 ? { 'idempotency-key': 'party-3' } : {})),
      )
      expect(replies.map(({ status }) => status)).toEqual(wishes.map((_, n) => (n === 7 ? 500 : 201)))
      expect(replies[7]).toRefuse(500, { base: ['Something went wrong'] })
      await expectTraces(
        venue,
        replies.flatMap((reply, n) => (reply.status === 201 ? [{ ...reply, n, ...wishes[n]! }] : [])),
      )
    })
    // Those before it were written, taken back and written again: they did share a transaction with it.
    expect(asked).toBeGreaterThan(wishes.length)
    const told = running.logged.filter((line) => line.includes('served one by one'))
    expect(told.some((line) => line.includes(`"account":${venue.accountId},"event":${venue.eventId}`))).toBe(true)
    expect(told.join('\n')).not.toContain('Mallory')
  },
)
