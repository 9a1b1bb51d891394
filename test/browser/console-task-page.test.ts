import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { holdNext, waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { PATIENT, TASKS, cardOf, expectColumn, idOf, openColleague, openTaskDesk } from '../kit/browser/task-board.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { type Venue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const SLOW = { timeout: 180_000 }
const OLGA = 'olga@neue-halle.example'

const stored = async (venue: Venue, id: string) => (await venue.office.get(`/admin/tasks/${id}`)).body

const save = (page: Page) => page.getByRole('button', { name: 'Save', exact: true }).click()

const drawPicture = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#8a2133' } })
    .png()
    .toBuffer()

/** As a person does who drags files from a folder onto a text, or copies them there. */
const bringFiles = (page: Page, how: 'drop' | 'paste', files: { name: string; type: string; bytes: Buffer }[]) =>
  page.evaluate(`(() => {
    const data = new DataTransfer()
    for (const { name, type, bytes } of ${JSON.stringify(files.map(({ bytes, ...file }) => ({ ...file, bytes: bytes.toString('base64') })))})
      data.items.add(new File([Uint8Array.from(atob(bytes), (letter) => letter.charCodeAt(0))], name, { type }))
    const text = document.querySelector('[role=textbox][contenteditable=true]')
    const { right, top } = text.getBoundingClientRect()
    const options = { bubbles: true, cancelable: true, clientX: right - 20, clientY: top + 20 }
    text.dispatchEvent('${how}' === 'drop'
      ? new DragEvent('drop', { ...options, dataTransfer: data })
      : new ClipboardEvent('paste', { ...options, clipboardData: data }))
  })()`)

test(
  'a task is written: title, text, person, day, event; moved, archived, restored, and deleted with a warning',
  SLOW,
  async () => {
    const { venue, desk, page } = await openTaskDesk(browser)
    const id = await idOf(venue, 'Write to the fire brigade')
    await page.goto(TASKS)
    await cardOf(page, 'Write to the fire brigade').click()
    await page.waitForURL(`${TASKS}/${id}`)
    await page.getByLabel('Title').fill('Call the fire brigade')
    await page.getByLabel('Given to').selectOption({ label: 'Olga Owner' })
    await page.getByLabel('Due on').fill('2030-02-01')
    await page.getByLabel('Event').selectOption('winter-ball')
    await page.getByRole('button', { name: 'Write a text' }).click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.click()
    await page.keyboard.type('Before ')
    await page.getByRole('group', { name: 'Formatting' }).first().getByRole('button', { name: 'Bold' }).click()
    await page.keyboard.type('noon')
    await desk.expectReadable('task-form')
    await save(page)
    await waitForToast(page, 'Saved.')
    expect(await stored(venue, id)).toMatchObject({
      title: 'Call the fire brigade',
      description_html: '<p>Before <strong>noon</strong></p>',
      due_on: '2030-02-01',
      assignee: { name: 'Olga Owner' },
      event: { slug: 'winter-ball' },
    })
    await page.getByText('Mara Manager gave it to Olga Owner.').waitFor()

    await page.getByText('Done', { exact: true }).click()
    await page.getByText('Mara Manager moved it from “Open” to “Done”.').waitFor()
    await page.getByRole('button', { name: 'Archive', exact: true }).click()
    await waitForToast(page, '“Call the fire brigade” is in the archive.')
    await page.getByText('In the archive', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Undo' }).last().click()
    await waitForToast(page, '“Call the fire brigade” is on the board again, in “Done”.')
    await page.getByRole('button', { name: 'Archive', exact: true }).waitFor()

    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('dialog').getByText('This cannot be taken back.').waitFor()
    await desk.expectReadable('task-delete')
    await page.getByRole('button', { name: 'Keep it' }).click()
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByRole('button', { name: 'Delete for good' }).click()
    await page.waitForURL(TASKS)
    await expectColumn(page, 'done', ['Rent the lights'])
    expect((await venue.office.get(`/admin/tasks/${id}`)).status).toBe(404)
    // Its page asks once more before it is left.
    desk.expectNoFaults(/404/)
    await page.context().close()
  },
)

test(
  'two write in the same task: both versions are shown, what was typed stays, and the second decides',
  SLOW,
  async () => {
    const { venue, desk, page } = await openTaskDesk(browser)
    const id = await idOf(venue, 'Tune the piano')
    const mara = venue.report.people['mara@neue-halle.example']!.membership_id
    await page.goto(`${TASKS}/${id}`)
    // The stream is held back, so that Mara learns of it only when she saves.
    await page.route('**/admin/tasks/stream?*', (route) => route.abort())
    await page.reload()
    await page.getByLabel('Title').fill('Tune the grand piano')
    await page.getByLabel('Given to').selectOption({ label: 'Olga Owner' })
    await venue.office.patch(`/admin/tasks/${id}`, {
      task: { title: 'Tune both pianos', assignee_id: mara, due_on: '2030-03-01' },
    })
    await save(page)
    const conflict = page.getByRole('alert', { name: 'Somebody else changed this in the meantime' })
    await conflict.waitFor()
    expect(await conflict.locator('dd').allInnerTexts()).toEqual([
      'Tune both pianos',
      'Tune the grand piano',
      'Mara Manager',
      'Olga Owner',
    ])
    expect(await page.getByLabel('Title').inputValue()).toBe('Tune the grand piano')
    await desk.expectReadable('task-conflict')
    await conflict.getByRole('button', { name: 'Take theirs: Title' }).click()
    await conflict.getByRole('button', { name: 'Save mine' }).click()
    await waitForToast(page, 'Saved.')
    expect(await stored(venue, id)).toMatchObject({
      title: 'Tune both pianos',
      assignee: { name: 'Olga Owner' },
      due_on: '2030-03-01',
    })
    desk.expectNoFaults(/409|ERR_FAILED/)
    await page.context().close()
  },
)

test(
  'pictures and files are dropped and pasted into a text, with their progress; one that is too large is told',
  SLOW,
  async () => {
    const { venue, desk, page } = await openTaskDesk(browser)
    const id = await idOf(venue, 'Tune the piano')
    await page.goto(`${TASKS}/${id}`)
    await page.getByRole('button', { name: 'Write a text' }).click()
    const text = page.getByRole('textbox', { name: 'Text', exact: true })
    await text.click()
    await page.keyboard.type('See here: ')
    const held = Promise.withResolvers<void>()
    await page.route(/\/uploads\//, async (route) => {
      await held.promise
      await route.continue()
    })
    await bringFiles(page, 'drop', [{ name: 'piano.png', type: 'image/png', bytes: await drawPicture() }])
    await page.getByRole('progressbar', { name: 'piano.png is on its way' }).waitFor({ state: 'attached' })
    // What is saved before it has arrived would be saved without it.
    expect(await page.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await page.getByText('A file is still on its way').waitFor()
    await desk.expectReadable('task-uploading')
    held.resolve()
    await text.getByRole('img', { name: 'piano.png' }).waitFor()
    await bringFiles(page, 'paste', [
      { name: 'plan.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.4 plan') },
    ])
    await text.getByText('plan.pdf').waitFor()
    await save(page)
    await waitForToast(page, 'Saved.')
    expect((await stored(venue, id)).attachments).toMatchObject([
      { filename: 'piano.png', content_type: 'image/png' },
      { filename: 'plan.pdf', content_type: 'application/pdf' },
    ])

    // Whoever changes a word keeps the files.
    await page.reload()
    const width = () => page.evaluate(`document.querySelector('main form section img')?.naturalWidth`)
    await expect.poll(width, PATIENT).toBe(64)
    await page.getByRole('button', { name: 'Change the text' }).click()
    await text.getByRole('img', { name: 'piano.png' }).waitFor()
    await text.click({ position: { x: 5, y: 5 } })
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('Please. ')
    await desk.expectReadable('task-files')
    await save(page)
    await waitForToast(page, 'Saved.')
    const after = await stored(venue, id)
    expect(after.description).toContain('Please. See here:')
    expect(after.attachments).toHaveLength(2)

    // A comment that is only a file, and one that is too large.
    const comment = page.locator('section', { has: page.getByRole('heading', { name: 'Comments and history' }) })
    const upload = await holdNext(page, 'PUT', /\/uploads\//)
    await comment
      .locator('input[type=file]')
      .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('C major') })
    // It waits for the file, however it is sent.
    await upload.asked
    const send = comment.getByRole('button', { name: 'Comment', exact: true })
    expect(await send.isDisabled()).toBe(true)
    await comment.getByRole('textbox').press('Control+Enter')
    upload.release()
    await comment.getByRole('textbox').getByText('notes.txt').waitFor()
    await send.click()
    await comment.getByRole('link', { name: 'notes.txt' }).waitFor()
    await comment
      .locator('input[type=file]')
      .setInputFiles({ name: 'film.mp4', mimeType: 'video/mp4', buffer: Buffer.alloc(20 * 1024 ** 2 + 1) })
    await comment.getByRole('alert').getByText('Files may have up to 20 MB.').waitFor()
    desk.expectNoFaults()
    await page.context().close()
  },
)

