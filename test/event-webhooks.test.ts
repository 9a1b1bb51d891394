import { expect, test } from 'vitest'
import { openVenueIn } from './kit/venue/venue-in.ts'
import { openVenueWithListener } from './kit/network/webhook-listener.ts'

const { listener, running } = await openVenueWithListener()

const BALL = '/admin/events/winter-ball'
const gala = { title: 'Gala', slug: 'gala', starts_at: '2030-04-15T18:00:00Z', capacity: 400 }

/** Neue Halle with a webhook of Foyer and one of Cem, who is assigned to the Winter Ball only. */
const open = async () => {
  const { report, client } = await openVenueIn(running)
  const [office, partner] = [client('office write'), client('cem write')]
  for (const [who, at] of [
    [office, '/house'],
    [partner, '/cem'],
  ] as const) {
    const endpoint = { webhook_endpoint: { url: listener.address + at } }
    expect((await who.post('/admin/webhook_endpoints', endpoint)).status).toBe(201)
  }
  const hears = async (at = '/house') => {
    await running.workOffJobs()
    const bodies = listener.bodies(at).toSorted((a, b) => a.timestamp.localeCompare(b.timestamp))
    listener.heard = listener.heard.filter((each) => each.path !== at)
    return bodies
  }
  return { report, office, partner, hears }
}

test('an event is told of when it is created, published, changed and cancelled', async () => {
  const { office, hears } = await open()
  const { body: made } = await office.post('/admin/events', {
    event: { ...gala, tickets: [{ title: 'Crew', hidden: true, access_codes: ['backstage'] }] },
  })
  const [created, ...more] = await hears()
  expect(more).toEqual([])
  const {
    created_at: _,
    updated_at: __,
    ...shown
  } = (await office.get('/admin/events')).body.events.find(({ slug }: { slug: string }) => slug === 'gala')
  expect(created).toEqual({ type: 'event.created', timestamp: made.created_at, data: { event: shown, changed: [] } })

  await office.post('/admin/events/gala/publication')
  await office.patch('/admin/events/gala', { event: { title: 'Great Gala', performers: [{ name: 'Low Tides' }] } })
  await office.post('/admin/events/gala/cancellation', {})
  expect(await hears()).toMatchObject([
    { type: 'event.published', data: { event: { slug: 'gala', published: true }, changed: ['published'] } },
    { type: 'event.updated', data: { event: { title: 'Great Gala' }, changed: ['title', 'performers'] } },
    { type: 'event.cancelled', data: { event: { cancelled_at: expect.any(String) }, changed: ['cancelled'] } },
  ])

  for (const noun of ['cancellation', 'publication']) await office.delete(`/admin/events/gala/${noun}`)
  await office.post('/admin/events/gala/archival')
  await office.delete('/admin/events/gala/archival')
  const told = await hears()
  expect(told.map(({ type, data }) => [type, data.changed])).toEqual([
    ['event.updated', ['cancelled']],
    ['event.updated', ['published']],
    ['event.updated', ['archived']],
    ['event.updated', ['archived']],
  ])
  expect(told.at(-1).data.event).toMatchObject({ published: false, cancelled_at: null, archived_at: null })
})

test('doing it again is told to nobody, and neither is what was refused or changes nothing', async () => {
  const { office, hears } = await open()
  await office.patch(BALL, { event: { title: 'Ball' } })
  for (const noun of ['publication', 'cancellation', 'archival']) await office.post(`${BALL}/${noun}`)
  await hears()
  for (const noun of ['publication', 'cancellation', 'archival']) await office.post(`${BALL}/${noun}`)
  await office.patch(BALL, { event: { title: 'Ball' } })
  await office.patch(BALL, { event: { title: '' } })
  await office.post('/admin/events', { event: { ...gala, slug: 'winter-ball' } })
  expect(await hears()).toEqual([])
})

test('a copy is told of as a new event, and once when it is sent twice with one key', async () => {
  const { office, hears } = await open()
  const copy = () =>
    office.post(
      `${BALL}/copy`,
      { event: { title: 'Next Ball', starts_at: '2030-12-01T19:00:00Z' } },
      { headers: { 'idempotency-key': 'once' } },
    )
  expect([(await copy()).status, (await copy()).status]).toEqual([201, 201])
  expect(await hears()).toMatchObject([
    { type: 'event.created', data: { event: { slug: 'next-ball', published: false }, changed: [] } },
  ])
})

test('a co-organizer hears of their own event the same, and of no other', async () => {
  const { office, hears } = await open()
  await office.post('/admin/events', { event: gala })
  await office.patch(BALL, { event: { capacity: 900 } })
  const [, changed] = await hears()
  expect(await hears('/cem')).toEqual([changed])
})
