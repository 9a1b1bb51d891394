import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../kit/browser/fronts.ts'
import { TRICKS } from '../kit/browser/hostile-text.ts'
import { race } from '../kit/race.ts'
import { PNG, embed, uploadFile } from '../kit/venue/uploads.ts'
import {
  CONSOLE,
  type Watched,
  examine,
  openBrowserAt,
  openGallery,
  openWatched,
  provoke,
  signInWatched,
} from '../kit/browser/watched-browser.ts'
import { openVenue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

/** A page that shows what the API gives it as markup, as the console does, and reads it in once more. */
const BOARD = `<!doctype html><meta charset="utf-8"><title>Board</title><main></main><script type="module">
  const ask = async (path) => (await fetch(path, { headers: { accept: 'application/json' } })).json()
  const show = (markup) => {
    const [once, twice] = [document.createElement('section'), document.createElement('section')]
    document.querySelector('main').append(once, twice)
    once.innerHTML = markup
    twice.innerHTML = once.innerHTML
  }
  const raw = globalThis.raw
  const { tasks } = raw ? { tasks: [] } : await ask('/admin/tasks')
  for (const task of tasks) show(task.description_html)
  const { entries } = tasks.length > 0 ? await ask('/admin/tasks/' + tasks[0].id + '/comments') : { entries: [] }
  for (const entry of entries) if (entry.body_html !== null) show(entry.body_html)
  for (const markup of raw ?? []) show(markup)
  globalThis.isDone = true
</script>`

const openBoardPage = async (watched: Watched) => {
  await watched.context.route(`${CONSOLE}/the-board`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: BOARD }),
  )
  await watched.page.goto(`${CONSOLE}/the-board`)
  await watched.page.waitForFunction('globalThis.isDone')
  await provoke(watched)
}

test('nothing runs of what tasks and comments hold, inside a page of the console', async () => {
  const venue = await openVenue()
  const write = async (path: string, body: object) => {
    const reply = await venue.office.post(path, body)
    expect(reply.status).toBe(201)
    return reply.body
  }
  const { id } = await write('/admin/tasks', { task: { title: 'x', description: '<p>one</p>' } })
  await race(TRICKS.length, async (n) => {
    const { text } = TRICKS[n]!
    await write('/admin/tasks', { task: { title: 'x', description: `<p>one</p>${text}` } })
    await write(`/admin/tasks/${id}/comments`, { comment: { body: `<p>two</p>${text}` } })
  })

  const watched = await openWatched(browser)
  await signInWatched(watched, venue, { email: 'olga@neue-halle.example', browser: 'Firefox' })
  await openBoardPage(watched)
  expect(await watched.page.locator('main > section').count()).toBe(2 * (1 + TRICKS.length + TRICKS.length))
  await examine(watched, 'the board', ['one', 'two'])
  await watched.context.close()
})

test('nothing runs of them on the pages of the console themselves: board, task, its editor, inbox', async () => {
  await buildFronts()
  const venue = await openVenue()
  const mara = venue.report.people['mara@neue-halle.example']!.membership_id
  const breakout = '"><img src=x onerror=canary("title")>'
  const { body: task } = await venue.office.post('/admin/tasks', {
    task: { title: breakout, description: `<p>one</p>${TRICKS.map(({ text }) => text).join('')}`, assignee_id: mara },
  })
  await race(TRICKS.length, (n) =>
    venue.office.post(`/admin/tasks/${task.id}/comments`, { comment: { body: `<p>two</p>${TRICKS[n]!.text}` } }),
  )
  const watched = await openWatched(browser)
  const { page } = watched
  page.setDefaultTimeout(30_000)
  await signInWatched(watched, venue, { email: 'mara@neue-halle.example', browser: 'Firefox' })
  const expectQuiet = async (name: string) => {
    await provoke(watched)
    expect({ name, ran: [...watched.ran] }).toEqual({ name, ran: [] })
  }
  await page.goto(`${CONSOLE}/console/tasks`)
  await page.getByText(breakout).first().waitFor()
  await expectQuiet('the board')
  await page.goto(`${CONSOLE}/console/tasks/${task.id}`)
  await page.getByText('two', { exact: true }).first().waitFor()
  await page.getByRole('button', { name: 'Change the text' }).click()
  await page.getByRole('textbox', { name: 'Text', exact: true }).getByText('one', { exact: true }).waitFor()
  await expectQuiet('the task')
  await page.goto(`${CONSOLE}/console/inbox`)
  await page.getByText(breakout).first().waitFor()
  await expectQuiet('the inbox')
  await watched.context.close()
}, 180_000)

/** What may have stood, or may stand, for a file while a text is cleaned or kept. */
const MARKS = ['&#xE000;0&#xE001;', '&#57344;0&#57345;', '\uE0000\uE001', '&#1;0&#2;', '&#xFFFC;', '[plan.pdf]']

