import { expect, test } from 'vitest'
import { addTicket } from './kit/venue/orders.ts'
import { atShop } from './kit/venue/shop.ts'
import { type Venue, openVenue } from './kit/venue/venue.ts'

const BALL = '/admin/events/winter-ball'

test('a change shows at once at the shop, as JSON and as a page', async () => {
  const venue = await openVenue()
  const shop = atShop(venue)
  const page = () => shop.get('/events/winter-ball', { headers: { accept: 'text/html' } })
  await shop.get('/events')
  // Only from then on is anything kept that could be old.
  await expect.poll(() => venue.app.database.pgNotifications.barrier(), { interval: 20 }).not.toBeNull()
  for (const n of [1, 2, 3]) {
    await Promise.all([shop.get('/events'), shop.get('/events/winter-ball'), page()])
    const title = `Ball Nr. ${n}`
    const changed = await venue.office.patch(BALL, {
      event: {
        title,
        performers: [{ name: `Band ${n}` }],
        faq_items: [{ question: `Question ${n}?`, answer: 'Yes.' }],
      },
    })
    expect(changed.status, changed.text).toBe(200)
    const [list, event, html] = [await shop.get('/events'), await shop.get('/events/winter-ball'), await page()]
    expect(list.text).toContain(title)
    expect(event.body).toMatchObject({
      title,
      performers: [{ name: `Band ${n}` }],
      faq_items: [{ question: `Question ${n}?` }],
    })
    for (const text of [title, `Band ${n}`, `Question ${n}?`]) expect(html.text).toContain(text)
  }
  await venue.office.delete(`${BALL}/publication`)
  expect((await shop.get('/events/winter-ball')).status).toBe(404)
  await venue.office.post(`${BALL}/publication`)
  await venue.office.post(`${BALL}/cancellation`, {})
  expect((await shop.get('/events/winter-ball')).text).toMatch(/cancelled/i)
})

test('a change shows at once at the door: in the list, and in what changed since a snapshot', async () => {
  const venue = await openVenue()
  const { publicId } = await addTicket(venue, 'winter-ball')
  await venue.moveClock('10 seconds')
  const snapshot = async (slug: string, since?: string) =>
    (await venue.door.get(`/scanner/events/${slug}/snapshot${since ? `?since=${encodeURIComponent(since)}` : ''}`)).body
  const { generated_at: since } = await snapshot('winter-ball')
  expect((await snapshot('winter-ball', since)).tickets).toEqual([])

  const moved = { title: 'Great Ball', slug: 'great-ball', ends_at: null, starts_at: '2030-12-12T19:00:00.000Z' }
  const changed = await venue.office.patch(BALL, { event: { ...moved, doors_open_at: null, show_end_time: false } })
  expect(changed.status, changed.text).toBe(200)

  const later = await snapshot('great-ball', since)
  expect(later.event).toMatchObject({ slug: 'great-ball', title: 'Great Ball', starts_at: moved.starts_at })
  expect(later.tickets.map((ticket: { public_id: string }) => ticket.public_id)).toEqual([publicId])
  const { events } = (await venue.door.get('/scanner/events')).body
  expect(events).toContainEqual(expect.objectContaining({ slug: 'great-ball', title: 'Great Ball' }))
  // Whoever was offline meanwhile asks by the slug it had, and is told the new one.
  expect((await snapshot('winter-ball', since)).event.slug).toBe('great-ball')
  expect((await venue.office.get(BALL)).status).toBe(404)
})

/** A ticket with a pass; whoever changes what it shows leaves a job for it. */
const addPass = async (venue: Venue, slug: string) => {
  const { publicId } = await addTicket(venue, slug)
  const { rows } = await venue.app.database.pool.query(
    `with marked as (update admissions set has_wallet_pass = true where public_id = $1 returning account_id, event_id, id)
     insert into wallet_passes (account_id, event_id, admission_id, issued_at, modified_at, digest)
     select account_id, event_id, id, date_trunc('second', foyer_now()), date_trunc('second', foyer_now()), '' from marked
     returning admission_id`,
    [publicId],
  )
  return rows[0].admission_id as number
}

const passesToUpdate = async (venue: Venue) => {
  const { rows } = await venue.app.database.pool.query(
    `select (payload ->> 'admission_id')::int as id from lane_jobs where account_id = $1 and name = 'wallet.update' order by id`,
    [venue.report.account.id],
  )
  return rows.map(({ id }) => id)
}

test.each([
  ['its title', { title: 'Great Ball' }, true],
  ['its doors', { doors_open_at: null }, true],
  [
    'its start',
    { starts_at: '2030-12-12T19:00:00.000Z', doors_open_at: null, ends_at: null, show_end_time: false },
    true,
  ],
  ['its capacity', { capacity: 1_000 }, false],
  ['nothing', {}, false],
])('passes in wallets are updated where they show it: %s', async (_, event, isShown) => {
  const venue = await openVenue()
  const [pass] = [await addPass(venue, 'winter-ball'), await addPass(venue, 'spring-night')]
  const changed = await venue.office.patch(BALL, { event })
  expect(changed.status, changed.text).toBe(200)
  expect(await passesToUpdate(venue)).toEqual(isShown ? [pass] : [])
})

test('passes in wallets are updated when an event is cancelled', async () => {
  const venue = await openVenue()
  const pass = await addPass(venue, 'winter-ball')
  await venue.office.post(`${BALL}/cancellation`, {})
  expect(await passesToUpdate(venue)).toEqual([pass])
})

test.each([
  ['its name', { name: 'Große Halle' }, true],
  ['its place', { address: 'Kai 1', city: 'Bremen' }, true],
  ['its time zone', { time_zone: 'Europe/Lisbon' }, true],
  ['its key', { key: 'great-hall' }, false],
])('passes in wallets are updated when their venue changes: %s', async (_, changes, isShown) => {
  const venue = await openVenue()
  const pass = await addPass(venue, 'winter-ball')
  const { body } = await venue.office.get(BALL)
  const reply = await venue.office.patch(`/admin/venues/${body.venue_id}`, { venue: changes })
  expect(reply.status, reply.text).toBe(200)
  expect(await passesToUpdate(venue)).toEqual(isShown ? [pass] : [])
})
