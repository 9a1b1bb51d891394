import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { openConsolePage } from '../../kit/browser/console.ts'
import { waitForToast } from '../../kit/browser/desk.ts'
import { CONSOLE } from '../../kit/browser/watched-browser.ts'
import { DESK, OLGA } from './house.ts'
import type { Album } from './pictures.ts'

export const TITLE = 'Harbour Concert'
export const SLUG = 'harbour-concert'
const HOUR_MS = 60 * 60_000

/** As a field for date and time takes it, by the clocks of the house. */
const wallTime = (time: number): string => {
  const text = new Date(time).toLocaleString('sv-SE', { timeZone: 'Europe/Berlin' })
  return text.replace(' ', 'T').slice(0, 16)
}

/** A moon over water. */
const drawPoster = (): Promise<Buffer> =>
  sharp(
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800">
      <linearGradient id="night" x2="0" y2="1"><stop stop-color="#0d1b3e"/><stop offset="1" stop-color="#3b2a63"/></linearGradient>
      <rect width="1200" height="800" fill="url(#night)"/><circle cx="820" cy="280" r="130" fill="#f6e7b4"/>
      <rect y="560" width="1200" height="240" fill="#0a132b"/>
      ${[580, 620, 660, 700].map((y, n) => `<rect x="${760 - n * 22}" y="${y}" width="${120 + n * 44}" height="10" fill="#f6e7b4" opacity="${0.7 - n * 0.15}"/>`).join('')}
    </svg>`),
  )
    .png()
    .toBuffer()

/** Olga signs in with her password, sets the night up, and opens a link for guests. The doors are open, it begins soon. */
export const setUpNight = async (browser: Browser, album: Album) => {
  const desk = await openConsolePage(browser, { viewport: DESK })
  const { page } = desk
  await page.goto(CONSOLE)
  await page.getByLabel('Email address').fill(OLGA.email)
  await page.getByLabel('Password').fill(OLGA.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${CONSOLE}/console/events`)

  await page.getByRole('link', { name: 'New event' }).click()
  await page.getByLabel('Title').fill(TITLE)
  // Far enough away that nobody buys when it has begun.
  const begins = Math.ceil((Date.now() + HOUR_MS / 3) / HOUR_MS) * HOUR_MS
  await page.getByLabel('Begins').fill(wallTime(begins))
  await page.getByLabel('Doors open').fill(wallTime(begins - 2 * HOUR_MS))
  await page.getByLabel('Venue', { exact: true }).selectOption({ label: 'Neue Halle, Hamburg' })
  await page.getByRole('button', { name: 'Create the event' }).click()
  await page.waitForURL(`${CONSOLE}/console/events/${SLUG}/setup`)
  await page.getByRole('textbox', { name: 'About the evening' }).click()
  await page.keyboard.type('Four hands, one piano, and the harbour behind the windows.')
  await page
    .getByRole('group', { name: 'Picture', exact: true })
    .locator('input[type=file]')
    .setInputFiles({ name: 'moon.png', mimeType: 'image/png', buffer: await drawPoster() })
  await page.getByRole('button', { name: 'Remove Picture' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await waitForToast(page, 'Saved.')

  await page.getByRole('link', { name: 'Tickets', exact: true }).click()
  for (const [name, price, stock] of [
    ['Standing', '24', '200'],
    ['Balcony', '38,50', '60'],
  ] as const) {
    await page.getByRole('button', { name: 'Add a ticket' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Price').fill(price)
    await page.getByLabel('How many there are').fill(stock)
    await page.getByRole('button', { name: 'Add the ticket' }).click()
    await page.getByRole('button', { name: `Change ${name}` }).waitFor()
  }
  await page.getByRole('link', { name: 'Publish', exact: true }).click()
  await page.getByText('Nothing is missing.').waitFor()
  const preview = page.frameLocator('iframe')
  await preview.getByRole('heading', { name: TITLE }).waitFor()
  await album.take(page, 'publish')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Take off the shop' }).waitFor()

  await page.goto(`${CONSOLE}/console/events/${SLUG}/signup`)
  await page.getByRole('link', { name: 'New link' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Friends of the band')
  await page.getByLabel('Companions each guest may bring').fill('2')
  await page.getByRole('radiogroup', { name: 'Names of companions' }).getByText('Required').click()
  await page.getByLabel('Quota').fill('30')
  await page.getByRole('button', { name: 'Create the link' }).click()
  await page.getByText('The link is ready to be shared.').waitFor()
  await page.getByRole('heading', { name: 'Friends of the band', level: 1 }).waitFor()
  await album.take(page, 'signup-link')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: CONSOLE })
  await page.getByRole('button', { name: 'Copy the link' }).click()
  await waitForToast(page, 'The link is copied.')
  const link = await page.evaluate<string>('navigator.clipboard.readText()')
  return { desk, link }
}

/** What Olga sells at her desk: a voucher, whose code is shown once. */
export const issueVoucher = async ({ page }: Awaited<ReturnType<typeof setUpNight>>['desk'], album: Album) => {
  await page.goto(`${CONSOLE}/console/vouchers`)
  await page.getByRole('main').getByRole('button', { name: 'Issue a voucher' }).last().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('50')
  await dialog.getByLabel('Note, for your books').fill('Paid in cash at the desk')
  await dialog.getByRole('button', { name: 'Issue €50.00' }).click()
  const shown = dialog.getByRole('status', { name: 'The code of the voucher' })
  await shown.waitFor()
  await album.take(page, 'voucher')
  return (await shown.textContent())!
}

/** Somebody has signed up, and Olga says yes. */
export const approveGuest = async (
  { page }: Awaited<ReturnType<typeof setUpNight>>['desk'],
  name: string,
  album: Album,
) => {
  await page.goto(`${CONSOLE}/console/events/${SLUG}/requests`)
  await page.getByRole('button', { name: `Approve ${name}` }).waitFor()
  await album.take(page, 'request')
  await page.getByRole('button', { name: `Approve ${name}` }).click()
  await page
    .getByRole('list', { name: 'Signup requests' })
    .getByRole('listitem')
    .filter({ hasText: name })
    .getByText('Approved')
    .waitFor()
}
