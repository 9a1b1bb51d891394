import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../kit/browser.ts'
import { newGuest, openSignups, type Signups } from '../kit/signups.ts'

const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']
const SIZES = { phone: { width: 360, height: 740 }, desk: { width: 1280, height: 900 } }

let browser: Browser
let ball: Signups
let axe: string

beforeAll(async () => {
  ball = await openSignups((event) => {
    event['questions'].push(
      {
        key: 'shoe',
        label: 'Shoe size',
        type: 'number',
        scope: 'order',
        required: true,
        help_text: 'We lend dancing shoes.',
      },
      {
        key: 'drinks',
        label: 'What will you drink?',
        type: 'multi_select',
        scope: 'order',
        options: ['Beer', 'Wine', 'Water'],
      },
    )
  })
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  browser = await openBrowser()
}, 300_000)

afterAll(() => browser?.close())

/** The shop's own name on the port where this house listens; its canonical address has another port. */
const here = (url: string) => {
  const { pathname, search } = new URL(url, 'http://shop.example')
  return `http://${ball.report.account.subdomain}.localhost:${new URL(ball.origin).port}${pathname}${search}`
}

const open = async (
  url: string,
  {
    viewport = SIZES.phone,
    javaScriptEnabled = true,
    colorScheme = 'light',
  }: { viewport?: typeof SIZES.phone; javaScriptEnabled?: boolean; colorScheme?: 'light' | 'dark' } = {},
) => {
  const context = await browser.newContext({ viewport, javaScriptEnabled, colorScheme })
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  await page.goto(here(url))
  return { context, page, complaints }
}

const show = async (page: Page, name: string) => {
  if (SCREENSHOTS) await page.screenshot({ path: path.join(SCREENSHOTS, `signup-${name}.png`), fullPage: true })
}

/** What a reader of the page with other senses would stumble over. The page's own policy lets no script in, so axe comes by the debugger. */
const stumblingBlocks = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe)
  return page.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => [id, node.html, node.failureSummary].join(': '))))`)
}

const isWide = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')

test('a guest signs up on a phone without JavaScript, is approved, finds the own page in the mail and brings a friend', async () => {
  const { public_url } = await ball.link({
    max_companions: 3,
    companion_names_field: 'required',
    phone_field: 'optional',
    asks_questions: true,
  })
  const email = newGuest()
  const { context, page, complaints } = await open(public_url, { javaScriptEnabled: false })
  await show(page, 'form-phone')

  await page.getByLabel('Name', { exact: true }).fill('Zoë Müller')
  await page.getByLabel('Email').fill(email)
  expect(await page.getByLabel('Name of companion 1').isVisible()).toBe(false)
  await page.getByLabel('Who comes along?').selectOption('2')
  await page.getByLabel('Name of companion 1').fill('Omar Hassan')
  await page.getByLabel('Name of companion 2').fill('王小明')
  expect(await page.getByLabel('Name of companion 3').isVisible()).toBe(false)
  await page.getByLabel('How did you hear of us?').selectOption('Radio')
  await page.getByLabel('Shoe size').fill('41')
  await page.getByLabel('Wine').check()
  await show(page, 'filled-phone')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/guest_signups/)
  expect(await page.getByRole('status').textContent()).toContain('We have your signup')
  expect(await page.textContent('main')).toContain('Waiting')
  await show(page, 'waiting-phone')

  const request = await ball.requestOf(email)
  expect(request).toMatchObject({ companions: 2, companion_names: ['Omar Hassan', '王小明'], status: 'pending' })
  expect((await ball.approve(request)).status).toBe(200)

  await page.goto(here(await ball.ownPage(email)))
  expect(await page.textContent('main')).toContain('Confirmed')
  await show(page, 'confirmed-phone')
  await page.getByLabel('Name of companion 1').fill('Ngozi')
  await page.getByRole('button', { name: 'Add' }).click()
  expect(await page.getByRole('status').textContent()).toContain('still have to be confirmed')
  expect((await ball.requestOf(email)).pending_addition).toMatchObject({ companions: 1, companion_names: ['Ngozi'] })
  await page.getByRole('button', { name: 'Send my tickets again' }).click()
  expect(await page.getByRole('status').textContent()).toContain('on their way')
  await show(page, 'sent-phone')

  expect(complaints).toEqual([])
  expect(await ball.ticketMailsTo(email)).toHaveLength(2)
  await context.close()
})

test('an error leads to its field and keeps what was typed; markup is only text', async () => {
  const { public_url } = await ball.link({
    max_companions: 2,
    companion_names_field: 'required',
    company_field: 'required',
  })
  const { context, page, complaints } = await open(public_url)
  const mischief = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`
  await page.getByLabel('Name', { exact: true }).fill(mischief)
  await page.getByLabel('Email').fill('zoe@example')
  await page.getByLabel('Company').fill(' ')
  await page.getByLabel('Who comes along?').selectOption('1')
  await page.getByRole('button', { name: 'Sign up' }).click()

  await page.getByRole('alert').waitFor()
  expect(await page.title()).toContain('Winter Ball')
  expect(await page.getByLabel('Name', { exact: true }).inputValue()).toBe(mischief)
  expect(await page.getByLabel('Who comes along?').inputValue()).toBe('1')
  await show(page, 'errors-phone')
  await page.getByRole('link', { name: "Name of companion 1 can't be blank" }).click()
  expect(await page.evaluate<string>('document.querySelector(":target").name')).toBe('guest_request[companion_names][]')
  expect(await stumblingBlocks(page)).toEqual([])
  expect(complaints.filter((each) => !each.includes('422'))).toEqual([])
  await context.close()
})

test.each(Object.entries(SIZES))(
  'nobody stumbles on a %s: form, closed list, own page, lost link',
  async (size, viewport) => {
    const form = await ball.link({
      max_companions: 19,
      companion_names_field: 'optional',
      company_field: 'optional',
      phone_field: 'required',
      asks_questions: true,
    })
    const closed = await ball.link({ enabled: false })
    const email = newGuest()
    const answers = { [ball.questions['shoe']!]: '40' }
    await ball.submit(form.public_url, {
      name: 'Maximiliane von und zu Hohenstein-Wittgenstein-Sayn',
      email,
      phone: '1',
      companions: 2,
      companion_names: ['Omar', 'Wei'],
      answers,
    })
    await ball.approve(await ball.requestOf(email))

    const pages = {
      form: form.public_url,
      closed: closed.public_url,
      own: await ball.ownPage(email),
      lost: '/guest_list/nothing',
    }
    for (const [name, url] of Object.entries(pages)) {
      for (const colorScheme of ['light', 'dark'] as const) {
        const { context, page } = await open(url, { viewport, colorScheme })
        expect(await stumblingBlocks(page), `${name} ${colorScheme}`).toEqual([])
        expect(await isWide(page), `${name} is wider than the screen`).toBe(false)
        await show(page, `${name}-${size}-${colorScheme}`)
        await context.close()
      }
    }
  },
  60_000,
)
