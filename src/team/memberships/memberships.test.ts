import { expect, test } from 'vitest'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'

const FORBIDDEN = { base: ['You are not allowed to make this change'] }

const memberId = (venue: Venue, email: string) => venue.report.people[email]!.membership_id
const eventId = (venue: Venue, slug: string) => venue.report.events[slug]!.id
const CEM = 'cem@partner.example'
const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'

const withSecondOwner = () =>
  openVenue((file) => {
    file['people'].push({ name: 'Otto Owner', email: 'otto@neue-halle.example', role: 'owner' })
    file['api_tokens'].push({ description: 'otto write', permission: 'write', person: 'otto@neue-halle.example' })
  })

test('the team is listed by state and name, with events for co-organizers only', async () => {
  const venue = await openVenue()
  const { status, body } = await venue.reader.get('/admin/memberships')

  expect(status).toBe(200)
  expect(body.active.map((each: { user: { name: string } }) => each.user.name)).toEqual([
    'Cem Partner',
    'Mara Manager',
    'Olga Owner',
    'Pia Promo',
    'Sami Scanner',
  ])
  expect(body.deactivated).toMatchObject([{ state: 'deactivated', role: 'manager', user: { name: 'Dora Gone' } }])
  expect(body.pending_invitations).toEqual([])
  expect(body.active[0]).toEqual({
    id: memberId(venue, CEM),
    role: 'co_organizer',
    event_ids: [eventId(venue, 'winter-ball')],
    state: 'active',
    created_at: expect.stringMatching(/Z$/),
    user: { id: venue.report.people[CEM]!.user_id, name: 'Cem Partner', email: CEM },
  })
  expect(body.active[1]).not.toHaveProperty('event_ids')
})

test('a role change replaces the role and the whole assignment together', async () => {
  const venue = await openVenue()
  const path = `/admin/memberships/${memberId(venue, CEM)}/role`
  const spring = eventId(venue, 'spring-night')

  const moved = await venue.office.patch(path, { membership: { role: 'co_organizer', event_ids: [spring, spring] } })
  expect(moved).toMatchObject({ status: 200, body: { role: 'co_organizer', event_ids: [spring] } })

  const emptied = await venue.office.patch(path, { membership: { role: 'co_organizer', event_ids: [] } })
  expect(emptied).toMatchObject({ status: 200, body: { event_ids: [] } })

  const promoted = await venue.office.patch(path, { membership: { role: 'manager', event_ids: [spring] } })
  expect(promoted.body).toMatchObject({ role: 'manager', user: { id: venue.report.people[CEM]!.user_id } })
  expect(promoted.body).not.toHaveProperty('event_ids')

  const back = await venue.office.patch(path, { membership: { role: 'co_organizer', event_ids: [] } })
  expect(back.body.event_ids).toEqual([])
})

test('a new assignment counts at the next request of a token that is already out', async () => {
  const venue = await openVenue()
  const path = `/admin/memberships/${memberId(venue, CEM)}/role`
  expect(await venue.partner.get('/admin/events/winter-ball')).toMatchObject({ status: 200 })

  await venue.office.patch(path, { membership: { role: 'co_organizer', event_ids: [eventId(venue, 'spring-night')] } })
  expect(await venue.partner.get('/admin/events/winter-ball')).toRefuse(404)
  expect(await venue.partner.get('/admin/events/spring-night')).toMatchObject({ status: 200 })
})

test('another role ends the tokens of the old one, and the old role does not bring them back', async () => {
  const venue = await openVenue()
  const path = `/admin/memberships/${memberId(venue, CEM)}/role`

  await venue.office.patch(path, { membership: { role: 'scanner' } })
  expect(await venue.partner.get('/admin/events')).toRefuse(401)

  await venue.office.patch(path, { membership: { role: 'co_organizer', event_ids: [eventId(venue, 'winter-ball')] } })
  expect(await venue.partner.get('/admin/events')).toRefuse(401)
})

test('a refused role change changes nothing', async () => {
  const venue = await openVenue()
  const foreign = await openVenue()
  const path = `/admin/memberships/${memberId(venue, CEM)}/role`
  const before = (await venue.office.get('/admin/memberships')).body
  const ask = (membership: object) => venue.office.patch(path, { membership })

  expect(await ask({ role: 'co_organizer' })).toRefuse(422, { event_ids: ["can't be blank"] })
  expect(await ask({ role: 'co_organizer', event_ids: null })).toRefuse(422, { event_ids: ["can't be blank"] })
  expect(await ask({ role: 'owner' })).toRefuse(422, { role: ['is not included in the list'] })
  expect(await ask({ role: 'janitor' })).toRefuse(422, { role: ['is not included in the list'] })
  expect(await ask({})).toRefuse(422, { role: ['is not included in the list'] })
  expect(await ask({ role: 'co_organizer', event_ids: ['everything'] })).toRefuse(422, { event_ids: ['is invalid'] })
  expect(await ask({ role: 'co_organizer', event_ids: [999_999_999] })).toRefuse(404)
  const theirs = eventId(foreign, 'winter-ball')
  const ours = eventId(venue, 'spring-night')
  expect(await ask({ role: 'co_organizer', event_ids: [ours, theirs] })).toRefuse(404)
  expect(await venue.office.patch(path, { role: 'manager' })).toRefuse(400)
  expect(await venue.office.ask('PATCH', path, { raw: '{' })).toRefuse(400)

  expect((await venue.office.get('/admin/memberships')).body).toEqual(before)
})

