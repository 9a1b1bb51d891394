import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESK, PHONE, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { viewPdf } from '../kit/browser/pdf-viewer.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import type { VenueFile } from '../kit/venue/neue-halle.ts'
import { addOrder, addTicket } from '../kit/venue/orders.ts'
import { type Venue, openVenue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const MARA = 'mara@neue-halle.example'
const OLGA = 'olga@neue-halle.example'
const NIGHT = `${CONSOLE}/console/events/winter-ball/night`
const SOON = 30_000
const DAY_MS = 24 * 60 * 60_000

const autumnBall = (slug: string, weeksAgo: number) => ({
  slug,
  title: 'Autumn Ball',
  venue: 'halle',
  starts_at: `-P${7 * weeksAgo}D`,
  ends_at: `-P${7 * weeksAgo - 1}D`,
  tickets: [{ key: 'ga', title: 'General admission' }],
})

/** The doors of the Winter Ball have opened; a ball a week ago was empty, and forty came to the one before. */
const openNight = async (change: (file: VenueFile) => void = () => {}) => {
  const venue = await openVenue((file) => {
    const ball = file['events'][0]
    Object.assign(ball, { starts_at: '+PT1H', doors_open_at: '-PT1H', ends_at: '+PT7H' })
    file['events'].push(autumnBall('empty-ball', 1), autumnBall('autumn-ball', 2))
    change(file)
  })
  const start = Date.now() - 14 * DAY_MS
  for (let n = 0; n < 8; n++) {
    const admissions = Array.from({ length: 5 }, (_, each) => ({
      redeemedAt: new Date(start + (n * 5 + each) * 60_000),
    }))
    await addOrder(venue, 'autumn-ball', { admissions })
  }
  const scan = (publicId: string) => venue.door.post(`/scanner/tickets/${publicId}/redemption`)
  const heartbeat = (queue: number) =>
    venue.door.post('/scanner/heartbeat', { queue, snapshot_at: new Date().toISOString() })
  return { ...venue, venue, scan, heartbeat }
}

const openScreen = async (venue: Venue, email = MARA, options: Parameters<typeof openConsolePage>[1] = {}) => {
  const screen = await openConsolePage(browser, options)
  screen.page.setDefaultTimeout(SOON)
  await signInAs(screen, venue, email)
  await screen.page.goto(NIGHT)
  await screen.page.getByText('Live', { exact: true }).waitFor()
  return screen
}

const figure = (page: Page, label: string) =>
  page.locator('dl > div', { has: page.locator('dt', { hasText: label }) }).locator('dd')

const expectFigure = async (page: Page, label: string, value: string) => {
  await expect.poll(() => figure(page, label).textContent(), { timeout: SOON }).toBe(value)
}

test('a scan at the door shows on both screens, with the doors and the night to compare with', async () => {
  const { venue, scan, heartbeat } = await openNight()
  const tickets = await Promise.all([1, 2, 3].map(() => addTicket(venue, 'winter-ball')))
  await heartbeat(0)
  const mara = await openScreen(venue)
  const olga = await openScreen(venue, OLGA, { viewport: PHONE })
  for (const { page } of [mara, olga]) {
    await expectFigure(page, 'Inside now', '0')
    await expectFigure(page, 'Still expected', '3')
  }
  await mara.page.getByText('Autumn Ball, ', { exact: false }).waitFor()
  await mara.page.getByText('40 had arrived there at the same time after the doors.').waitFor()

  await scan(tickets[0]!.publicId)
  await scan(tickets[1]!.publicId)
  for (const { page } of [mara, olga]) {
    await expectFigure(page, 'Inside now', '2')
    await expectFigure(page, 'Arrived', '2of 3 expected')
    await expectFigure(page, 'Still expected', '1')
    await page.getByText('1 to come').waitFor()
  }
  const door = mara.page.getByRole('row', { name: /Door 1/ })
  await expect.poll(() => door.textContent(), { timeout: SOON }).toMatch(/Door 12measuringHeard just now0/)
  await mara.page.getByText('1 device not in use tonight').waitFor()
  await mara.expectReadable('night')
  await olga.expectReadable('night-phone')
  await olga.expectFitting()
  for (const screen of [mara, olga]) {
    screen.expectNoFaults()
    await screen.page.context().close()
  }
})

test('a conflict is looked at on one screen and leaves the other; unsent scans and silent doors are owned up to', async () => {
  const { venue, scan, heartbeat } = await openNight()
  const { publicId } = await addTicket(venue, 'winter-ball')
  await scan(publicId)
  await venue.door.post('/scanner/redemption_attempts', {
    attempts: [
      { client_id: 'late', event_slug: 'winter-ball', public_id: publicId, scanned_at: new Date().toISOString() },
    ],
  })
  await heartbeat(3)
  const mara = await openScreen(venue)
  const olga = await openScreen(venue, OLGA)
  for (const { page } of [mara, olga]) {
    await page.getByText('3 scans not sent yet: so many more may be inside than is counted here.').waitFor()
    await page.getByRole('region', { name: 'To look at' }).getByText('Zoë Lindqvist').waitFor()
  }
  const seeTo = () => mara.page.getByRole('button', { name: 'Seen to Zoë Lindqvist' }).click()
  await seeTo()
  for (const { page } of [mara, olga]) await page.getByText('Nothing to look at.').waitFor()
  await mara.page.getByRole('button', { name: 'Undo' }).click()
  await olga.page.getByRole('button', { name: 'Seen to Zoë Lindqvist' }).waitFor()
  // A screen on a wall shows nothing but the night, and what can be taken back of it.
  await mara.page.getByRole('button', { name: 'Full screen', exact: true }).click()
  await mara.page.getByRole('button', { name: 'Leave full screen' }).waitFor()
  await seeTo()
  await mara.page.getByRole('button', { name: 'Undo' }).click()
  await mara.page.getByRole('button', { name: 'Leave full screen' }).click()
  await seeTo()
  for (const { page } of [mara, olga]) await page.getByText('Nothing to look at.').waitFor()

  await venue.app.database.pool.query(
    `update device_heartbeats set seen_at = foyer_now() - interval '5 minutes' where account_id = $1`,
    [venue.report.account.id],
  )
  const another = await addTicket(venue, 'winter-ball')
  await venue.office.post(`/scanner/tickets/${another.publicId}/redemption`)
  await mara.page.getByText('One door is silent: whoever comes in there is not counted here').waitFor()
  await mara.page.getByText('Silent for 5 min').waitFor()
  await mara.expectReadable('night-silent')
  for (const screen of [mara, olga]) {
    screen.expectNoFaults()
    await screen.page.context().close()
  }
})

test('a line that is lost is said, with the age of what is shown, and the screen goes on by itself', async () => {
  const { venue, scan } = await openNight()
  const { publicId } = await addTicket(venue, 'winter-ball')
  const { page } = await openScreen(venue)
  await page.route('**/night/stream', (route) => route.abort())
  // Out of sight the stream is closed; in sight again it is asked for anew, and this time in vain.
  const show = (state: string) =>
    page.evaluate(
      `Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
       document.dispatchEvent(new Event('visibilitychange'))`,
    )
  await show('hidden')
  await show('visible')
  await page.getByText('Not live', { exact: true }).waitFor()
  await page.getByText('The line is lost. What you see is of').waitFor()
  await scan(publicId)
  await page.unroute('**/night/stream')
  await page.getByText('Live', { exact: true }).waitFor()
  await expectFigure(page, 'Inside now', '1')
  await page.context().close()
})

test('the report of a night is printed as PDF and saved as CSV, to the guest, without naming one', async () => {
  const { venue, scan } = await openNight()
  const tickets = await Promise.all([1, 2, 3, 4].map(() => addTicket(venue, 'winter-ball')))
  for (const { publicId } of tickets.slice(0, 3)) await scan(publicId)
  const screen = await openScreen(venue)
  const { page } = screen
  await page.getByRole('link', { name: 'Report', exact: true }).click()
  await page.getByRole('heading', { name: 'Winter Ball', level: 1 }).waitFor()
  await page.getByText('The night is not over: these figures still change.').waitFor()
  await expectFigure(page, 'Share that came', '75 %')
  await screen.expectReadable('night-report')

  const [sheet] = viewPdf(await page.pdf())
  for (const text of ['Neue Halle', 'Winter Ball', 'General admission', 'Did not come', '75 %']) {
    expect(sheet!.text).toContain(text)
  }
  for (const text of ['Zoë', 'Save as CSV', 'Guest list', 'Door 1']) expect(sheet!.text).not.toContain(text)

  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  expect(download.suggestedFilename()).toBe('winter-ball-night.csv')
  const lines = (await readFile(await download.path(), 'utf8')).split('\r\n')
  expect(lines.slice(0, 3)).toEqual([
    '\uFEFFTicket,Expected,Arrived,Did not come',
    'General admission,4,3,1',
    'Total,4,3,1',
  ])
  screen.expectNoFaults()
  await page.context().close()
})

/** Written straight into the database: twenty thousand would come through the door too slowly for a test. */
const fillHugeNight = async (venue: Venue) => {
  const accountId = venue.report.account.id
  const event = venue.report.events['winter-ball']!
  const client = await venue.app.database.pool.connect()
  try {
    await client.query(`set statement_timeout = 0; set session_replication_role = 'replica'`)
    await client.query(
      `insert into credentials (account_id, kind, permission, description)
       select $1, 'scanner_device', 'write', 'Gate ' || n from generate_series(1, 200) n`,
      [accountId],
    )
    await client.query(
      `with made as (
         insert into orders (account_id, event_id, public_id, order_code, origin, status, customer_name, paid_at)
         select $1::bigint, $2::bigint, 'huge' || n, 'H' || n, 'shop', 'paid', 'Guest ' || n, foyer_now()
         from generate_series(1, 20500) n returning id
       )
       insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title, position,
         is_lead, redeemed_at)
       select $1::bigint, $2::bigint, id, 'huge-' || id, translate(upper(substr(md5(id::text), 1, 8)), '01', 'XY'),
         $3::bigint, 'General admission', 0, true,
         case when row_number() over (order by id) <= 20000 then foyer_now() - interval '1 minute' * (1 + id % 55) end
       from made on conflict do nothing`,
      [accountId, event.id, event.tickets['ga']],
    )
    await client.query(
      `insert into device_heartbeats (account_id, credential_id, seen_at, queue, snapshot_at)
       select account_id, id, foyer_now(), id % 2, foyer_now() from credentials
       where account_id = $1 and kind = 'scanner_device' and revoked_at is null`,
      [accountId],
    )
    await client.query('analyze orders, admissions, credentials, device_heartbeats')
  } finally {
    // Its settings end with it.
    client.release(true)
  }
  return (await venue.office.get('/admin/events/winter-ball/night')).body.arrived as number
}

const LOOKS = [
  ['phone', { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' }],
  ['tablet', { viewport: { width: 768, height: 1024 }, colorScheme: 'dark', locale: 'en-GB' }],
  ['wall', { viewport: DESK, colorScheme: 'light', locale: 'en-GB' }],
] as const

test('twenty thousand guests and two hundred doors fit on a phone, a tablet and a wall', async () => {
  const { venue, scan } = await openNight()
  let arrived = await fillHugeNight(venue)
  expect(arrived).toBeGreaterThan(19_000)
  for (const [name, options] of LOOKS) {
    const screen = await openScreen(venue, MARA, options)
    const { page } = screen
    const label = options.locale === 'de-DE' ? 'Jetzt drin' : 'Inside now'
    const shown = () => new Intl.NumberFormat(options.locale).format(arrived)
    await expectFigure(page, label, shown())
    await page.getByRole('row', { name: /Gate 200/ }).waitFor()
    const { publicId } = await addTicket(venue, 'winter-ball')
    await scan(publicId)
    arrived += 1
    await expectFigure(page, label, shown())
    await page.locator('.uplot canvas').waitFor()
    await screen.expectFitting()
    await screen.expectReadable(`night-huge-${name}`)
    screen.expectNoFaults()
    await page.context().close()
  }
})

test('before anybody was expected the screen says so, and whoever has no such event hears that', async () => {
  const { venue } = await openNight((file) => {
    file['events'].push({ slug: 'club', title: 'Club', starts_at: '+P40D', tickets: [] })
  })
  const screen = await openConsolePage(browser)
  screen.page.setDefaultTimeout(SOON)
  await signInAs(screen, venue, MARA)
  await screen.page.goto(`${CONSOLE}/console/events/club/night`)
  await screen.page.getByText('Nobody is expected yet.').waitFor()
  await screen.page.getByText('There is no past night at this place yet to compare with.').waitFor()
  await screen.expectReadable('night-empty')
  screen.expectNoFaults()
  await screen.page.goto(`${CONSOLE}/console/events/nowhere/night`)
  await screen.page.getByRole('heading', { name: 'Not here' }).waitFor()
  await screen.page.context().close()
})
