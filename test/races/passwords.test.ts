import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { VisitorScope } from '../../src/access/scopes.ts'
import { directoryOf } from '../../src/access/shards.ts'
import { digestOf } from '../../src/access/tokens.ts'
import { endLinksOfEmail, recordPassword, consumeLink } from '../../src/sign-in/records.ts'
import { SIGN_IN_LINK_SEAL_PURPOSE } from '../../src/sign-in/rules.ts'
import { closeGate } from '../kit/database/second-server.ts'
import { form } from '../kit/venue/sessions.ts'
import { type Venue, openVenue } from '../kit/venue/venue.ts'

const ROUNDS = Number(process.env['FOYER_RACE_ROUNDS'] ?? 12)
const EMAIL = 'olga@neue-halle.example'

/** Several links for a new password, all asked for and none used. */
const linksOf = async (venue: Venue, count: number, email = EMAIL): Promise<string[]> => {
  for (let n = 0; n < count; n++) await venue.stranger.post('/password', { email })
  const { rows } = await directoryOf(venue.app).pool.query<{ sealed: Buffer }>(
    `select sealed_token as sealed from sign_in_links
     where email = $1 and purpose = 'password' and used_at is null order by id`,
    [email],
  )
  return rows.map(({ sealed }) => venue.app.secrets.open(SIGN_IN_LINK_SEAL_PURPOSE, sealed))
}

test('of many links for a new password that are used at once, one saves it and the others are over', async () => {
  const venue = await openVenue()
  for (let round = 0; round < ROUNDS; round++) {
    const links = await linksOf(venue, 4)
    const replies = await Promise.all(
      links.map((link) => venue.stranger.post(`/password/${link}`, { password: 'correct horse battery' })),
    )
    expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 410, 410, 410])
  }
}, 60_000)

test('a token that is made with another while the password is replaced does not outlive it', async () => {
  const venue = await openVenue()
  const intruder = venue.client(venue.report.api_tokens['olga write'])
  const [link] = await linksOf(venue, 1)
  const gate = await closeGate(venue.app.database.pool, 'audit_entries')
  const wanted = { api_token: { description: 'Later', permission: 'write', kind: 'personal' } }
  let made: ReturnType<typeof intruder.post>
  let saved: ReturnType<typeof intruder.post>
  try {
    // The token is there and its note waits; only then the password is replaced, which has to wait for it.
    made = intruder.post('/admin/api_tokens', wanted)
    await gate.waiting(1, made)
    saved = venue.stranger.post(`/password/${link}`, { password: 'correct horse battery' })
    await gate.waiting(2, saved)
  } finally {
    await gate.open()
  }
  const { token } = (await made).body
  expect((await saved).status).toBe(303)
  expect(await venue.client(token).get('/admin/events')).toRefuse(401)
  expect(await intruder.post('/admin/api_tokens', wanted)).toRefuse(401)
})

test('whoever signs in with the old password while it is replaced is not signed in', async () => {
  const email = `nina-${randomBytes(4).toString('hex')}@neue-halle.example`
  const venue = await openVenue((file) => {
    file['people'].push({ name: 'Nina Neu', email, password: 'ein gutes Passwort', role: 'manager' })
    file['api_tokens'].push({ description: 'Her script', permission: 'write', person: email })
  })
  const [link] = await linksOf(venue, 1, email)
  const gate = await closeGate(venue.app.database.pool, 'audit_entries')
  let saved: ReturnType<typeof venue.stranger.post>
  let entered: ReturnType<typeof venue.stranger.ask>
  try {
    // The sessions have ended and the note of the tokens waits; the old password is still the right one.
    saved = venue.stranger.post(`/password/${link}`, { password: 'correct horse battery' })
    await gate.waiting(1, saved)
    entered = venue.stranger.ask('POST', '/sign_in', form({ email, password: 'ein gutes Passwort' }))
    await gate.waiting(2, entered)
  } finally {
    await gate.open()
  }
  expect((await saved).status).toBe(303)
  const { status, headers } = await entered
  expect([status, headers.getSetCookie()]).toEqual([422, []])
})

test('control: without the person locked first, two who use different links wait for each other', async () => {
  const venue = await openVenue()
  const personId = venue.report.people[EMAIL]!.user_id
  const scope = new VisitorScope(venue.apps[0]!)
  const bothHaveOne = Promise.withResolvers<void>()
  let taken = 0

  const change = (link: string) =>
    scope.transaction(async (tx) => {
      await consumeLink(tx, digestOf(link), 'password')
      if (++taken === 2) bothHaveOne.resolve()
      await bothHaveOne.promise
      await recordPassword(tx, personId, 'x')
      await endLinksOfEmail(tx, EMAIL)
    })
  const outcomes = await Promise.allSettled((await linksOf(venue, 2)).map(change))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: '40P01' } }])
})