test('a deactivated member is listed as such and holds nothing that opens the account', async () => {
  const venue = await openVenue()
  const path = `/admin/memberships/${memberId(venue, CEM)}`

  expect(await venue.office.delete(path)).toMatchObject({ status: 204, text: '' })
  expect(await venue.office.delete(path)).toMatchObject({ status: 204 })
  expect(await venue.partner.get('/admin/events')).toRefuse(401)

  const { body } = await venue.office.get('/admin/memberships')
  expect(body.deactivated).toContainEqual(
    expect.objectContaining({ id: memberId(venue, CEM), state: 'deactivated', event_ids: [expect.any(Number)] }),
  )
})

test('reactivation keeps role and assignments and revives no token', async () => {
  const venue = await openVenue()
  const path = `/admin/memberships/${memberId(venue, CEM)}`
  await venue.office.delete(path)

  const back = await venue.office.post(`${path}/reactivation`)
  expect(back).toMatchObject({
    status: 200,
    body: { state: 'active', role: 'co_organizer', event_ids: [eventId(venue, 'winter-ball')] },
  })
  expect(await venue.office.post(`${path}/reactivation`)).toMatchObject({ status: 200, body: { state: 'active' } })
  expect(await venue.partner.get('/admin/events')).toRefuse(401)
})

test('nobody changes their own place: the account’s tokens act as its owner', async () => {
  const venue = await withSecondOwner()
  const otto = venue.client(venue.report.api_tokens['otto write'])
  const own = (client: typeof venue.office, email: string) => [
    client.patch(`/admin/memberships/${memberId(venue, email)}/role`, { membership: { role: 'manager' } }),
    client.delete(`/admin/memberships/${memberId(venue, email)}`),
  ]

  for (const reply of [...own(venue.office, OLGA), ...own(otto, 'otto@neue-halle.example')]) {
    expect(await reply).toRefuse(403, FORBIDDEN)
  }
})

test('a second owner may be demoted by the first; the last one by nobody', async () => {
  const venue = await withSecondOwner()
  const otto = venue.client(venue.report.api_tokens['otto write'])

  const demoted = await otto.patch(`/admin/memberships/${memberId(venue, OLGA)}/role`, {
    membership: { role: 'manager' },
  })
  expect(demoted).toMatchObject({ status: 200, body: { role: 'manager' } })

  // Olga is gone, so the account's tokens act as Otto now, and Otto is the last one.
  const path = `/admin/memberships/${memberId(venue, 'otto@neue-halle.example')}`
  expect(await venue.office.delete(path)).toRefuse(403, FORBIDDEN)
  const mara = venue.client(venue.report.api_tokens['mara write'])
  expect(await mara.delete(path)).toRefuse(403, FORBIDDEN)
  expect(await mara.patch(`${path}/role`, { membership: { role: 'scanner' } })).toRefuse(403, FORBIDDEN)
})

test('who may not make a change is told so before the body is judged, and after the path', async () => {
  const venue = await openVenue()
  const own = `/admin/memberships/${memberId(venue, OLGA)}/role`
  expect(await venue.office.patch(own, { membership: { role: 'nonsense' } })).toRefuse(403, FORBIDDEN)
  expect(await venue.office.patch('/admin/memberships/999999/role', {})).toRefuse(404)
  expect(await venue.office.patch('/admin/memberships/nobody/role', {})).toRefuse(404)
  expect(await venue.reader.patch('/admin/memberships/nobody/role', {})).toRefuse(401)
})

test('co-organizers neither read nor change the team; a read token only reads it', async () => {
  const venue = await openVenue()
  const path = `/admin/memberships/${memberId(venue, MARA)}`
  const writes = (client: typeof venue.office) => [
    client.patch(`${path}/role`, { membership: { role: 'scanner' } }),
    client.delete(path),
    client.post(`${path}/reactivation`),
  ]
  expect(await venue.partner.get('/admin/memberships')).toRefuse(403, FORBIDDEN)
  for (const reply of writes(venue.partner)) expect(await reply).toRefuse(403, FORBIDDEN)
  for (const reply of writes(venue.reader)) expect(await reply).toRefuse(401)
  for (const reply of writes(venue.door)) expect(await reply).toRefuse(401)
  expect((await venue.office.get('/admin/memberships')).body.active).toHaveLength(5)
})

test('members of another account are not found', async () => {
  const venue = await openVenue()
  const foreign = await openVenue()
  const path = `/admin/memberships/${memberId(foreign, CEM)}`
  expect(await venue.office.delete(path)).toRefuse(404)
  expect(await venue.office.post(`${path}/reactivation`)).toRefuse(404)
  expect(await venue.office.patch(`${path}/role`, { membership: { role: 'manager' } })).toRefuse(404)
  expect(await foreign.partner.get('/admin/events')).toMatchObject({ status: 200 })
})
