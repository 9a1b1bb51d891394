import type { Browser, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { VenueFile } from '../venue/neue-halle.ts'
import type { Venue } from '../venue/venue.ts'
import { type ConsolePage, openConsolePage, signInAs } from './console.ts'
import { type Desk, openDesk } from './desk.ts'
import { CONSOLE } from './watched-browser.ts'

export const TASKS = `${CONSOLE}/console/tasks`

/** CI does several things at once: a step may take this long there. */
export const PATIENT = { timeout: 30_000 }

const addTasks = (file: VenueFile) => {
  file['tasks'] = [
    { title: 'Order wristbands', due_on: '2020-01-31', event: 'winter-ball', assignee: 'mara@neue-halle.example' },
    { title: 'Tune the piano', event: 'winter-ball' },
    { title: 'Write to the fire brigade' },
    { title: 'Hang the posters', status: 'in_progress', assignee: 'olga@neue-halle.example' },
    { title: 'Rent the lights', status: 'done' },
  ]
}

/** Mara at the board of the Neue Halle, with five tasks on it. */
export const openTaskDesk = async (
  browser: Browser,
  options: Parameters<typeof openConsolePage>[1] = {},
  change: (file: VenueFile) => void = addTasks,
): Promise<Desk> => {
  const opened = await openDesk(browser, options, change)
  opened.page.setDefaultTimeout(PATIENT.timeout)
  return opened
}

/** Somebody else of the same venue at a browser of their own. */
export const openColleague = async (browser: Browser, venue: Venue, email: string): Promise<ConsolePage> => {
  const desk = await openConsolePage(browser)
  desk.page.setDefaultTimeout(PATIENT.timeout)
  await signInAs(desk, venue, email)
  return desk
}

export const columnOf = (page: Page, name: string): Locator =>
  page.getByRole('region', { name: new RegExp(`^${name}`) })

/** The cards of a column in their order, of those that are in sight. */
export const titlesIn = (page: Page, status: string): Promise<string[]> =>
  page.evaluate<string[]>(`Array.from(document.querySelectorAll('[data-status="${status}"] li[data-index]'))
    .toSorted((a, b) => a.dataset.index - b.dataset.index)
    .map((row) => row.querySelector('a > span').textContent)`)

export const expectColumn = async (page: Page, status: string, titles: readonly string[]): Promise<void> => {
  await expect.poll(() => titlesIn(page, status), PATIENT).toEqual(titles)
}

export const cardOf = (page: Page, title: string): Locator =>
  page.locator('[data-task]', { has: page.getByText(title, { exact: true }) })

export const idOf = async (venue: Venue, title: string): Promise<string> =>
  (await venue.office.get('/admin/tasks')).body.tasks.find((task: { title: string }) => task.title === title).id

/** The tasks of a column as the server has them. */
export const storedTitles = async (venue: Venue, status: string): Promise<string[]> =>
  (await venue.office.get('/admin/tasks')).body.tasks
    .filter((task: { status: string }) => task.status === status)
    .map(({ title }: { title: string }) => title)

const middleOf = async (locator: Locator) => {
  const { x, y, width, height } = (await locator.boundingBox())!
  return { x: x + width / 2, y: y + height / 2, top: y, bottom: y + height }
}

/** Drags a card to just before another one. */
export const dragBefore = async (page: Page, title: string, before: string): Promise<void> => {
  const [from, to] = [await middleOf(cardOf(page, title)), await middleOf(cardOf(page, before))]
  await page.mouse.move(from.x - 20, from.y)
  await page.mouse.down()
  await page.mouse.move(from.x, from.y + 10, { steps: 3 })
  await page.mouse.move(to.x, to.top + 4, { steps: 5 })
  await page.mouse.up()
}
