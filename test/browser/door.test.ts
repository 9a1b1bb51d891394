import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../kit/browser/fronts.ts'
import {
  type Phone,
  openPhone,
  pairPhone,
  readStores,
  startPairing,
  waitForServiceWorker,
} from '../kit/browser/phone.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { openDoorNight, readLog } from '../kit/venue/door-night.ts'
import { SECRETS, tellsNoSecret } from '../kit/venue/door-secrets.ts'
import { addTicket } from '../kit/venue/orders.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

test('with a line: paired by its address, every verdict comes from the server, and every scan is there at once', async () => {
  const night = await openDoorNight()
  const { venue, fine, noted, unpaid, refunded, elsewhere } = night
  const phone = await openPhone(browser)
  await pairPhone(phone, await startPairing(venue, 'Main door'), night.count)
  expect(phone.page.url()).not.toContain('#')

  expect(await phone.scan(fine.publicId)).toBe('in')
  expect(await phone.scan(fine.publicId)).toBe('already')
  expect(await phone.scan(unpaid.publicId)).toBe('unpaid')
  expect(await phone.scan(refunded.publicId)).toBe('refused')
  expect(await phone.scan(elsewhere.publicId)).toBe('wrong_event')
  await phone.page.getByText('This ticket is for Spring Night').waitFor()
  expect(await phone.scan('1111111111111111111111')).toBe('unknown')
  expect(await phone.scan(noted.code)).toBe('in_note')
  await phone.page.getByText('Press table, ask for Ida').waitFor()
  await expect.poll(() => phone.queue()).toBe(0)
  const log = (await readLog(night)).map(({ public_id, result }) => `${public_id} ${result}`)
  expect(log.toSorted()).toEqual(
    [
      `${fine.publicId} accepted`,
      `${fine.publicId} conflict`,
      `${unpaid.publicId} blocked`,
      `${refunded.publicId} blocked`,
      '1111111111111111111111 not_found',
      `${noted.publicId} accepted`,
    ].toSorted(),
  )
  phone.expectNoFaults(/40[14]|422/)
  await phone.close()
})

test('in flight mode: everything is decided on the phone, kept through a kill and a cold start, and sent on return', async () => {
  const night = await openDoorNight()
  const { venue, fine, second, third, noted, unpaid, refunded, elsewhere } = night
  let phone = await openPhone(browser)
  await pairPhone(phone, await startPairing(venue, 'Main door'), night.count)
  await waitForServiceWorker(phone.page)
  await phone.context.setOffline(true)
  const startedAt = performance.now()
  expect(await phone.scan(fine.publicId)).toBe('in')
  expect(performance.now() - startedAt).toBeLessThan(5_000)
  await expect.poll(() => phone.line()).toBe('offline')
  expect(await phone.scan(fine.publicId)).toBe('already')
  expect(await phone.scan(unpaid.publicId)).toBe('unpaid')
  expect(await phone.scan(refunded.code)).toBe('refused')
  expect(await phone.scan(elsewhere.publicId)).toBe('unknown')
  expect(await phone.queue()).toBe(5)

  phone = await phone.reopen()
  await expect.poll(() => phone.tickets()).toBe(night.count)
  expect([await phone.line(), await phone.queue()]).toEqual(['offline', 5])
  expect(await phone.scan(fine.publicId)).toBe('already')
  expect(await phone.scan(second.code.toLowerCase())).toBe('in')
  expect(await phone.scan(noted.publicId)).toBe('in_note')
  expect(await phone.queue()).toBe(8)
  // A scan while a note is to be read waits for the touch.
  await phone.type(third.publicId)
  await phone.page.getByRole('button', { name: 'Noted' }).click()
  await expect.poll(() => phone.queue()).toBe(9)

  await phone.context.setOffline(false)
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  expect(await phone.line()).toBe('online')
  const log = await readLog(night)
  const accepted = log.filter(({ result }) => result === 'accepted').map(({ public_id }) => public_id)
  expect(accepted).toEqual([fine.publicId, second.publicId, noted.publicId, third.publicId])
  expect(log.filter(({ result }) => result === 'conflict')).toEqual([])
  expect(log.filter(({ public_id }) => public_id === elsewhere.publicId)).toMatchObject([{ result: 'not_found' }])
  await phone.close()
})

