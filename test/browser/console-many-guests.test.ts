import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refreshStatistics } from '../../src/database/statistics.ts'
import { type ConsolePage, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { cpuTimeOf } from '../kit/browser/cpu-time.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { atFullSpeed } from '../kit/process/machine-speed.ts'
import { type Venue, openVenue, theApp } from '../kit/venue/venue.ts'

const ROUNDS = 5
const SLOWER = 4
const SHOWN_MS = 1_000
/** What the server may take for a whole guest list, as the performance targets say. */
const ANSWER_MS = 250
const FOUND_MS = 50
/** Whether the page is slowed: several turns of both, so that nobody beside it is busy in all of them. */
const TURNS = [false, true, false, true, false, true]
const FRAME_MS = 1000 / 60
const FRAMES = 90

let browser: Browser
let venue: Venue

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
  venue = await openVenue((file) => {
    const [ball] = file['events']
    ball.capacity = 20_000
    ball.tickets[0].stock = 20_000
    ball.guest_parties = Array.from({ length: 5000 }, (_, n) => ({
      key: `g${n}`,
      customer_name: `Guest walrus${n}`,
      ticket: 'ga',
      party_size: 2,
      staff_note: `Table ${n % 40}`,
    }))
  })
  await refreshStatistics(venue.app.database)
}, 300_000)

afterAll(() => browser?.close())

/**
 * Held to what the page's main thread computes, times four: that is the same on an idle machine and on one that is
 * shared, where the clock would tell of the others. The clock on a slowed page is printed beside it.
 */
test(
  'five thousand parties are shown within a second on a machine four times slower',
  { timeout: 300_000 },
  async () => {
    const desk = await openConsolePage(browser)
    await signInAs(desk, venue, 'mara@neue-halle.example')
    const computed: number[] = []
    const clocked: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await openEvent(desk)
      computed.push(await measureWork(desk.page, 'measureShown()'))
    }
    await slowDown(desk.page, SLOWER)
    for (let round = 0; round < ROUNDS; round++) {
      await openEvent(desk)
      clocked.push(atFullSpeed(await desk.page.evaluate<number>('measureShown()')))
    }
    console.log(`shown: computed ${list(computed)}, by the clock ${list(clocked)} ms`)
    expect(Math.min(...computed) + ANSWER_MS).toBeLessThan(SHOWN_MS)
    desk.expectNoFaults()
    await desk.page.context().close()
  },
)

test(
  'each letter that is typed finds parties within 50 milliseconds on that machine',
  { timeout: 300_000 },
  async () => {
    const desk = await openList()
    const { page } = desk
    const computed: number[][] = []
    const clocked: number[][] = []
    for (const isSlowed of TURNS) {
      await slowDown(page, isSlowed ? SLOWER : 1)
      for (let round = 1; round <= ROUNDS; round++) {
        await page.evaluate('emptySearch()')
        const text = `walrus4${round}3`
        for (let end = 1; end <= text.length; end++) {
          const measure = `measureLetter("${text.slice(0, end)}")`
          if (isSlowed) (clocked[end - 1] ??= []).push(atFullSpeed(await page.evaluate<number>(measure)))
          else (computed[end - 1] ??= []).push(await measureWork(page, measure))
        }
      }
    }
    const bestOf = (letters: readonly number[][]) => letters.map((times) => Math.min(...times))
    console.log(`found: computed ${list(bestOf(computed))}, by the clock ${list(bestOf(clocked))} ms`)
    // Beside others the processor works slower, and by the clock it waits: neither says more than the quicker of both.
    const byClock = bestOf(clocked)
    for (const [n, ms] of bestOf(computed).entries()) expect(Math.min(ms, byClock[n]!)).toBeLessThan(FOUND_MS)
    desk.expectNoFaults()
    await page.context().close()
  },
)

test('five thousand parties scroll at sixty frames a second', { timeout: 300_000 }, async () => {
  const desk = await openList()
  const { page } = desk
  const frames: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    frames.push((await measureWork(page, `scrollFrames(${round}, ${FRAMES})`)) / FRAMES)
  }
  console.log(`a frame of scrolling: computed ${list(frames)} ms`)
  expect(Math.min(...frames)).toBeLessThan(FRAME_MS * SLOWER)
  desk.expectNoFaults()
  await page.context().close()
})

const list = (times: readonly number[]) => times.map(Math.round).join(', ')

/** On a machine so many times slower. */
const measureWork = async (page: Page, expression: string): Promise<number> =>
  (await cpuTimeOf(page, expression)) * SLOWER

const openEvent = async ({ page }: ConsolePage): Promise<void> => {
  await page.goto(`${CONSOLE}/console/events/winter-ball`)
  await page.getByRole('link', { name: /Guest list Who/ }).waitFor()
  await page.evaluate(MEASURES)
}

const openList = async (): Promise<ConsolePage> => {
  const desk = await openConsolePage(browser)
  await signInAs(desk, venue, 'mara@neue-halle.example')
  await desk.page.goto(`${CONSOLE}/console/events/winter-ball/guests`)
  await desk.page.getByRole('link', { name: /Guest walrus0 / }).waitFor()
  await desk.page.evaluate(MEASURES)
  return desk
}

const slowDown = async (page: Page, rate: number): Promise<void> => {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}

/** Within the page: from the click, or a letter, to the frame after which the right rows are there. */
const MEASURES = `
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))
  const until = async (isSo) => {
    const began = performance.now()
    while (!isSo()) {
      if (performance.now() - began > 60_000) throw new Error([location.search, document.querySelector('input[type=search]')?.value, firstRow()].join(' | '))
      await frame()
    }
  }
  const clocked = async (run, isSo) => {
    const began = performance.now()
    run()
    await frame()
    await until(isSo)
    return performance.now() - began
  }
  globalThis.measureShown = () =>
    clocked(
      () => document.querySelector('a[href$="/guests"]').click(),
      () => document.querySelector('[data-index="0"]'),
    )
  const typeText = (text) => {
    const field = document.querySelector('input[type=search]')
    field.focus()
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(field, text)
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  const firstRow = () => document.querySelector('[data-index="0"]')?.innerText.toLowerCase() ?? ''
  globalThis.measureLetter = (wanted) => clocked(() => typeText(wanted), () => firstRow().includes(wanted))
  /** And until the address has been written too. */
  globalThis.emptySearch = async () => {
    typeText('')
    await until(() => firstRow().includes('walrus0') && !location.search.includes('text'))
  }
  globalThis.scrollFrames = async (round, frames) => {
    for (let step = 0; step < frames; step++) {
      scrollTo(0, round * 20_000 + step * 120)
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
  }
`
