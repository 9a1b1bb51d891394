import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cpuTimeOf } from '../kit/browser/cpu-time.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { PATIENT, TASKS, cardOf, openColleague, openTaskDesk, storedTitles } from '../kit/browser/task-board.ts'
import { openBrowserAt } from '../kit/browser/watched-browser.ts'
import { theApp } from '../kit/venue/venue.ts'

const SLOW = { timeout: 300_000 }
const ROUNDS = 5
const FRAMES = 120
const FRAME_MS = 1000 / 60
/** Beside what the page computes a frame needs time to be drawn. */
const SHARE = 0.5

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const openFullBoard = (options = {}) =>
  openTaskDesk(browser, options, (file) => {
    file['tasks'] = Array.from({ length: 2_000 }, (_, n) => ({
      title: `Task ${n} of the season, with a title of usual length`,
      description: `<p>What has to be known about number ${n}</p>`,
      status: n < 1_500 ? 'open' : n < 1_800 ? 'in_progress' : 'done',
      ...(n % 3 === 0 && { event: 'winter-ball' }),
      ...(n % 4 === 0 && { assignee: 'mara@neue-halle.example' }),
      ...(n % 5 === 0 && { due_on: '2030-01-31' }),
    }))
  })

const titleOf = (n: number) => `Task ${n} of the season, with a title of usual length`

/**
 * Within the page: a card is held over the other columns and at the lower edge of a long one, where the list scrolls by
 * itself, one step in each frame; then it is let go where it came from.
 */
const MEASURES = `
  globalThis.dragFrames = async (frames) => {
    const column = (status) => document.querySelector('[data-status="' + status + '"] > div:last-child').getBoundingClientRect()
    const [open, done] = [column('open'), column('done')]
    const card = document.querySelector('[data-status="open"] [data-task] a')
    const from = card.getBoundingClientRect()
    const send = (type, x, y) => (type === 'pointerdown' ? card : window).dispatchEvent(
      new PointerEvent(type, { bubbles: true, cancelable: true, isPrimary: true, pointerId: 1, button: 0, pointerType: 'mouse', clientX: x, clientY: y }))
    const [x, y] = [from.left + 20, from.top + 10]
    send('pointerdown', x, y)
    send('pointermove', x, y + 20)
    for (let step = 0; step < frames; step++) {
      const across = step % 40 < 20
      const part = (step % 20) / 20
      if (across) send('pointermove', x + (done.left + 60 - x) * part, open.top + open.height * part)
      else send('pointermove', open.left + 60, open.bottom - 8 - (step % 4))
      await new Promise((resolve) => requestAnimationFrame(resolve))
    }
    const isHeld = document.querySelector('[data-ghost]') !== null
    window.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
    return isHeld
  }
`

const cardCount = (page: Page) => page.evaluate<number>(`document.querySelectorAll('[data-task]').length`)

test('among two thousand tasks a card is dragged at sixty frames a second', SLOW, async () => {
  const { desk, page } = await openFullBoard()
  await page.goto(TASKS)
  await cardOf(page, titleOf(0)).waitFor()
  await page.evaluate(MEASURES)
  expect(await page.evaluate('dragFrames(10)')).toBe(true)
  const computed: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    computed.push((await cpuTimeOf(page, `dragFrames(${FRAMES})`)) / FRAMES)
  }
  console.log(`a frame of dragging: computed ${computed.map((ms) => ms.toFixed(1)).join(', ')} ms`)
  // What the page's thread works is the same on an idle machine and on one that is shared; the clock would not be.
  expect(Math.min(...computed)).toBeLessThan(FRAME_MS * SHARE)
  // Only those in sight exist.
  expect(await cardCount(page)).toBeLessThan(120)
  desk.expectNoFaults()
  await page.context().close()
})

test(
  'among two thousand tasks one is found, moved to the end of a long column or the top of another, and seen there by others',
  SLOW,
  async () => {
    const { venue, desk, page } = await openFullBoard()
    const olga = await openColleague(browser, venue, 'olga@neue-halle.example')
    await olga.page.goto(`${TASKS}?text=${encodeURIComponent('Task 1999 ')}`)
    await cardOf(olga.page, titleOf(1_999)).waitFor()
    await page.goto(TASKS)
    await cardOf(page, titleOf(1_800)).waitFor()

    await page.getByRole('button', { name: `Move ${titleOf(1_800)} to…` }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Open', { exact: true }).click()
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await expect.poll(async () => (await storedTitles(venue, 'open')).at(-1), PATIENT).toBe(titleOf(1_800))

    await page.keyboard.press('/')
    await page.keyboard.type('number 1999')
    await cardOf(page, titleOf(1_999)).waitFor()
    await page.getByRole('button', { name: `Move ${titleOf(1_999)} to…` }).click()
    await dialog.getByText('In progress', { exact: true }).click()
    await dialog.getByLabel('Place').selectOption('first')
    await dialog.getByRole('button', { name: 'Move', exact: true }).click()
    await olga.page.locator('[data-status="in_progress"] [data-task]', { hasText: 'Task 1999' }).waitFor()
    expect((await storedTitles(venue, 'in_progress'))[0]).toBe(titleOf(1_999))
    desk.expectNoFaults()
    olga.expectNoFaults()
    await page.context().close()
    await olga.page.context().close()
  },
)
