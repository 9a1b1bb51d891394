import { expect, test } from 'vitest'
import { sessionToken, signedIn, withHeaders } from '../../test/kit/venue/sessions.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'
import { describeBrowser } from './sessions.ts'

const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'
const CEM = 'cem@partner.example'

test('a session opens what its person’s role opens', async () => {
  const venue = await openVenue()
  const statuses = async (email: string) => {
    const browser = await signedIn(venue, email)
    const paths = [
      '/admin/events',
      '/admin/events/spring-night',
      '/admin/memberships',
      '/admin/audit_log',
      '/scanner/me',
    ]
    return Promise.all(paths.map(async (path) => (await browser.get(path)).status))
  }
  expect(await statuses(OLGA)).toEqual([200, 200, 200, 200, 200])
  expect(await statuses(MARA)).toEqual([200, 200, 200, 403, 200])
  expect(await statuses(CEM)).toEqual([200, 404, 403, 403, 200])
  expect(await statuses('sami@neue-halle.example')).toEqual([401, 401, 401, 401, 200])
  expect(await statuses('pia@promo.example')).toEqual([401, 401, 401, 401, 401])
})

test('a bearer header, valid or not, wins over the cookie', async () => {
  const venue = await openVenue()
  const browser = await signedIn(venue, OLGA)
  for (const authorization of [
    'Bearer garbage',
    'Bearer',
    '',
    'Basic b2xnYTpvbGdh',
    `Bearer ${venue.report.api_tokens['old']}`,
  ]) {
    expect(await browser.get('/admin/events', { headers: { authorization } }), authorization).toRefuse(401)
  }
  const read = { authorization: `Bearer ${venue.report.api_tokens['office read']}` }
  expect(await browser.post('/admin/invitations', {}, { headers: read })).toRefuse(401)
})

test('a session’s secret is no bearer token, and a token is no cookie', async () => {
  const venue = await openVenue()
  expect(await venue.client(await sessionToken(venue, OLGA)).get('/admin/events')).toRefuse(401)

  const cookie = `foyer_session=${venue.report.api_tokens['olga write']}`
  expect(await withHeaders(venue.stranger, { cookie }).get('/admin/events')).toRefuse(401)
})

test('a write by session must come from the console itself', async () => {
  const venue = await openVenue()
  const browser = await signedIn(venue, MARA)
  const invite = (headers: Record<string, string>) =>
    browser.post('/admin/invitations', { invitation: { email: 'x@y.example', role: 'manager' } }, { headers })

  const forgeries: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:3000.evil.example' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site', origin: 'http://localhost:3000' },
  ]
  for (const headers of forgeries) expect(await invite(headers), JSON.stringify(headers)).toRefuse(401)
  expect((await venue.office.get('/admin/invitations')).body).toEqual([])
  expect(await browser.get('/admin/events', { headers: { 'sec-fetch-site': 'cross-site' } })).toMatchObject({
    status: 200,
  })

  expect(await invite({ 'sec-fetch-site': 'same-origin', origin: 'http://localhost:3000' })).toMatchObject({
    status: 201,
  })
})

test('a session ends with the role it was opened for, and with the membership', async () => {
  const venue = await openVenue()
  const membership = `/admin/memberships/${venue.report.people[MARA]!.membership_id}`
  const before = await signedIn(venue, MARA)
  await venue.office.patch(`${membership}/role`, { membership: { role: 'scanner' } })
  expect(await before.get('/scanner/me')).toRefuse(401)

  const after = await signedIn(venue, MARA)
  expect(await after.get('/scanner/me')).toMatchObject({ status: 200 })
  await venue.office.delete(membership)
  expect(await after.get('/scanner/me')).toRefuse(401)
  await venue.office.post(`${membership}/reactivation`)
  expect(await after.get('/scanner/me')).toRefuse(401)
})

test('a session runs out after thirty days', async () => {
  const venue = await openVenue()
  const browser = await signedIn(venue, MARA)
  await venue.app.database.pool.query(
    `update credentials set expires_at = expires_at - interval '30 days' where account_id = $1 and kind = 'session'`,
    [venue.report.account.id],
  )
  expect(await browser.get('/admin/events')).toRefuse(401)
})

test('what a person writes by session is theirs', async () => {
  const venue = await openVenue()
  const browser = await signedIn(venue, MARA)
  await browser.post('/admin/invitations', { invitation: { email: 'x@y.example', role: 'manager' } })
  const { body } = await venue.office.get('/admin/audit_log?action=POST')
  expect(body.entries[0]).toMatchObject({
    action: 'POST /admin/invitations',
    actor: { name: 'Mara Manager' },
    credential: { kind: 'session', description: 'Firefox on Linux' },
  })
})

test('browsers are described by what people call them', () => {
  const names = [
    'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'curl/8.5.0',
    '\u0000\u200f',
  ].map(describeBrowser)
  expect(names).toEqual(['Firefox on Linux', 'Safari on iPhone', 'Edge on Windows', 'curl/8.5.0', 'Unknown browser'])
})
