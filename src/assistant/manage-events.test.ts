import { expect, test } from 'vitest'
import { everythingOf, openTool } from '../../test/kit/venue/assistant.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { atShop } from '../../test/kit/venue/shop.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'

const as = async (venue: Venue, token = 'office write') => {
  const { does: events, ...rest } = await openTool(venue, token, 'manage_events')
  return { events, ...rest }
}

const gala = { title: 'Spring Gala', starts_at: '2030-04-15T20:00:00+02:00' }
const event_title = 'spring gala'
const confirmed = true

test('an assistant opens a night, publishes it once that is confirmed, and copies it for next year', async () => {
  const venue = await openVenue()
  const { events } = await as(venue)
  await venue.office.post('/admin/venues', { venue: { name: 'Kleiner Saal', city: 'Hamburg' } })
  const before = await everythingOf(venue)
  const wanted = {
    ...gala,
    venue_name: 'kleiner saal',
    doors_open_at: '2030-04-15T19:00:00+02:00',
    capacity: 300,
    details: JSON.stringify({
      minimum_age: 18,
      tickets: [{ key: 'seat', title: 'Seat', price: '45.00', inventory_kind: 'places' }],
      places: [{ label: 'A 1', ticket: 'seat' }],
      questions: [{ label: 'Drink?', type: 'text', scope: 'order' }],
    }),
  }
  expect(await events('create', { ...wanted, dry_run: true })).toMatchObject({
    dry_run: true,
    would: expect.any(String),
  })
  expect(await everythingOf(venue)).toEqual(before)
  expect(await events('create', wanted)).toMatchObject({
    slug: 'spring-gala',
    published: false,
    minimum_age: 18,
    venue: { name: 'Kleiner Saal' },
  })
  expect(await events('update', { event_title, title: 'Spring Gala', capacity: 250, doors_open_at: '' })).toMatchObject(
    {
      capacity: 250,
      doors_open_at: null,
    },
  )

  expect(await events('publish', { event_title })).toMatchObject({ dry_run: true })
  expect((await atShop(venue).get('/events/spring-gala')).status).toBe(404)
  expect(await events('publish', { event_title, confirmed })).toMatchObject({ published: true })
  expect((await atShop(venue).get('/events/spring-gala')).status).toBe(200)

  const copy = { event_title, title: 'Spring Gala 2031', starts_at: '2031-04-14T20:00:00+02:00' }
  expect(await events('copy', copy)).toMatchObject({ slug: 'spring-gala-2031', published: false, minimum_age: 18 })
  expect(await events('unpublish', { event_title: 'spring-gala' })).toMatchObject({ published: false })
  expect(await events('archive', { event_title: 'spring-gala' })).toMatchObject({ archived: true })
  expect(await events('restore', { event_title: 'spring-gala' })).toMatchObject({ archived: false })
})

test('nobody is mailed before a cancellation is confirmed', async () => {
  const venue = await openVenue()
  const { events } = await as(venue)
  const ball = venue.report.events['winter-ball'] as { tickets: Record<string, number> }
  const address = `ada.${Math.random().toString(36).slice(2)}@guest.example`
  await venue.office.post('/admin/events/winter-ball/guest_parties', {
    guest_party: { customer_name: 'Ada', ticket_id: ball.tickets['ga'], delivery_email: address, deliver: false },
  })
  await venue.workOffJobs()
  const told = async () => {
    await venue.workOffJobs()
    return (await mailsTo(venue, address)).length
  }
  const [cancel, before] = [{ event_title: 'winter-ball', notify: true }, await told()]
  expect(await events('cancel', cancel)).toMatchObject({ dry_run: true })
  expect([await told(), (await venue.office.get('/admin/events/winter-ball')).body.cancelled]).toEqual([before, false])
  expect(await events('cancel', { ...cancel, confirmed })).toMatchObject({ cancelled: true })
  expect(await told()).toBe(before + 1)
  expect(await events('uncancel', { event_title: 'winter-ball' })).toMatchObject({ cancelled: false })
})

test('what the endpoints refuse is refused in the words of the parameters, and nothing changes', async () => {
  const venue = await openVenue()
  const { events, fails } = await as(venue)
  await events('create', gala)
  const before = await everythingOf(venue)
  expect(await fails('create', { ...gala, venue_name: 'Nowhere' })).toMatchObject({
    errors: { venue_name: [expect.any(String)] },
  })
  expect(await fails('create', { title: 'x', starts_at: 'soon' })).toMatchObject({
    errors: { starts_at: ['is invalid'] },
  })
  expect(await fails('update', { event_title, ends_at: '2029-01-01T00:00:00Z' })).toMatchObject({
    errors: { ends_at: ['must be after starts_at'] },
  })
  expect(await fails('update', { event_title, title: 'x', lock_version: 7 })).toMatchObject({ status: 409 })
  expect(await everythingOf(venue)).toEqual(before)
})

test('co-organizers and read tokens look at events and no more', async () => {
  const venue = await openVenue()
  for (const token of ['cem write', 'office read']) {
    const { actions, fails } = await as(venue, token)
    expect(await actions()).toEqual(['list', 'show'])
    expect(await fails('create', gala)).toMatchObject({ status: token === 'cem write' ? 403 : 401 })
  }
})
