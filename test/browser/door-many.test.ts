import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFilm } from '../kit/browser/camera-film.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { type Phone, openPhone, pairPhone, startPairing, waitForServiceWorker } from '../kit/browser/phone.ts'
import { openBrowserAt, openWholeBrowserAt } from '../kit/browser/watched-browser.ts'
import { atFullSpeed } from '../kit/process/machine-speed.ts'
import { openDoorNight } from '../kit/venue/door-night.ts'
import { type Venue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const MANY = 50_000
const SLOWER = 6

/** Public IDs without the letters that look alike. */
const idOf = (n: number) => `T${String(n).replaceAll('0', 'z').padStart(21, 'z')}`

const FIRST_NAMES = ['Zoë', 'Björn', 'Ayşe', 'Cleo', 'Noah', 'Ida', 'Uwe', 'Mette']

/** A snapshot as the server would tell it, for an event of another size than a test should wait for. */
const snapshotOf = (event: object) => ({
  generated_at: new Date().toISOString(),
  event,
  tickets: Array.from({ length: MANY }, (_, n) => ({
    public_id: idOf(n),
    check_in_code: String(n).padStart(8, '2').replaceAll('0', 'X').replaceAll('1', 'Y'),
    display_check_in_code: '',
    event_slug: 'long-night',
    event_title: 'The Long Night',
    ticket_title: 'General admission',
    ticket_color: '#2f6fed',
    buyer_name: `${FIRST_NAMES[n % 8]} Nachname${n}`,
    attendee_name: `${FIRST_NAMES[n % 8]} Nachname${n}`,
    guest_list: false,
    place_label: null,
    redeemed: false,
    redeemable: true,
    blocked_reason: null,
    redeemed_at: null,
    updated_at: '2026-12-01T10:00:00.000Z',
    party_key: `party-${n >> 1}`,
    pair_key: null,
    inside: false,
  })),
})

/** Pairs a phone that is told of so many tickets, and waits until it has them. */
const pairWithMany = async (phone: Phone, venue: Venue, slug: string) => {
  const { event } = (await venue.door.get(`/scanner/events/${slug}/snapshot?with=parties`)).body
  await phone.context.route('**/snapshot?*', (route) => route.fulfill({ json: snapshotOf(event) }))
  await pairPhone(phone, await startPairing(venue, 'Main door'))
  await expect.poll(() => phone.tickets(), { timeout: 60_000 }).toBe(MANY)
  await waitForServiceWorker(phone.page)
}

/** How long something takes in the page itself. */
const timed = async (page: Page, work: string) =>
  atFullSpeed(
    await page.evaluate<number>(`(async () => {
      const startedAt = performance.now()
      await (${work})
      return performance.now() - startedAt
    })()`),
  )

const slowDown = async (page: Page) => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER })
}

/** How long the last scan took until it was judged, without writing and showing it. */
const judgedIn = async (page: Page) =>
  atFullSpeed(await page.evaluate<number>(`performance.getEntriesByName('foyer-judge').at(-1).duration`))

/** How long a cold start takes until all tickets can be asked for. */
const openSlowly = async (page: Page) => {
  await slowDown(page)
  const startedAt = performance.now()
  await page.goto('http://localhost:3000/door')
  await page.locator(`main[data-tickets="${MANY}"]`).waitFor({ timeout: 30_000 })
  return atFullSpeed(performance.now() - startedAt)
}

/** As a scanner types it; until its verdict stands in the page. */
const scanning = (id: string) => `new Promise((resolve) => {
  const watch = new MutationObserver(() => {
    if (document.querySelector('[data-verdict]')?.textContent.includes('Nachname')) { watch.disconnect(); resolve() }
  })
  watch.observe(document.body, { subtree: true, childList: true, attributes: true })
  for (const letter of ${JSON.stringify(id)}) {
    const code = /\\d/.test(letter) ? 'Digit' + letter : 'Key' + letter.toUpperCase()
    document.body.dispatchEvent(new KeyboardEvent('keydown', { key: letter, code, shiftKey: /[A-Z]/.test(letter), bubbles: true }))
  }
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', code: 'Enter', bubbles: true, cancelable: true }))
})`

/** Runs in the page: when a code came into the picture, and when its verdict stood on the screen. */
const WATCH_PICTURE = `{
  window.seenAt = []
  window.verdictAt = {}
  const video = document.querySelector('video')
  const canvas = document.createElement('canvas')
  canvas.width = 32
  canvas.height = 24
  const context = canvas.getContext('2d', { willReadFrequently: true })
  let wasThere = true
  const look = () => {
    context.drawImage(video, 0, 0, 32, 24)
    // The wall is grey, the paper around a code is white.
    const isThere = context.getImageData(0, 0, 32, 24).data.some((value, n) => n % 4 === 0 && value > 200)
    if (isThere && !wasThere) window.seenAt.push(performance.now())
    wasThere = isThere
    video.requestVideoFrameCallback(look)
  }
  look()
  new MutationObserver(() => {
    const shown = document.querySelector('[data-scan]')
    if (!shown || window.verdictAt[shown.dataset.scan]) return
    window.verdictAt[shown.dataset.scan] = performance.now()
    // The next one please.
    setTimeout(() => document.querySelector('.verdict-buttons .main').click(), 300)
  }).observe(document.body, { subtree: true, childList: true, attributes: true })
}`

