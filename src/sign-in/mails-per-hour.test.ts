import { afterAll, beforeAll, expect, test } from 'vitest'
import { openClient } from '../../test/kit/venue/client.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { form, openStrictApp } from '../../test/kit/venue/sessions.ts'
import type { OpenApp } from '../../test/kit/venue/venue.ts'
import { directoryOf } from '../access/shards.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { mailSignInLink } from './jobs.ts'

const personNamed = (name: string) => `${name}@neue-halle.example`
const [NINA, OTTO, PIA, QUIM] = ['nina', 'otto', 'pia', 'quim'].map(personNamed) as [string, string, string, string]

let strict: OpenApp

beforeAll(async () => {
  strict = await openStrictApp((file) => {
    for (const email of [NINA, OTTO, PIA, QUIM]) file['people'].push({ name: 'Somebody', email, role: 'manager' })
  })
})

afterAll(() => strict.close())

const ask = async (email: string, place: '/sign_in' | '/password' = '/sign_in') => {
  const reply = await openClient(strict.origin).ask('POST', place, form({ email, by: 'link' }))
  expect(reply.status).toBe(200)
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
