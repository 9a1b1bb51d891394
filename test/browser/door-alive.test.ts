import { type IncomingMessage, type ServerResponse, createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../kit/browser/fronts.ts'
import { DOOR, type Phone, openPhone, pairPhone, startPairing, waitForServiceWorker } from '../kit/browser/phone.ts'
import { openBrowserAt } from '../kit/browser/watched-browser.ts'
import { openDoorNight, readLog } from '../kit/venue/door-night.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser
let tidy: (() => Promise<unknown>)[] = []
/** What the service worker of the server calls itself; another name is another build. */
let build: string | null = null

/** Stands before the server, and can make it look as if a newer one had been installed. */
const openFront = async () => {
  const { origin } = await theApp()
  const lead = async (request: IncomingMessage, response: ServerResponse) => {
    const body: Buffer[] = []
    for await (const chunk of request) body.push(chunk as Buffer)
    const { host: _host, connection: _connection, 'accept-encoding': _encoding, ...headers } = request.headers
    const answer = await fetch(origin + request.url, {
      method: request.method!,
      headers: { ...(headers as Record<string, string>), 'x-forwarded-host': request.headers.host! },
      redirect: 'manual',
      ...(body.length > 0 && { body: Buffer.concat(body) }),
    })
    let bytes = Buffer.from(await answer.arrayBuffer())
    if (build !== null && request.url === '/door/service-worker.js') {
      bytes = Buffer.from(bytes.toString().replace(/"version":"[^"]*"/, `"version":"${build}"`))
    }
    const told = Object.fromEntries(answer.headers)
    delete told['content-encoding']
    delete told['content-length']
    delete told['transfer-encoding']
    response.writeHead(answer.status, told).end(bytes)
  }
  // A connection that breaks is one to the phone, too.
  const front = createServer((request, response) => void lead(request, response).catch(() => response.destroy()))
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  return { origin: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, close: () => front.close() }
}

let front: Awaited<ReturnType<typeof openFront>>

beforeAll(async () => {
  await buildFronts()
  front = await openFront()
  browser = await openBrowserAt(front)
}, 300_000)

afterAll(async () => {
  await browser?.close()
  front?.close()
})

afterEach(async () => {
  build = null
  for (const each of tidy.toReversed()) await each()
  tidy = []
})

const buildsOn = (page: Page) => page.evaluate<string[]>(`caches.keys()`)

/** A phone whose clock a test can move on, at an event that begins then. */
const openPairedPhone = async (startsAt: string) => {
  const night = await openDoorNight((file) => {
    Object.assign(file['events'].at(-1), { starts_at: startsAt })
    delete file['events'].at(-1).doors_open_at
  })
  const phone = await openPhone(browser)
  tidy.push(() => phone.close())
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await waitForServiceWorker(phone.page)
  await expect.poll(() => buildsOn(phone.page)).toHaveLength(1)
  return { night, phone }
}

/** Opens the app while the server has a newer one; its clock can be moved on. */
const openWithNewer = async (phone: Phone): Promise<Phone> => {
  build = 'newer'
  await phone.context.clock.install()
  await phone.context.addInitScript(`{
    window.told = []
    const { postMessage } = ServiceWorker.prototype
    ServiceWorker.prototype.postMessage = function (word) { window.told.push(word); postMessage.call(this, word) }
  }`)
  const again = await phone.reopen()
  await again.page.locator('main[data-line="online"]').waitFor()
  await expect.poll(() => buildsOn(again.page), { timeout: 20_000 }).toHaveLength(2)
  await again.page.getByText('A new version is here.').waitFor()
  return again
}

/** What the waiting version was told. When the browser lets it in is the browser's business; then the page is loaded anew. */
const toldTo = (page: Page) =>
  page.evaluate<string[]>('window.told').catch((error: Error) => {
    if (error.message.includes('Execution context was destroyed')) return ['take over']
    throw error
  })

/** A browser that is watched lets a new version in only when the old one has been idle for a while; then the page is loaded anew. */
const expectNewer = async (page: Page) => {
  await expect.poll(() => buildsOn(page).catch(String), { timeout: 90_000 }).toEqual(['foyer-door-newer'])
}

test('in the middle of a night a new version is taken over only when somebody says so', async () => {
  const { phone } = await openPairedPhone('+PT1H')
  const { page } = await openWithNewer(phone)
  await page.clock.runFor(10 * 60_000)
  expect([await toldTo(page), (await buildsOn(page)).length]).toEqual([[], 2])
  await page.getByRole('button', { name: 'Update now' }).click()
  await expectNewer(page)
  await page.locator('main[data-line]').waitFor()
  expect(await page.getByText('A new version is here.').count()).toBe(0)
}, 180_000)

test('a new version that is on its way already when the app begins to listen is offered, too', async () => {
  const { phone } = await openPairedPhone('+PT1H')
  await phone.context.addInitScript(`{
    const { register } = ServiceWorkerContainer.prototype
    ServiceWorkerContainer.prototype.register = async function (...given) {
      const registration = await register.apply(this, given)
      if (!registration.installing) {
        await new Promise((resolve) => registration.addEventListener('updatefound', resolve, { once: true }))
      }
      return registration
    }
  }`)
  const { page } = await openWithNewer(phone)
  expect(await page.getByText('A new version is here.').count()).toBe(1)
})

test('in the afternoon it is taken over by itself, but neither with unsent scans nor right after one', async () => {
  const { night, phone } = await openPairedPhone('+PT10H')
  const newer = await openWithNewer(phone)
  const { page } = newer
  await phone.context.setOffline(true)
  expect(await newer.scan(night.fine.publicId)).toBe('in')
  await page.clock.runFor(6 * 60_000)
  expect([await newer.queue(), await toldTo(page)]).toEqual([1, []])
  expect(await newer.scan(night.second.publicId)).toBe('in')
  await phone.context.setOffline(false)
  await page.clock.runFor(6_000)
  await expect.poll(() => newer.queue(), { timeout: 20_000 }).toBe(0)
  await page.clock.runFor(3 * 60_000)
  expect(await toldTo(page)).toEqual([])
  await page.clock.runFor(3 * 60_000)
  await expect
    .poll(async () => (await toldTo(page)).includes('take over') || (await buildsOn(page)).length === 1)
    .toBe(true)
  expect(await readLog(night)).toMatchObject([{ result: 'accepted' }, { result: 'accepted' }])
})

test('the screen is kept on, and again when somebody comes back to the app', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  tidy.push(() => phone.close())
  // Only a phone has a screen that goes out, and a hand that puts the app away.
  await phone.context.addInitScript(`{
    window.locks = []
    Object.defineProperty(navigator, 'wakeLock', { value: {
      request: async (type) => { const lock = { type, released: false }; window.locks.push(lock); return lock },
    } })
    let visibility = 'visible'
    Object.defineProperty(document, 'visibilityState', { get: () => visibility })
    window.turn = (to) => {
      visibility = to
      if (to === 'hidden') for (const lock of window.locks) lock.released = true
      document.dispatchEvent(new Event('visibilitychange'))
    }
  }`)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  const { page } = phone
  const locks = () => page.evaluate<{ type: string; released: boolean }[]>('window.locks')
  await expect.poll(locks).toEqual([{ type: 'screen', released: false }])
  await page.evaluate(`window.turn('hidden')`)
  expect(await locks()).toHaveLength(1)
  await page.evaluate(`window.turn('visible')`)
  await expect.poll(locks).toEqual([
    { type: 'screen', released: true },
    { type: 'screen', released: false },
  ])
  // Looked at again without having been away it is held once.
  await page.evaluate(`window.turn('visible')`)
  expect(await locks()).toHaveLength(2)
})

test('a sound that a call has interrupted is back at the next touch', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  tidy.push(() => phone.close())
  // Only Safari interrupts.
  await phone.context.addInitScript(`window.AudioContext = class {
    state = 'suspended'
    constructor() { window.audio = this }
    resume() { this.state = 'running'; return Promise.resolve() }
  }`)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  const { page } = phone
  const state = () => page.evaluate<string>('window.audio.state')
  await page.locator('.counters').click()
  expect(await state()).toBe('running')
  await page.evaluate(`window.audio.state = 'interrupted'`)
  await page.locator('.counters').click()
  expect(await state()).toBe('running')
})

