import { expect, test } from 'vitest'
import { atShop } from '../../../test/kit/venue/shop.ts'
import { openVenue } from '../../../test/kit/venue/venue.ts'

const gala = { title: 'Frühlingsgala', starts_at: '2030-04-15T20:00:00+02:00' }

/** Everything that can come along with an event. */
const whole = {
  ...gala,
  slug: 'gala',
  description: '<p>Nine people and a <strong>bass</strong>.</p>',
  doors_open_at: '2030-04-15T17:00:00Z',
  ends_at: '2030-04-15T22:00:00Z',
  show_end_time: true,
  minimum_age: '18',
  capacity: 500,
  tickets: [
    { title: 'General admission', price: '25.00', stock: 300, features: ['Cloakroom'] },
    { key: 'floor', title: 'Floor', price: 20, inventory_kind: 'standing' },
    { key: 'seat', title: 'Seat', price: '45.00', inventory_kind: 'places' },
    { key: 'crew', title: 'Crew', hidden: true, access_codes: ['Backstage'] },
  ],
  standing_areas: [{ name: 'In front', capacity: 100, tickets: ['floor'] }],
  places: [
    { key: 'A-1', label: 'Row A, seat 1', ticket: 'seat' },
    { key: 'W-1', label: 'Wheelchair 1', ticket: 'seat', accessibility: 'wheelchair', pair: 'W-2' },
    { key: 'W-2', label: 'Companion 1', ticket: 'seat', accessibility: 'companion', pair: 'W-1' },
  ],
  questions: [{ label: 'Drink?', type: 'select', scope: 'order', options: ['Tea', 'Beer'] }],
  performers: [{ name: 'Low Tides', links: { website: 'https://lowtides.example' } }],
  faq_items: [{ question: 'Cloakroom?', answer: 'On the left.' }],
}

test('an event needs a title and a start, and is unpublished', async () => {
  const { office, reader } = await openVenue()
  const made = await office.post('/admin/events', { event: gala })
  expect(made.status).toBe(201)
  expect(made.headers.get('location')).toBe('http://localhost:3000/admin/events/fruehlingsgala')
  expect(made.body).toMatchObject({
    slug: 'fruehlingsgala',
    title: 'Frühlingsgala',
    starts_at: '2030-04-15T18:00:00.000Z',
    ends_at: '2030-04-15T23:00:00.000Z',
    public_ends_at: null,
    published: false,
    listed: true,
    cancelled: false,
    venue: null,
    venue_id: null,
    performers: [],
    lock_version: 0,
  })
  expect((await reader.get('/admin/events/fruehlingsgala')).body).toEqual(made.body)
})

test('an event comes with all it needs, and is on sale once it is published', async () => {
  const venue = await openVenue()
  const { office } = venue
  const { body: hall } = await office.post('/admin/venues', { venue: { name: 'Boden', city: 'Hamburg' } })
  const made = await office.post('/admin/events', { event: { ...whole, venue_id: hall.id } })
  expect(made.status, made.text).toBe(201)
  expect(made.body).toMatchObject({ venue: { name: 'Boden', city: 'Hamburg' }, minimum_age: 18, capacity: 500 })
  expect(made.body.performers).toMatchObject([{ name: 'Low Tides', role: 'headliner' }])

  const shop = atShop(venue)
  expect((await shop.get('/events/gala')).status).toBe(404)
  const published = await office.post('/admin/events/gala/publication')
  expect(published.body).toMatchObject({ published: true, lock_version: 1 })
  const shown = await shop.get('/events/gala')
  expect(shown.status).toBe(200)
  expect(shown.body).toMatchObject({ title: 'Frühlingsgala', faq_items: [{ question: 'Cloakroom?' }] })

  const { body: options } = await office.get('/admin/events/gala/ticket_options')
  expect(JSON.stringify(options)).toContain('General admission')
})

test('publishing, cancelling and archiving again change nothing, and each can be taken back', async () => {
  const { office } = await openVenue()
  await office.post('/admin/events', { event: { ...gala, slug: 'gala' } })
  for (const [noun, key] of [
    ['publication', 'published'],
    ['cancellation', 'cancelled'],
    ['archival', 'archived'],
  ]) {
    const once = await office.post(`/admin/events/gala/${noun}`)
    expect(once.body[key!]).toBe(true)
    expect((await office.post(`/admin/events/gala/${noun}`)).body).toEqual(once.body)
    const back = await office.delete(`/admin/events/gala/${noun}`)
    expect(back.body[key!]).toBe(false)
    expect((await office.delete(`/admin/events/gala/${noun}`)).body).toEqual(back.body)
  }
})

