import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { cpuOf } from '../../test/kit/process/cpu.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { cookiesOf, form, linkTo, openStrictApp, withHeaders } from '../../test/kit/venue/sessions.ts'
import { type Venue, openVenue } from '../../test/kit/venue/venue.ts'
import { directoryOf } from '../access/shards.ts'
import type { Database } from '../database/database.ts'

const PASSWORD = 'ein gutes Passwort'

/** A venue with one person of its own, who has a password. */
const venueOf = async (person: object = {}) => {
  const email = `nina-${randomBytes(4).toString('hex')}@neue-halle.example`
  const venue = await openVenue((file) => {
    file['people'].push({ name: 'Nina Neu', email, password: PASSWORD, role: 'manager', ...person })
  })
  return { venue, email }
}

const signIn = (venue: Venue, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  venue.stranger.ask('POST', '/sign_in', form(fields, headers))

const asBrowser = (venue: Venue, cookie: string) => withHeaders(venue.stranger, { cookie })

test('a password opens a session, and the session opens the API with the person’s role', async () => {
  const { venue, email } = await venueOf()
  const page = await venue.stranger.get('/sign_in', { headers: { accept: 'text/html' } })
  expect(page.text).toMatch(/name="email"[^]*name="password"/)

  const reply = await signIn(venue, { email: ` ${email.toUpperCase()}`, password: PASSWORD })
  expect(reply.status).toBe(303)
  expect(reply.headers.get('location')).toBe('/console')
  const [cookie] = reply.headers.getSetCookie()
  expect(cookie).toMatch(/^foyer_session=[\w-]+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/)

  const browser = asBrowser(venue, cookiesOf(reply))
  expect(await browser.get('/admin/events')).toMatchObject({ status: 200 })
  expect(await browser.get('/admin/memberships')).toMatchObject({ status: 200 })
  const home = await browser.get('/account', { headers: { accept: 'text/html' } })
  expect(home.text).toContain('Nina Neu')
  expect(home.text).toContain('this browser')
})

test('the address of the house leads a browser on, and tells a program that there is nothing', async () => {
  const { venue, email } = await venueOf()
  const chromium = { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }
  const stranger = await venue.stranger.get('/', { headers: chromium })
  expect([stranger.status, stranger.headers.get('location')]).toEqual([303, '/sign_in'])

  const browser = asBrowser(venue, cookiesOf(await signIn(venue, { email, password: PASSWORD })))
  const member = await browser.get('/', { headers: chromium })
  expect([member.status, member.headers.get('location')]).toEqual([303, '/console'])

  for (const accept of ['application/json', '*/*']) {
    expect(await venue.stranger.get('/', { headers: { accept } })).toRefuse(404, { base: ['Not found'] })
  }
  const host = new URL(venue.report.account.shop_url).host
  const shop = await venue.stranger.get('/', { headers: { host, ...chromium } })
  expect([shop.status, shop.headers.get('location')]).toEqual([302, '/events'])
})

test('wrong passwords, unknown addresses and deactivated members get the same answer', async () => {
  const { venue, email } = await venueOf()
  const gone = await venueOf({ state: 'deactivated' })
  const answers = await Promise.all([
    signIn(venue, { email, password: 'something else' }),
    signIn(venue, { email: 'nobody@neue-halle.example', password: PASSWORD }),
    signIn(venue, { email: gone.email, password: PASSWORD }),
  ])
  const texts = answers.map(({ text }) => text.replaceAll(/value="[^"]*"/g, ''))
  for (const [n, { status, headers }] of answers.entries()) {
    expect(status).toBe(422)
    expect(headers.getSetCookie()).toEqual([])
    expect(texts[n]).toBe(texts[0])
  }
  expect(texts[0]).toContain('do not open anything here')
})

test('an address that looks like a member’s, with a letter of another alphabet, is none', async () => {
  const { venue } = await venueOf()
  const { status, headers, text } = await signIn(venue, { email: 'оlga@neue-halle.example', password: PASSWORD })
  expect([status, headers.getSetCookie()]).toEqual([422, []])
  expect(text).toContain('That is not an email address')
})

test('an unknown address takes as long as a wrong password', async () => {
  const { venue, email } = await venueOf()
  const work = (address: string) => cpuOf(() => signIn(venue, { email: address, password: 'something else' }))
  const known: number[] = []
  const unknown: number[] = []
  for (let round = 0; round < 12; round++) {
    known.push(await work(email))
    unknown.push(await work('nobody@neue-halle.example'))
  }
  const median = (works: number[]) => works.toSorted((a, b) => a - b)[6]!
  expect(median(unknown)).toBeGreaterThan(median(known) * 0.4)
  expect(median(unknown)).toBeLessThan(median(known) * 2.5)
})

test('guesses are budgeted per address, and the right password has to wait too', async () => {
  const email = 'olga@neue-halle.example'
  const strict = await openStrictApp((file) => {
    file['people'][0].password = PASSWORD
  })
  try {
    const ask = (password: string) =>
      fetch(`${strict.origin}/sign_in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { accept: 'text/html' },
        body: new URLSearchParams({ email, password }),
      })

    expect((await ask(PASSWORD)).status).toBe(303)
    for (let guess = 0; guess < 10; guess++) expect((await ask('wrong')).status).toBe(422)
    const refused = await ask(PASSWORD)
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refused.text()).toContain('tried too often')
  } finally {
    await strict.close()
  }
})

test('without a password a link is mailed that signs in once, by its button and not by opening it', async () => {
  const { venue, email } = await venueOf()
  expect((await signIn(venue, { email, password: '' })).text).toContain('Look into your mailbox')
  await venue.workOffJobs()
  const link = await linkTo(venue, email)
  expect(link).toMatch(/^\/sign_in\/links\/[\w-]{43}$/)

  const headers = { accept: 'text/html' }
  for (let look = 0; look < 2; look++) expect((await venue.stranger.get(link, { headers })).text).toContain('Nina Neu')
  const replies = await Promise.all([1, 2, 3].map(() => venue.stranger.ask('POST', link, form({}))))
  expect(replies.map(({ status }) => status).toSorted()).toEqual([303, 410, 410])
  const browser = asBrowser(venue, cookiesOf(replies.find(({ status }) => status === 303)!))
  expect(await browser.get('/admin/events')).toMatchObject({ status: 200 })
  expect(await venue.stranger.get(link, { headers })).toMatchObject({ status: 410 })
})

test('a link runs out after a quarter of an hour, and a forged one never was', async () => {
  const { venue, email } = await venueOf()
  await signIn(venue, { email, by: 'link', password: PASSWORD })
  await venue.workOffJobs()
  const link = await linkTo(venue, email)
  await directoryOf(venue.app).pool.query(
    `update sign_in_links set expires_at = expires_at - interval '15 minutes' where email = $1`,
    [email],
  )
  expect((await venue.stranger.ask('POST', link, form({}))).status).toBe(410)
  expect((await venue.stranger.ask('POST', '/sign_in/links/forged', form({}))).status).toBe(410)
})

test('an address nobody has gets the same page and no mail', async () => {
  const { venue, email } = await venueOf()
  const known = await signIn(venue, { email, by: 'link' })
  const unknown = await signIn(venue, { email: 'nobody@elsewhere.example', by: 'link' })
  expect(unknown.text).toBe(known.text)
  await venue.workOffJobs()
  expect(await mailsTo(venue, 'nobody@elsewhere.example')).toEqual([])
})

test('signing out ends the session, and asking the page alone does not', async () => {
  const { venue, email } = await venueOf()
  const cookie = cookiesOf(await signIn(venue, { email, password: PASSWORD }))
  const browser = asBrowser(venue, cookie)
  expect((await browser.get('/sign_out', { headers: { accept: 'text/html' } })).text).toContain('Sign out?')
  expect(await browser.get('/admin/events')).toMatchObject({ status: 200 })

  const out = await browser.ask('POST', '/sign_out', form({}))
  expect(out.status).toBe(303)
  expect(out.headers.getSetCookie()[0]).toMatch(/^foyer_session=; Path=\/; Max-Age=0/)
  expect(await browser.get('/admin/events')).toRefuse(401)
})

test('signing in again ends the session the browser had', async () => {
  const { venue, email } = await venueOf()
  const first = cookiesOf(await signIn(venue, { email, password: PASSWORD }))
  const second = cookiesOf(await signIn(venue, { email, password: PASSWORD }, { cookie: first }))
  expect(second).not.toBe(first)
  expect(await asBrowser(venue, first).get('/admin/events')).toRefuse(401)
  expect(await asBrowser(venue, second).get('/admin/events')).toMatchObject({ status: 200 })
})

test('someone who works for two accounts chooses one, and switches later', async () => {
  const { venue, email } = await venueOf()
  const other = await openVenue((file) => {
    file['account'].name = 'Altes Werk'
    file['people'].push({ name: 'Ignored', email, role: 'scanner' })
  })
  const reply = await signIn(venue, { email, password: PASSWORD })
  expect(reply.headers.get('location')).toBe('/sign_in/account')
  const choosing = cookiesOf(reply)
  expect(choosing).not.toContain('foyer_session')

  const page = await asBrowser(venue, choosing).get('/sign_in/account', { headers: { accept: 'text/html' } })
  expect(page.text).toMatch(/Altes Werk[^]*Neue Halle/)
  const choose = (membership: number) =>
    venue.stranger.ask('POST', '/sign_in/account', form({ membership_id: String(membership) }, { cookie: choosing }))
  const stranger = await choose(venue.report.people['olga@neue-halle.example']!.membership_id)
  expect(stranger.headers.get('location')).toBe('/sign_in')
  expect(stranger.headers.getSetCookie()).toEqual([])

  const session = cookiesOf(await choose(venue.report.people[email]!.membership_id))
  const browser = asBrowser(venue, session)
  expect(await browser.get('/admin/events')).toMatchObject({ status: 200 })

  const switched = await browser.ask(
    'POST',
    '/account/switch',
    form({ membership_id: String(other.report.people[email]!.membership_id) }),
  )
  const elsewhere = asBrowser(venue, cookiesOf(switched))
  expect((await elsewhere.get('/account', { headers: { accept: 'text/html' } })).text).toContain('Altes Werk')
  expect(await elsewhere.get('/admin/events')).toRefuse(401)
  expect((await elsewhere.get('/scanner/me')).body.account.name).toBe('Altes Werk')
  expect(await browser.get('/admin/events')).toRefuse(401)
})

test('a forgotten password is replaced by a mailed link, and every session of the person ends', async () => {
  const { venue, email } = await venueOf()
  const browser = asBrowser(venue, cookiesOf(await signIn(venue, { email, password: PASSWORD })))
  await venue.stranger.ask('POST', '/password', form({ email }))
  await venue.workOffJobs()
  const link = await linkTo(venue, email)
  expect(link).toMatch(/^\/password\//)

  const short = await venue.stranger.ask('POST', link, form({ password: 'kurz' }))
  expect(short).toMatchObject({ status: 422 })
  expect(short.text).toContain('Password is too short')
  const saved = await venue.stranger.ask('POST', link, form({ password: 'ein neues Passwort' }))
  expect(saved.headers.get('location')).toBe('/sign_in?saved=1')
  expect((await venue.stranger.ask('POST', link, form({ password: 'noch ein Passwort' }))).status).toBe(410)

  expect(await browser.get('/admin/events')).toRefuse(401)
  expect((await signIn(venue, { email, password: PASSWORD })).status).toBe(422)
  expect((await signIn(venue, { email, password: 'ein neues Passwort' })).status).toBe(303)
})

test('a link for signing in changes no password, and the other way round', async () => {
  const { venue, email } = await venueOf()
  await signIn(venue, { email, by: 'link' })
  await venue.workOffJobs()
  const token = (await linkTo(venue, email)).split('/').at(-1)!
  expect((await venue.stranger.ask('POST', `/password/${token}`, form({ password: 'long enough' }))).status).toBe(410)
})

test('only addresses of this house are gone back to', async () => {
  const { venue, email } = await venueOf()
  const goes = async (wanted: string) =>
    (await signIn(venue, { email, password: PASSWORD, return_to: wanted })).headers.get('location')
  expect(await goes('/docs?x=1')).toBe('/docs?x=1')
  for (const wanted of ['https://evil.example/', '//evil.example', '/\\evil.example', 'javascript:alert(1)', '/a\nb']) {
    expect(await goes(wanted), wanted).toBe('/console')
  }
})

test('forms of other sites are turned away', async () => {
  const { venue, email } = await venueOf()
  const forged = await signIn(venue, { email, password: PASSWORD }, { origin: 'https://evil.example' })
  expect(forged).toRefuse(403)
  expect((await signIn(venue, { email, password: PASSWORD }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
  const own = { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' }
  expect((await signIn(venue, { email, password: PASSWORD }, own)).status).toBe(303)
})

test('sessions are listed on the person’s page and ended there', async () => {
  const { venue, email } = await venueOf()
  const one = asBrowser(
    venue,
    cookiesOf(
      await signIn(
        venue,
        { email, password: PASSWORD },
        { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
      ),
    ),
  )
  const two = asBrowser(venue, cookiesOf(await signIn(venue, { email, password: PASSWORD })))
  const page = (await two.get('/account', { headers: { accept: 'text/html' } })).text
  expect(page).toContain('Firefox on Linux')
  const end = /action="(\/account\/sessions\/\d+\/end)"/.exec(page)![1]!

  const stranger = await venueOf()
  const other = asBrowser(venue, cookiesOf(await signIn(stranger.venue, { email: stranger.email, password: PASSWORD })))
  await other.ask('POST', end, form({}))
  expect(await one.get('/admin/events')).toMatchObject({ status: 200 })

  await two.ask('POST', end, form({}))
  expect(await one.get('/admin/events')).toRefuse(401)
  expect(await two.get('/admin/events')).toMatchObject({ status: 200 })
})

test('nothing of a secret is logged or kept in clear', async () => {
  const { venue, email } = await venueOf()
  const cookie = cookiesOf(await signIn(venue, { email, password: PASSWORD }))
  await signIn(venue, { email, by: 'link' })
  await venue.workOffJobs()
  const token = (await linkTo(venue, email)).split('/').at(-1)!
  await venue.stranger.get(`/sign_in/links/${token}`)

  const log = venue.logged.join('')
  for (const secret of [PASSWORD, cookie.split('=')[1]!, token]) expect(log).not.toContain(secret)
  const written = async ({ pool }: Database, table: string) =>
    (await pool.query<{ text: string }>(`select row_to_json(t)::text as text from ${table} t`)).rows
  const links = await written(directoryOf(venue.app), 'sign_in_links')
  const notes = await written(venue.app.database, 'audit_entries')
  expect([links.length > 0, notes.length > 0]).toEqual([true, true])
  expect([...links, ...notes].map(({ text }) => text).join('')).not.toContain(token)
})

test('a session is swept a day after it ended, by itself or by its owner, and no other credential is', async () => {
  const { venue, email } = await venueOf()
  const cookies: string[] = []
  for (let n = 0; n < 3; n++) cookies.push(cookiesOf(await signIn(venue, { email, password: PASSWORD })))
  const [ended, expired] = cookies.map((cookie) => asBrowser(venue, cookie))
  const { pool } = venue.app.database
  const left = async () => {
    const { rows } = await pool.query<{ kind: string; count: number }>(
      'select kind, count(*) as count from credentials where account_id = $1 group by kind',
      [venue.report.account.id],
    )
    return Object.fromEntries(rows.map(({ kind, count }) => [kind, count]))
  }
  const others = { ...(await left()), session: undefined }

  await ended!.ask('POST', '/sign_out', form({}))
  await venue.workOffJobs()
  expect(await left()).toEqual({ ...others, session: 3 })
  await venue.moveClock('25 hours')
  await venue.workOffJobs()
  expect(await left()).toEqual({ ...others, session: 2 })
  expect(await ended!.get('/admin/events')).toRefuse(401)
  expect((await expired!.get('/admin/events')).status).toBe(200)

  await venue.moveClock('29 days')
  await venue.workOffJobs()
  expect(await left()).toEqual({ ...others, session: 2 })
  expect(await expired!.get('/admin/events')).toRefuse(401)
  await venue.moveClock('1 day')
  await venue.workOffJobs()
  expect(await left()).toEqual({ ...others, session: undefined })
  expect(await expired!.get('/admin/events')).toRefuse(401)
  const { rows } = await pool.query(
    `select 1 from credential_digests d
     left join credentials c on c.account_id = d.account_id and c.id = d.credential_id where c.id is null`,
  )
  expect(rows).toEqual([])
  await venue.moveClock('-31 days -1 hour')
})
