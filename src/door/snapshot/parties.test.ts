import { expect, test } from 'vitest'
import { addOrder, addTicket } from '../../../test/kit/venue/orders.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const PLAIN = '/scanner/events/winter-ball/snapshot'
const WITH_PARTIES = `${PLAIN}?with=parties`

test('a snapshot with parties tells which tickets are of one order, and who is inside', async () => {
  const venue = await openVenue()
  const party = await addOrder(venue, 'winter-ball', { admissions: [{}, { redeemedAt: new Date() }, {}] })
  const alone = await addTicket(venue, 'winter-ball')

  const plain = (await venue.door.get(PLAIN)).body
  const { tickets, event } = (await venue.door.get(WITH_PARTIES)).body
  const added = ['party_key', 'pair_key', 'inside']
  expect(Object.keys(tickets[0])).toEqual([...Object.keys(plain.tickets[0]), ...added])
  expect(Object.keys(event)).toEqual([...Object.keys(plain.event), 'reentry'])
  expect(plain.tickets[0]).not.toHaveProperty('party_key')
  expect(event.reentry).toBe(false)

  const byId = new Map<string, Record<string, unknown>>(
    tickets.map((ticket: { public_id: string }) => [ticket.public_id, ticket]),
  )
  const keys = party.map(({ publicId }) => byId.get(publicId)!['party_key'])
  expect(new Set(keys).size).toBe(1)
  expect(byId.get(alone.publicId)!['party_key']).not.toBe(keys[0])
  expect(party.map(({ publicId }) => byId.get(publicId)!['inside'])).toEqual([false, true, false])
  expect(tickets.map((ticket: { pair_key: unknown }) => ticket.pair_key)).toEqual([null, null, null, null])
})

test('the two places of a wheelchair pair have one key', async () => {
  const venue = await openVenue()
  const seated = await addOrder(venue, 'winter-ball', { admissions: [{}, {}, {}] })
  for (const [n, place] of ['W-1', 'W-1C'].entries()) {
    const { rowCount } = await venue.app.database.pool.query(
      `update admissions a set place_id = p.id from places p
       where a.public_id = $1 and p.account_id = a.account_id and p.event_id = a.event_id and p.key = $2`,
      [seated[n]!.publicId, place],
    )
    expect(rowCount).toBe(1)
  }
  const { tickets } = (await venue.door.get(WITH_PARTIES)).body
  const keys = tickets.map((ticket: { pair_key: string | null }) => ticket.pair_key)
  expect(keys).toEqual([expect.any(String), keys[0], null])
})

test('an app that has the one snapshot is not told that it has the other', async () => {
  const venue = await openVenue()
  await addTicket(venue, 'winter-ball')
  const plain = await venue.door.get(PLAIN)
  const headers = { 'if-none-match': plain.headers.get('etag')! }
  expect((await venue.door.get(PLAIN, { headers })).status).toBe(304)
  const whole = await venue.door.get(WITH_PARTIES, { headers })
  expect(whole.status).toBe(200)
  const known = { headers: { 'if-none-match': whole.headers.get('etag')! } }
  expect((await venue.door.get(WITH_PARTIES, known)).status).toBe(304)
  expect(await venue.door.get(`${PLAIN}?with=everything`)).toRefuse(422, 'with is not included in the list')
  const since = await venue.door.get(`${WITH_PARTIES}&since=${plain.body.generated_at}`)
  expect(since.body.tickets).toMatchObject([{ inside: false }])
})

test('whether guests may come back is said of an event in the file and over the API', async () => {
  const venue = await openVenue((file) => {
    const event = file['events'].find((each: { slug: string }) => each.slug === 'winter-ball')
    event.reentry = true
  })
  expect((await venue.door.get(WITH_PARTIES)).body.event.reentry).toBe(true)
  expect((await venue.office.get('/admin/events/winter-ball')).body).toMatchObject({ reentry: true })
  const changed = await venue.office.patch('/admin/events/winter-ball', { event: { reentry: false } })
  expect(changed).toMatchObject({ status: 200 })
  expect((await venue.door.get(WITH_PARTIES)).body.event.reentry).toBe(false)
})
