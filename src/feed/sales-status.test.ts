import { beforeAll, expect, test } from 'vitest'
import { atShop, eventOf, openShop } from '../../test/kit/venue/shop.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'

interface Told {
  slug: string
  of: Record<string, unknown>
  /** What the feed says. */
  status: string
  soldOut: boolean
  price: string | null
  /** What people read on the event's page, and what they must not. */
  page: string
  tags: string[]
  /** What the programme says; null where the event is not on it. */
  listed: string | null
  availability: string[]
  eventStatus: string
  calendar: string
}

const SEAT = { key: 'seat', title: 'Seat', price: '12.00' }
const HIDDEN = { key: 'hidden', title: 'Hidden', hidden: true, access_codes: ['sesame'] }
const GONE = { key: 'gone', title: 'Gone', price: '9.00', stock: 0 }

const scheduled = { eventStatus: 'EventScheduled', calendar: 'CONFIRMED' }

const STATES: Told[] = [
  {
    slug: 'no-tickets',
    of: { tickets: [] },
    status: 'no_tickets',
    soldOut: true,
    price: null,
    page: 'No tickets are announced.',
    tags: [],
    listed: 'No tickets are announced.',
    availability: [],
    ...scheduled,
  },
  {
    slug: 'hidden-tickets',
    of: { tickets: [HIDDEN] },
    status: 'no_tickets',
    soldOut: true,
    price: null,
    page: 'No tickets are announced.',
    tags: [],
    listed: 'No tickets are announced.',
    availability: [],
    ...scheduled,
  },
  {
    slug: 'before-sales',
    of: { tickets: [SEAT, GONE], sales_starts_at: '2030-06-01T08:00:00Z' },
    status: 'not_started',
    soldOut: false,
    price: '12.00',
    page: 'On sale from Saturday, 1 June 2030, 10:00.',
    tags: ['Not on sale yet', 'Sold out'],
    listed: 'On sale from Saturday, 1 June 2030, 10:00.',
    availability: ['PreOrder', 'SoldOut'],
    ...scheduled,
  },
  {
    slug: 'after-sales',
    of: { tickets: [SEAT, GONE], sales_ends_at: '-PT1H' },
    status: 'ended',
    soldOut: false,
    price: '12.00',
    page: 'Sales have ended.',
    tags: ['Sales ended', 'Sold out'],
    listed: 'Sales have ended.',
    availability: ['Discontinued', 'SoldOut'],
    ...scheduled,
  },
  {
    slug: 'sold-out',
    of: { tickets: [GONE], sales_starts_at: '2030-06-01T08:00:00Z' },
    status: 'sold_out',
    soldOut: true,
    price: null,
    page: 'Sold out.',
    tags: ['Sold out'],
    listed: 'Sold out',
    availability: ['SoldOut'],
    ...scheduled,
  },
  {
    slug: 'on-sale',
    of: { tickets: [SEAT, { ...SEAT, key: 'few', title: 'Few', stock: 3 }], sales_starts_at: '-P1D' },
    status: 'on_sale',
    soldOut: false,
    price: '12.00',
    page: '€12.00',
    tags: ['Available', 'Few left'],
    listed: 'from €12.00',
    availability: ['InStock', 'LimitedAvailability'],
    ...scheduled,
  },
  {
    slug: 'called-off',
    of: { tickets: [SEAT], cancelled: true },
    status: 'cancelled',
    soldOut: true,
    price: null,
    page: 'This event is cancelled.',
    tags: ['Cancelled'],
    listed: null,
    availability: ['Discontinued'],
    eventStatus: 'EventCancelled',
    calendar: 'CANCELLED',
  },
  {
    slug: 'over',
    of: { tickets: [SEAT], starts_at: '-P2D' },
    status: 'ended',
    soldOut: false,
    price: '12.00',
    page: 'This event is over.',
    tags: ['Sales ended'],
    listed: null,
    availability: ['Discontinued'],
    ...scheduled,
  },
]

let venue: Venue

beforeAll(async () => {
  venue = await openVenue((file) => {
    for (const { slug, of } of STATES) {
      file['events'].push({ slug, title: slug, starts_at: '2030-07-01T18:00:00Z', venue: 'halle', ...of })
    }
  })
})

const HTML = { headers: { accept: 'text/html' } }

const readPage = async (path: string) => (await atShop(venue).get(path, HTML)).text

const structured = (page: string) =>
  JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!) as Record<string, unknown> & {
    offers?: { availability: string }[]
  }

const tagsOf = (markup: string) => Array.from(markup.matchAll(/<span class="tag[^"]*">([^<]+)</g), ([, tag]) => tag)

test.each(STATES)('the feed, the page, JSON-LD, the calendar and previews agree about $slug', async (told) => {
  const { body } = await atShop(venue).get(`/events/${told.slug}`)
  expect(body).toMatchObject({
    sales_status: told.status,
    sold_out: told.soldOut,
    cheapest_available_price: told.price === null ? null : { amount: told.price },
    cancelled_at: told.status === 'cancelled' ? expect.stringMatching(/Z$/) : null,
  })

  const page = await readPage(`/events/${told.slug}`)
  const shown = page.slice(page.indexOf('<main'))
  expect(shown).toContain(told.page)
  expect(tagsOf(shown)).toEqual(told.tags)

  const data = structured(page)
  expect(data['eventStatus']).toBe(`https://schema.org/${told.eventStatus}`)
  expect((data.offers ?? []).map(({ availability }) => availability.replace('https://schema.org/', ''))).toEqual(
    told.availability,
  )

  const preview = /<meta property="og:description" content="([^"]*)"/.exec(page)![1]
  const isTold = !['on_sale', 'ended'].includes(told.status) || told.slug === 'after-sales'
  if (isTold) expect(preview).toContain(told.page)
  expect(/<meta property="og:title" content="([^"]*)"/.exec(page)![1]).toBe(
    told.status === 'cancelled' ? `Cancelled: ${told.slug}` : told.slug,
  )

  expect((await atShop(venue).get(`/events/${told.slug}.ics`)).text).toContain(`STATUS:${told.calendar}\r\n`)
})

