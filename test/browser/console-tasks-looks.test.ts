import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE } from '../kit/browser/console.ts'
import { waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import {
  PATIENT,
  TASKS,
  cardOf,
  columnOf,
  dragBefore,
  expectColumn,
  idOf,
  openColleague,
  openTaskDesk,
  storedTitles,
} from '../kit/browser/task-board.ts'
import { openBrowserAt } from '../kit/browser/watched-browser.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const SLOW = { timeout: 180_000 }

test('a move that cannot be sent is put back and told; a board that cannot be read says so', SLOW, async () => {
  const { venue, desk, page } = await openTaskDesk(browser)
  await page.goto(TASKS)
  await cardOf(page, 'Tune the piano').waitFor()
  await page.route('**/position', (route) => route.abort())
  await dragBefore(page, 'Tune the piano', 'Hang the posters')
  await waitForToast(page, 'Foyer cannot be reached.')
  await expectColumn(page, 'open', ['Order wristbands', 'Tune the piano', 'Write to the fire brigade'])
  expect(await storedTitles(venue, 'in_progress')).toEqual(['Hang the posters'])
  await page.unroute('**/position')

  await page.route('**/admin/tasks', (route) => route.fulfill({ status: 500, json: { errors: {} } }))
  await page.reload()
  await page.getByRole('heading', { name: 'This could not be shown' }).waitFor()
  await desk.expectReadable('tasks-broken')
  await page.unroute('**/admin/tasks')
  await page.getByRole('button', { name: 'Try again' }).click()
  await cardOf(page, 'Tune the piano').waitFor()
  desk.expectNoFaults(/ERR_FAILED|500/)
  await page.context().close()
})

test('a co-organizer sees the tasks of their events, and writes new ones about them', SLOW, async () => {
  const { venue, page: maras } = await openTaskDesk(browser)
  const { page, ...cem } = await openColleague(browser, venue, 'cem@partner.example')
  await page.goto(TASKS)
  await expectColumn(page, 'open', ['Order wristbands', 'Tune the piano'])
  await page.getByRole('button', { name: 'Add a task to “Open”' }).click()
  await page.getByRole('combobox', { name: 'Event' }).last().waitFor()
  await page.getByRole('textbox', { name: 'New task in “Open”' }).fill('Book the band')
  await page.keyboard.press('Enter')
  await expectColumn(page, 'open', ['Order wristbands', 'Tune the piano', 'Book the band'])
  await dragBefore(page, 'Book the band', 'Order wristbands')
  await expectColumn(page, 'open', ['Book the band', 'Order wristbands', 'Tune the piano'])
  await expect
    .poll(() => storedTitles(venue, 'open'), PATIENT)
    .toEqual(['Book the band', 'Order wristbands', 'Tune the piano', 'Write to the fire brigade'])
  // What the others do to them is seen here, too.
  await venue.office.patch(`/admin/tasks/${await idOf(venue, 'Tune the piano')}/position`, {
    position: { status: 'open', before_id: await idOf(venue, 'Book the band') },
  })
  await expectColumn(page, 'open', ['Tune the piano', 'Book the band', 'Order wristbands'])
  cem.expectNoFaults()
  await page.context().close()
  await maras.context().close()
})

test('by touch: a card that is held for a moment is dragged, a quick stroke scrolls', SLOW, async () => {
  const { venue, desk, page } = await openTaskDesk(browser, { viewport: { width: 900, height: 740 }, hasTouch: true })
  await page.goto(TASKS)
  await cardOf(page, 'Tune the piano').waitFor()
  const devtools = await page.context().newCDPSession(page)
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', x = 0, y = 0) =>
    devtools.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] })
  const card = (await cardOf(page, 'Tune the piano').boundingBox())!
  const goal = (await columnOf(page, 'In progress').boundingBox())!
  // In one go: a finger that rests for a moment, because an answer was waited for, would mean the card.
  await Promise.all([
    touch('touchStart', card.x + 30, card.y + 20),
    touch('touchMove', card.x + 30, card.y + 60),
    touch('touchMove', goal.x + 60, goal.y + 60),
    touch('touchEnd'),
  ])
  expect(await storedTitles(venue, 'in_progress')).toEqual(['Hang the posters'])

  await touch('touchStart', card.x + 30, card.y + 20)
  await page.locator('[data-ghost]').waitFor()
  for (const part of [0.3, 0.6, 1]) {
    await touch(
      'touchMove',
      card.x + 30 + (goal.x + 60 - card.x - 30) * part,
      card.y + 20 + (goal.y + 50 - card.y - 20) * part,
    )
  }
  await touch('touchEnd')
  await expectColumn(page, 'in_progress', ['Tune the piano', 'Hang the posters'])
  await expect.poll(() => storedTitles(venue, 'in_progress'), PATIENT).toEqual(['Tune the piano', 'Hang the posters'])
  desk.expectNoFaults()
  await page.context().close()
})

test.each([
  ['a phone in German in the dark', { viewport: PHONE, locale: 'de-DE', colorScheme: 'dark' }],
  ['a tablet', { viewport: { width: 768, height: 1024 }, colorScheme: 'light' }],
] as const)('board, archive, one task and the inbox fit and are readable on %s', SLOW, async (name, look) => {
  const { venue, desk, page } = await openTaskDesk(browser, look)
  const { tasks } = (await venue.office.get('/admin/tasks')).body
  // Each with what is there when it has come.
  const views = [
    ['board', '', '[data-task]'],
    ['archive', '?view=archive', 'h2'],
    ['task', `/${tasks[0].id}`, '[role=textbox][contenteditable=true]'],
    ['new', '?add=open', 'form input[required]'],
    ['inbox', '/../inbox', 'section h2'],
  ] as const
  for (const [view, address, shown] of views) {
    await page.goto(TASKS + address)
    await page.locator(`main ${shown}`).first().waitFor()
    await desk.expectFitting()
    await desk.expectReadable(`tasks-${view}-${name.replaceAll(/\W+/g, '-')}`)
  }
  desk.expectNoFaults()
  await page.context().close()
})
