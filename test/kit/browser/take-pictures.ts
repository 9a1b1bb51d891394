import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import sharp from 'sharp'
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
}

const PICTURES: readonly Picture[] = [
  { name: 'events', look: DESK, at: '/console/events' },
  { name: 'requests', look: DESK, at: '/console/events/winter-gala/requests' },
  { name: 'signup-links', look: DESK, at: '/console/events/winter-gala/signup' },
  { name: 'requests-phone', look: PHONE, at: '/console/events/winter-gala/requests' },
  { name: 'programme', look: DESK, at: '/events', isPublic: true },
]

const takePicture = async (browser: Browser, { origin, cookies }: Demo, { name, look, at, isPublic }: Picture) => {
  const context = await browser.newContext({ timezoneId: 'Europe/Berlin', ...look })
  await context.addCookies(cookies)
  const page = await context.newPage()
  await page.goto(`${isPublic ? origin.replace('//', '//kaispeicher.') : origin}${at}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  const picture = await page.screenshot({ animations: 'disabled' })
  // Flat areas of few colours: a palette makes them small.
  await sharp(picture)
    .png({ palette: true, colours: 64, effort: 10 })
    .toFile(path.join(FOLDER, `${name}.png`))
  await context.close()
}

interface Demo {
  origin: string
  cookies: Awaited<ReturnType<Awaited<ReturnType<Browser['newContext']>>['cookies']>>
}

const signIn = async (browser: Browser, origin: string, said: string): Promise<Demo> => {
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
  return { origin, cookies }
}

await mkdir(FOLDER, { recursive: true })
const data = await mkdtemp(path.join(tmpdir(), 'foyer-pictures-'))
const foyer = await startFoyer({ FOYER_DATA: data, FOYER_DEMO: '1' })
const browser = await openBrowser()
try {
  const demo = await signIn(browser, foyer.origin.replace('127.0.0.1', 'localhost'), foyer.said().stdout)
  for (const picture of PICTURES) await takePicture(browser, demo, picture)
} finally {
  await browser.close()
  await foyer.end()
  await rm(data, { recursive: true, force: true })
}