test.each(STATES)('the programme says the same about $slug as its own page', async ({ slug, listed, status }) => {
  const { body } = await atShop(venue).get('/events')
  const found = body.events.find((event: { slug: string }) => event.slug === slug)
  expect(found?.sales_status ?? null).toBe(listed === null ? null : status)

  const page = await readPage('/events')
  const entry = page.split('<article').find((each) => each.includes(`href="/events/${slug}"`))
  if (listed === null) expect(entry).toBeUndefined()
  else expect(entry).toContain(listed)
  if (status !== 'sold_out' && entry) expect(entry).not.toContain('Sold out')
})

test('a code that opens a hidden ticket changes what is said about sales, for whoever brings it', async () => {
  const { body } = await atShop(venue).get('/events/hidden-tickets?code=sesame')
  expect(body).toMatchObject({ sales_status: 'on_sale', sold_out: false })
  expect(await readPage('/events/hidden-tickets?code=sesame')).not.toContain('No tickets are announced.')
})

test('JSON-LD tells times by the venue’s own clock, and texts without markup', async () => {
  const other = await openVenue((file) => {
    file['venues'][0].time_zone = 'America/New_York'
    Object.assign(eventOf(file), {
      description: '<p>Dance &amp; dine<br>until <strong>morning</strong>.</p>',
      starts_at: '2030-12-14T19:00:00Z',
      doors_open_at: '2030-12-14T18:00:00Z',
      ends_at: '2030-12-15T03:30:00Z',
      show_end_time: true,
      sales_starts_at: '2030-07-01T10:00:00Z',
    })
  })
  const page = (await atShop(other).get('/events/winter-ball', HTML)).text
  const data = structured(page)
  expect(data).toMatchObject({
    startDate: '2030-12-14T14:00:00-05:00',
    doorTime: '2030-12-14T13:00:00-05:00',
    endDate: '2030-12-14T22:30:00-05:00',
    description: expect.stringMatching(/^Dance & dine\s+until morning\.$/),
  })
  // Summer time before, winter time after; without an end of its own, the sale ends with the event.
  expect(data.offers![0]).toMatchObject({
    validFrom: '2030-07-01T06:00:00-04:00',
    validThrough: '2030-12-14T22:30:00-05:00',
  })
})

test('15 are few and 16 are not; what has no end is never few', async () => {
  const { shop } = await openShop((file) => {
    file['events'].push(
      {
        slug: 'few',
        title: 'Few',
        starts_at: '+P1D',
        tickets: [
          { key: 'a', title: 'fifteen', stock: 15, price: '9.00' },
          { key: 'b', title: 'sixteen', stock: 16, price: '8.00' },
          { key: 'c', title: 'none', stock: 0, price: '1.00' },
          { key: 'd', title: 'endless', price: '0.00' },
        ],
      },
      { slug: 'small', title: 'Small', starts_at: '+P1D', capacity: 15, tickets: [{ key: 'a', title: 'endless' }] },
    )
  })
  const { body } = await shop.get('/events/few')
  expect(
    body.tickets.map((each: Record<string, unknown>) => [
      each['title'],
      each['available'],
      each['sold_out'],
      each['low_stock'],
    ]),
  ).toEqual([
    ['fifteen', true, false, true],
    ['sixteen', true, false, false],
    ['none', false, true, true],
    ['endless', true, false, false],
  ])
  expect(body.cheapest_available_price).toEqual({ amount: '0.00', currency: 'EUR' })
  expect((await shop.get('/events/small')).body.tickets[0].low_stock).toBe(true)
})

test('the moment sales begin or end changes every representation, and none is kept beyond it', async () => {
  const moving = await openVenue((file) => {
    Object.assign(eventOf(file), { sales_starts_at: '+PT1H', sales_ends_at: '+PT2H' })
  })
  const shop = atShop(moving)
  const told = async () => {
    const { body, headers } = await shop.get('/events/winter-ball')
    const { text } = await shop.get('/events/winter-ball', HTML)
    return { status: body.sales_status as string, page: tagsOf(text)[0], etag: headers.get('etag') }
  }
  const before = await told()
  await moving.moveClock('61 minutes')
  const during = await told()
  await moving.moveClock('121 minutes')
  const after = await told()
  expect([before, during, after]).toMatchObject([
    { status: 'not_started', page: 'Not on sale yet' },
    { status: 'on_sale', page: 'Available' },
    { status: 'ended', page: 'Sales ended' },
  ])
  expect(new Set([before.etag, during.etag, after.etag]).size).toBe(3)
})
