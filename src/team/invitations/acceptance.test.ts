import { expect, test } from 'vitest'
import { cookiesOf, form } from '../../../test/kit/venue/sessions.ts'
import { type Venue, openVenue } from '../../../test/kit/venue/venue.ts'
import { directoryOf } from '../../access/shards.ts'
import { digestOf, newSecret } from '../../access/tokens.ts'
import { INVITATION_LINK_SEAL_PURPOSE } from './rules.ts'

const address = (name: string, venue: Venue) => `${name}@${venue.report.account.subdomain}.example`

interface Input {
  email: string
  role: string
  event_ids?: number[]
}

/** Invites someone and reads the link out of the sealed copy the mail is made of. */
const inviteTo = async (venue: Venue, invitation: Input) => {
  const { body } = await venue.office.post('/admin/invitations', { invitation })
  const { rows } = await venue.app.database.pool.query<{ sealed_token: Buffer }>(
    'select sealed_token from invitations where id = $1',
    [body.id],
  )
  const token = venue.app.secrets.open(INVITATION_LINK_SEAL_PURPOSE, rows[0]!.sealed_token)
  return { id: body.id as number, path: `/invitations/${token}`, token }
}

const accept = (venue: Venue, path: string, name = 'Nora Neu', password = 'correct horse') =>
  venue.stranger.ask('POST', path, form({ 'invitation[name]': name, 'invitation[password]': password }))

const press = (venue: Venue, path: string) => venue.stranger.ask('POST', path, form({}))

const membersOf = async (venue: Venue) => (await venue.office.get('/admin/memberships')).body

const memberBy = async (venue: Venue, email: string) =>
  (await membersOf(venue)).active.find((each: { user: { email: string } }) => each.user.email === email)

