import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { SESSION_COOKIE } from '../../../src/access/cookies.ts'
import { sessionToken } from '../venue/sessions.ts'
import type { Venue } from '../venue/venue.ts'
import { CONSOLE } from './watched-browser.ts'

export const PHONE = { width: 360, height: 740 }
export const DESK = { width: 1440, height: 900 }

const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']

/** A page of the console, and everything that went wrong on it: policies, scripts, requests to other hosts. */
export interface ConsolePage {
  page: Page
  faults: string[]
  /** Nothing has gone wrong so far, but for what a test has brought about itself. */
  expectNoFaults(known?: RegExp): void
  /** Everybody can read it; a picture is kept where FOYER_SCREENSHOTS names a folder. */
  expectReadable(name: string): Promise<void>
  /** Nothing sticks out to the right. */
  expectFitting(): Promise<void>
}

export const openConsolePage = async (browser: Browser, options: BrowserContextOptions = {}): Promise<ConsolePage> => {
  const context = await browser.newContext({ viewport: DESK, locale: 'en-GB', timezoneId: 'Europe/Berlin', ...options })
  return watchPage(await context.newPage())
}

/** Watches a page of ours, at the console's address or another, for everything that goes wrong on it. */
export const watchPage = (page: Page, home = CONSOLE): ConsolePage => {
  const faults: string[] = []
  const { origin } = new URL(home)
  page.context().on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !/^(data|blob):/.test(request.url()))
      faults.push(`asked ${request.url()}`)
  })
  page.setDefaultTimeout(30_000)
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error' || /Content Security Policy/.test(message.text())) faults.push(message.text())
  })
  return {
    page,
    faults,
    expectNoFaults: (known) => expect(faults.filter((fault) => !known?.test(fault))).toEqual([]),
    expectReadable: async (name) => {
      await page.evaluate(TRANSITIONS_ENDED)
      if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png` })
      expect({ name, violations: await findViolations(page) }).toEqual({ name, violations: [] })
    },
    expectFitting: async () => {
      const [content, window] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollWidth, innerWidth]',
      )
      expect(content).toBeLessThanOrEqual(window)
    },
  }
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/**
 * A colour on its way to another is neither. A page hears of a change (of its scheme, say) with the next frame and
 * draws it with the one after, so transitions are looked for then. What moves without end is not waited for.
 */
const TRANSITIONS_ENDED = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
  for (;;) {
    await frame().then(frame).then(frame)
    const transitions = document.getAnimations().filter((each) => each instanceof CSSTransition)
    if (transitions.length === 0) return
    await Promise.allSettled(transitions.map((each) => each.finished))
  }
})()`

/** A script of DevTools is not held up by the page's policy. A page that was looked at before has it still. */
const findViolations = async (page: Page): Promise<string[]> => {
  const devtools = await page.context().newCDPSession(page)
  const there = await devtools.send('Runtime.evaluate', { expression: 'typeof axe', returnByValue: true })
  if (there.result.value === 'undefined') await devtools.send('Runtime.evaluate', { expression: axe })
  const { result } = await devtools.send('Runtime.evaluate', {
    expression:
      'axe.run({ resultTypes: ["violations"] }).then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes.map(({ html, failureSummary }) => html + " " + failureSummary).join(" | ")))',
    awaitPromise: true,
    returnByValue: true,
  })
  await devtools.detach()
  return result.value as string[]
}

/** Puts the session of a member into the browser. */
export const signInAs = async ({ page }: Pick<ConsolePage, 'page'>, venue: Venue, email: string): Promise<void> => {
  await page.context().addCookies([{ name: SESSION_COOKIE, value: await sessionToken(venue, email), url: CONSOLE }])
}
