import { expect, test } from 'vitest'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { calendarOf } from './calendar.ts'

const openShop = async (change?: Parameters<typeof openVenue>[0]) => {
  const venue = await openVenue(change)
  const url = venue.report.account.shop_url
  const get = (path: string, headers: Record<string, string> = {}) =>
    venue.stranger.get(path, { headers: { host: new URL(url).host, ...headers } })
  return { get, url }
}

test('the entrance of a shop leads to its programme', async () => {
  const { get } = await openShop()
  const reply = await get('/')
  expect([reply.status, reply.headers.get('location')]).toEqual([302, '/events'])
})

test('an event comes as an entry for a calendar', async () => {
  const { get, url } = await openShop((file) => {
    Object.assign(file['events'][0], {
      title: 'Winter Ball; with, commas',
      starts_at: '2030-12-14T19:00:00Z',
      doors_open_at: null,
    })
  })
  const reply = await get('/events/winter-ball.ics')
  expect(reply.status).toBe(200)
  expect(reply.headers.get('content-type')).toBe('text/calendar; charset=utf-8')
  expect(reply.headers.get('content-disposition')).toBe('attachment; filename="winter-ball.ics"')
  const lines = reply.text.replaceAll('\r\n ', '').split('\r\n')
  expect(lines).toEqual(
    expect.arrayContaining([
      'BEGIN:VCALENDAR',
      'DTSTART:20301214T190000Z',
      'SUMMARY:Winter Ball\\; with\\, commas',
      'DESCRIPTION:Dance until morning.',
      'LOCATION:Neue Halle\\, Hafenstrasse 7\\, 20359 Hamburg\\, DE',
      'GEO:53.5461;9.9661',
      `URL:${url}/events/winter-ball`,
      'STATUS:CONFIRMED',
      'END:VCALENDAR',
    ]),
  )
  expect(lines.some((line) => line.startsWith('DTEND'))).toBe(false)
  for (const slug of ['draft-show', 'no-such-event']) expect((await get(`/events/${slug}.ics`)).status).toBe(404)
})

test('lines of a calendar are folded between characters, and no text begins a line of its own', () => {
  const venue = {
    name: '',
    address: '',
    postal_code: null,
    city: '',
    country: '',
    latitude: null,
    longitude: null,
    time_zone: 'UTC',
  }
  const event = {
    slug: 'x',
    title: `${'€'.repeat(60)}\r\nATTENDEE:mailto:x@y.example`,
    description: '',
    url: 'https://a.example/events/x',
    starts_at: '2030-01-01T00:00:00.000Z',
    ends_at: '2030-01-01T05:00:00.000Z',
    show_end_time: true,
    sales_status: 'cancelled',
    venue,
  } as Parameters<typeof calendarOf>[0]
  const text = calendarOf(event, new Date(0))
  for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(text).toContain('DTEND:20300101T050000Z')
  expect(text).toContain('STATUS:CANCELLED')
  expect(text).not.toMatch(/^ATTENDEE/m)
  expect(text.replaceAll('\r\n ', '')).toContain(`SUMMARY:${'€'.repeat(60)}\\nATTENDEE:mailto:x@y.example`)
})

test('search engines find the programme and what is on it, and are kept from guests’ own pages', async () => {
  const { get, url } = await openShop()
  const sitemap = await get('/sitemap.xml')
  expect(sitemap.headers.get('content-type')).toBe('application/xml; charset=utf-8')
  expect([...sitemap.text.matchAll(/<loc>(.*?)<\/loc>/g)].map((match) => match[1])).toEqual([
    `${url}/events`,
    `${url}/events/winter-ball`,
  ])

  const robots = await get('/robots.txt')
  expect(robots.text).toContain(`Sitemap: ${url}/sitemap.xml`)
  expect(robots.text).toContain('Disallow: /guest_list/')

  const html = { accept: 'text/html' }
  expect((await get('/events/winter-ball', html)).text).not.toContain('noindex')
  expect((await get('/events/spring-night', html)).text).toContain('noindex')
  expect((await get('/events/winter-ball?code=backstage', html)).text).toContain('noindex')
})

test('a page lets nothing run and nothing in but its own style and images', async () => {
  const { get, url } = await openShop()
  for (const path of ['/events', '/events/winter-ball', '/events/no-such-event']) {
    const { status, headers } = await get(path, { accept: 'text/html' })
    expect(status, path).toBe(path.endsWith('no-such-event') ? 404 : 200)
    const policy = headers.get('content-security-policy')!
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("base-uri 'none'")
    expect(policy).not.toContain('unsafe')
    expect(policy.includes(url) || path.endsWith('no-such-event')).toBe(true)
  }
})

test('a cancelled event and one that is over say so', async () => {
  const { get } = await openShop((file) => {
    file['events'].push({ slug: 'called-off', title: 'Off', starts_at: '+P3D', cancelled: true })
  })
  const html = { accept: 'text/html' }
  expect((await get('/events/called-off', html)).text).toContain('This event is cancelled.')
  expect((await get('/events/called-off', html)).text).toContain('https://schema.org/EventCancelled')
  expect((await get('/events/last-summer', html)).text).toContain('This event is over.')
})
