import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../kit/browser/fronts.ts'
import { DOOR, type Phone, openPhone, pairPhone, readStores, startPairing } from '../kit/browser/phone.ts'
import { openBrowserAt } from '../kit/browser/watched-browser.ts'
import { addTicket } from '../kit/venue/orders.ts'
import { type DoorNight, openDoorNight, readLog } from '../kit/venue/door-night.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const openDoor = async (night: DoorNight): Promise<Phone> => {
  const phone = await openPhone(browser)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  return phone
}

/** Holds what is asked about one ticket; resolves when it was asked, and lets it go when told. */
const holdRedemption = async ({ context }: Phone, publicId: string) => {
  const asked = Promise.withResolvers<void>()
  const goes = Promise.withResolvers<void>()
  await context.route(`**/tickets/${publicId}/redemption`, async (route) => {
    asked.resolve()
    await goes.promise
    // By then the phone may have decided by itself.
    await route.continue().catch(() => undefined)
  })
  return { asked: asked.promise, release: goes.resolve }
}

const resultsOf = async (night: DoorNight) =>
  (await readLog(night)).map(({ public_id, result }) => `${public_id} ${result}`).toSorted()

test('what is scanned while another one is decided comes after it in its order, and the same twice is once', async () => {
  const night = await openDoorNight()
  const { fine, second, third } = night
  const phone = await openDoor(night)
  const held = await holdRedemption(phone, fine.publicId)
  await phone.type(fine.publicId)
  await held.asked
  for (const { publicId } of [fine, second, third, second]) await phone.type(publicId)
  held.release()
  await phone.page.locator('[data-verdict="in"]').getByText('Cleo Okonkwo').waitFor()
  await phone.page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  expect(await resultsOf(night)).toEqual([fine, second, third].map(({ publicId }) => `${publicId} accepted`).toSorted())
  expect(await phone.verdict()).toBe(null)
  await phone.close()
})

test('a refusal stays until it was seen, whatever was scanned before it came', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { page } = phone
  const held = await holdRedemption(phone, night.unpaid.publicId)
  await phone.type(night.unpaid.publicId)
  await held.asked
  await phone.type(night.second.publicId)
  held.release()
  await page.locator('[data-verdict="unpaid"]').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.locator('[data-verdict="in"]').getByText('Bjørn Ångström').waitFor()
  await phone.close()
})

test('two touches of “Let in” let a guest in once and refuse nobody', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { page } = phone
  const held = await holdRedemption(phone, night.second.publicId)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByLabel('Name or code').fill('bjorn')
  const button = page.getByRole('button', { name: 'Let in' })
  await button.click()
  await held.asked
  await button.click()
  held.release()
  await page.locator('[data-verdict="in"]').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  expect([await phone.verdict(), await resultsOf(night)]).toEqual([null, [`${night.second.publicId} accepted`]])
  await phone.close()
})

/** Keeps every transaction that writes pieces of a snapshot open, as a slow disk does. */
const SLOW_DISK = `{
  window.isDiskSlow = true
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (stores, mode, ...more) {
    const begun = transaction.call(this, stores, mode, ...more)
    if (mode === 'readwrite' && stores.includes('chunks')) {
      window.isWriting = true
      const hold = () => { if (window.isDiskSlow) begun.objectStore('chunks').count().onsuccess = hold }
      hold()
    }
    return begun
  }
}`

const generatedAts = (page: Page) =>
  page.evaluate<Record<string, string | null>>(`new Promise((resolve) => {
    indexedDB.open('foyer-door').onsuccess = ({ target: { result: db } }) => {
      db.transaction('events').objectStore('events').getAll().onsuccess = ({ target }) => {
        db.close()
        resolve(Object.fromEntries(target.result.map(({ slug, generatedAt }) => [slug, generatedAt])))
      }
    }
  })`)

test('another door that is chosen while a snapshot is being written stays the only one', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  const { page } = phone
  await phone.context.addInitScript(SLOW_DISK)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'))
  await expect.poll(() => page.evaluate('window.isWriting')).toBe(true)
  await page.getByRole('button', { name: 'The Long Night' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Winter Ball' }).getByRole('button', { name: 'Only this' }).click()
  await page.getByRole('button', { name: 'Winter Ball' }).waitFor()
  await page.evaluate('window.isDiskSlow = false')
  await expect.poll(async () => (await generatedAts(page))['long-night']).toBeTruthy()
  expect(await page.locator('.head-event').innerText()).toBe('Winter Ball')
  await phone.close()
})

/** Holds the night's snapshot when the server has made it, until it is told to let it go. */
const holdSnapshot = async ({ context }: Phone, night: DoorNight) => {
  const made = Promise.withResolvers<void>()
  const arrives = Promise.withResolvers<void>()
  await context.route('**/long-night/snapshot?*', async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(new URL(DOOR).origin, night.venue.origin) })
    made.resolve()
    await arrives.promise
    await route.fulfill({ response })
  })
  return { made: made.promise, arrives: arrives.resolve }
}

