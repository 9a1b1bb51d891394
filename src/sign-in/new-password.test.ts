import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { cookiesOf, form, linkTo, signedIn } from '../../test/kit/venue/sessions.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'
import { directoryOf } from '../access/shards.ts'

const HTML = { headers: { accept: 'text/html' } }
const NEW = 'ein neues Passwort'

/** Nina, who works for two venues and has a token in each and a passkey; and the link with which she resets her password. */
const openReset = async (name = 'Her script') => {
  const email = `nina-${randomBytes(4).toString('hex')}@neue-halle.example`
  const nina = { name: 'Nina Neu', email, password: 'ein gutes Passwort', role: 'manager' }
  const token = (description: string) => ({ description, permission: 'write', person: email })
  const venue = await openVenue((file) => {
    file['people'].push(nina)
    file['api_tokens'].push(token(name), { ...token('Long gone'), revoked: true })
  })
  const other = await openVenue((file) => {
    file['account'].name = 'Altes Werk'
    file['people'].push({ ...nina, role: 'co_organizer' })
    file['api_tokens'].push(token('Her other script'))
  })
  await directoryOf(venue.app).pool.query(
    `insert into passkeys (person_id, credential_id, public_key, signature_count, name) values ($1, $2, '', 0, 'Firefox on Linux')`,
    [venue.report.people[email]!.user_id, randomBytes(8).toString('hex')],
  )
  await venue.stranger.ask('POST', '/password', form({ email }))
  await venue.workOffJobs()
  return {
    venue,
    other,
    email,
    link: await linkTo(venue, email),
    clients: [
      venue.client(venue.report.api_tokens[name]),
      other.client(other.report.api_tokens['Her other script']),
      await signedIn(venue, email),
    ],
  }
}

const passkeysOf = async (venue: Venue, email: string): Promise<number> => {
  const { rows } = await directoryOf(venue.app).pool.query<{ count: number }>(
    'select count(*)::int as count from passkeys where person_id = $1',
    [venue.report.people[email]!.user_id],
  )
  return rows[0]!.count
}

const statuses = (clients: Awaited<ReturnType<typeof openReset>>['clients']) =>
  Promise.all(clients.map(async (client) => (await client.get('/admin/events')).status))

test('the page for a new password lists the person’s tokens and passkeys, with a tick that ends them', async () => {
  const { venue, link } = await openReset('<b>Her</b> script')
  const { text, headers } = await venue.stranger.get(link, HTML)
  expect(text).toMatch(/Firefox on Linux[^]*Passkey/)
  expect(text).toMatch(/Her other script[^]*API token of Altes Werk/)
  expect(text).toContain('&lt;b&gt;Her&lt;/b&gt; script')
  expect(text).not.toContain('Long gone')
  expect(text).toMatch(/<input\s+type="checkbox"[^>]*name="end_keys"[^>]* checked/)
  expect(text).not.toContain('<script')
  expect(headers.get('cache-control')).toContain('no-store')
})

test('with the tick, as without a word about it, every key of the person ends in every account', async () => {
  // A browser sends the hidden no before the tick.
  for (const sent of ['end_keys=0&end_keys=1&', '']) {
    const { venue, other, email, link, clients } = await openReset()
    const mara = venue.client(venue.report.api_tokens['mara write'])
    expect(await statuses(clients)).toEqual([200, 200, 200])
    const { raw, headers } = form({ password: NEW })
    const reply = await venue.stranger.ask('POST', link, { raw: sent + raw, headers })
    expect(reply.headers.get('location')).toBe('/sign_in?saved=1')

    expect(await statuses(clients)).toEqual([401, 401, 401])
    expect(await passkeysOf(venue, email)).toBe(0)
    expect((await mara.get('/admin/events')).status).toBe(200)
    for (const each of [venue, other]) {
      const { entries } = (await each.office.get('/admin/audit_log?action=end+tokens')).body
      expect(entries).toMatchObject([
        { subject: { credential_ids: [expect.any(Number)] }, actor: { name: 'Nina Neu' } },
      ])
      const { api_tokens: tokens } = (await each.office.get('/admin/api_tokens')).body
      const [{ credential_ids: ended }] = entries.map(({ subject }: { subject: object }) => subject)
      expect(tokens.find(({ id }: { id: number }) => id === ended[0]).revoked_at).toMatch(/Z$/)
    }
  }
})

