import { expect, test } from 'vitest'
import { addTicket } from '../../test/kit/venue/orders.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

test('an event that gets another slug is still found at the door by the old one, and nowhere else', async () => {
  const venue = await openVenue()
  const { door, office } = venue
  const first = await addTicket(venue, 'winter-ball', { customerName: 'Quirin Xaver' })
  const second = await addTicket(venue, 'winter-ball')
  const spring = await addTicket(venue, 'spring-night')
  const { body: before } = await door.get('/scanner/events/winter-ball/snapshot?with=parties')
  expect((await office.patch('/admin/events/winter-ball', { event: { slug: 'frost-ball' } })).status).toBe(200)

  const slugs = []
  for (const query of ['', '?with=parties', `?since=${encodeURIComponent(before.generated_at)}`]) {
    const { status, body } = await door.get(`/scanner/events/winter-ball/snapshot${query}`)
    slugs.push([status, body.event.slug])
  }
  expect(slugs).toEqual(Array.from({ length: 3 }, () => [200, 'frost-ball']))
  const found = [
    `/scanner/search?event_slug=winter-ball&q=${first.publicId}`,
    '/scanner/search?event_slug=winter-ball&q=quirin',
    '/scanner/tickets?event_slug=winter-ball&query=quirin',
    '/scanner/events/winter-ball/tickets?query=quirin',
  ]
  for (const path of found) {
    const { body } = await door.get(path)
    expect(body.tickets).toMatchObject([{ public_id: first.publicId, event_slug: 'frost-ball' }])
  }
  const { body: elsewhere } = await door.get(`/scanner/search?event_slug=winter-ball&q=${spring.publicId}`)
  expect(elsewhere).toMatchObject({ event: { slug: 'frost-ball' }, tickets: [] })
  expect((await door.get('/scanner/events/winter-ball/stats')).status).toBe(200)

  const online = await door.post(`/scanner/events/winter-ball/tickets/${first.publicId}/redemption`)
  expect(online).toMatchObject({ status: 200, body: { event_slug: 'frost-ball', redeemed: true } })
  const attempts = [first, second, spring].map(({ publicId }, n) => ({
    client_id: `scan-${n}`,
    event_slug: 'winter-ball',
    public_id: publicId,
  }))
  const { body: synced } = await door.post('/scanner/redemption_attempts', { attempts })
  expect(synced.redemption_attempts).toMatchObject([
    { result: 'conflict', ticket: { event_slug: 'frost-ball' } },
    { result: 'accepted', ticket: { event_slug: 'frost-ball' } },
    { result: 'not_found', ticket: null },
  ])

  for (const path of ['', '/night', '/parties']) {
    expect((await office.get(`/admin/events/winter-ball${path}`)).status).toBe(404)
  }
  expect((await office.get('/admin/events/frost-ball')).status).toBe(200)
})

test('an old slug opens nothing of another account', async () => {
  const venue = await openVenue()
  const other = await openVenue()
  await other.office.patch('/admin/events/winter-ball', { event: { slug: 'their-ball' } })
  await other.office.patch('/admin/events/their-ball', { event: { slug: 'frost-ball' } })
  expect((await other.door.get('/scanner/events/their-ball/snapshot')).status).toBe(200)
  expect((await venue.door.get('/scanner/events/their-ball/snapshot')).status).toBe(404)
})