test(
  'comments come to everybody who looks, with the history between them, and a draft outlives a reload',
  SLOW,
  async () => {
    const { venue, desk, page } = await openTaskDesk(browser)
    const id = await idOf(venue, 'Tune the piano')
    const olga = await openColleague(browser, venue, OLGA)
    await page.goto(`${TASKS}/${id}`)
    await olga.page.goto(`${TASKS}/${id}`)
    const written = (at: Page) => at.getByRole('textbox', { name: 'Write a comment' })
    await written(olga.page).waitFor()
    await written(page).click()
    await page.keyboard.type('They come on Friday')
    await page.reload()
    await written(page).getByText('They come on Friday').waitFor()
    await written(page).click()
    await page.keyboard.press('Control+Enter')
    await olga.page.getByRole('listitem').filter({ hasText: 'Mara Manager' }).getByText('They come on Friday').waitFor()
    await expect.poll(() => written(page).innerText(), PATIENT).toBe('\n')
    await olga.page.getByText('In progress', { exact: true }).click()
    await page.getByText('Olga Owner moved it from “Open” to “In progress”.').waitFor()
    const entries = page.getByRole('region', { name: 'Comments and history' }).getByRole('listitem')
    await expect.poll(() => entries.count(), PATIENT).toBe(3)

    // Somebody deletes it while it is looked at.
    await venue.office.delete(`/admin/tasks/${id}`)
    await page.getByRole('heading', { name: 'Not here' }).waitFor()
    desk.expectNoFaults(/404/)
    olga.expectNoFaults(/404/)
    await page.context().close()
    await olga.page.context().close()
  },
)