test('two phones without a line let the same guest in: one counts, the other is shown to a supervisor until it is seen to', async () => {
  const { venue, slug, fine, count } = await openDoorNight()
  const secret = await startPairing(venue, 'Gate', 2)
  const phones = [await openPhone(browser), await openPhone(browser)]
  for (const phone of phones) {
    await pairPhone(phone, secret, count)
    await phone.context.setOffline(true)
    expect(await phone.scan(fine.publicId)).toBe('in')
  }
  const [first, second] = phones as [(typeof phones)[0], (typeof phones)[0]]
  await first.context.setOffline(false)
  await expect.poll(() => first.queue(), { timeout: 15_000 }).toBe(0)
  await second.context.setOffline(false)
  await expect.poll(() => second.queue(), { timeout: 15_000 }).toBe(0)
  expect((await venue.office.get(`/admin/events/${slug}/night`)).body.conflicts).toMatchObject([
    { ticket_public_id: fine.publicId, device: 'Gate 2', redeemed_by: 'Gate 1' },
  ])
  const { page } = second
  const look = async () => {
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^More/ }).click()
    await page.getByRole('button', { name: 'To look at (1)' }).click()
    await page.getByText('Zoë Lindqvist').first().waitFor()
  }
  await look()
  await second.expectReadable('conflicts')
  await page.reload()
  await page.locator('main[data-line="online"]').waitFor()
  await look()
  await page.getByRole('button', { name: 'Seen to' }).click()
  await page.getByText('Nothing to look at.').waitFor()
  await Promise.all(phones.map((phone) => phone.close()))
})

test.each([
  ['answers too late', (route: Route) => setTimeout(2_500).then(() => route.continue())],
  ['never answers', () => Promise.resolve()],
  ['answers nonsense', (route: Route) => route.fulfill({ status: 200, body: '<h1>Welcome to the hotel</h1>' })],
  ['answers for another ticket', (route: Route) => route.fulfill({ status: 200, json: { public_id: 'another' } })],
  ['is in trouble', (route: Route) => route.fulfill({ status: 503, json: { error: 'temporarily unavailable' } })],
])(
  'a server that %s: the phone decides after a second and a half, and the scan is one attempt',
  async (_name, answer) => {
    const night = await openDoorNight()
    const phone = await openPhone(browser)
    await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
    let asked = 0
    await phone.context.route('**/redemption', async (route) => {
      asked++
      await answer(route)
    })
    const startedAt = performance.now()
    expect(await phone.scan(night.fine.publicId)).toBe('in')
    expect(performance.now() - startedAt).toBeLessThan(4_000)
    expect(asked).toBe(1)
    await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
    const log = await readLog(night)
    expect(log.map(({ public_id, result }) => [public_id, result])).toEqual([[night.fine.publicId, 'accepted']])
    await phone.close()
  },
)

test('a snapshot that was made before a guest came in, and arrives after it, makes nobody forget them', async () => {
  const night = await openDoorNight()
  let phone = await openPhone(browser)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await waitForServiceWorker(phone.page)
  const made = Promise.withResolvers<void>()
  const arrives = Promise.withResolvers<void>()
  const isStored = Promise.withResolvers<void>()
  let asked = 0
  await phone.context.route('**/long-night/snapshot?*', async (route) => {
    // One after the other: the next one is asked for when the last one is stored.
    if (++asked > 1) {
      isStored.resolve()
      return route.abort()
    }
    const { 'if-none-match': _etag, ...headers } = route.request().headers()
    const { pathname } = new URL(route.request().url())
    const snapshot = await fetch(`${night.venue.origin}${pathname}?with=parties`, { headers })
    const json: unknown = await snapshot.json()
    made.resolve()
    await arrives.promise
    return route.fulfill({ json })
  })
  const lookAgain = () => phone.page.evaluate<void>(`void dispatchEvent(new Event('focus'))`)
  await lookAgain()
  await made.promise
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await expect.poll(() => phone.queue()).toBe(0)
  arrives.resolve()
  await expect.poll(async () => (await lookAgain(), asked), { interval: 300 }).toBeGreaterThan(1)
  await isStored.promise
  expect(await phone.tickets()).toBe(night.count)

  await phone.context.setOffline(true)
  expect(await phone.scan(night.fine.publicId)).toBe('already')
  phone = await phone.reopen()
  expect(await phone.scan(night.fine.publicId)).toBe('already')
  expect(await phone.scan(night.second.publicId)).toBe('in')
  await phone.close()
})

