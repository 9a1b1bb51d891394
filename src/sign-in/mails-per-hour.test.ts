import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClient } from '../../test/kit/venue/client.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { cookiesOf, form, linkTo, openStrictApp } from '../../test/kit/venue/sessions.ts'
import type { OpenApp } from '../../test/kit/venue/venue.ts'
import { passwordVersionOf } from '../access/passwords.ts'
import { VisitorScope } from '../access/scopes.ts'
import { directoryOf } from '../access/shards.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { mailSignInLink } from './jobs.ts'
import { knownBrowserCookie } from './known-browser.ts'

const personNamed = (name: string) => `${name}@neue-halle.example`
const [NINA, OTTO, PIA, QUIM, RUTH, SVEN, TILL] = ['nina', 'otto', 'pia', 'quim', 'ruth', 'sven', 'till'].map(
  personNamed,
) as [string, string, string, string, string, string, string]

let strict: OpenApp

beforeAll(async () => {
  strict = await openStrictApp((file) => {
    for (const email of [NINA, OTTO, PIA, QUIM, RUTH, SVEN, TILL])
      file['people'].push({ name: 'Somebody', email, role: 'manager' })
  })
})

afterAll(() => strict.close())

const ask = async (email: string, place: '/sign_in' | '/password' = '/sign_in', cookie = '') => {
  const reply = await openClient(strict.origin).ask('POST', place, form({ email, by: 'link' }, { cookie }))
  expect(reply.status).toBe(200)
  return reply
}

/** What a browser keeps in which somebody without a password has signed in. */
const newKnownBrowser = async (email: string): Promise<string> => {
  const { pool } = directoryOf(strict.app)
  const { rows } = await pool.query<{ id: number }>('select id from people where email = $1', [email])
  const owner = { personId: rows[0]!.id, passwordVersion: passwordVersionOf(null) }
  return knownBrowserCookie(new VisitorScope(strict.app), owner, {}).split(';')[0]!
}

/** How many mails a person has, once all that were asked for are there. */
const mailsOf = async (email: string): Promise<number> => {
  await strict.workOffJobs()
  return (await mailsTo(strict, email)).length
}

test('whoever asks every ten minutes keeps no mail away for longer than an hour', async () => {
  const without: number[] = []
  let mails = 0
  for (let minute = 0; minute < 180; minute += 10) {
    await ask(NINA)
    const now = await mailsOf(NINA)
    if (now === mails) without.push(minute)
    mails = now
    await strict.moveClock('10 minutes')
  }
  expect(without).toEqual([50, 110, 170])
})

test('links for signing in use up no mail for a new password', async () => {
  for (let n = 0; n < 6; n++) await ask(OTTO)
  expect(await mailsOf(OTTO)).toBe(5)
  await ask(OTTO, '/password')
  expect(await mailsOf(OTTO)).toBe(6)
})

test('never more than five are mailed an hour, also of links that are asked for at once', async () => {
  for (const expected of [5, 10]) {
    await Promise.all(Array.from({ length: 10 }, () => ask(PIA)))
    expect(await mailsOf(PIA)).toBe(expected)
    await strict.moveClock('59 minutes')
    await ask(PIA)
    expect(await mailsOf(PIA)).toBe(expected)
    await strict.moveClock('1 minute')
  }
})

test('a mail that is tried again is neither counted twice nor refused', async () => {
  for (let n = 0; n < 6; n++) {
    await ask(QUIM)
    await strict.workOffJobs()
  }
  expect(await mailsOf(QUIM)).toBe(5)

  const { kysely, pool } = directoryOf(strict.app)
  const { rows } = await pool.query<{ id: number }>('select id from sign_in_links where email = $1 order by id', [QUIM])
  for (const { id } of rows) await enqueue(kysely, mailSignInLink, { linkId: id })
  expect(await mailsOf(QUIM)).toBe(10)
})

test('in a browser where a person has signed in before, nobody else can use up their mails', async () => {
  await ask(RUTH)
  expect(await mailsOf(RUTH)).toBe(1)
  const entered = await openClient(strict.origin).ask('POST', await linkTo(strict, RUTH), form({}))
  const cookie = cookiesOf(entered)
    .split('; ')
    .find((pair) => pair.startsWith('foyer_known='))!
  await strict.moveClock('1 hour')

  const mailsAfterSix = async (...asked: [place: '/sign_in' | '/password', cookie?: string]) => {
    await strict.moveClock('1 minute')
    for (let n = 0; n < 6; n++) await ask(RUTH, ...asked)
    return mailsOf(RUTH)
  }
  expect(await mailsAfterSix('/sign_in')).toBe(6)
  expect(await mailsAfterSix('/sign_in', cookie)).toBe(11)
  expect(await mailsAfterSix('/password', cookie)).toBe(16)
  // Nor does the browser use up what others may ask for.
  expect(await mailsAfterSix('/password')).toBe(21)
})

test('all browsers in which a person has signed in have ten mails an hour together', async () => {
  for (let n = 0; n < 3; n++) {
    const cookie = await newKnownBrowser(SVEN)
    for (let asked = 0; asked < 4; asked++) await ask(SVEN, '/sign_in', cookie)
    await strict.moveClock('1 minute')
  }
  expect(await mailsOf(SVEN)).toBe(10)
  await ask(SVEN)
  expect(await mailsOf(SVEN)).toBe(11)
})

test('a browser is known to its person alone, and the answer says nothing of it', async () => {
  const [cookie, another] = [await newKnownBrowser(TILL), await newKnownBrowser(OTTO)]
  await strict.moveClock('1 hour')
  const before = await mailsOf(TILL)
  for (let n = 0; n < 6; n++) await ask(TILL, '/sign_in', another)
  expect(await mailsOf(TILL)).toBe(before + 5)
  const replies = [
    await ask(TILL),
    await ask(TILL, '/sign_in', cookie),
    await ask(TILL, '/sign_in', another),
    await ask('nobody@neue-halle.example', '/sign_in', cookie),
  ]
  const [first, ...others] = replies.map(({ status, text, headers }) => [status, text, headers.getSetCookie()])
  for (const other of others) expect(other).toEqual(first)
  expect(await mailsOf(TILL)).toBe(before + 6)
})
