import type { Browser, Page } from 'playwright-core'
import type { VenueFile } from '../venue/neue-halle.ts'
import { type Venue, openVenue } from '../venue/venue.ts'
import { type ConsolePage, openConsolePage, signInAs } from './console.ts'

const MARA = 'mara@neue-halle.example'

export interface Desk {
  venue: Venue
  desk: ConsolePage
  page: Page
}

/** Mara, who manages the Neue Halle, at a page of the console. */
export const openDesk = async (
  browser: Browser,
  options: Parameters<typeof openConsolePage>[1] = {},
  change: (file: VenueFile) => void = () => {},
): Promise<Desk> => {
  const venue = await openVenue(change)
  const desk = await openConsolePage(browser, options)
  await signInAs(desk, venue, MARA)
  return { venue, desk, page: desk.page }
}

/** Waits until the page says so in passing. */
export const waitForToast = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').getByText(text).first().waitFor()

/** Keys that mean something together have to come soon after each other: no answer is waited for between them. */
export const pressInTurn = async (page: Page, ...keys: string[]): Promise<void> => {
  await Promise.all(keys.map((key) => page.keyboard.press(key)))
}

/** Holds what is sent to an address until it is let go, and whatever follows until then. */
export const holdNext = async (page: Page, method: string, address: RegExp) => {
  const asked = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  let count = 0
  await page.route(address, async (route) => {
    if (route.request().method() === method) {
      count++
      asked.resolve()
      await goes.promise
    }
    await route.continue()
  })
  return { asked: asked.promise, release: goes.resolve, count: () => count }
}

/** As a scanner that types does it: no pause between the keys, then Enter. */
export const scanCode = (page: Page, code: string): Promise<void> =>
  page.evaluate(`for (const key of [...${JSON.stringify(code)}, 'Enter'])
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))`)

/** Drags from the middle of one seat of a plan to the middle of another. */
export const dragOverSeats = async (page: Page, from: string, to: string): Promise<void> => {
  const middle = async (key: string) => {
    const { x, y, width, height } = (await page.locator(`[data-place="${key}"] rect`).boundingBox())!
    return [x + width / 2, y + height / 2] as const
  }
  const end = await middle(to)
  await page.mouse.move(...(await middle(from)))
  await page.mouse.down()
  await page.mouse.move(...end, { steps: 4 })
  await page.mouse.up()
}
