import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openVenue, theApp } from '../kit/venue/venue.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'

let browser: Browser

beforeAll(async () => {
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const openReference = async (options: { colorScheme?: 'light' | 'dark' } = {}) => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const complaints: string[] = []
  const outside: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith(CONSOLE) && !request.url().startsWith('data:')) outside.push(request.url())
  })
  await page.goto(`${CONSOLE}/docs`)
  await page.getByRole('heading', { name: 'Foyer', exact: true }).waitFor()
  return { page, complaints, outside }
}

test('the API reference lists the sections in order, finds an operation, and asks nobody else for anything', async () => {
  const { page, complaints, outside } = await openReference()
  const contents = page.getByRole('complementary', { name: 'Sidebar for Foyer' })
  await contents.getByRole('link', { name: 'Guest list', exact: true }).waitFor()
  const text = await contents.innerText()
  expect(text.indexOf('Events')).toBeLessThan(text.indexOf('Guest list'))
  expect(text.indexOf('Guest list')).toBeLessThan(text.indexOf('Vouchers'))

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Enter search query' }).fill('cancel admission')
  await page
    .getByRole('option', { name: /Operation: Cancel admission/ })
    .first()
    .click()
  await page.getByRole('heading', { name: 'Cancel admission' }).waitFor()

  expect(complaints).toEqual([])
  expect(outside).toEqual([])
})

test('a request is tried from the page with a token, which is not kept', async () => {
  const venue = await openVenue()
  const token = Object.values(venue.report.api_tokens)[0]!
  const { page } = await openReference()
  await page.getByPlaceholder('Token').first().fill(token)
  await page.getByRole('link', { name: /^List events/ }).click()
  await page
    .getByRole('button', { name: /Test Request.*get .*\/admin\/events\)/i })
    .first()
    .click()
  const [answer] = await Promise.all([
    page.waitForResponse((each) => new URL(each.url()).pathname === '/admin/events'),
    page.getByRole('button', { name: 'Send get request to' }).click(),
  ])
  expect(answer.status()).toBe(200)
  expect(await page.evaluate(() => JSON.stringify(Object.entries(localStorage)))).not.toContain(token)
})

test('the lines shown first are those of the demo venue, at the address of the settings', async () => {
  const { page } = await openReference()
  await page.getByText('export FOYER_TOKEN=…').waitFor()
  await page.getByRole('link', { name: /^Get event\b/ }).click()
  await page.getByText('curl "http://localhost:3000/admin/events/winter-gala"').first().waitFor()
})