test('someone new chooses a name and a password, is a member and signed in', async () => {
  const venue = await openVenue()
  const email = address('nora', venue)
  const { path } = await inviteTo(venue, { email, role: 'manager' })

  const page = await venue.stranger.get(path, { headers: { accept: 'text/html' } })
  expect(page.status).toBe(200)
  expect(page.text).toContain('Join Neue Halle')
  expect(page.text).toContain('name="invitation[name]"')
  expect(page.text).toContain(email)
  expect((await membersOf(venue)).pending_invitations).toHaveLength(1)

  const reply = await accept(venue, path)
  expect(reply).toMatchObject({ status: 303 })
  expect(reply.headers.get('location')).toBe('/console')
  expect(reply.headers.get('set-cookie')).toMatch(
    /^foyer_session=foyer_session_[\w-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/,
  )
  expect(await memberBy(venue, email)).toMatchObject({ role: 'manager', state: 'active', user: { name: 'Nora Neu' } })
  expect((await membersOf(venue)).pending_invitations).toEqual([])

  const headers = { cookie: cookiesOf(reply) }
  expect(await venue.stranger.get('/admin/memberships', { headers })).toMatchObject({ status: 200 })
})

test('a name and a password are needed, and the page says what is wrong with them', async () => {
  const venue = await openVenue()
  const { path } = await inviteTo(venue, { email: address('e', venue), role: 'manager' })

  const page = await accept(venue, path, ' ', 'short')
  expect(page.status).toBe(422)
  expect(page.text).toContain('Name can&#39;t be blank')
  expect(page.text).toContain('Password is too short (minimum is 8 characters)')
  expect(page.text).not.toContain('"short"')
  const json = await venue.stranger.post(path, { invitation: { name: 'E' } })
  expect(json).toRefuse(422, { password: ["can't be blank"] })
  expect((await membersOf(venue)).pending_invitations).toHaveLength(1)
})

test('a member keeps an active role', async () => {
  const venue = await openVenue()
  const { path } = await inviteTo(venue, { email: 'mara@neue-halle.example', role: 'scanner' })

  const page = await venue.stranger.get(path, { headers: { accept: 'text/html' } })
  expect(page.text).toContain('Mara Manager')
  expect(page.text).not.toContain('invitation[password]')
  expect(page.text).toContain('You are here already, and stay a manager.')
  const reply = await accept(venue, path, 'Somebody Else', 'another password')
  expect(reply.headers.get('location')).toBe('/sign_in?joined=1')
  expect(reply.headers.get('set-cookie')).toBeNull()
  expect(await memberBy(venue, 'mara@neue-halle.example')).toMatchObject({
    role: 'manager',
    user: { name: 'Mara Manager' },
  })
  const mara = venue.client(venue.report.api_tokens['mara write'])
  expect(await mara.get('/admin/events')).toMatchObject({ status: 200 })
})

test('a co-organizer gains the events of another invitation, and keeps the token', async () => {
  const venue = await openVenue()
  const spring = venue.report.events['spring-night']!.id
  const winter = venue.report.events['winter-ball']!.id
  const { path } = await inviteTo(venue, { email: 'cem@partner.example', role: 'co_organizer', event_ids: [spring] })
  const page = await venue.stranger.get(path, { headers: { accept: 'text/html' } })
  expect(page.text).not.toContain('You are here already')
  await press(venue, path)

  expect((await memberBy(venue, 'cem@partner.example')).event_ids).toEqual([winter, spring].toSorted((a, b) => a - b))
  expect(await venue.partner.get('/admin/events/spring-night')).toMatchObject({ status: 200 })
})

test('a deactivated member comes back with the invited role, and without old events and tokens', async () => {
  const venue = await openVenue()
  const spring = venue.report.events['spring-night']!.id
  await venue.office.delete(`/admin/memberships/${venue.report.people['cem@partner.example']!.membership_id}`)
  const { path } = await inviteTo(venue, { email: 'cem@partner.example', role: 'co_organizer', event_ids: [spring] })
  await press(venue, path)

  expect(await memberBy(venue, 'cem@partner.example')).toMatchObject({ state: 'active', event_ids: [spring] })
  expect(await venue.partner.get('/admin/events')).toRefuse(401)

  const again = await inviteTo(venue, { email: 'dora@neue-halle.example', role: 'scanner' })
  await press(venue, again.path)
  expect(await memberBy(venue, 'dora@neue-halle.example')).toMatchObject({ role: 'scanner' })
})

test('someone known from another account keeps name and password and gains a membership', async () => {
  const venue = await openVenue()
  const email = address('both', venue)
  const other = await openVenue((file) => {
    file['people'].push({ name: 'Bo Both', email, password: 'the old password', role: 'manager' })
  })
  const digest = async () => {
    const sql = 'select name, password_digest from people where email = $1'
    return (await directoryOf(venue.app).pool.query(sql, [email])).rows[0]
  }
  const before = await digest()
  expect(before.password_digest).not.toBeNull()
  const { path } = await inviteTo(venue, { email, role: 'manager' })
  await accept(venue, path, 'Impostor', 'impostor password')

  expect(await digest()).toEqual(before)
  expect((await memberBy(venue, email)).user.id).toBe((await memberBy(other, email)).user.id)
})

test('used, revoked, expired and forged links open nothing and change nothing', async () => {
  const venue = await openVenue()
  const used = await inviteTo(venue, { email: address('used', venue), role: 'manager' })
  await accept(venue, used.path)
  const revoked = await inviteTo(venue, { email: address('revoked', venue), role: 'manager' })
  await venue.office.delete(`/admin/invitations/${revoked.id}`)
  const expired = await inviteTo(venue, { email: address('expired', venue), role: 'manager' })
  await venue.app.database.pool.query(
    `update invitations set expires_at = foyer_now() - interval '1 second' where id = $1`,
    [expired.id],
  )
  const before = await membersOf(venue)

  for (const [path, status] of [
    [used.path, 410],
    [revoked.path, 410],
    [expired.path, 410],
    [`/invitations/${newSecret()}`, 404],
    [`/invitations/${used.token.slice(0, -1)}`, 404],
    ['/invitations/%00', 404],
    [`/invitations/${digestOf(used.token).toString('base64url')}`, 404],
  ] as const) {
    expect(await venue.stranger.get(path), path).toRefuse(status)
    expect((await accept(venue, path)).status, path).toBe(status)
  }
  expect(await membersOf(venue)).toEqual(before)

  await venue.office.post(`/admin/invitations/${expired.id}/resend`)
  expect(await accept(venue, expired.path)).toMatchObject({ status: 303 })
})

test('a link is good once, however often its button is pressed', async () => {
  const venue = await openVenue()
  const email = address('rush', venue)
  const { path } = await inviteTo(venue, { email, role: 'scanner' })
  const replies = await Promise.all(Array.from({ length: 8 }, () => accept(venue, path)))

  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 410, 410, 410, 410, 410, 410, 410])
  expect(await memberBy(venue, email)).toMatchObject({ role: 'scanner' })
})

test('a form on another site cannot accept it', async () => {
  const venue = await openVenue()
  const { path } = await inviteTo(venue, { email: address('csrf', venue), role: 'scanner' })
  const { raw, headers } = form({ 'invitation[name]': 'X', 'invitation[password]': 'long enough' })
  const foreign = { ...headers, origin: 'https://evil.example' }
  expect(await venue.stranger.ask('POST', path, { raw, headers: foreign })).toRefuse(403)
})
