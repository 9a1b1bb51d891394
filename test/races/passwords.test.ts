import { expect, test } from 'vitest'
import { VisitorScope } from '../../src/access/scopes.ts'
import { digestOf } from '../../src/access/tokens.ts'
import { endLinks, recordPassword, takeLink } from '../../src/sign-in/records.ts'
import { SEALED_LINK } from '../../src/sign-in/rules.ts'
import { type Venue, openVenue } from '../venue.ts'

const ROUNDS = Number(process.env['FOYER_RACE_ROUNDS'] ?? 12)
const EMAIL = 'olga@neue-halle.example'

/** Several links for a new password, all asked for and none used. */
const linksOf = async (venue: Venue, count: number): Promise<string[]> => {
  for (let n = 0; n < count; n++) await venue.stranger.post('/password', { email: EMAIL })
  const { rows } = await venue.house.database.pool.query<{ sealed: Buffer }>(
    `select sealed_token as sealed from sign_in_links
     where email = $1 and purpose = 'password' and used_at is null order by id`,
    [EMAIL],
  )
  return rows.map(({ sealed }) => venue.house.secrets.open(SEALED_LINK, sealed))
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

test('control: without the person locked first, two who use different links wait for each other', async () => {
  const venue = await openVenue()
  const personId = venue.report.people[EMAIL]!.user_id
  const scope = new VisitorScope(venue.house)
  const bothHaveOne = Promise.withResolvers<void>()
  let taken = 0

  const change = (link: string) =>
    scope.transaction(async (tx) => {
      await takeLink(tx, digestOf(link), 'password')
      if (++taken === 2) bothHaveOne.resolve()
      await bothHaveOne.promise
      await recordPassword(tx, personId, 'x')
      await endLinks(tx, EMAIL)
    })
  const outcomes = await Promise.allSettled((await linksOf(venue, 2)).map(change))
  expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([{ reason: { code: '40P01' } }])
})
