import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../kit/browser/browser.ts'
import { openBuyer } from '../kit/venue/checkouts.ts'

const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']
const PHONE = { width: 360, height: 740 }

let browser: Browser
let buyer: Awaited<ReturnType<typeof openBuyer>>
let axe: string

beforeAll(async () => {
  buyer = await openBuyer((file) => {
    file['events'][0].questions.push({
      key: 'oath',
      label: 'I will dance',
      type: 'checkbox',
      scope: 'order',
      required: true,
    })
    file['events'][0].tickets[0].tax_rate = '19.00'
    file['vouchers'] = [{ key: 'gift', amount: '20.00' }]
    file['voucher_products'] = [
      { key: 'flex', name: 'An evening', pricing_type: 'flexible', minimum_amount: '10.00', maximum_amount: '200.00' },
    ]
  })
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  browser = await openBrowser({ 'localhost:3000': new URL(buyer.venue.origin).host })
}, 300_000)

afterAll(() => browser?.close())

const here = (address: string) =>
  `http://${buyer.venue.report.account.subdomain}.localhost:${new URL(buyer.venue.origin).port}${address}`

const open = async (
  address: string,
  { javaScriptEnabled = true, locale = 'en', colorScheme = 'light' as const } = {},
) => {
  const context = await browser.newContext({ viewport: PHONE, javaScriptEnabled, locale, colorScheme })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(here(address))
  return { context, page, complaints }
}

/** Without a finding of axe, no wider than the phone, and a picture of it for whoever wants to look. */
const look = async (page: Page, name: string) => {
  await page.waitForLoadState()
  if (SCREENSHOTS) await page.screenshot({ path: path.join(SCREENSHOTS, `shop-${name}.png`), fullPage: true })
  expect(await page.evaluate<number>('document.documentElement.scrollWidth'), name).toBeLessThanOrEqual(PHONE.width)
}

const findingsOf = async (page: Page) => {
  const context = await browser.newContext({ viewport: PHONE })
  const copy = await context.newPage()
  await copy.setContent(await page.content())
  await copy.evaluate(axe)
  const found = await copy.evaluate<string[]>(
    'axe.run(document).then(({ violations }) => violations.map((each) => each.id + ": " + each.nodes[0].html))',
  )
  await context.close()
  return found
}

/** The page of the test method stands at the console's name, which is led to this installation. */
const buyTwo = async (javaScriptEnabled: boolean) => {
  const { page, complaints, context } = await open('/events/winter-ball', { javaScriptEnabled })
  await page.getByRole('link', { name: 'Buy tickets' }).click()
  await look(page, `choose-${javaScriptEnabled}`)
  expect(await findingsOf(page)).toEqual([])
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('alert').waitFor()

  await page.getByLabel('Quantity of General admission').selectOption('1')
  await page.getByLabel(javaScriptEnabled ? 'Row A Seat 1' : 'Row A Seat 2').check({ force: true })
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Checkout' }).waitFor()
  const { pathname } = new URL(page.url())
  await look(page, `checkout-${javaScriptEnabled}`)
  expect(await findingsOf(page)).toEqual([])

  await page.locator('[name="checkout[customer_name]"]').fill('Zoë <b>Buyer</b>')
  await page.getByLabel('Voucher code').fill('nonsense')
  await page.getByRole('button', { name: 'Apply voucher' }).click()
  expect(await page.getByRole('alert').textContent()).toContain('is invalid')
  expect(await page.locator('[name="checkout[customer_name]"]').inputValue()).toBe('Zoë <b>Buyer</b>')
  await look(page, `fault-${javaScriptEnabled}`)

  if (javaScriptEnabled) {
    await page.getByLabel('Voucher code').fill(buyer.venue.report.vouchers['gift']!.code)
    await page.getByRole('button', { name: 'Apply voucher' }).click()
    await page.getByText('−€20.00').waitFor()
  }
  await page.locator('[name="checkout[customer_email]"]').fill('zoe@guest.example')
  await page.getByLabel('I will dance').check()
  await page.getByRole('button', { name: /^Pay €/ }).click()
  await page.getByRole('button', { name: 'Pay', exact: true }).click({ timeout: 20_000 })
  return { page, complaints, context, pathname }
}

test.each([true, false])(
  'a guest buys with a phone, with JavaScript: %s, and comes in at the door',
  async (javaScriptEnabled) => {
    const { page, complaints, context, pathname } = await buyTwo(javaScriptEnabled)
    // The way back leads to the shop's canonical address, where this installation does not listen.
    await expect.poll(async () => (await buyer.see(pathname.split('/')[2]!)).status).toBe('paid')
    await page.waitForURL((address) => address.protocol === 'chrome-error:')
    await page.goto(here(pathname))
    await page.getByRole('heading', { name: 'Thank you!' }).waitFor()
    await look(page, `order-${javaScriptEnabled}`)
    expect(await findingsOf(page)).toEqual([])
    const codes = await page.locator('.tickets code').allTextContents()
    expect(codes).toHaveLength(2)
    expect((await buyer.venue.door.post(`/scanner/tickets/${codes[0]}/redemption`)).status).toBe(200)
    expect(complaints.filter((text) => !text.includes('422') && !text.includes('ERR_'))).toEqual([])
    await context.close()
  },
  120_000,
)

test('the shop speaks German to those who ask for it, and sells vouchers', async () => {
  const { page, context } = await open('/vouchers', { locale: 'de-DE', colorScheme: 'dark' as 'light' })
  await page.getByRole('heading', { name: 'Gutscheine' }).waitFor()
  await look(page, 'vouchers-de-dark')
  expect(await findingsOf(page)).toEqual([])
  await page.getByLabel('Betrag').fill('5.00')
  await page.getByRole('button', { name: 'Gutschein kaufen' }).click()
  await page.getByRole('alert').waitFor()
  await page.getByLabel('Betrag').fill('50.00')
  await page.getByRole('button', { name: 'Gutschein kaufen' }).click()
  await page.getByRole('heading', { name: 'Kasse' }).waitFor()
  await look(page, 'checkout-de-dark')
  await page.getByRole('button', { name: 'Abbrechen und alles freigeben' }).click()
  await page.getByRole('heading', { name: 'Dieser Kauf wurde abgebrochen' }).waitFor()
  await look(page, 'cancelled-de')
  await context.close()
}, 120_000)
