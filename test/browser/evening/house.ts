import type { Browser, Page } from 'playwright-core'
import { type ConsolePage, openConsolePage, signInAs, watchPage } from '../../kit/browser/console.ts'
import { openBrowser } from '../../kit/browser/browser.ts'
import { CONSOLE } from '../../kit/browser/watched-browser.ts'
import { type Venue, openVenue } from '../../kit/venue/venue.ts'

/** Olga owns the house and sets the night up, Mara leads the evening, Ines keeps the books. */
export const OLGA = { email: 'olga@neue-halle.example', password: 'ein gutes Passwort' }
export const MARA = 'mara@neue-halle.example'
export const INES = 'ines@buchhaltung.example'

export const DESK = { width: 1280, height: 800 }
export const HAND = { width: 390, height: 760 }

const DAY_MS = 24 * 60 * 60_000
const MINUTE_MS = 60_000

/** How many came in the minutes of an hour and a half: few, then many, then few. */
const arrivals = (doors: number) =>
  Array.from({ length: 90 }, (_, minute) => Math.round(2.2 * Math.sin((minute / 90) * Math.PI) ** 2)).flatMap(
    (count, minute) =>
      Array.from({ length: count }, () => ({
        ticket: 'ga',
        redeemed_at: new Date(doors + minute * MINUTE_MS).toISOString(),
      })),
  )

/** A house that has had an evening before, to compare with, and has yet to set up this one. */
export const openHouse = (): Promise<Venue> =>
  openVenue((file) => {
    file['account'].subdomain = 'neue-halle'
    Object.assign(file['people'][0], OLGA)
    file['people'].push({ name: 'Ines Bücher', email: INES, role: 'manager' })
    file['events'] = file['events'].filter(({ slug }: { slug: string }) => slug !== 'draft-show')
    file['events'].push({
      slug: 'autumn-concert',
      title: 'Autumn Concert',
      venue: 'halle',
      starts_at: '-P14D',
      ends_at: '-P13D',
      tickets: [{ key: 'ga', title: 'General admission' }],
      orders: [{ key: 'all', customer_name: 'Autumn Circle', items: arrivals(Date.now() - 14 * DAY_MS) }],
    })
  })

/** Console and shop stand at their own addresses; behind both answers Foyer of the test. */
export const openHouseBrowser = ({ origin }: Venue): Promise<Browser> => {
  const { host } = new URL(origin)
  return openBrowser({ [new URL(CONSOLE).host]: host, [`*.${new URL(CONSOLE).host}`]: host })
}

/** Somebody of the house at a desk, signed in; by its clock it may be later. */
export const openDeskOf = async (
  browser: Browser,
  venue: Venue,
  email: string,
  path: string,
  now?: Date,
): Promise<ConsolePage> => {
  const desk = await openConsolePage(browser, { viewport: DESK })
  if (now) await desk.page.clock.setFixedTime(now)
  await signInAs(desk, venue, email)
  await desk.page.goto(`${CONSOLE}/console${path}`)
  return desk
}

/** Somebody with a phone in the hand, who has never been here. */
export const openHand = async (browser: Browser, url: string): Promise<{ page: Page; watched: ConsolePage }> => {
  const context = await browser.newContext({
    viewport: HAND,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    hasTouch: true,
    isMobile: true,
  })
  const page = await context.newPage()
  const watched = watchPage(page, url)
  await page.goto(url)
  return { page, watched }
}
