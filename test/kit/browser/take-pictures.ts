import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContextOptions, Page } from 'playwright-core'
import sharp from 'sharp'
import { askAtHost } from '../network/ask-at-host.ts'
import { startFoyer } from '../process/foyer-process.ts'
import { openBrowser } from './browser.ts'

/** Takes the pictures of the README from the demo venue: "npm run docs:pictures". */
const FOLDER = path.join(import.meta.dirname, '../../../docs/pictures')

const DESK: BrowserContextOptions = { viewport: { width: 1280, height: 800 }, colorScheme: 'light', locale: 'en-GB' }
const PHONE: BrowserContextOptions = { viewport: { width: 390, height: 800 }, colorScheme: 'dark', locale: 'en-GB' }

interface Picture {
  name: string
  look: BrowserContextOptions
  /** A path of the console, or of the shop. */
  at: string
  isPublic?: true
  /** What somebody does before it is taken. */
  act?: (page: Page, demo: Demo) => Promise<void>
}

const PICTURES: readonly Picture[] = [
  { name: 'events', look: DESK, at: '/console/events' },
  { name: 'guest-list', look: DESK, at: '/console/events/winter-gala/guests' },
  { name: 'requests', look: DESK, at: '/console/events/winter-gala/requests' },
  {
    name: 'signup-links',
    look: DESK,
    at: '/console/events/winter-gala/signup',
    act: async (page) => {
      await page.getByRole('main').getByRole('listitem').getByRole('link').first().click()
      await page.frameLocator('iframe').getByRole('button').first().waitFor()
    },
  },
  { name: 'requests-phone', look: PHONE, at: '/console/events/winter-gala/requests' },
  { name: 'tasks', look: DESK, at: '/console/tasks' },
  { name: 'vouchers', look: DESK, at: '/console/vouchers' },
  { name: 'orders', look: DESK, at: '/console/events/nordlicht/orders' },
  { name: 'team', look: DESK, at: '/console/team' },
  { name: 'programme', look: DESK, at: '/events', isPublic: true },
  {
    name: 'checkout',
    look: DESK,
    at: '/events/winter-gala/tickets',
    isPublic: true,
    act: async (page, { startCheckout }) => {
      await page.goto(new URL(await startCheckout(), page.url()).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
    },
  },
  {
    name: 'night',
    look: { ...DESK, colorScheme: 'dark' },
    at: '/console/events/winter-gala/night',
    act: async (page, { letIn }) => {
      await letIn()
      await page.reload()
      await page.getByText('14', { exact: true }).first().waitFor()
      await page.getByText('at the same time after the doors', { exact: false }).waitFor()
      // The plot is drawn anew when the other night has come.
      await page.evaluate(`new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))`)
    },
  },
]

const takePicture = async (browser: Browser, demo: Demo, { name, look, at, isPublic, act }: Picture) => {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...look })
  await context.addCookies(demo.cookies)
  const page = await context.newPage()
  await page.goto(`${isPublic ? demo.origin.replace('//', '//kaispeicher.') : demo.origin}${at}`)
  await page.getByRole('main').waitFor()
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await act?.(page, demo)
  const picture = await page.screenshot({ animations: 'disabled' })
  // Flat areas of few colours: a palette makes them small.
  await sharp(picture)
    .png({ palette: true, colours: 64, effort: 10 })
    .toFile(path.join(FOLDER, `${name}.png`))
  await context.close()
}

interface Demo {
  origin: string
  /** The gala is tonight, and some of those who are expected come in. */
  letIn: () => Promise<void>
  /** The path of a checkout under way. */
  startCheckout: () => Promise<string>
  cookies: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>
}

const openDemo = async (browser: Browser, origin: string, said: string): Promise<Demo> => {
  const [, email, password] = /\/sign_in +(\S+) +(\S.*)$/m.exec(said) ?? []
  if (!email || !password) throw new Error(`The banner names nobody to sign in as: ${said}`)
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${origin}/sign_in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(password.trim())
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`${origin}/console/**`)
  const cookies = await context.cookies()
  await context.close()
  return { origin, cookies, ...actsOf(origin, said) }
}

const GALA = 'winter-gala'

/** What happens at the demo venue while its pictures are taken, over its API. */
const actsOf = (origin: string, said: string) => {
  const tokenOf = (name: string) => new RegExp(`${name} +(\\S+)`).exec(said)![1]!
  const ask = async (
    token: string,
    address: string,
    body?: object,
    method = body ? 'POST' : 'GET',
  ): Promise<Answer> => {
    const answer = await fetch(address, {
      method,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${token}`,
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const office = (path: string, body?: object, method?: string) =>
    ask(tokenOf('Write token'), `${origin}/admin/${path}`, body, method)
  const door = (path: string, body?: object) => ask(tokenOf('Door device'), `${origin}/scanner/${path}`, body)
  const expected = async (): Promise<string[]> => {
    const { tickets } = await door(`events/${GALA}/snapshot`)
    return tickets.filter(({ redeemable }) => redeemable).map(({ public_id }) => public_id)
  }
  return {
    letIn: async () => {
      const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
      const times = { doors_open_at: inMinutes(-40), starts_at: inMinutes(20), ends_at: inMinutes(400) }
      await office(`events/${GALA}`, { event: times }, 'PATCH')
      for (const id of (await expected()).slice(0, 14)) await door(`tickets/${id}/redemption`, {})
    },
    startCheckout: async () => {
      const { ticket_options: options } = await office(`events/${GALA}/ticket_options`)
      const ticket = options.find(({ inventory_kind }) => inventory_kind === 'ga')!
      const checkout = { event_slug: GALA, items: [{ ticket_id: ticket.id, quantity: 2 }] }
      const { host } = new URL(origin)
      const answer = await askAtHost(origin.replace('localhost', '127.0.0.1'), '/checkouts', {
        method: 'POST',
        headers: { host: `kaispeicher.${host}`, accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ checkout }),
      })
      return `/checkouts/${((await answer.json()) as Answer).token}`
    },
  }
}

/** Of what is asked here, whatever is read of the answers. */
interface Answer {
  token: string
  tickets: { public_id: string; redeemable: boolean }[]
  ticket_options: { id: number; inventory_kind: string }[]
}

await mkdir(FOLDER, { recursive: true })
const data = await mkdtemp(path.join(tmpdir(), 'foyer-pictures-'))
const foyer = await startFoyer({ FOYER_DATA: data, FOYER_DEMO: '1' })
const browser = await openBrowser()
try {
  const demo = await openDemo(browser, foyer.origin.replace('127.0.0.1', 'localhost'), foyer.said().stdout)
  for (const picture of PICTURES) await takePicture(browser, demo, picture)
} finally {
  await browser.close()
  await foyer.end()
  await rm(data, { recursive: true, force: true })
}
