import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { type Scene, writeFilm } from '../kit/browser/camera-film.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { type Phone, openPhone, pairPhone, startPairing } from '../kit/browser/phone.ts'
import { openWholeBrowserAt } from '../kit/browser/watched-browser.ts'
import { type DoorNight, openDoorNight } from '../kit/venue/door-night.ts'
import { theApp } from '../kit/venue/venue.ts'

beforeAll(() => buildFronts(), 300_000)

let tidy: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const each of tidy.toReversed()) await each()
  tidy = []
})

const openSeeingBrowser = async (...more: string[]): Promise<Browser> => {
  const browser = await openWholeBrowserAt(await theApp(), ['--use-fake-ui-for-media-stream', ...more])
  tidy.push(() => browser.close())
  return browser
}

let phones = 0

const openSeeingPhone = async (
  browser: Browser,
  night: DoorNight,
  before: (phone: Phone) => Promise<unknown> = async () => {},
): Promise<Phone> => {
  const phone = await openPhone(browser, { permissions: ['camera'] })
  await before(phone)
  await pairPhone(phone, await startPairing(night.venue, `Door ${++phones + 10}`), night.count)
  await phone.page.locator('[data-camera="on"]').waitFor()
  return phone
}

/** Which camera is looked through. */
const cameraOf = (page: Page) =>
  page.evaluate<string>(`document.querySelector('video').srcObject.getVideoTracks()[0].label`)

/** Some browsers know a camera by another ID whenever a page is opened. */
const forgetCameraId = (page: Page) =>
  page.evaluate<void>(`new Promise((resolve) => {
    indexedDB.open('foyer-door').onsuccess = ({ target: { result: db } }) => {
      const settings = db.transaction('settings', 'readwrite').objectStore('settings')
      settings.get('camera').onsuccess = ({ target: { result } }) => {
        result.id = 'another'
        settings.put(result, 'camera').onsuccess = () => { db.close(); resolve() }
      }
    }
  })`)

test('the other camera is taken by one touch and remembered when the app is opened again', async () => {
  const night = await openDoorNight()
  const browser = await openSeeingBrowser('--use-fake-device-for-media-stream=device-count=2')
  const phone = await openSeeingPhone(browser, night)
  const first = await cameraOf(phone.page)
  await phone.page.getByRole('button', { name: 'Other camera' }).click()
  await expect.poll(() => cameraOf(phone.page).catch(() => first)).not.toBe(first)
  await phone.page.locator('[data-camera="on"]').waitFor()
  const second = await cameraOf(phone.page)
  const again = await phone.reopen()
  await again.page.locator('[data-camera="on"]').waitFor()
  expect(await cameraOf(again.page)).toBe(second)
  await forgetCameraId(again.page)
  const later = await again.reopen()
  await later.page.locator('[data-camera="on"]').waitFor()
  expect(await cameraOf(later.page)).toBe(second)
  later.expectNoFaults()
})

test('a camera that opens late, when the phone is paired already, takes nothing from the one that is looked through', async () => {
  const night = await openDoorNight()
  const browser = await openSeeingBrowser('--use-fake-device-for-media-stream')
  // The first one opened, on the page of the pairing, comes after the second.
  const phone = await openSeeingPhone(browser, night, ({ context }) =>
    context.addInitScript(`{
      window.opened = []
      const { getUserMedia } = MediaDevices.prototype
      const second = Promise.withResolvers()
      let asked = 0
      MediaDevices.prototype.getUserMedia = async function (wanted) {
        const number = asked++
        const stream = await getUserMedia.call(this, wanted)
        window.opened[number] = stream
        if (number === 0) await second.promise
        else second.resolve()
        return stream
      }
    }`),
  )
  const states = () => phone.page.evaluate('window.opened.map((stream) => stream.getVideoTracks()[0].readyState)')
  await expect.poll(states).toEqual(['ended', 'live'])
  expect(await phone.page.locator('[data-camera="on"]').count()).toBe(1)
  phone.expectNoFaults()
})