test('killed while the server is asked: scanned again it is the same attempt, and the guest comes in once', async () => {
  const night = await openDoorNight()
  let phone = await openPhone(browser)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  // The request has left when the phone dies: the server does it, and nobody hears its answer.
  const { page } = phone
  await phone.context.route('**/redemption', async (route) => {
    const request = route.request()
    await page.close()
    await fetch(night.venue.origin + new URL(request.url()).pathname, { method: 'POST', headers: request.headers() })
  })
  await phone.type(night.fine.publicId)
  await expect.poll(() => readLog(night)).toHaveLength(1)
  await phone.context.unroute('**/redemption')
  phone = await phone.reopen()
  expect(await phone.queue()).toBe(1)
  await phone.page.locator('main[data-line="online"]').waitFor()
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  expect(await readLog(night)).toHaveLength(1)
  expect(await phone.scan(night.fine.publicId)).toBe('already')
  await phone.close()
})

test('a phone whose clock is hours off scans by the server’s clock, and forgets a day after the end', async () => {
  const night = await openDoorNight()
  let phone = await openPhone(browser)
  await phone.context.addInitScript(`{
    const real = Date.now.bind(Date)
    const wrong = () => real() + 5 * 3_600_000
    const Original = Date
    Date = class extends Original { constructor(...given) { given.length === 0 ? super(wrong()) : super(...given) } }
    Date.now = wrong
  }`)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await phone.context.setOffline(true)
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await phone.context.setOffline(false)
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  const [entry] = await readLog(night)
  expect(Math.abs(Date.parse(entry!.scanned_at) - Date.now())).toBeLessThan(120_000)

  await waitForServiceWorker(phone.page)
  // The app itself must not write the same any more.
  await phone.page.goto(`${CONSOLE}/healthz`)
  await phone.context.setOffline(true)
  await phone.page.evaluate(`new Promise((resolve) => {
    const asked = indexedDB.open('foyer-door')
    asked.onsuccess = () => {
      const writing = asked.result.transaction('events', 'readwrite')
      const store = writing.objectStore('events')
      store.get('long-night').onsuccess = ({ target }) =>
        store.put({ ...target.result, endsAt: new Date(${Date.now() - 25 * 3_600_000}).toISOString() })
      writing.oncomplete = () => { asked.result.close(); resolve() }
    }
  })`)
  phone = await phone.reopen()
  await expect.poll(() => phone.tickets()).toBe(0)
  expect(await readStores(phone.page)).toMatchObject({ chunks: 0, indexes: 0, changes: 0, scans: 0 })
  await phone.close()
})

test('a full disk: without a line nobody is let in by what cannot be written down; with one the server has it', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  const { page } = phone
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await fillStorage(phone)
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await phone.context.setOffline(true)
  // The first one after the line broke is still asked for, in vain.
  expect(await phone.scan(night.second.publicId)).toBe('refused')
  await page.getByText('This phone can write nothing down any more', { exact: false }).waitFor()
  await phone.expectReadable('storage-full')
  expect((await readLog(night)).map(({ public_id }) => public_id)).toEqual([night.fine.publicId])
  await phone.close()
})

test('a phone that has no room for the list of tickets says so', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  const goes = Promise.withResolvers<void>()
  await phone.context.route('**/long-night/snapshot?*', async (route) => {
    await goes.promise
    await route.continue().catch(() => undefined)
  })
  await pairPhone(phone, await startPairing(night.venue, 'Main door'))
  await phone.page.getByRole('button', { name: 'The Long Night' }).waitFor()
  await fillStorage(phone)
  goes.resolve()
  await phone.page.getByText('This phone can write nothing down.', { exact: false }).waitFor()
  await phone.close()
})

