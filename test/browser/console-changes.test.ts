import type { Browser, Page, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type ConsolePage, PHONE, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { cardOf } from '../kit/browser/task-board.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { BUYER, offerTransfers, openBuyer } from '../kit/venue/checkouts.ts'
import { type Venue, openVenue, theApp } from '../kit/venue/venue.ts'

vi.setConfig({ testTimeout: 300_000 })

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'
const MARAS = 'Mara Manager'

/** A page that cannot hear what changes looks again after so long; whatever shows sooner was heard. */
const FALLBACK_MS = 15_000
/** One that could not listen tries again after so long at the latest. */
const LISTENS_AGAIN_MS = 30_000

const openAt = async (venue: Venue, email: string, path: string): Promise<ConsolePage> => {
  const desk = await openConsolePage(browser)
  await signInAs(desk, venue, email)
  await desk.page.goto(`${CONSOLE}/console${path}`)
  await desk.page.getByRole('heading', { level: 1 }).waitFor()
  return desk
}

/** What a browser of the console asks, with its own session. */
const ask = (page: Page, method: string, path: string, body?: object) =>
  page.evaluate<number>(`fetch(${JSON.stringify(path)}, {
    method: ${JSON.stringify(method)},
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    ${body ? `body: ${JSON.stringify(JSON.stringify(body))},` : ''}
  }).then(({ status }) => status)`)

test('what one browser changes shows in another within a second', async () => {
  const { venue, begin, change, pay, see, tickets } = await openBuyer()
  await offerTransfers(venue)
  const token = await begin([{ ticket_id: tickets['ga'], quantity: 1 }])
  await change(token, BUYER)
  await pay(token, 'bank_transfer')
  const { order } = await see(token)
  const { id: voucher } = (await venue.office.post('/admin/vouchers', { voucher: { amount: '20.00' } })).body
  const { id: task } = (await venue.office.post('/admin/tasks', { task: { title: 'Chairs' } })).body
  const { scanner_devices: devices } = (await venue.office.get('/admin/scanner_devices')).body
  const device = devices.find(({ name }: { name: string }) => name === 'Door 1')
  const mara = venue.report.people[MARA]!.membership_id

  const writer = await openAt(venue, OLGA, '/events')

  const shows = async (
    what: string,
    path: string,
    write: () => Promise<number>,
    seen: (page: Page) => Promise<void>,
  ) => {
    const reader = await openConsolePage(browser)
    await signInAs(reader, venue, OLGA)
    const listening = reader.page.waitForResponse('**/admin/changes/stream')
    await reader.page.goto(`${CONSOLE}/console${path}`)
    await reader.page.getByRole('heading', { level: 1 }).waitFor()
    await listening
    expect(await write(), what).toBeLessThan(300)
    await seen(reader.page)
    reader.expectNoFaults()
    await reader.page.context().close()
  }

  await shows(
    'task',
    '/tasks',
    () => ask(writer.page, 'PATCH', `/admin/tasks/${task}`, { task: { title: 'Tables' } }),
    (page) => cardOf(page, 'Tables').waitFor({ timeout: FALLBACK_MS - 2_000 }),
  )
  await shows(
    'order',
    `/orders/${order.public_id}`,
    () => ask(writer.page, 'POST', `/admin/orders/${order.public_id}/payments`, { amount: '25.00', reference: 'cash' }),
    (page) =>
      page
        .getByText(/^Paid, noted by hand/)
        .first()
        .waitFor({ timeout: FALLBACK_MS - 2_000 }),
  )
  await shows(
    'voucher',
    `/vouchers/${voucher}`,
    () =>
      ask(writer.page, 'POST', `/admin/vouchers/${voucher}/adjustment`, {
        direction: 'credit',
        amount: '3.00',
        reason: 'Rain',
      }),
    (page) =>
      page
        .getByText('€23.00')
        .first()
        .waitFor({ timeout: FALLBACK_MS - 2_000 }),
  )
  await shows(
    'role',
    '/team',
    () => ask(writer.page, 'PATCH', `/admin/memberships/${mara}/role`, { membership: { role: 'scanner' } }),
    (page) =>
      page
        .getByRole('listitem')
        .filter({ hasText: MARAS })
        .getByText('Scanner', { exact: true })
        .first()
        .waitFor({ timeout: FALLBACK_MS - 2_000 }),
  )
  await shows(
    'device',
    '/team/devices',
    () => ask(writer.page, 'DELETE', `/admin/scanner_devices/${device.id}`),
    (page) =>
      page
        .getByText('Hand in scans…')
        .nth(1)
        .waitFor({ timeout: FALLBACK_MS - 2_000 }),
  )
  writer.expectNoFaults()
})

test('a page that cannot hear looks again now and then, and goes on listening when it can', async () => {
  const venue = await openVenue()
  const desk = await openConsolePage(browser)
  await signInAs(desk, venue, OLGA)
  await desk.page.clock.install()
  await desk.page.route('**/admin/changes/stream', (route) => route.abort())
  await desk.page.goto(`${CONSOLE}/console/vouchers`)
  await desk.page.getByText('No vouchers yet').waitFor()
  await venue.office.post('/admin/vouchers', { voucher: { amount: '20.00' } })
  const passes = (ms: number) => desk.page.clock.fastForward(ms)
  await expect
    .poll(() => passes(FALLBACK_MS).then(() => desk.page.getByText('No vouchers yet').count()), { timeout: 60_000 })
    .toBe(0)
  let isListening = false
  desk.page.on('response', (response) => (isListening ||= response.url().endsWith('/admin/changes/stream')))
  await desk.page.unroute('**/admin/changes/stream')
  await expect.poll(() => passes(LISTENS_AGAIN_MS).then(() => isListening), { timeout: 60_000 }).toBe(true)
  await venue.office.post('/admin/vouchers', { voucher: { amount: '33.00' } })
  await desk.page.getByText('€33.00').first().waitFor()
})

/** Counts what a page is told of changes; a heartbeat is shorter than any message. */
const countTold = async (page: Page) => {
  const session = await page.context().newCDPSession(page)
  const streams = new Set<string>()
  let told = 0
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url.endsWith('/admin/changes/stream')) streams.add(requestId)
  })
  session.on('Network.dataReceived', ({ requestId, dataLength }) => {
    if (streams.has(requestId) && dataLength > ':\n\nretry: 2000\n\n'.length) told++
  })
  await session.send('Network.enable')
  return () => told
}