test('who was let in while the first snapshot was on its way is in', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  const held = await holdSnapshot(phone, night)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'))
  await held.made
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await phone.context.route('**/scanner/**', (route) => route.abort())
  held.arrives()
  await expect.poll(() => phone.tickets()).toBe(night.count)
  expect(await phone.scan(night.fine.publicId)).toBe('already')
  await phone.close()
})

test('a snapshot that arrives after the phone was revoked and wiped leaves nothing on it', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  const { page } = phone
  const held = await holdSnapshot(phone, night)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'))
  await held.made
  const devices = (await night.venue.office.get('/admin/scanner_devices')).body.scanner_devices
  const { id } = devices.find(({ name }: { name: string }) => name === 'Main door')
  expect((await night.venue.office.delete(`/admin/scanner_devices/${id}`)).status).toBe(204)
  await phone.type(night.fine.publicId)
  await page.getByRole('heading', { name: 'This phone was revoked' }).waitFor()
  await expect.poll(() => readStores(page)).toMatchObject({ events: 0 })
  const arrived = page.waitForEvent('requestfinished', (request) => request.url().includes('/snapshot?'))
  held.arrives()
  expect((await (await arrived).response())?.status()).toBe(200)
  // Long enough for a phone to write down what it was told.
  await delay(1_000)
  expect(await readStores(page)).toMatchObject({ events: 0, chunks: 0, indexes: 0, changes: 0 })
  await phone.close()
})

test('a list that is stuck in a bad line keeps no scan from being sent when the line is back', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { context, page } = phone
  const asked = Promise.withResolvers<void>()
  await context.route('**/long-night/snapshot?*', () => asked.resolve())
  await page.evaluate(`void dispatchEvent(new Event('focus'))`)
  await asked.promise
  await context.route('**/scanner/events/*/tickets/**', (route) => route.abort())
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await expect.poll(() => phone.line()).toBe('offline')
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  expect(await phone.line()).toBe('online')
  await phone.close()
})

test('a list of events that did not come is asked for again', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  let asked = 0
  await phone.context.route('**/scanner/events', (route) => (++asked === 1 ? route.abort() : route.continue()))
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  expect(asked).toBeGreaterThan(1)
  await phone.close()
})

test('an unknown code is told of by the line there is now, whatever was shown before', async () => {
  const phone = await openDoor(await openDoorNight())
  expect(await phone.scan('1111111111111111111111')).toBe('unknown')
  await phone.page.getByText('No ticket has this code.').waitFor()
  await phone.context.setOffline(true)
  expect(await phone.scan('2222222222222222222222')).toBe('unknown')
  await phone.page.getByText('Not on this phone, and there is no line.', { exact: false }).waitFor()
  await phone.close()
})

test('a guest who was unknown without a line is asked about when there is one, though the refusal is not sent yet', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { context } = phone
  const goes = Promise.withResolvers<void>()
  await context.route('**/scanner/redemption_attempts', async (route) => {
    await goes.promise
    await route.continue().catch(() => undefined)
  })
  await context.setOffline(true)
  const late = await addTicket(night.venue, night.slug, { customerName: 'Lina Late' })
  expect(await phone.scan(late.publicId)).toBe('unknown')
  await context.setOffline(false)
  await expect.poll(() => phone.line(), { timeout: 15_000 }).toBe('online')
  expect([await phone.queue(), await phone.scan(late.publicId)]).toEqual([1, 'in'])
  goes.resolve()
  await expect.poll(() => phone.queue(), { timeout: 40_000 }).toBe(0)
  expect(await resultsOf(night)).toEqual([`${late.publicId} accepted`, `${late.publicId} blocked`])
  await phone.close()
})

test('two touches of “Use it here” bring the door here once', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const other = await phone.context.newPage()
  await other.goto(DOOR)
  await other.getByRole('button', { name: 'Use it here' }).waitFor()
  await other.evaluate(`{
    window.isSamePage = true
    document.querySelector('button.main').click()
    document.querySelector('button.main')?.click()
  }`)
  await phone.page.getByRole('button', { name: 'Use it here' }).waitFor()
  await other.locator('main[data-line="online"]').waitFor()
  expect(await other.evaluate('window.isSamePage')).toBe(true)
  await phone.close()
})