test('without the tick only the sessions end', async () => {
  const { venue, email, link, clients } = await openReset()
  const short = await venue.stranger.ask('POST', link, form({ password: 'kurz', end_keys: '0' }))
  expect(short.status).toBe(422)
  expect(short.text).toContain('Her other script')
  expect(short.text).not.toMatch(/name="end_keys"[^>]* checked/)

  await venue.stranger.ask('POST', link, form({ password: NEW, end_keys: '0' }))
  expect(await statuses(clients)).toEqual([200, 200, 401])
  expect(await passkeysOf(venue, email)).toBe(1)
})

test('whoever was choosing an account with the old password signs in to none with it', async () => {
  const { venue, email, link } = await openReset()
  const signIn = async (password: string) =>
    cookiesOf(await venue.stranger.ask('POST', '/sign_in', form({ email, password })))
  const choose = (cookie: string) => {
    const membership = String(venue.report.people[email]!.membership_id)
    return venue.stranger.ask('POST', '/sign_in/account', form({ membership_id: membership }, { cookie }))
  }
  const before = await signIn('ein gutes Passwort')
  expect(before).toContain('foyer_choice')
  expect((await venue.stranger.ask('POST', link, form({ password: NEW, end_keys: '1' }))).status).toBe(303)

  const late = await choose(before)
  expect([late.headers.get('location'), late.headers.getSetCookie()]).toEqual(['/sign_in', []])
  expect(cookiesOf(await choose(await signIn(NEW)))).toContain('foyer_session')
})

test('a link signs in after the password has been replaced, also whoever chooses an account', async () => {
  const { venue, email, link } = await openReset()
  await venue.stranger.ask('POST', link, form({ password: NEW }))
  await venue.stranger.ask('POST', '/sign_in', form({ email, by: 'link' }))
  await venue.workOffJobs()
  const cookie = cookiesOf(await venue.stranger.ask('POST', await linkTo(venue, email), form({})))
  const membership = String(venue.report.people[email]!.membership_id)
  const chosen = await venue.stranger.ask('POST', '/sign_in/account', form({ membership_id: membership }, { cookie }))
  expect(cookiesOf(chosen)).toContain('foyer_session')
})

test('a refused password, or a link that is over, ends nothing', async () => {
  const { venue, email, link, clients } = await openReset()
  expect((await venue.stranger.ask('POST', link, form({ password: 'kurz', end_keys: '1' }))).status).toBe(422)
  expect((await venue.stranger.ask('POST', '/password/forged', form({ password: NEW }))).status).toBe(410)
  expect(await statuses(clients)).toEqual([200, 200, 200])
  expect(await passkeysOf(venue, email)).toBe(1)
})

test('who has no keys is asked about none, and a long list is cut', async () => {
  const email = `nils-${randomBytes(4).toString('hex')}@neue-halle.example`
  const pageOf = async (tokens: number) => {
    const venue = await openVenue((file) => {
      file['people'].push({ name: 'Nils Neu', email, role: 'scanner' })
      for (let n = 0; n < tokens; n++) {
        file['api_tokens'].push({ description: `Token ${n}`, permission: 'read', person: email })
      }
    })
    await venue.stranger.ask('POST', '/password', form({ email }))
    await venue.workOffJobs()
    return (await venue.stranger.get(await linkTo(venue, email), HTML)).text
  }
  expect(await pageOf(0)).not.toContain('end_keys')
  expect(await pageOf(52)).toContain('and 2 API tokens more')
})
