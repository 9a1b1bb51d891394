import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../kit/browser/fronts.ts'
import { DOOR, openPhone, pairPhone, startPairing } from '../kit/browser/phone.ts'
import { openBrowserAt } from '../kit/browser/watched-browser.ts'
import { openDoorNight } from '../kit/venue/door-night.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const LOOKS = [
  ['dark', 'en-GB'],
  ['light', 'de-DE'],
] as const

test.each(LOOKS)('every face of the door is readable and fits 360 × 640: %s, %s', async (look, locale) => {
  const night = await openDoorNight()
  const phone = await openPhone(browser, { locale })
  const { page } = phone
  const name = (what: string) => `door-${what}-${look}`
  await page.goto(DOOR)
  await page.locator('main').waitFor()
  if (look === 'light') {
    await page.evaluate(`new Promise((resolve) => {
      const asked = indexedDB.open('foyer-door')
      asked.onsuccess = () => {
        const writing = asked.result.transaction('settings', 'readwrite')
        writing.objectStore('settings').put('light', 'look')
        writing.oncomplete = () => { asked.result.close(); resolve() }
      }
    })`)
    await page.reload()
    await page.locator('main').waitFor()
  }
  expect(await page.evaluate('document.documentElement.lang')).toBe(locale.slice(0, 2))
  await phone.expectReadable(name('unpaired'))
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await phone.expectFitting()
  await phone.expectReadable(name('ready'))
  const faces = {
    in: night.fine.publicId,
    already: night.fine.publicId,
    wrong_event: night.elsewhere.publicId,
    refused: night.refunded.publicId,
    unpaid: night.unpaid.publicId,
    unknown: 'AAAAAAAAAAAAAAAAAAAAAA',
    in_note: night.noted.publicId,
  }
  for (const [verdict, publicId] of Object.entries(faces)) {
    expect(await phone.scan(publicId)).toBe(verdict)
    await phone.expectFitting()
    await phone.expectReadable(name(verdict))
  }
  // It is said aloud, too.
  expect(await page.locator('[aria-live="assertive"]').innerText()).toContain('Petra Press')
  await page.locator('.verdict-buttons .main').click()
  await page.locator('.foot button').last().click()
  await phone.expectReadable(name('more'))
  await phone.expectFitting()
  phone.expectNoFaults(/40[14]|422/)
  await phone.close()
})
