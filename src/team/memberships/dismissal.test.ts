import { expect, test } from 'vitest'
import type { Client } from '../../../test/kit/venue/client.ts'
import { form, signedIn } from '../../../test/kit/venue/sessions.ts'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'
import { INVITATION_LINK_SEAL_PURPOSE } from '../invitations/rules.ts'

const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'

const FORBIDDEN = { base: ['You are not allowed to make this change'] }

const address = (name: string, venue: Venue) => `${name}@${venue.report.account.subdomain}.example`

const pathOf = (venue: Venue, email: string) => `/admin/memberships/${venue.report.people[email]!.membership_id}`

const pending = async (venue: Venue): Promise<string[]> => {
  const { body } = await venue.office.get('/admin/invitations')
  return body.map(({ email }: { email: string }) => email).toSorted()
}

/** The page behind the link that is mailed with an invitation. */
const linkOf = async (venue: Venue, invitationId: number): Promise<string> => {
  const { rows } = await venue.app.database.pool.query<{ sealed_token: Buffer }>(
    'select sealed_token from invitations where account_id = $1 and id = $2',
    [venue.report.account.id, invitationId],
  )
  return `/invitations/${venue.app.secrets.open(INVITATION_LINK_SEAL_PURPOSE, rows[0]!.sealed_token)}`
}

const accept = (venue: Venue, link: string) =>
  venue.stranger.ask(
    'POST',
    link,
    form({ 'invitation[name]': 'Mara Again', 'invitation[password]': 'correct horse battery' }),
  )

test('nobody invites himself, whichever credential is shown', async () => {
  const venue = await openVenue()
  const invitation = { email: ` ${MARA.toUpperCase()} `, role: 'manager' }
  for (const mara of [await signedIn(venue, MARA), venue.client(venue.report.api_tokens['mara write'])]) {
    expect(await mara.post('/admin/invitations', { invitation })).toRefuse(403, FORBIDDEN)
    expect(await mara.post('/admin/invitations?event_slug=winter-ball', { invitation: { email: MARA } })).toRefuse(
      403,
      FORBIDDEN,
    )
  }
  const olga = await signedIn(venue, OLGA)
  expect(await olga.post('/admin/invitations', { invitation: { email: OLGA, role: 'scanner' } })).toRefuse(403)
  expect(await pending(venue)).toEqual([])
})

test('a dismissed manager does not come back by an invitation that was made before', async () => {
  const venue = await openVenue()
  const mara = await signedIn(venue, MARA)
  const invite = async (client: typeof mara, email: string) =>
    (await client.post('/admin/invitations', { invitation: { email, role: 'manager' } })).body.id as number

  const toHerself = await invite(venue.office, MARA)
  const toAnother = await invite(mara, address('second-address', venue))
  await invite(venue.office, address('nora', venue))
  const links = [await linkOf(venue, toHerself), await linkOf(venue, toAnother)]

  expect(await venue.office.delete(pathOf(venue, MARA))).toMatchObject({ status: 204 })
  expect(await pending(venue)).toEqual([address('nora', venue)])
  for (const link of links) {
    expect(await venue.stranger.get(link)).toRefuse(410)
    expect((await accept(venue, link)).status).toBe(410)
  }
  for (const id of [toHerself, toAnother]) {
    expect(await venue.office.post(`/admin/invitations/${id}/resend`)).toRefuse(404)
  }
  const { active, deactivated } = (await venue.office.get('/admin/memberships')).body
  expect(active).toHaveLength(4)
  expect(deactivated).toContainEqual(expect.objectContaining({ user: expect.objectContaining({ email: MARA }) }))
  const { entries } = (await venue.office.get('/admin/audit_log?action=DELETE+/admin/memberships')).body
  expect(entries[0].subject.revoked_invitation_ids.toSorted()).toEqual([toHerself, toAnother].toSorted())
})

test('an invitation older than a deactivation is dead, even one that was not revoked', async () => {
  const venue = await openVenue()
  const mara = await signedIn(venue, MARA)
  const made = await mara.post('/admin/invitations', {
    invitation: { email: address('friend', venue), role: 'manager' },
  })
  const own = await venue.office.post('/admin/invitations', { invitation: { email: MARA, role: 'manager' } })
  await venue.office.delete(pathOf(venue, MARA))
  await venue.app.database.pool.query('update invitations set revoked_at = null where account_id = $1', [
    venue.report.account.id,
  ])

  for (const id of [made.body.id, own.body.id]) {
    const link = await linkOf(venue, id)
    expect(await venue.stranger.get(link)).toRefuse(410)
    expect((await accept(venue, link)).status).toBe(410)
  }
  expect((await venue.office.get('/admin/memberships')).body.active).toHaveLength(4)
})

test('an invitation that is newer than the deactivation brings a member back', async () => {
  const venue = await openVenue()
  await venue.office.delete(pathOf(venue, MARA))
  const { body } = await venue.office.post('/admin/invitations', { invitation: { email: MARA, role: 'scanner' } })
  await venue.office.delete(pathOf(venue, MARA))
  expect((await accept(venue, await linkOf(venue, body.id))).status).toBe(303)
  const { active } = (await venue.office.get('/admin/memberships')).body
  expect(active).toContainEqual(
    expect.objectContaining({ role: 'scanner', user: expect.objectContaining({ email: MARA }) }),
  )
})

test('whoever may no longer invite leaves no invitation behind', async () => {
  const venue = await openVenue()
  const mara = await signedIn(venue, MARA)
  const { body } = await mara.post('/admin/invitations', {
    invitation: { email: address('second-address', venue), role: 'manager' },
  })
  const link = await linkOf(venue, body.id)
  await venue.office.patch(`${pathOf(venue, MARA)}/role`, { membership: { role: 'scanner' } })
  expect(await pending(venue)).toEqual([])
  expect(await venue.stranger.get(link)).toRefuse(410)
})

test.each([
  ['is dismissed', (venue: Venue) => venue.office.delete(pathOf(venue, MARA))],
  [
    'only scans from now on',
    (venue: Venue) => venue.office.patch(`${pathOf(venue, MARA)}/role`, { membership: { role: 'scanner' } }),
  ],
])('a code that a manager had shown pairs no device once the manager %s', async (_what, end) => {
  const venue = await openVenue()
  const start = async (client: Client, name: string) =>
    (await client.post('/admin/device_pairings', { device_pairing: { name, uses: 2 } })).body.pairing_secret as string
  const mara = await start(await signedIn(venue, MARA), 'Mara phone')
  const office = await start(venue.office, 'Side door')
  const pair = async (secret: string) =>
    (await venue.stranger.post('/scanner/pairings', { pairing_secret: secret })).status
  expect(await pair(mara)).toBe(201)

  expect((await end(venue)).status).toBeLessThan(300)
  expect([await pair(mara), await pair(office)]).toEqual([404, 201])
  const { entries } = (await venue.office.get('/admin/audit_log')).body
  const ended = entries.find((entry: { subject: object }) => 'ended_pairing_ids' in entry.subject)
  expect(ended.subject.ended_pairing_ids).toHaveLength(1)
})