test('a camera that another app still holds, or that shows nothing at first, is opened again by itself', async () => {
  const night = await openDoorNight()
  const browser = await openSeeingBrowser('--use-fake-device-for-media-stream')
  const phone = await openSeeingPhone(browser, night, ({ context }) =>
    context.addInitScript(`{
      const { getUserMedia } = MediaDevices.prototype
      const { play } = HTMLMediaElement.prototype
      window.held = 2
      window.dark = 1
      MediaDevices.prototype.getUserMedia = async function (wanted) {
        if (window.held-- > 0) throw new DOMException('In use', 'NotReadableError')
        return getUserMedia.call(this, wanted)
      }
      HTMLMediaElement.prototype.play = function () {
        return window.dark-- > 0 ? new Promise(() => {}) : play.call(this)
      }
    }`),
  )
  expect(await phone.page.evaluate('[window.held < 0, window.dark < 0]')).toEqual([true, true])
  phone.expectNoFaults()
})

test('a light is offered where the camera has one, and switched on and off; else there is no button', async () => {
  const night = await openDoorNight()
  const browser = await openSeeingBrowser('--use-fake-device-for-media-stream')
  // No camera of a test has a light, so the track says that it has, and notes what it is told.
  const phone = await openSeeingPhone(browser, night, ({ context }) =>
    context.addInitScript(`{
      window.lights = []
      const { getCapabilities } = MediaStreamTrack.prototype
      MediaStreamTrack.prototype.getCapabilities = function () { return { ...getCapabilities.call(this), torch: true } }
      MediaStreamTrack.prototype.applyConstraints = async ({ advanced: [{ torch }] }) => { window.lights.push(torch) }
    }`),
  )
  const { page } = phone
  await page.getByRole('button', { name: 'Light on' }).click()
  await page.getByRole('button', { name: 'Light off' }).click()
  await page.getByRole('button', { name: 'Light on' }).waitFor()
  expect(await page.evaluate('window.lights')).toEqual([true, false])
  await phone.expectReadable('torch')

  await page.evaluate(
    `MediaStreamTrack.prototype.applyConstraints = async () => { throw new Error('The battery is low.') }`,
  )
  await page.getByRole('button', { name: 'Light on' }).click()
  await expect.poll(() => page.getByRole('button', { name: /^Light/ }).count()).toBe(0)
  phone.expectNoFaults()

  const plain = await openSeeingPhone(browser, night)
  expect(await plain.page.getByRole('button', { name: /^Light/ }).count()).toBe(0)
})

const openFilmBrowser = async (scenes: Scene[]): Promise<Browser> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-film-'))
  tidy.push(() => rm(folder, { recursive: true }))
  const film = path.join(folder, 'codes.y4m')
  await writeFilm(film, scenes)
  return openSeeingBrowser('--use-fake-device-for-media-stream', `--use-file-for-fake-video-capture=${film}`)
}

test('the same code is read again only when it was out of the picture for two seconds', async () => {
  const night = await openDoorNight()
  // A second in the picture, one away, one in it again, and three away.
  const code = { code: night.fine.publicId, frames: 8 }
  const browser = await openFilmBrowser([code, { frames: 8 }, code, { frames: 24 }])
  const phone = await openSeeingPhone(browser, night, ({ context }) =>
    context.addInitScript(`addEventListener('DOMContentLoaded', () => {
      window.scans = {}
      new MutationObserver(() => {
        const shown = document.querySelector('[data-scan]')
        if (shown) window.scans[shown.dataset.scan] ??= { at: performance.now(), verdict: shown.dataset.verdict }
      }).observe(document, { subtree: true, childList: true, attributes: true })
    })`),
  )
  const scans = () => phone.page.evaluate<{ at: number; verdict: string }[]>('Object.values(window.scans)')
  await expect.poll(scans, { timeout: 30_000 }).toHaveLength(2)
  const [first, second] = (await scans()) as [{ at: number; verdict: string }, { at: number; verdict: string }]
  expect([first.verdict, second.verdict]).toEqual(['in', 'already'])
  expect(second.at - first.at).toBeGreaterThan(2_500)
})

test('a code that is held before the camera already while the phone asks for its events is judged once it has them', async () => {
  const night = await openDoorNight()
  const browser = await openFilmBrowser([{ code: night.fine.publicId, frames: 8 }])
  const phone = await openSeeingPhone(browser, night, async ({ context, page }) => {
    await context.route('**/scanner/events', async (route) => {
      await page.locator('[data-camera="on"]').waitFor()
      // Long enough for a camera to read what it sees.
      await Promise.race([page.locator('[data-verdict]').waitFor(), delay(2_000)])
      await route.continue()
    })
  })
  await expect.poll(() => phone.verdict()).toBe('in')
})