test('a change takes the keys that are sent, and lists as a whole', async () => {
  const { office } = await openVenue()
  const { body: made } = await office.post('/admin/events', { event: whole })
  const changed = await office.patch('/admin/events/gala', {
    event: { title: 'Gala', minimum_age: null, performers: [{ name: 'Die Flut' }], listed: 'false' },
  })
  expect(changed.status, changed.text).toBe(200)
  expect(changed.body).toMatchObject({ title: 'Gala', minimum_age: null, listed: false, lock_version: 1 })
  expect(changed.body.performers).toMatchObject([{ name: 'Die Flut' }])
  expect(changed.body.faq_items).toEqual(made.faq_items)
  expect(changed.body.description).toBe(made.description)

  const again = await office.patch('/admin/events/gala', {
    event: { title: 'Gala', performers: changed.body.performers, faq_items: changed.body.faq_items },
  })
  expect(again.body).toEqual(changed.body)
})

test('of two editors the second is told that something else stands now', async () => {
  const { office } = await openVenue()
  await office.post('/admin/events', { event: { ...gala, slug: 'gala' } })
  await office.patch('/admin/events/gala', { event: { title: 'Mine', lock_version: 0 } })
  const stale = await office.patch('/admin/events/gala', { event: { title: '', lock_version: 0 } })
  expect(stale.status).toBe(409)
  expect(stale.body.errors.base).toEqual(['This event was changed by someone else; reload and try again'])
  expect((await office.get('/admin/events/gala')).body.title).toBe('Mine')
})

const nested = (list: keyof typeof whole, n: number, changes: object) => ({
  ...whole,
  [list]: (whole[list] as object[]).map((each, m) => (m === n ? { ...each, ...changes } : each)),
})

test.each<[string, object, Record<string, string[]>]>([
  ['no title', { starts_at: gala.starts_at }, { title: ["can't be blank"] }],
  ['a start that is none', { title: 'x', starts_at: 'tomorrow' }, { starts_at: ['is invalid'] }],
  ['an end before its start', { ...gala, ends_at: gala.starts_at }, { ends_at: ['must be after starts_at'] }],
  ['a slug with a slash', { ...gala, slug: 'a/b' }, { slug: ['is invalid'] }],
  ['a slug that another event has', { ...gala, slug: 'winter-ball' }, { slug: ['has already been taken'] }],
  ['a state that has an address of its own', { ...gala, published: true }, { published: ['must be blank'] }],
  ['a venue that is none', { ...gala, venue_id: 987654 }, { venue_id: ['must exist'] }],
  ['a bomb of HTML', { ...gala, description: '<b>'.repeat(200) }, { description: ['has too much markup'] }],
  ['a script for a video', { ...gala, video_url: 'javascript:alert(1)' }, { video_url: ['is invalid'] }],
  ['three decimals', nested('tickets', 0, { price: '25.001' }), { 'tickets[0].price': ['has too many decimals'] }],
  [
    'a negative stock',
    nested('tickets', 0, { stock: -1 }),
    { 'tickets[0].stock': ['must be greater than or equal to 0'] },
  ],
  ['a colour that is none', nested('tickets', 1, { color: 'red' }), { 'tickets[1].color': ['is invalid'] }],
  [
    'a group without a size',
    nested('tickets', 0, { kind: 'GroupTicket' }),
    { 'tickets[0].group_size': ["can't be blank"] },
  ],
  ['a key given twice', nested('tickets', 2, { key: 'floor' }), { 'tickets[2].key': ['has already been taken'] }],
  [
    'an area of another kind of ticket',
    nested('standing_areas', 0, { tickets: ['seat'] }),
    { 'standing_areas[0].tickets[0]': ['must be of inventory_kind standing'] },
  ],
  ['a place of no ticket', nested('places', 0, { ticket: 'box' }), { 'places[0].ticket': ['must exist'] }],
  ['half a pair', nested('places', 2, { pair: null }), { 'places[1].pair': ['must be the pair of W-1 too'] }],
  [
    'a label given twice',
    nested('places', 1, { label: 'Row A, seat 1' }),
    { 'places[1].label': ['has already been taken'] },
  ],
  [
    '5,001 places',
    { ...whole, places: Array.from({ length: 5_001 }, (_, n) => ({ label: `${n}`, ticket: 'seat' })) },
    { places: ['is too long (maximum is 5000 entries)'] },
  ],
])('%s is refused by field, and nothing is there', async (_, event, errors) => {
  const { office } = await openVenue()
  const before = (await office.get('/admin/events')).text
  const refused = await office.post('/admin/events', { event })
  expect(refused.status, refused.text).toBe(422)
  expect(refused.body.errors).toEqual(errors)
  expect((await office.get('/admin/events')).text).toBe(before)
})

