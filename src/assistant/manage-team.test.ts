import { expect, test } from 'vitest'
import { everythingOf, openTool } from '../../test/kit/venue/assistant.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'

const as = async (venue: Venue, token: string) => {
  const { does: team, ...rest } = await openTool(venue, token, 'manage_team')
  return { team, ...rest }
}

const confirmed = true

test('an assistant invites a person, changes another one’s events, and deactivates them', async () => {
  const venue = await openVenue()
  const { team, fails } = await as(venue, 'office write')

  const wanted = { email: 'Nora@partner.example', role: 'co_organizer', event_titles: ['spring NIGHT', 'winter-ball'] }
  const before = await everythingOf(venue)
  expect(await team('invite', wanted)).toMatchObject({ dry_run: true, with: { invitation: { role: 'co_organizer' } } })
  expect(await everythingOf(venue)).toEqual(before)
  const invitation = await team('invite', { ...wanted, confirmed })
  expect(invitation).toMatchObject({ email: 'nora@partner.example', role: 'co_organizer' })
  expect(invitation.event_ids).toHaveLength(2)
  expect(await fails('invite', { ...wanted, confirmed })).toMatchObject({
    errors: { email: ['has already been taken'] },
  })

  const { invitation_id } = invitation
  expect(await team('resend', { invitation_id, confirmed })).toMatchObject({ invitation_id })
  expect(await team('list')).toMatchObject({
    pending_invitations: [{ invitation_id, events: [{ slug: 'winter-ball' }, { slug: 'spring-night' }] }],
  })
  expect(await team('revoke_invitation', { email: 'nora@partner.example', confirmed })).toEqual({ done: true })
  expect(await team('list')).toMatchObject({ pending_invitations: [] })

  const { active } = await team('list')
  const cem = active.find((each: { user: { email: string } }) => each.user.email === 'cem@partner.example')
  expect(cem.events).toEqual([{ slug: 'winter-ball', title: 'Winter Ball' }])
  const { membership_id } = cem
  const change = { membership_id, event_titles: ['Spring Night'] }
  expect(await team('update_access', change)).toMatchObject({ dry_run: true, afterwards: { role: 'co_organizer' } })
  expect((await venue.partner.get('/admin/events/winter-ball')).status).toBe(200)
  await team('update_access', { ...change, confirmed })
  expect((await venue.partner.get('/admin/events/winter-ball')).status).toBe(404)
  expect((await venue.partner.get('/admin/events/spring-night')).status).toBe(200)
  const none = await team('update_access', { membership_id, event_titles: [], confirmed })
  expect(none).toMatchObject({ role: 'co_organizer', event_ids: [] })

  expect(await team('deactivate', { membership_id })).toMatchObject({ dry_run: true })
  expect((await venue.partner.get('/admin/events')).status).toBe(200)
  expect(await team('deactivate', { membership_id, confirmed })).toEqual({ done: true })
  expect((await venue.partner.get('/admin/events')).status).toBe(401)
  const again = await team('reactivate', { email: 'cem@partner.example', confirmed })
  expect(again).toMatchObject({ membership_id, state: 'active' })
})

test('no write happens without a confirmation', async () => {
  const venue = await openVenue((file) => {
    file['invitations'] = [{ email: 'new@neue-halle.example', role: 'manager' }]
  })
  const { team, actions } = await as(venue, 'office write')
  expect(await actions()).toEqual([
    'list',
    'invite',
    'update_access',
    'deactivate',
    'reactivate',
    'resend',
    'revoke_invitation',
  ])

  const before = await everythingOf(venue)
  const writes: [string, object][] = [
    ['invite', { email: 'nora@partner.example', role: 'manager' }],
    ['update_access', { email: 'mara@neue-halle.example', role: 'scanner' }],
    ['deactivate', { email: 'mara@neue-halle.example' }],
    ['reactivate', { email: 'dora@neue-halle.example' }],
    ['resend', { email: 'new@neue-halle.example' }],
    ['revoke_invitation', { email: 'new@neue-halle.example' }],
  ]
  for (const [action, args] of writes) {
    const dry = await team(action, args)
    expect(dry, action).toMatchObject({ dry_run: true, confirmation_needed: true, would: expect.any(String) })
    expect(dry.next).toContain('confirmed: true')
  }
  expect(await everythingOf(venue)).toEqual(before)
  await Promise.all(writes.toReversed().map(([action, args]) => team(action, args)))
  expect(await everythingOf(venue)).toEqual(before)
})

test('the protections of the team hold, in a dry run and in earnest', async () => {
  const venue = await openVenue()
  const foreign = await openVenue()
  const { fails } = await as(venue, 'mara write')
  const olga = venue.report.people['olga@neue-halle.example']!.membership_id
  const theirs = foreign.report.people['mara@neue-halle.example']!.membership_id
  const before = [await everythingOf(venue), await everythingOf(foreign)]
  for (const more of [{}, { confirmed }]) {
    expect(await fails('deactivate', { membership_id: olga, ...more })).toMatchObject({ status: 403 })
    expect(await fails('deactivate', { email: 'mara@neue-halle.example', ...more })).toMatchObject({ status: 403 })
    expect(await fails('deactivate', { membership_id: theirs, ...more })).toMatchObject({ status: 404 })
    expect(await fails('deactivate', { email: 'nobody@nowhere.example', ...more })).toMatchObject({ status: 404 })
    const two = {
      membership_id: venue.report.people['cem@partner.example']!.membership_id,
      email: 'sami@neue-halle.example',
    }
    for (const action of ['deactivate', 'reactivate', 'update_access']) {
      expect(await fails(action, { ...two, role: 'scanner', ...more }), action).toMatchObject({
        status: 422,
        errors: { membership_id: ['and email are not of the same person'] },
      })
    }
    expect(await fails('deactivate', more)).toMatchObject({ errors: { membership_id: ['or email must be given'] } })
    expect(await fails('invite', { email: 'a@b.example', role: 'owner', ...more })).toMatchObject({
      errors: { role: ['is not included in the list'] },
    })
    expect(await fails('invite', { email: 'a@b.example', role: 'co_organizer', ...more })).toMatchObject({
      errors: { event_titles: ["can't be blank"] },
    })
    const lost = { email: 'cem@partner.example', event_titles: ['No Such Night'], ...more }
    expect(await fails('update_access', lost)).toMatchObject({
      status: 404,
      errors: { event_titles: ['is none of the choices'] },
    })
  }
  expect([await everythingOf(venue), await everythingOf(foreign)]).toEqual(before)
})

test('co-organizers have no part in it, and read tokens only look', async () => {
  const venue = await openVenue()
  const partner = await as(venue, 'cem write')
  expect(Object.keys(await partner.tools())).toEqual([
    'manage_events',
    'manage_guest_list',
    'manage_door',
    'manage_tasks',
    'manage_orders',
  ])
  expect(await partner.fails('list')).toMatchObject({ status: 403 })
  expect(await partner.fails('invite', { email: 'a@b.example', role: 'manager', confirmed })).toMatchObject({
    status: 403,
  })

  const reader = await as(venue, 'office read')
  expect(await reader.actions()).toEqual(['list'])
  expect((await reader.team('list')).active).toHaveLength(5)
  expect(await reader.fails('deactivate', { email: 'mara@neue-halle.example', confirmed })).toMatchObject({
    status: 401,
  })
})
