import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { Venue } from '../venue/venue.ts'
import { type ConsolePage, watchPage } from './console.ts'
import { CONSOLE } from './watched-browser.ts'

export const SMALL_PHONE = { width: 360, height: 640 }
export const DOOR = `${CONSOLE}/door`

/** A phone at a door, and what can be done with it. */
export interface Phone extends ConsolePage {
  context: BrowserContext
  /** The same phone after its app was killed and opened again. */
  reopen(): Promise<Phone>
  line(): Promise<string | null>
  queue(): Promise<number>
  tickets(): Promise<number>
  /** As a scanner that types does; comes back with the verdict. */
  scan(code: string): Promise<string>
  /** Without a word from it, as where the app is killed meanwhile. */
  type(code: string): Promise<void>
  verdict(): Promise<string | null>
  close(): Promise<void>
}

const numberOf = async (page: Page, name: string) => Number(await page.locator('main').getAttribute(name))

/** A new phone: nothing is on it. */
export const openPhone = async (
  browser: Browser,
  options: BrowserContextOptions = {},
  timeoutMs = 30_000,
): Promise<Phone> => {
  const context = await browser.newContext({
    viewport: SMALL_PHONE,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    hasTouch: true,
    ...options,
  })
  return openDoorPage(context, timeoutMs)
}

const openDoorPage = async (context: BrowserContext, timeoutMs: number): Promise<Phone> => {
  const page = await context.newPage()
  const watched = watchPage(page)
  page.setDefaultTimeout(timeoutMs)
  const phone: Phone = {
    ...watched,
    context,
    reopen: async () => {
      await page.close({ runBeforeUnload: false })
      const again = await openDoorPage(context, timeoutMs)
      await again.page.goto(DOOR)
      await again.page.locator('main[data-line]').waitFor()
      return again
    },
    line: () => page.locator('main').getAttribute('data-line'),
    queue: () => numberOf(page, 'data-queue'),
    tickets: () => numberOf(page, 'data-tickets'),
    scan: async (code) => {
      const before = await page.evaluate<string>(`document.querySelector('[data-scan]')?.dataset.scan ?? ''`)
      await phone.type(code)
      const next = page.locator(`[data-scan]:not([data-scan="${before}"])`)
      return (await next.getAttribute('data-verdict'))!
    },
    type: (code) => page.evaluate<void>(`(${typeLikeScanner})(${JSON.stringify(code)})`),
    verdict: async () => {
      const verdict = page.locator('[data-verdict]')
      return (await verdict.count()) === 0 ? null : verdict.getAttribute('data-verdict')
    },
    close: () => context.close(),
  }
  return phone
}

/** Runs in the page: the keys of an American keyboard, faster than any person. */
const typeLikeScanner = `(text) => {
  const press = (key, code, shiftKey) => {
    const event = new KeyboardEvent('keydown', { key, code, shiftKey, bubbles: true, cancelable: true })
    ;(document.activeElement ?? document.body).dispatchEvent(event)
  }
  for (const letter of text) {
    const isLetter = /[a-z]/i.test(letter)
    const code = isLetter ? 'Key' + letter.toUpperCase() : /\\d/.test(letter) ? 'Digit' + letter : 'Minus'
    press(letter, code, isLetter && letter === letter.toUpperCase())
  }
  press('Enter', 'Enter', false)
}`

/** A secret for one phone or a stack of them. */
export const startPairing = async (venue: Venue, name: string, uses = 1): Promise<string> => {
  const reply = await venue.office.post('/admin/device_pairings', { device_pairing: { name, uses } })
  expect(reply.status).toBe(201)
  return reply.body.pairing_secret
}

/** Until the app is on the phone and opens without a line. By asking: what waits inside the page may not evaluate texts there. */
export const waitForServiceWorker = async (page: Page): Promise<void> => {
  const isOnPhone = () => page.evaluate<boolean>('navigator.serviceWorker.controller !== null')
  await expect.poll(isOnPhone, { timeout: 30_000 }).toBe(true)
}

/** Opens the address of the pairing, as a phone does that has scanned it, and waits for the tickets. */
export const pairPhone = async (phone: Phone, secret: string, tickets?: number): Promise<void> => {
  await phone.page.goto(`${DOOR}#pair=${secret}`)
  await phone.page.locator('main[data-line="online"]').waitFor()
  if (tickets !== undefined) await expect.poll(() => phone.tickets(), { timeout: 20_000 }).toBe(tickets)
}

export const readStores = (page: Page) =>
  page.evaluate<Record<string, number>>(`(async () => {
    const db = await new Promise((resolve) => { const asked = indexedDB.open('foyer-door'); asked.onsuccess = () => resolve(asked.result) })
    const counts = {}
    for (const name of db.objectStoreNames) counts[name] = await new Promise((resolve) => {
      const asked = db.transaction(name).objectStore(name).count(); asked.onsuccess = () => resolve(asked.result)
    })
    db.close()
    return counts
  })()`)