test('a page that was put to sleep in the middle of a reading soon reads what it is told afterwards', async () => {
  const venue = await openVenue()
  const desk = await openConsolePage(browser)
  await signInAs(desk, venue, OLGA)
  await desk.page.clock.install()
  const told = await countTold(desk.page)
  const isToldAgain = async (before: number) => {
    await expect.poll(told, { timeout: 30_000 }).toBeGreaterThan(before)
  }
  await desk.page.goto(`${CONSOLE}/console/vouchers`)
  await desk.page.getByText('No vouchers yet').waitFor()
  await isToldAgain(0)

  const read = Promise.withResolvers<void>()
  const awake = Promise.withResolvers<void>()
  const holdReading = async (route: Route) => {
    const { body } = await venue.office.get('/admin/vouchers?limit=100')
    read.resolve()
    await awake.promise
    await route.fulfill({ json: body })
  }
  await desk.page.route(/\/admin\/vouchers(\?|$)/, holdReading, { times: 1 })
  await venue.office.post('/admin/vouchers', { voucher: { amount: '20.00' } })
  await read.promise
  const beforeTheNight = told()
  await desk.page.clock.fastForward('08:00:00')
  await isToldAgain(beforeTheNight)
  const beforeTheNext = told()
  await venue.office.post('/admin/vouchers', { voucher: { amount: '33.00' } })
  await isToldAgain(beforeTheNext)
  awake.resolve()
  await desk.page
    .getByText('€33.00')
    .first()
    .waitFor({ timeout: 2 * FALLBACK_MS })
})

test('who else looks at the board is seen there, at their task, and gone when their browser is', async () => {
  const venue = await openVenue()
  const { id: task } = (await venue.office.post('/admin/tasks', { task: { title: 'Chairs' } })).body
  const olga = await openAt(venue, OLGA, '/tasks')
  const alsoHere = olga.page.getByRole('img', { name: `Also here: ${MARAS}` })
  await cardOf(olga.page, 'Chairs').waitFor()
  expect(await alsoHere.count()).toBe(0)

  const mara = await openAt(venue, MARA, '/tasks')
  await alsoHere.waitFor()
  await mara.page.getByRole('img', { name: 'Also here: Olga Owner' }).waitFor()
  await cardOf(mara.page, 'Chairs').getByRole('link').click()
  await cardOf(olga.page, 'Chairs')
    .getByRole('img', { name: `Also here: ${MARAS}` })
    .waitFor()
  await olga.expectReadable('tasks-viewers')
  await olga.page.goto(`${CONSOLE}/console/tasks/${task}`)
  await olga.page.getByRole('img', { name: `Also here: ${MARAS}` }).waitFor()
  await mara.page.getByRole('img', { name: 'Also here: Olga Owner' }).waitFor()
  await mara.expectReadable('task-viewers')

  await mara.page.emulateMedia({ colorScheme: 'dark' })
  await mara.expectReadable('task-viewers-dark')
  await mara.page.setViewportSize(PHONE)
  await mara.expectReadable('task-viewers-phone-dark')
  await mara.expectFitting()

  // It says goodbye where it can, and is forgotten where it cannot.
  await mara.page.context().setOffline(true)
  await alsoHere.waitFor({ state: 'detached', timeout: 60_000 })
  olga.expectNoFaults()
})

test('devices tell when they were heard of, what is unsent, how old their guests are, and their version', async () => {
  const venue = await openVenue()
  const desk = await openAt(venue, OLGA, '/team/devices')
  const { page } = desk
  await page.getByText('Does not say what is unsent').first().waitFor()
  const said = { queue: 3, snapshot_at: '2026-11-15T20:30:00.000Z', app_version: '1.2.0' }
  await venue.door.post('/scanner/heartbeat', said)
  await page.getByText('3 scans not sent').waitFor()
  await page.getByText(/^Guests as of /).waitFor()
  await page.getByText('App version 1.2.0').waitFor()
  await desk.expectReadable('devices')
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.setViewportSize(PHONE)
  await desk.expectReadable('devices-phone-dark')
  await desk.expectFitting()
  await venue.door.post('/scanner/heartbeat', { ...said, queue: 0 })
  await page.getByText('Nothing unsent').waitFor()
  desk.expectNoFaults()
})

test('a room that is opened without a line speaks of the line and of no update, and comes when there is one', async () => {
  const { page, expectNoFaults } = await openAt(await openVenue(), MARA, '/events')
  await page.route('**/*', (route) => route.abort())
  await page.getByRole('link', { name: 'Vouchers' }).click()
  await page.getByRole('alert').getByText('Foyer cannot be reached.', { exact: false }).waitFor()
  await page.getByText('This page goes on as soon as it can.', { exact: false }).waitFor()
  expect(await page.getByText(/has been updated|went wrong on our side/).count()).toBe(0)
  await page.unroute('**/*')
  await page.getByRole('heading', { name: 'Vouchers', level: 1 }).waitFor()
  expectNoFaults(/ERR_FAILED|Unable to preload/)
  await page.context().close()
})
