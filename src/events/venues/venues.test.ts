import { expect, test } from 'vitest'
import { openVenue } from '../../../test/kit/venue/venue.ts'

test('a venue is added, shown, changed by what is sent, and deleted', async () => {
  const { office, reader } = await openVenue()
  const made = await office.post('/admin/venues', {
    venue: { name: 'Größe Halle', city: ' Hamburg ', latitude: '53.5', longitude: 10 },
  })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    key: 'groesse-halle',
    name: 'Größe Halle',
    address: null,
    city: 'Hamburg',
    latitude: 53.5,
    longitude: 10,
    time_zone: 'Europe/Berlin',
    lock_version: 0,
  })
  expect((await reader.get(`/admin/venues/${made.body.id}`)).body).toEqual(made.body)

  const changed = await office.patch(`/admin/venues/${made.body.id}`, { venue: { address: 'Am Kai 1', city: null } })
  expect(changed.body).toMatchObject({ name: 'Größe Halle', address: 'Am Kai 1', city: null, lock_version: 1 })
  expect((await reader.get('/admin/venues')).body.venues).toContainEqual(changed.body)

  expect((await office.delete(`/admin/venues/${made.body.id}`)).status).toBe(204)
  expect((await reader.get(`/admin/venues/${made.body.id}`)).status).toBe(404)
})

test('a stale version is 409, and half a coordinate is 422, whatever stands already', async () => {
  const { office } = await openVenue()
  const { body: venue } = await office.post('/admin/venues', { venue: { name: 'Hof', latitude: 1, longitude: 1 } })
  await office.patch(`/admin/venues/${venue.id}`, { venue: { name: 'Hinterhof', lock_version: 0 } })

  const stale = await office.patch(`/admin/venues/${venue.id}`, { venue: { name: 'Vorhof', lock_version: 0 } })
  expect(stale.status).toBe(409)
  expect(stale.body.errors.base).toEqual(['This venue was changed by someone else; reload and try again'])

  const half = await office.patch(`/admin/venues/${venue.id}`, { venue: { longitude: null } })
  expect(half.status).toBe(422)
  expect(half.body.errors).toEqual({ longitude: ["can't be blank"] })
})

test.each([
  [{ name: ' ' }, { name: ["can't be blank"] }],
  [{ name: 'x', time_zone: 'Europe/Atlantis' }, { time_zone: ['is not included in the list'] }],
  [{ name: 'x', latitude: 91, longitude: 0 }, { latitude: ['must be less than or equal to 90'] }],
  [{ name: 'x', latitude: 'north' }, { latitude: ['is not a number'] }],
  [{ name: 'x', key: 'halle' }, { key: ['has already been taken'] }],
])('a venue %j is refused by field', async (venue, errors) => {
  const { office } = await openVenue()
  const before = (await office.get('/admin/venues')).text
  const refused = await office.post('/admin/venues', { venue })
  expect(refused.status).toBe(422)
  expect(refused.body.errors).toEqual(errors)
  expect((await office.get('/admin/venues')).text).toBe(before)
})

test('a venue where events take place stays', async () => {
  const { office } = await openVenue()
  const { venues } = (await office.get('/admin/venues')).body
  const used = venues.find(({ key }: { key: string }) => key === 'halle')
  const refused = await office.delete(`/admin/venues/${used.id}`)
  expect(refused.status).toBe(422)
  expect(refused.body.errors.base).toEqual(['Events take place at this venue'])
})
