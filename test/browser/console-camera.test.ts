import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { writeFilm } from '../kit/browser/camera-film.ts'
import { PHONE, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openWholeBrowserAt } from '../kit/browser/watched-browser.ts'
import { type Venue, openVenue, theApp } from '../kit/venue/venue.ts'

vi.setConfig({ testTimeout: 300_000 })

beforeAll(() => buildFronts(), 300_000)

let tidy: (() => Promise<unknown>)[] = []

afterEach(async () => {
  for (const each of tidy.toReversed()) await each()
  tidy = []
})

const OLGA = 'olga@neue-halle.example'

const openDeskWithCamera = async (
  venue: Venue,
  flags: string[],
  options: Parameters<typeof openConsolePage>[1] = { permissions: ['camera'] },
) => {
  const browser = await openWholeBrowserAt(await theApp(), flags)
  tidy.push(() => browser.close())
  const desk = await openConsolePage(browser, options)
  await signInAs(desk, venue, OLGA)
  await desk.page.goto(`${CONSOLE}/console/vouchers`)
  await desk.page.getByRole('button', { name: 'Scan with the camera' }).waitFor()
  return desk
}

test('a voucher is found by holding its QR code in front of the camera, and the camera is off again', async () => {
  const venue = await openVenue()
  const { code } = (await venue.office.post('/admin/vouchers', { voucher: { amount: '37.50' } })).body
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-film-'))
  tidy.push(() => rm(folder, { recursive: true }))
  const film = path.join(folder, 'voucher.y4m')
  await writeFilm(film, [{ frames: 16 }, { code, frames: 16 }])

  const desk = await openDeskWithCamera(venue, [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ])
  const { page } = desk
  const loaded: string[] = []
  page.on('request', (request) => loaded.push(new URL(request.url()).pathname))
  // What reads codes is not asked for before somebody wants it.
  expect(await page.evaluate('performance.getEntriesByType("resource").map(({ name }) => name).join()')).not.toMatch(
    /decode-worker|wasm/,
  )
  await page.getByRole('button', { name: 'Scan with the camera' }).click()
  await page.getByRole('heading', { name: `****-****-****-${code.slice(-4)}` }).waitFor()
  expect(page.url()).not.toContain(code.slice(0, 4))
  expect(loaded.some((file) => file.endsWith('.wasm'))).toBe(true)
  expect(await page.locator('video').count()).toBe(0)
  desk.expectNoFaults()
})

test('a camera that is not allowed or not there is said so, and the code can be typed', async () => {
  const venue = await openVenue()
  // Whoever is asked says no; a browser without windows asks nobody by itself.
  const refusing = ['--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream=deny']
  const denied = await openDeskWithCamera(venue, refusing, { viewport: PHONE })
  await denied.page.getByRole('button', { name: 'Scan with the camera' }).click()
  await denied.page.getByText(/^The camera is not allowed/).waitFor()
  await denied.expectReadable('voucher-camera-denied')
  await denied.expectFitting()
  await denied.page.getByRole('button', { name: 'Close' }).click()
  await denied.page.getByLabel('Code of a voucher').fill('AAAA')

  const blind = await openDeskWithCamera(venue, ['--use-fake-device-for-media-stream=device-count=0'])
  await blind.page.getByRole('button', { name: 'Scan with the camera' }).click()
  await blind.page.getByText(/^This machine has no camera/).waitFor()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`the picture of the camera is shown, on a phone and at a desk, ${colorScheme}`, async () => {
    const venue = await openVenue()
    const flags = ['--use-fake-ui-for-media-stream', '--use-fake-device-for-media-stream']
    const desk = await openDeskWithCamera(venue, flags, { permissions: ['camera'], colorScheme })
    await desk.page.getByRole('button', { name: 'Scan with the camera' }).click()
    await desk.page.locator('[data-camera="on"]').waitFor()
    await desk.expectReadable(`voucher-camera-desk-${colorScheme}`)
    await desk.page.setViewportSize(PHONE)
    await desk.expectReadable(`voucher-camera-phone-${colorScheme}`)
    await desk.expectFitting()
    await desk.page.getByRole('button', { name: 'Close' }).click()
    await desk.page.locator('video').waitFor({ state: 'detached' })
    await desk.expectFitting()
    await desk.expectReadable(`voucher-desk-phone-${colorScheme}`)
    desk.expectNoFaults()
  })
}
