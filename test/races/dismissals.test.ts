import { expect, test } from 'vitest'
import { INVITATION_LINK_SEAL_PURPOSE } from '../../src/team/invitations/rules.ts'
import { type Client, openClient } from '../kit/venue/client.ts'
import { closeGate, openSecondServer, withoutLocks } from '../kit/database/second-server.ts'
import { form, sessionToken, withHeaders } from '../kit/venue/sessions.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'

const MARA = 'mara@neue-halle.example'

const pathOf = (venue: Venue, email: string) => `/admin/memberships/${venue.report.people[email]!.membership_id}`

/** Lets the manager act after her dismissal has done its work and before it is committed. */
const actWhileDismissed = async (venue: Venue, origin: string, act: (mara: Client) => ReturnType<Client['post']>) => {
  const mara = withHeaders(openClient(origin), { cookie: `foyer_session=${await sessionToken(venue, MARA)}` })
  const gate = await closeGate(venue.app.database.pool, 'audit_entries')
  let acting: ReturnType<Client['post']> | undefined
  let dismissal: ReturnType<Client['delete']> | undefined
  try {
    dismissal = venue.office.delete(pathOf(venue, MARA))
    await gate.waiting(1, dismissal)
    acting = act(mara)
    await gate.waiting(2, acting)
  } finally {
    await gate.open()
  }
  expect(await dismissal).toMatchObject({ status: 204 })
  return acting
}

const invite = (mara: Client) =>
  mara.post('/admin/invitations', { invitation: { email: 'mara@elsewhere.example', role: 'manager' } })

const pending = async (venue: Venue) => (await venue.office.get('/admin/invitations')).body

test('an invitation that a manager makes while being dismissed is not made', async () => {
  const venue = await openVenue()
  expect(await actWhileDismissed(venue, venue.origin, invite)).toRefuse(401)
  expect(await pending(venue)).toEqual([])
})

test('a manager who is being dismissed neither comes back nor dismisses anybody else', async () => {
  const venue = await openVenue()
  const back = (mara: Client) => mara.post(`${pathOf(venue, MARA)}/reactivation`)
  expect(await actWhileDismissed(venue, venue.origin, back)).toRefuse(401)
  await venue.office.post(`${pathOf(venue, MARA)}/reactivation`)
  const dismiss = (mara: Client) => mara.delete(pathOf(venue, 'cem@partner.example'))
  expect(await actWhileDismissed(venue, venue.origin, dismiss)).toRefuse(401)
  const { active } = (await venue.office.get('/admin/memberships')).body
  expect(active.map(({ user }: { user: { name: string } }) => user.name)).toEqual([
    'Cem Partner',
    'Olga Owner',
    'Pia Promo',
    'Sami Scanner',
  ])
})

test('an invitation that is accepted while its maker is being dismissed lets nobody in', async () => {
  const venue = await openVenue()
  const mara = venue.client(venue.report.api_tokens['mara write'])
  const { body } = await invite(mara)
  const { rows } = await venue.app.database.pool.query<{ sealed_token: Buffer }>(
    'select sealed_token from invitations where id = $1',
    [body.id],
  )
  const link = `/invitations/${venue.app.secrets.open(INVITATION_LINK_SEAL_PURPOSE, rows[0]!.sealed_token)}`
  const accept = () =>
    venue.stranger.ask('POST', link, form({ 'invitation[name]': 'M', 'invitation[password]': 'correct horse' }))
  expect((await actWhileDismissed(venue, venue.origin, accept)).status).toBe(410)
  expect((await venue.office.get('/admin/memberships')).body.active).toHaveLength(4)
})

test('without the lock, the constraint still makes none', async () => {
  const venue = await openVenue()
  const beside = await openSecondServer(venue.app, withoutLocks)
  try {
    expect(await actWhileDismissed(venue, beside.origin, invite)).toRefuse(401)
    expect(await pending(venue)).toEqual([])
  } finally {
    await beside.close()
  }
})

test('control: without lock and constraint, the invitation outlives its maker', async () => {
  const venue = await openVenue()
  const beside = await openSecondServer(venue.app, withoutLocks)
  const { pool } = venue.app.database
  // Whichever of the two is committed first, the constraint of the other would see it.
  const switchConstraints = async (how: 'disable' | 'enable') => {
    await pool.query(`alter table invitations ${how} trigger an_active_member_invites`)
    await pool.query(`alter table memberships ${how} trigger no_invitation_outlives_a_membership`)
  }
  await switchConstraints('disable')
  try {
    expect(await actWhileDismissed(venue, beside.origin, invite)).toMatchObject({ status: 201 })
    expect(await pending(venue)).toHaveLength(1)
  } finally {
    await switchConstraints('enable')
    await beside.close()
  }
})

test('a deactivation that forgets the invitations is refused by the database', async () => {
  const venue = await openVenue()
  await venue.office.post('/admin/invitations', { invitation: { email: MARA, role: 'manager' } })
  const forgetful = venue.app.database.pool.query(
    'update memberships set deactivated_at = foyer_now() where account_id = $1 and id = $2',
    [venue.report.account.id, venue.report.people[MARA]!.membership_id],
  )
  await expect(forgetful).rejects.toMatchObject({ constraint: 'no_invitation_outlives_a_membership' })
})
