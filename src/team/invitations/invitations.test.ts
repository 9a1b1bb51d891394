import { expect, test } from 'vitest'
import { bodyOf, header } from '../../../test/kit/network/read-eml.ts'
import { mailsTo } from '../../../test/kit/venue/outbox.ts'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'

const eventId = (venue: Venue, slug: string) => venue.report.events[slug]!.id

const address = (name: string, venue: Venue) => `${name}@${venue.report.account.subdomain}.example`

test('an invitation is created, shown where its Location says, listed and mailed once', async () => {
  const venue = await openVenue()
  const email = address('nora', venue)
  const reply = await venue.office.post('/admin/invitations', {
    invitation: { email: ` ${email.toUpperCase()} `, role: 'manager' },
  })

  expect(reply).toMatchObject({ status: 201, body: { id: expect.any(Number), email, role: 'manager' } })
  expect(Object.keys(reply.body).toSorted()).toEqual(['created_at', 'email', 'id', 'role'])
  const location = reply.headers.get('location')!
  expect(location).toBe(`http://localhost:3000/admin/invitations/${reply.body.id}`)
  expect((await venue.reader.get(new URL(location).pathname)).body).toEqual(reply.body)
  expect((await venue.reader.get('/admin/invitations')).body).toEqual([reply.body])
  expect((await venue.reader.get('/admin/memberships')).body.pending_invitations).toEqual([reply.body])

  await venue.workOffJobs()
  const mails = await mailsTo(venue, email)
  expect(mails).toHaveLength(1)
  expect(header(mails[0]!, 'Subject')).toBe('Invitation to Neue Halle')
  expect(bodyOf(mails[0]!, 'text/plain')).toMatch(
    /Olga Owner invites you[^]*http:\/\/localhost:3000\/invitations\/[\w-]{43}\b/,
  )
})

test('co-organizers are invited to events of the account, others to none', async () => {
  const venue = await openVenue()
  const foreign = await openVenue()
  const ours = eventId(venue, 'winter-ball')
  const ask = (invitation: object) => venue.office.post('/admin/invitations', { invitation })
  const email = address('c', venue)

  expect(await ask({ email, role: 'co_organizer' })).toRefuse(422, { event_ids: ["can't be blank"] })
  expect(await ask({ email, role: 'co_organizer', event_ids: [] })).toRefuse(422, { event_ids: ["can't be blank"] })
  const theirs = eventId(foreign, 'winter-ball')
  expect(await ask({ email, role: 'co_organizer', event_ids: [ours, theirs] })).toRefuse(422, {
    event_ids: ['must exist'],
  })
  expect((await venue.office.get('/admin/invitations')).body).toEqual([])

  expect(await ask({ email, role: 'co_organizer', event_ids: [ours] })).toMatchObject({
    status: 201,
    body: { event_ids: [ours] },
  })
  expect(await ask({ email: address('p', venue), role: 'promoter', event_ids: [ours] })).toMatchObject({
    status: 201,
    body: { role: 'promoter', promoter_programs: [] },
  })
})

test('an event’s slug fixes role and event, and a body that names another is refused', async () => {
  const venue = await openVenue()
  const email = address('x', venue)
  const ask = (invitation: object, slug = 'spring-night') =>
    venue.office.post(`/admin/invitations?event_slug=${slug}`, { invitation })
  const mustBeBlank = ['must be blank']
  for (const role of ['manager', 'co_organizer', 'janitor']) {
    expect(await ask({ email, role })).toRefuse(422, { role: mustBeBlank })
  }
  const others = [eventId(venue, 'winter-ball')]
  expect(await ask({ email, event_ids: others })).toRefuse(422, { event_ids: mustBeBlank })
  expect(await ask({ email, role: 'scanner', event_ids: others })).toRefuse(422, {
    role: mustBeBlank,
    event_ids: mustBeBlank,
  })
  expect((await venue.office.get('/admin/invitations')).body).toEqual([])
  expect(await ask({ email, role: 'scanner' }, 'nowhere')).toRefuse(404)

  expect(await ask({ email, role: null, event_ids: [] })).toMatchObject({
    status: 201,
    body: { role: 'co_organizer', event_ids: [eventId(venue, 'spring-night')] },
  })
})

test('roles and addresses that do not work are refused, and nobody is invited', async () => {
  const venue = await openVenue()
  const ask = (invitation: object) => venue.office.post('/admin/invitations', { invitation })
  const email = address('e', venue)

  expect(await ask({ email, role: 'owner' })).toRefuse(422, { role: ['is not included in the list'] })
  expect(await ask({ email, role: 'janitor' })).toRefuse(422, { role: ['is not included in the list'] })
  expect(await ask({ role: 'manager' })).toRefuse(422, { email: ["can't be blank"] })
  for (const wrong of [
    'olga',
    'olga@',
    'olga@neue halle.example',
    // Look like members, with letters of another alphabet.
    'оlga@neue-halle.example',
    'olga@nеue-halle.example',
    'οlga@neue-halle.example',
  ]) {
    expect(await ask({ email: wrong, role: 'manager' }), wrong).toRefuse(422, { email: ['is invalid'] })
  }
  expect(await venue.office.post('/admin/invitations', { email, role: 'manager' })).toRefuse(400)
  expect((await venue.office.get('/admin/invitations')).body).toEqual([])
})