test('five thousand places are made at once', async () => {
  const { office } = await openVenue()
  const places = Array.from({ length: 5_000 }, (_, n) => ({
    label: `Row ${Math.floor(n / 50)}, seat ${n % 50}`,
    ticket: 'seat',
  }))
  const started = performance.now()
  const made = await office.post('/admin/events', { event: { ...whole, places } })
  expect(made.status, made.text).toBe(201)
  expect(performance.now() - started).toBeLessThan(5_000)
})

test('a venue of another account is no venue', async () => {
  const { office } = await openVenue()
  const { office: others } = await openVenue()
  const { body: theirs } = await others.post('/admin/venues', { venue: { name: 'Theirs' } })
  const refused = await office.post('/admin/events', { event: { ...gala, venue_id: theirs.id } })
  expect(refused.body.errors).toEqual({ venue_id: ['must exist'] })
})

test.each([
  ['Ночь музыки', 'noch-muzyki'],
  ['音楽の夜', /^[a-z0-9]+(-[a-z0-9]+)*$/],
  ['ليلة', /^[a-z0-9]+(-[a-z0-9]+)*$/],
  ['!!!', 'event'],
  ['None', 'none-2'],
  ['Ça va? – L’été', 'ca-va-lete'],
  ['x'.repeat(255), 'x'.repeat(200)],
])('a title like %s makes a slug', async (title, slug) => {
  const { office } = await openVenue()
  const made = await office.post('/admin/events', { event: { ...gala, title } })
  expect(made.body.slug).toEqual(slug instanceof RegExp ? expect.stringMatching(slug) : slug)
  const second = await office.post('/admin/events', { event: { ...gala, title } })
  expect(second.status, second.text).toBe(201)
  expect(second.body.slug).not.toBe(made.body.slug)
})

test('an old address leads to the new one for ever, and to no other event', async () => {
  const venue = await openVenue()
  const { office } = venue
  await office.post('/admin/events', { event: { ...gala, slug: 'gala' } })
  await office.post('/admin/events/gala/publication')
  const moved = await office.patch('/admin/events/gala', { event: { slug: 'great-gala' } })
  expect(moved.body.slug).toBe('great-gala')
  expect((await office.get('/admin/events/gala')).status).toBe(404)

  const shop = atShop(venue)
  const old = await shop.get('/events/gala?code=x')
  expect(old.status).toBe(301)
  const address = `${venue.report.account.shop_url}/events/great-gala`
  expect(old.headers.get('location')).toBe(`${address}?code=x`)
  // However the address was written, it never leads back to itself.
  for (const [asked, rest] of [
    ['/events/%67ala?code=x', '?code=x'],
    ['/events/gal%61.ics', '.ics'],
  ] as const)
    expect((await shop.get(asked)).headers.get('location')).toBe(address + rest)

  const taken = await office.post('/admin/events', { event: { ...gala, slug: 'gala' } })
  expect(taken.body.errors).toEqual({ slug: ['has already been taken'] })
  const made = await office.post('/admin/events', { event: { ...gala, title: 'Gala' } })
  expect(made.body.slug).toBe('gala-2')

  expect((await office.patch('/admin/events/great-gala', { event: { slug: 'gala' } })).status).toBe(200)
  expect((await shop.get('/events/gala')).status).toBe(200)
  expect((await shop.get('/events/great-gala')).status).toBe(301)
})

test('capacity never falls below what is claimed, and what has ended claims nothing', async () => {
  const { office, report } = await openVenue((file) => {
    file['events'][0].holds = [{ ticket: 'ga', quantity: 7, expires_at: '-PT1M' }]
  })
  const tickets = report.events['winter-ball']!.tickets
  const party = await office.post('/admin/events/winter-ball/guest_parties', {
    guest_party: { customer_name: 'Rita', party_size: 3, ticket_id: tickets['ga'], deliver: false },
  })
  expect(party.status, party.text).toBe(201)
  const refused = await office.patch('/admin/events/winter-ball', { event: { capacity: 2 } })
  expect(refused.status).toBe(422)
  expect(refused.body.errors.capacity).toEqual(['must be greater than or equal to 3'])
  const fitted = await office.patch('/admin/events/winter-ball', { event: { capacity: 3 } })
  expect(fitted.body.capacity, fitted.text).toBe(3)
})