test('nothing runs of a text that would take the place of a file', async () => {
  const venue = await openVenue()
  const bytes = Buffer.from('%PDF-1.7')
  const upload = () => uploadFile({ origin: venue.origin, client: venue.office }, bytes, 'plan.pdf', 'application/pdf')
  const { body: first } = await venue.office.post('/admin/tasks', { task: { title: 'x' } })
  const outbreak = '<img src=x onerror=canary("mark")>'
  for (const mark of [...MARKS, '<action-text-attachment data-file=x></action-text-attachment>']) {
    for (const text of [
      `<a href="https://x/${mark}${outbreak}">hi</a>`,
      `<a href='https://x/${mark}"${outbreak}'>hi</a>`,
      `<a href="https://x/">${mark}&lt;img src=x onerror=canary("mark")&gt;</a>`,
    ]) {
      const task = { title: 'x', description: text + embed((await upload()).attachable_sgid) }
      expect((await venue.office.post('/admin/tasks', { task })).body.attachments).toHaveLength(1)
      const comment = { body: embed((await upload()).attachable_sgid) + text }
      expect((await venue.office.post(`/admin/tasks/${first.id}/comments`, { comment })).status).toBe(201)
    }
  }

  const watched = await openWatched(browser)
  await signInWatched(watched, venue, { email: 'olga@neue-halle.example', browser: 'Firefox' })
  await openBoardPage(watched)
  await examine(watched, 'the board', ['hi', 'plan.pdf'])
  await watched.context.close()
})

test('control: the same page runs what nobody cleaned', async () => {
  const watched = await openWatched(browser)
  await watched.context.addInitScript(`globalThis.raw = ${JSON.stringify(TRICKS.map(({ text }) => text))}`)
  await openBoardPage(watched)
  const images = TRICKS.filter(({ text, isInert }) => !isInert && text.startsWith('<img src=x onerror'))
  await expect.poll(() => [...watched.ran]).toEqual(expect.arrayContaining(images.map(({ number }) => String(number))))
  await expect.poll(() => watched.ran.size).toBeGreaterThan(TRICKS.length / 2)
  await watched.context.close()
})

const RUN = 'canary("file")'
const HTML = `<!doctype html><script>${RUN}</script><img src=x onerror='${RUN}'>`
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" onload='${RUN}'><script>${RUN}</script></svg>`
const XHTML = `<html xmlns="http://www.w3.org/1999/xhtml"><body onload='${RUN}'><script>${RUN}</script></body></html>`
/** What a file is called, what it says it is, what it holds, and whether a careless server would let it run. */
const FILES: [name: string, type: string, bytes: Buffer, isLive: boolean][] = [
  ['page.html', 'text/html', Buffer.from(HTML), true],
  ['drawing.svg', 'image/svg+xml', Buffer.from(SVG), true],
  ['page.xhtml', 'application/xhtml+xml', Buffer.from(XHTML), true],
  ['feed.xml', 'text/xml', Buffer.from(XHTML), true],
  ['plan.pdf', 'text/html; charset=utf-8', Buffer.from(HTML), true],
  ['plan.pdf', 'application/pdf', Buffer.from(HTML), false],
  ['stage.png', 'image/png', Buffer.from(HTML), false],
  ['both.gif', 'text/html', Buffer.from(`GIF89a/*${HTML}*/=1`), true],
  ['both.png', 'text/html', Buffer.concat([PNG, Buffer.from(HTML)]), true],
  [`"><img src=x onerror=${RUN}>.html`, 'text/html', Buffer.from(HTML), true],
]

test('nothing runs of the files of a task, opened by their address or shown inside a page', async () => {
  const venue = await openVenue()
  const watched = await openWatched(browser)
  const { page, ran, context } = watched
  await signInWatched(watched, venue, { email: 'olga@neue-halle.example', browser: 'Firefox' })

  const target = { origin: venue.origin, client: venue.office }
  const sgids: string[] = []
  for (const [name, type, bytes] of FILES) sgids.push((await uploadFile(target, bytes, name, type)).attachable_sgid)
  const { body } = await venue.office.post('/admin/tasks', {
    task: { title: 'x', description: sgids.map(embed).join('') },
  })
  expect(body.attachments).toHaveLength(FILES.length)

  for (const { url, filename } of body.attachments) {
    for (const query of ['', '?disposition=inline']) {
      const download = page.waitForEvent('download', { timeout: 1_000 }).catch(() => null)
      await page.goto(CONSOLE + url + query).catch((error: Error) => {
        if (!error.message.includes('Download is starting')) throw error
        return download
      })
      await provoke(watched)
      expect({ filename, ran: [...ran] }).toEqual({ filename, ran: [] })
    }
  }

  await openBoardPage(watched)
  await examine(watched, 'the board', [])
  const places = body.attachments.map(
    ({ url }: { url: string }) =>
      `<iframe src="${url}"></iframe><object data="${url}"></object><embed src="${url}"><img src="${url}">`,
  )
  await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(places.join(''))}`)
  await provoke(watched)
  expect([...ran]).toEqual([])
  await context.close()
})

test('control: served as they say they are, the same files run', async () => {
  const watched = await openWatched(browser)
  const show = await openGallery(watched)
  for (const [name, contentType, body, isLive] of FILES) {
    const ran = await show([{ body, contentType }])
    await expect.poll(() => ({ name, contentType, ran: ran.has('file') })).toEqual({ name, contentType, ran: isLive })
  }
  await watched.context.close()
})