test('an address is invited once at a time; members may be invited again', async () => {
  const venue = await openVenue()
  const invitation = { email: address('twice', venue), role: 'manager' }
  const [first, second] = await Promise.all([
    venue.office.post('/admin/invitations', { invitation }),
    venue.office.post('/admin/invitations', { invitation: { ...invitation, email: invitation.email.toUpperCase() } }),
  ])
  expect([first.status, second.status].toSorted()).toEqual([201, 422])
  expect(first.status === 422 ? first : second).toRefuse(422, { email: ['has already been taken'] })

  const member = { email: 'mara@neue-halle.example', role: 'scanner' }
  expect(await venue.office.post('/admin/invitations', { invitation: member })).toMatchObject({ status: 201 })
})

test('an Idempotency-Key invites once and mails once', async () => {
  const venue = await openVenue()
  const invitation = { email: address('once', venue), role: 'manager' }
  const headers = { 'idempotency-key': 'invite-once' }
  const first = await venue.office.post('/admin/invitations', { invitation }, { headers })
  const again = await venue.office.post('/admin/invitations', { invitation }, { headers })
  expect(again).toMatchObject({ status: 201, body: first.body })
  expect(again.headers.get('idempotent-replayed')).toBe('true')

  await venue.workOffJobs()
  expect(await mailsTo(venue, invitation.email)).toHaveLength(1)
})

test('the mail tells a member with another role that it stays', async () => {
  const venue = await openVenue((file) => {
    const { subdomain } = file['account']
    file['people'].push({ name: 'Max', email: `max@${subdomain}.example`, role: 'scanner' })
  })
  const email = address('max', venue)
  await venue.office.post('/admin/invitations', { invitation: { email, role: 'manager' } })
  await venue.workOffJobs()
  const [mail] = await mailsTo(venue, email)
  expect(bodyOf(mail!, 'text/plain')!.replaceAll(/\s+/g, ' ')).toContain('You are here already, and stay a scanner.')
})

test('resending mails the same link again', async () => {
  const venue = await openVenue()
  const email = address('again', venue)
  const { body } = await venue.office.post('/admin/invitations', { invitation: { email, role: 'scanner' } })
  await venue.workOffJobs()
  expect(await venue.office.post(`/admin/invitations/${body.id}/resend`)).toMatchObject({ status: 200, body })
  await venue.workOffJobs()

  const links = (await mailsTo(venue, email)).map(
    (mail) => /invitations\/([\w-]{43})/.exec(bodyOf(mail, 'text/plain')!)![1],
  )
  expect(links).toHaveLength(2)
  expect(links[0]).toBe(links[1])
})

test('a revoked invitation is gone: from the list, for resending, and out of the post', async () => {
  const venue = await openVenue()
  const email = address('never', venue)
  const { body } = await venue.office.post('/admin/invitations', { invitation: { email, role: 'scanner' } })
  const own = `/admin/invitations/${body.id}`

  expect(await venue.office.delete(own)).toMatchObject({ status: 204 })
  expect((await venue.office.get('/admin/invitations')).body).toEqual([])
  for (const reply of [venue.office.delete(own), venue.office.post(`${own}/resend`), venue.office.get(own)]) {
    expect(await reply).toRefuse(404)
  }
  await venue.workOffJobs()
  expect(await mailsTo(venue, email)).toEqual([])
  expect(await venue.office.post('/admin/invitations', { invitation: { email, role: 'scanner' } })).toMatchObject({
    status: 201,
  })
})

test('invitations of another account are not found, and co-organizers may not touch any', async () => {
  const venue = await openVenue()
  const foreign = await openVenue()
  const invitation = { email: address('f', foreign), role: 'scanner' }
  const { body } = await foreign.office.post('/admin/invitations', { invitation })
  const own = `/admin/invitations/${body.id}`

  expect(await venue.office.post(`${own}/resend`)).toRefuse(404)
  expect(await venue.office.delete(own)).toRefuse(404)
  for (const reply of [
    foreign.partner.post('/admin/invitations', { invitation }),
    foreign.partner.post('/admin/invitations?event_slug=winter-ball', { invitation }),
    foreign.partner.get('/admin/invitations'),
    foreign.partner.post(`${own}/resend`),
    foreign.partner.delete(own),
  ]) {
    expect(await reply).toRefuse(403, { base: ['You are not allowed to make this change'] })
  }
  for (const reply of [
    foreign.reader.post('/admin/invitations', { invitation }),
    foreign.reader.post(`${own}/resend`),
    foreign.reader.delete(own),
  ]) {
    expect(await reply).toRefuse(401)
  }
})

test('a venue file brings invitations with their events and promoter programmes', async () => {
  const venue = await openVenue((file) => {
    file['invitations'] = [
      {
        email: 'pia@promo.example',
        role: 'promoter',
        promoter_programs: [
          { name: 'Street team', code: 'PIA10' },
          { name: 'Old hands', code: null },
        ],
        created_at: '-P3D',
      },
      { email: 'kim@promo.example', role: 'promoter', promoter_programs: [{ name: 'Street team', code: 'KIM10' }] },
      { email: 'cem@partner.example', role: 'co_organizer', events: ['spring-night'] },
    ]
  })
  const { body } = await venue.office.get('/admin/invitations')
  expect(body.map((each: { email: string }) => each.email)).toEqual([
    'cem@partner.example',
    'kim@promo.example',
    'pia@promo.example',
  ])
  const [cem, kim, pia] = body
  expect(cem.event_ids).toEqual([eventId(venue, 'spring-night')])
  expect(pia).toMatchObject({
    id: venue.report.invitations['pia@promo.example']!.id,
    promoter_programs: [
      { public_id: expect.stringMatching(/^\w{22}$/), name: 'Street team', code: 'PIA10' },
      { public_id: expect.stringMatching(/^\w{22}$/), name: 'Old hands', code: null },
    ],
  })
  expect(kim.promoter_programs[0].public_id).toBe(pia.promoter_programs[0].public_id)
})