/** A browser of early 2023, whose language the fronts are built for: what was added to it since is taken away. */
const OLD_BROWSER = `{
  const added = [
    [Map, ['groupBy']],
    [Object, ['groupBy']],
    [Promise, ['withResolvers', 'try']],
    [AbortSignal, ['any']],
    [Array, ['fromAsync']],
    [Set.prototype, ['union', 'intersection', 'difference', 'isSubsetOf', 'isSupersetOf', 'isDisjointFrom']],
    [Iterator.prototype, ['map', 'filter', 'some', 'every', 'find', 'reduce', 'forEach', 'take', 'drop', 'toArray']],
  ]
  for (const [owner, names] of added) for (const name of names) delete owner[name]
}`

test('a phone whose browser is some years old sends its scans and hears what changed', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  tidy.push(() => phone.close())
  await phone.context.addInitScript(OLD_BROWSER)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  const { context, page } = phone
  await context.setOffline(true)
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  expect((await night.venue.door.post(`/scanner/tickets/${night.second.publicId}/redemption`)).status).toBe(200)
  await context.setOffline(false)
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  const arrived = page.locator('.counters dd').first()
  await expect.poll(() => arrived.innerText(), { timeout: 20_000 }).toBe('2')
  await context.setOffline(true)
  expect(await phone.scan(night.second.publicId)).toBe('already')
})

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'

