import { expect, test } from 'vitest'
import { theApp } from '../../test/kit/venue/venue.ts'
import { knownBrowserCookie, readKnownBrowser } from './known-browser.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const OWNER = { personId: 7, passwordVersion: 'first' }

test('a browser is known to its person for 180 days, and as long as the password is the same', async () => {
  const { app: house } = await theApp()
  const appAt = (ms: number) => ({ app: { ...house, clock: { now: () => new Date(ms) } } }) as never
  const [cookie] = knownBrowserCookie(appAt(0), OWNER, {}).split(';')
  const known = (ms: number, owner = OWNER, text = cookie) => readKnownBrowser(appAt(ms), owner, { cookie: text })

  const id = known(0)
  expect(id).toMatch(/^[\w-]{16}$/)
  expect(known(180 * DAY_MS - 1)).toBe(id)
  expect(known(180 * DAY_MS)).toBeNull()
  expect(known(0, { ...OWNER, passwordVersion: 'second' })).toBeNull()
  expect(known(0, { ...OWNER, personId: 8 })).toBeNull()
  expect(known(180 * DAY_MS, OWNER, cookie!.replace('.15552000.', '.99999999.'))).toBeNull()

  const [again] = knownBrowserCookie(appAt(DAY_MS), OWNER, { cookie: cookie! }).split(';')
  expect(known(180 * DAY_MS, OWNER, again)).toBe(id)
})
