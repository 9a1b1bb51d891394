import { setTimeout } from 'node:timers/promises'
import type { Browser, BrowserContext, Frame, Page } from 'playwright-core'
import { expect } from 'vitest'
import { SESSION_COOKIE } from '../../../src/access/cookies.ts'
import { VisitorScope } from '../../../src/access/scopes.ts'
import { startSession } from '../../../src/access/sessions.ts'
import type { Venue } from '../venue/venue.ts'
import { openBrowser, openWholeBrowser } from './browser.ts'

/** The console's own address, as the browser sees it; behind it answers Foyer of the test. */
export const CONSOLE = 'http://localhost:3000'

const consoleAt = ({ origin }: { origin: string }) => ({ [new URL(CONSOLE).host]: new URL(origin).host })

export const openBrowserAt = (app: { origin: string }): Promise<Browser> => openBrowser(consoleAt(app))

export const openWholeBrowserAt = (app: { origin: string }, switches?: string[]): Promise<Browser> =>
  openWholeBrowser(consoleAt(app), switches)

/** A page that is watched for everything a text could make it do. */
export interface Watched {
  context: BrowserContext
  page: Page
  /** The numbers of the tricks that ran or fetched something, and dialogs. */
  ran: Set<string>
}

/** Unless told otherwise policies do not count: what holds here holds by escaping and cleaning alone. */
export const openWatched = async (browser: Browser, { bypassCSP = true } = {}): Promise<Watched> => {
  const context = await browser.newContext({ bypassCSP })
  const ran = new Set<string>()
  await context.exposeBinding('canary', (_source, number) => void ran.add(String(number)))
  await context.route(/^https?:\/\/canary\.example\//, (route) => {
    ran.add(new URL(route.request().url()).pathname.slice(1))
    return route.abort()
  })
  const page = await context.newPage()
  page.on('dialog', (dialog) => {
    ran.add(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.setDefaultTimeout(30_000)
  return { context, page, ran }
}

const IS_CODE = `(address) => /^(javascript|data|vbscript):/i.test(String(address ?? '').replace(/[\\x00-\\x20]/g, ''))`

/** Does what a reader would have to do for it, and waits until whatever was going to happen has happened. */
const PROVOKE = `(async () => {
  const isCode = ${IS_CODE}
  for (const link of document.querySelectorAll('a, area')) {
    const address = link.getAttribute('href') ?? link.getAttribute('xlink:href')
    if (isCode(address)) link.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
  }
  for (const form of document.forms) if (isCode(form.getAttribute('action'))) form.requestSubmit()
  for (const button of document.querySelectorAll('[formaction]')) button.click()
  for (const element of document.querySelectorAll('[onclick]')) element.click()
  for (const element of document.querySelectorAll('[onfocus]')) element.focus()
  const loading = Array.from(document.images, (image) => image.complete || new Promise((resolve) => {
    for (const how of ['load', 'error']) image.addEventListener(how, resolve)
  }))
  await Promise.race([Promise.all(loading), new Promise((resolve) => setTimeout(resolve, 500))])
  await new Promise((resolve) => setTimeout(resolve, 30))
})()`

export const provoke = async ({ page }: Pick<Watched, 'page'>): Promise<void> => {
  await Promise.all(page.frames().map(provokeFrame))
}

/** A frame that is led away, or never comes to show anything, has told what it had to tell. */
const provokeFrame = async (frame: Frame): Promise<void> => {
  const given = new AbortController()
  const provoked = frame.evaluate(PROVOKE).catch((error: Error) => {
    if (!/navigat|detached|closed/.test(error.message)) throw error
  })
  await Promise.race([provoked, setTimeout(FRAME_MS, undefined, { signal: given.signal }).catch(() => {})])
  given.abort()
}

const FRAME_MS = 1_000

/** What no page of Foyer has, whether it ran or not. */
const STRANGE = `(() => {
  const isCode = ${IS_CODE}
  const isAddress = (name) => /^(href|xlink:href|src|action|formaction|data|srcdoc|poster|background|style)$/.test(name)
  const strange = []
  for (const element of document.querySelectorAll('*')) {
    for (const { name, value } of element.attributes) {
      const isIcon = element.matches('link[rel=icon]')
      const isFar = /^\\s*(https?:)?\\/\\/canary\\.example/.test(value) || (name === 'style' && value.includes('canary'))
      if (/^on/i.test(name) || (isAddress(name) && !isIcon && (isCode(value) || isFar))) strange.push(name + '=' + value)
    }
    if (element.matches('iframe, object, embed, base, math, svg, meta[http-equiv], link[rel=stylesheet], template'))
      strange.push(element.outerHTML)
    const isOurs = element.matches('script[type="application/ld+json"]')
    if (element.matches('script, style') && !isOurs && element.textContent.includes('canary')) strange.push(element.outerHTML)
  }
  return strange
})()`

export const strangeIn = ({ page }: Pick<Watched, 'page'>): Promise<string[]> => page.evaluate<string[]>(STRANGE)

/** Everything a page shows or holds ready: its title, its text, what stands in its fields. */
const SHOWN = `[document.querySelector('title')?.textContent, document.body.textContent,
  ...Array.from(document.querySelectorAll('input, textarea'), (field) => field.value)].join('\\n')`

const shownIn = ({ page }: Pick<Watched, 'page'>): Promise<string> => page.evaluate<string>(SHOWN)

/** What the page at this address, or the one just come to, did that it should not, and whether it shows the texts. */
export const examine = async (watched: Watched, name: string, shows: readonly string[]) => {
  await provoke(watched)
  expect({ name, ran: [...watched.ran], strange: await strangeIn(watched) }).toEqual({ name, ran: [], strange: [] })
  const shown = await shownIn(watched)
  for (const text of shows) expect(shown, `${name} at ${watched.page.url()}`).toContain(text)
}

/** Pages of nobody's, shown as they are given, each in a frame of its own. */
export const openGallery = async (watched: Watched) => {
  const address = 'http://careless.localhost/'
  let shown: { body: string | Buffer; contentType?: string; policy?: string }[] = []
  await watched.context.route(`${address}**`, (route) => {
    const { pathname } = new URL(route.request().url())
    const page = /^\/\d+$/.test(pathname) ? shown[Number(pathname.slice(1))] : undefined
    if (pathname !== '/' && !page) return route.fulfill({ status: 404, body: '' })
    const {
      body,
      contentType = 'text/html; charset=utf-8',
      policy,
    } = page ?? {
      body: `<!doctype html><title>Gallery</title>${shown.map((_, n) => `<iframe src="/${n}"></iframe>`).join('')}`,
    }
    return route.fulfill({ body, contentType, headers: policy ? { 'content-security-policy': policy } : {} })
  })
  return async (pages: typeof shown) => {
    shown = pages
    watched.ran.clear()
    // It waits for every frame, and there are hundreds.
    await watched.page.goto(address, { timeout: 90_000 })
    await provoke(watched)
    return watched.ran
  }
}

/** Signs a member of the venue in to the console, with a browser that calls itself so. */
export const signInWatched = async (
  { context }: Watched,
  { app, report }: Venue,
  { email, browser }: { email: string; browser: string },
): Promise<void> => {
  const { user_id: personId, membership_id: membershipId } = report.people[email]!
  const input = { personId, membershipId, accountId: report.account.id, browser, by: 'test' }
  const token = await new VisitorScope(app).transaction((tx) => startSession(tx, input))
  await context.addCookies([{ name: SESSION_COOKIE, value: token!, url: CONSOLE }])
}