/** What the camera reads, picture by picture. */
const NOTE_SEEN = `{
  window.seen = []
  const { addEventListener } = Worker.prototype
  Worker.prototype.addEventListener = function (type, listener, ...more) {
    if (type === 'message') addEventListener.call(this, type, ({ data }) => window.seen.push(data.text))
    return addEventListener.call(this, type, listener, ...more)
  }
}`

/** The film begins when the phone has all tickets: nothing of it is seen while it is being paired. */
const beginWith = (tickets: number) => `{
  const { getUserMedia } = MediaDevices.prototype
  MediaDevices.prototype.getUserMedia = async function (wanted) {
    if (document.querySelector('.pairing')) await new Promise(() => {})
    while (document.querySelector('main').dataset.tickets !== '${tickets}') await new Promise((go) => setTimeout(go, 20))
    return getUserMedia.call(this, wanted)
  }
}`

const openReadyPhone = (browser: Browser, night: DoorNight) =>
  openSeeingPhone(browser, night, ({ context }) => context.addInitScript(NOTE_SEEN + beginWith(night.count)))

test('a code that is held before the camera while somebody is still refused is read once that was seen', async () => {
  const night = await openDoorNight()
  const browser = await openFilmBrowser([
    { code: night.unpaid.publicId, frames: 8 },
    { code: night.second.publicId, frames: 240 },
  ])
  const phone = await openReadyPhone(browser, night)
  const { page } = phone
  await page.locator('[data-verdict="unpaid"]').waitFor()
  await expect.poll(() => page.evaluate('window.seen')).toContain(night.second.publicId)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.locator('[data-verdict="in"]').getByText('Bjørn Ångström').waitFor({ timeout: 15_000 })
})

/** Whether a code came into the picture, went away and came back, since so many pictures were read. */
const hasComeBack = (page: Page, since = 0) =>
  page.evaluate<boolean>(`/x+-{3,}x/.test(window.seen.slice(${since}).map((text) => (text ? 'x' : '-')).join(''))`)

test('whoever shows their own code again while their party is shown is not refused for it afterwards', async () => {
  const night = await openDoorNight()
  const code = night.party[0]!.publicId
  const browser = await openFilmBrowser([{ code, frames: 8 }, { frames: 24 }, { code, frames: 240 }])
  const phone = await openReadyPhone(browser, night)
  const { page } = phone
  await page.getByRole('heading', { name: 'Party of 4' }).waitFor()
  const since = await page.evaluate<number>('window.seen.length')
  await expect.poll(() => hasComeBack(page, since - 1), { timeout: 60_000 }).toBe(true)
  await page.getByRole('button', { name: 'Next' }).click()
  // Long enough for a camera to read what it sees.
  await delay(2_000)
  expect(await phone.verdict()).toBe(null)
})

test('a code that was seen before the phone was paired, and again before it had its events, is read when it has them', async () => {
  const night = await openDoorNight()
  const code = night.fine.publicId
  const browser = await openFilmBrowser([{ code, frames: 8 }, { frames: 24 }, { code, frames: 240 }])
  const phone = await openSeeingPhone(browser, night, async ({ context, page }) => {
    await context.addInitScript(NOTE_SEEN)
    await context.route('**/scanner/pairings', async (route) => {
      await expect.poll(() => page.evaluate('window.seen')).toContain(code)
      await route.continue()
    })
    await context.route('**/scanner/events', async (route) => {
      await expect.poll(() => hasComeBack(page), { timeout: 60_000 }).toBe(true)
      // Long enough for a camera to read it several times.
      await delay(1_000)
      await route.continue()
    })
  })
  await expect.poll(() => phone.verdict(), { timeout: 15_000 }).toBe('in')
})

test('a code that is held before the camera from before the phone is paired is judged once it is', async () => {
  const night = await openDoorNight()
  const code = night.fine.publicId
  const browser = await openFilmBrowser([{ code, frames: 8 }])
  const phone = await openSeeingPhone(browser, night, async ({ context, page }) => {
    await context.addInitScript(NOTE_SEEN)
    await context.route('**/scanner/pairings', async (route) => {
      await expect.poll(() => page.evaluate('window.seen')).toContain(code)
      await route.continue()
    })
  })
  await expect.poll(() => phone.verdict()).toBe('in')
})
