import { expect, test } from 'vitest'
import { cpuOf } from '../../test/kit/process/cpu.ts'
import { openVenue } from '../../test/kit/venue/venue.ts'

const FORM = { 'content-type': 'application/x-www-form-urlencoded' }
const MOST_US = 1_000_000

/** Whether nobody else would have had to wait for it. */
const expectCheap = async (work: () => Promise<void>) => expect(await cpuOf(work)).toBeLessThan(MOST_US)

test.each([
  ['fields by the hundred thousand', '&a'.repeat(500_000), 'The form has too many fields'],
  ['lists by the hundred thousand', '&a[]='.repeat(200_000), 'The form has too many fields'],
  ['a name of brackets', `a${'[a]'.repeat(340_000)}=1`, 'The name of a field is too long'],
  ['a name of opening brackets', `a${'['.repeat(1_000_000)}=1`, 'The name of a field is too long'],
])('a form with %s is refused before it is taken apart', async (_name, raw, message) => {
  const { stranger } = await openVenue()
  await stranger.ask('POST', '/sign_in', { raw: 'email=x', headers: FORM })
  await expectCheap(async () => {
    expect(await stranger.ask('POST', '/sign_in', { raw, headers: FORM })).toRefuse(400, { base: [message] })
  })
})

test('a form of as many fields as there may be is read', async () => {
  const { stranger } = await openVenue()
  const raw = `email=x&${'a=b&'.repeat(498)}`
  expect((await stranger.ask('POST', '/sign_in', { raw, headers: FORM })).text).toContain('email')
})

test('a password without end is wrong as quickly as another', async () => {
  const { stranger } = await openVenue()
  const email = 'olga@neue-halle.example'
  const signIn = (password: string) => stranger.post('/sign_in', { email, password })
  expect((await signIn('wrong password')).status).toBe(422)
  for (const password of [`a${'\u0301\u0316'.repeat(200_000)}`, '\uFDFA'.repeat(300_000), 'x'.repeat(1_000_000)]) {
    await expectCheap(async () => {
      expect((await signIn(password)).status).toBe(422)
    })
  }
})