test(
  'whoever is given a task finds it in the inbox, with the count beside it, in their own language',
  SLOW,
  async () => {
    const { venue, desk, page } = await openTaskDesk(browser)
    const mara = venue.report.people['mara@neue-halle.example']!.membership_id
    const give = async (title: string) =>
      venue.office.patch(`/admin/tasks/${await idOf(venue, title)}`, { task: { assignee_id: mara } })
    await give('Tune the piano')
    await give('Rent the lights')
    const inbox = async () =>
      (await venue.client(venue.report.api_tokens['mara write']).get('/admin/notifications')).body
    const count = (await inbox()).unread_count
    await page.goto(`${CONSOLE}/console/inbox`)
    await page.getByRole('link', { name: `Inbox ${count} unread` }).waitFor()
    await desk.expectReadable('inbox')
    await page.getByRole('link', { name: 'Olga Owner gave you “Tune the piano”' }).click()
    await page.getByRole('heading', { name: 'Tune the piano' }).waitFor()
    await page.getByRole('link', { name: `Inbox ${count - 1} unread` }).click()
    await page.getByRole('button', { name: 'Mark as read: Olga Owner gave you “Rent the lights”' }).click()
    await page
      .getByRole('button', { name: 'Mark as read: Olga Owner gave you “Rent the lights”' })
      .waitFor({ state: 'detached' })
    await give('Hang the posters')
    await page.reload()
    await page.getByRole('button', { name: 'Mark all as read' }).click()
    await page.getByRole('link', { name: 'Inbox', exact: true }).waitFor()
    expect((await inbox()).unread_count).toBe(0)

    await page.getByRole('button', { name: 'Mara Manager' }).click()
    await page.getByRole('menuitem', { name: 'Deutsch' }).click()
    await page.getByText('Olga Owner hat dir „Tune the piano“ gegeben').waitFor()
    desk.expectNoFaults()
    await page.context().close()
  },
)