test('on the same phone a verdict stands 300 ms after its code came into the picture', async () => {
  const { venue, slug } = await openDoorNight()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-film-'))
  const film = path.join(folder, 'codes.y4m')
  const scenes = [1, 2, 3, 4, 5].flatMap((n) => [{ frames: 12 }, { code: idOf(n * 7_000), frames: 8 }])
  await writeFilm(film, scenes)
  const seeing = await openWholeBrowserAt(await theApp(), [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ])
  try {
    const phone = await openPhone(seeing, { permissions: ['camera'] }, 60_000)
    await pairWithMany(phone, venue, slug)
    await phone.context.setOffline(true)
    const { page } = await phone.reopen()
    await slowDown(page)
    await page.locator('[data-camera="on"]').waitFor()
    await page.evaluate(WATCH_PICTURE)
    const measured = () =>
      page.evaluate<number[]>(`Object.values(window.verdictAt)
        .map((at) => at - window.seenAt.findLast((seen) => seen < at)).filter((ms) => ms > 0)`)
    await expect.poll(async () => (await measured()).length, { timeout: 60_000 }).toBeGreaterThanOrEqual(4)
    const all = (await measured()).map(atFullSpeed)
    console.info(`from the picture to the verdict: ${all.map((ms) => ms.toFixed(0)).join(', ')} ms`)
    // The quickest, as above: what else the machine does may slow any of them.
    expect(Math.min(...all)).toBeLessThan(300)
  } finally {
    await seeing.close()
    await rm(folder, { recursive: true })
  }
}, 240_000)

test('fifty thousand tickets on a slow phone: opened within 2 s, a code within 20 ms, a name within 100 ms', async () => {
  const { venue, slug } = await openDoorNight()
  const phone = await openPhone(browser)
  await pairWithMany(phone, venue, slug)
  await phone.context.setOffline(true)
  await phone.page.close()

  // The quickest of five: what else the machine does may slow any of them, and makes none quicker than the app is.
  const openings: number[] = []
  const firstScans: number[] = []
  const firstJudged: number[] = []
  let page!: Page
  for (let n = 1; n <= 5; n++) {
    await page?.close()
    page = await phone.context.newPage()
    openings.push(await openSlowly(page))
    // The first guest comes while the list is still being read, and stands where it is read last.
    firstScans.push(await timed(page, scanning(idOf(MANY - n * 1_234))))
    firstJudged.push(await judgedIn(page))
    await page.keyboard.press('Escape')
  }
  const allRead = () =>
    page.evaluate<number>(`performance.getEntriesByName('foyer-tickets-read')[0]?.startTime ?? Infinity`)
  await expect.poll(allRead, { timeout: 60_000 }).toBeLessThan(Infinity)
  const readMs = await allRead()

  const scans: number[] = []
  const judged: number[] = []
  for (let n = 1; n <= 9; n++) {
    scans.push(await timed(page, scanning(idOf(n * 5_000))))
    judged.push(await judgedIn(page))
    await page.keyboard.press('Escape')
  }
  await page.getByRole('button', { name: 'Search' }).click()
  const field = page.getByLabel('Name or code')
  await field.fill('be')
  // Of each name the quickest of three, for the same reason.
  const names = new Map<string, number>()
  for (const name of [1, 2, 3].flatMap(() => ['ay', 'bj', 'cl', 'id', 'nachname49999', 'zo nachname8'])) {
    const took = await timed(
      page,
      `new Promise((resolve) => {
        const field = document.querySelector('input[type=search]')
        const watch = new MutationObserver(() => { watch.disconnect(); resolve() })
        watch.observe(document.querySelector('.found'), { childList: true, subtree: true, characterData: true })
        field.value = ${JSON.stringify(name)}
        field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      })`,
    )
    names.set(name, Math.min(took, names.get(name) ?? Infinity))
  }
  const shown = (all: number[]) => all.map((ms) => ms.toFixed(0)).join(', ')
  const middle = (all: number[]) => all.toSorted((one, other) => one - other)[Math.floor(all.length / 2)]!
  console.info(
    `50,000 tickets, ${SLOWER} × slower: opened ${shown(openings)} ms, all read ${readMs.toFixed(0)} ms, first code ${shown(firstJudged)} ms and its verdict ${shown(firstScans)} ms, later code ${middle(judged).toFixed(1)} ms and its verdict ${middle(scans).toFixed(0)} ms, name ${middle([...names.values()]).toFixed(1)} ms`,
  )
  expect(Math.min(...openings)).toBeLessThan(2_000)
  expect(Math.min(...firstJudged)).toBeLessThan(20)
  expect(Math.min(...firstScans)).toBeLessThan(300)
  expect(middle(judged)).toBeLessThan(20)
  expect(middle(scans)).toBeLessThan(300)
  expect(middle([...names.values()])).toBeLessThan(100)
  await phone.close()
}, 180_000)