test('the same pairing code is tried again after one that got no answer', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  const { page } = phone
  let asked = 0
  await phone.context.route('**/scanner/pairings', (route) => (++asked === 1 ? route.abort() : route.continue()))
  const secret = await startPairing(night.venue, 'Main door')
  await page.goto(`${DOOR}#pair=${secret}`)
  await page.getByText('Foyer cannot be reached.', { exact: false }).waitFor()
  await page.evaluate(`location.hash = '#pair=${secret}'`)
  await page.locator('main[data-line="online"]').waitFor()
  await phone.close()
})

test('an event that gets another slug stays chosen, with its tickets and what was scanned before', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { page, context } = phone
  await context.setOffline(true)
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  const renamed = await night.venue.office.patch('/admin/events/long-night', { event: { slug: 'longer-night' } })
  expect(renamed.status).toBe(200)
  expect(await phone.scan(night.second.publicId)).toBe('in')
  await context.setOffline(false)
  await expect.poll(async () => Object.keys(await generatedAts(page)), { timeout: 40_000 }).not.toContain('long-night')
  expect((await generatedAts(page))['longer-night']).toBeTruthy()
  await expect.poll(() => phone.tickets()).toBe(night.count)
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  for (const { publicId } of [night.fine, night.second]) expect(await phone.scan(publicId)).toBe('already')
  await page.getByRole('button', { name: 'Next' }).click()
  expect(await page.locator('.head-event').innerText()).toBe('The Long Night')
  await context.setOffline(true)
  expect(await phone.scan(night.third.publicId)).toBe('in')
  await phone.close()
  const results = [night.fine, night.second].map(({ publicId }) => `${publicId} accepted`)
  expect(await resultsOf({ ...night, slug: 'longer-night' })).toEqual(expect.arrayContaining(results))
})

test('a ticket found online whose redemption gets no answer is judged by the phone and sent by its public ID', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  await phone.context.route('**/scanner/events/long-night/snapshot?*', (route) => route.abort())
  const late = await addTicket(night.venue, night.slug, { customerName: 'Lina Late' })
  await phone.context.route(`**/tickets/${late.publicId}/redemption`, (route) => route.abort())
  await phone.context.route('**/scanner/redemption_attempts', (route) => route.abort())
  await expect.poll(() => phone.line(), { timeout: 15_000 }).toBe('online')
  expect(await phone.scan(late.code)).toBe('in')
  expect(await phone.scan(late.publicId)).toBe('already')
  await phone.context.unroute('**/scanner/redemption_attempts')
  await expect.poll(() => phone.queue(), { timeout: 20_000 }).toBe(0)
  expect((await readLog(night)).filter(({ result }) => result === 'accepted')).toMatchObject([
    { public_id: late.publicId, result: 'accepted' },
  ])
  await phone.close()
})

/** So that a test can close the connection underneath the app, as browsers do with apps in the background. */
const KEEP_CONNECTION = `{
  const { transaction } = IDBDatabase.prototype
  IDBDatabase.prototype.transaction = function (...asked) {
    window.connection = this
    return transaction.apply(this, asked)
  }
}`

test('a connection to the disk that the browser closed is opened again at the next scan', async () => {
  const night = await openDoorNight()
  const phone = await openPhone(browser)
  const { page, context } = phone
  await context.addInitScript(KEEP_CONNECTION)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
  await context.setOffline(true)
  await page.evaluate('window.connection.close()')
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await page.evaluate(`window.connection.close(); window.connection.dispatchEvent(new Event('close'))`)
  expect(await phone.scan(night.second.publicId)).toBe('in')
  expect(await readStores(page)).toMatchObject({ scans: 2 })
  await context.setOffline(false)
  await expect.poll(() => phone.queue(), { timeout: 20_000 }).toBe(0)
  expect(await resultsOf(night)).toEqual(
    [night.fine, night.second].map(({ publicId }) => `${publicId} accepted`).toSorted(),
  )
  await phone.close()
})

/** The tickets stay on the disk until they are wanted, and then it cannot be read. */
const BREAKING_DISK = `{
  window.requestIdleCallback = () => 0
  const { get } = IDBObjectStore.prototype
  IDBObjectStore.prototype.get = function (key) {
    if (window.isDiskBroken && this.name === 'chunks') throw new DOMException('Internal error', 'UnknownError')
    return get.call(this, key)
  }
}`

test('a disk that cannot be read lets nobody in, and no verdict on somebody else stands for this one', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  await phone.context.addInitScript(BREAKING_DISK)
  const { page, ...again } = await phone.reopen()
  await page.evaluate('window.isDiskBroken = true')
  expect(await again.scan(night.fine.publicId)).toBe('refused')
  await page.getByText('This phone can write nothing down any more', { exact: false }).waitFor()
  await phone.close()
})