test('an iPhone is told to put the app on its home screen until it is there', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser, { userAgent: IPHONE })
  tidy.push(() => phone.close())
  const { page } = phone
  const hint = page.getByText('Add to Home Screen', { exact: false })
  await page.goto(DOOR)
  await hint.waitFor()
  await phone.expectReadable('home-screen')
  await phone.expectFitting()
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await page.getByRole('button', { name: /^More/ }).click()
  await hint.waitFor()
  await phone.context.addInitScript(`Object.defineProperty(navigator, 'standalone', { value: true })`)
  await page.reload()
  await page.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('button', { name: 'Self-test' }).waitFor()
  expect(await hint.count()).toBe(0)

  const android = await openPhone(browser)
  tidy.push(() => android.close())
  await android.page.goto(DOOR)
  await android.page.getByRole('heading', { name: 'Door' }).waitFor()
  expect(await android.page.getByText('Add to Home Screen', { exact: false }).count()).toBe(0)
})

test('a phone whose clock is put right in the middle of it goes on looking for the line', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  tidy.push(() => phone.close())
  await phone.context.addInitScript(`{
    const real = Date.now.bind(Date)
    window.aheadMs = 2 * 3_600_000
    Date.now = () => real() + window.aheadMs
  }`)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await phone.context.route('**/scanner/**', (route) => route.abort())
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await expect.poll(() => phone.line()).toBe('offline')
  await phone.page.evaluate('window.aheadMs = 0')
  await phone.context.unroute('**/scanner/**')
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  expect(await phone.line()).toBe('online')
})

test('a phone whose clock was days behind, and was put right while it was off, keeps its list without a line', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  tidy.push(() => phone.close())
  await phone.context.addInitScript(`{
    const real = Date.now.bind(Date)
    Date.now = () => real() - (localStorage.isRight ? 0 : 3 * 86_400_000)
  }`)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await waitForServiceWorker(phone.page)
  await phone.page.evaluate('localStorage.isRight = true')
  await phone.context.setOffline(true)
  const again = await phone.reopen()
  expect(await again.tickets()).toBe(night.count)
  expect(await again.scan(night.fine.publicId)).toBe('in')
})

test('on the next evening it stands at the event of that evening, but not while the last one may go on', async () => {
  const night = await openDoorNight((file) => {
    file['events'].push({ slug: 'next-night', title: 'The Next Night', venue: 'halle', starts_at: '+P2D' })
  })
  const hours = (from: number) => new Date(Date.now() + from * 3_600_000).toISOString()
  const move = async (slug: string, starts: number, ends: number) => {
    const event = { doors_open_at: null, starts_at: hours(starts), ends_at: hours(ends) }
    expect((await night.venue.office.patch(`/admin/events/${slug}`, { event })).status).toBe(200)
  }
  let phone = await openPhone(browser)
  tidy.push(() => phone.close())
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await waitForServiceWorker(phone.page)
  const standsAt = () => phone.page.locator('.head-event').innerText()
  const openAgain = async () => {
    // It takes the list of events, and then what has changed at where it stands.
    const told = phone.context.waitForEvent('response', (response) => response.url().includes('/snapshot?'))
    phone = await phone.reopen()
    await told
  }
  expect(await standsAt()).toBe('The Long Night')
  await move('next-night', 5, 10)
  await move('long-night', -7, -2)
  await openAgain()
  expect(await standsAt()).toBe('The Long Night')
  await move('long-night', -9, -4)
  await openAgain()
  const lookAgain = () => phone.page.evaluate<void>(`void dispatchEvent(new Event('focus'))`)
  await expect
    .poll(async () => (await lookAgain(), standsAt()), { timeout: 15_000, interval: 300 })
    .toBe('The Next Night')
})