test('a revoked phone wipes itself at its next word, but for scans that nobody else has', async () => {
  const night = await openDoorNight()
  const { venue, fine } = night
  const phone = await openPhone(browser, { acceptDownloads: true })
  const { page } = phone
  await pairPhone(phone, await startPairing(venue, 'Main door'), night.count)
  await phone.context.setOffline(true)
  expect(await phone.scan(fine.publicId)).toBe('in')
  const devices = (await venue.office.get('/admin/scanner_devices')).body.scanner_devices
  const { id } = devices.find(({ name }: { name: string }) => name === 'Main door')
  expect((await venue.office.delete(`/admin/scanner_devices/${id}`)).status).toBe(204)
  await phone.context.setOffline(false)
  await page.getByRole('heading', { name: 'This phone was revoked' }).waitFor({ timeout: 15_000 })
  await page.getByText('1 scan has not reached the server.').waitFor()
  expect(await readStores(page)).toMatchObject({ events: 0, chunks: 0, indexes: 0, changes: 0, scans: 1 })
  await phone.expectReadable('revoked')
  await page.reload()
  await page.getByRole('heading', { name: 'This phone was revoked' }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the scans' }).click(),
  ])
  const handedIn = JSON.parse(await readFile(await download.path(), 'utf8'))
  await page.getByRole('button', { name: 'They are safe: wipe this phone' }).click()
  await page.getByText('Nothing is left on it.').waitFor()
  expect(await readStores(page)).toMatchObject({ settings: 0, scans: 0 })
  await page.evaluate('window.isSamePage = true')
  await page.getByRole('button', { name: 'Pair anew' }).click()
  await expect.poll(() => page.evaluate('window.isSamePage ?? false').catch(() => true)).toBe(false)
  const reply = await venue.office.post(`/admin/scanner_devices/${id}/redemption_attempts`, handedIn)
  expect(reply.body.redemption_attempts).toMatchObject([{ result: 'accepted', public_id: fine.publicId }])
  await phone.close()
})

test('no address, phone number or answer is ever on the phone', async () => {
  const night = await openDoorNight()
  const hidden = { ...SECRETS, customerName: 'Hilde Hidden' }
  await addTicket(night.venue, night.slug, hidden)
  const phone = await openPhone(browser)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count + 1)
  const kept = await phone.page.evaluate<string>(`(async () => {
    const db = await new Promise((resolve) => { const asked = indexedDB.open('foyer-door'); asked.onsuccess = () => resolve(asked.result) })
    const all = await Promise.all([...db.objectStoreNames].filter((name) => name !== 'settings').map((name) => new Promise((resolve) => {
      const asked = db.transaction(name).objectStore(name).getAll(); asked.onsuccess = () => resolve(asked.result)
    })))
    return JSON.stringify(all)
  })()`)
  expect(kept).toContain('Hilde Hidden')
  tellsNoSecret(kept)
  await phone.close()
})

/** Takes all the room that the browser leaves to the app, down to the last bytes. */
const fillStorage = async ({ context, page }: Phone) => {
  const devtools = await context.newCDPSession(page)
  const { usage } = await devtools.send('Storage.getUsageAndQuota', { origin: CONSOLE })
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: CONSOLE, quotaSize: usage + 4_000_000 })
  await page.evaluate(`(async () => {
    const db = await new Promise((resolve) => {
      const asked = indexedDB.open('somebody-else')
      asked.onupgradeneeded = () => asked.result.createObjectStore('things', { autoIncrement: true })
      asked.onsuccess = () => resolve(asked.result)
    })
    const put = (size) => new Promise((resolve) => {
      const writing = db.transaction('things', 'readwrite')
      writing.objectStore('things').put(crypto.getRandomValues(new Uint8Array(Math.min(size, 65_536))).toString().repeat(Math.ceil(size / 65_536)).slice(0, size))
      writing.oncomplete = () => resolve(true)
      writing.onabort = () => resolve(false)
    })
    for (let size = 1_000_000; size >= 1; size = Math.floor(size / 2)) while (await put(size));
  })()`)
}
