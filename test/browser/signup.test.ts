import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../kit/browser/browser.ts'
import { newGuest, openSignups, type Signups } from '../kit/venue/signups.ts'

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
        required: true,
      },
      { key: 'oath', label: 'I will dance', type: 'checkbox', scope: 'order', required: true },
    )
  })
  axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  browser = await openBrowser()
}, 300_000)

afterAll(() => browser?.close())

/** The shop's own name on the port where this installation listens; its canonical address has another port. */
const here = (url: string) => {
  const { pathname, search } = new URL(url, 'http://shop.example')
  return `http://${ball.report.account.subdomain}.localhost:${new URL(ball.origin).port}${pathname}${search}`
}

const open = async (url: string, { javaScriptEnabled = true } = {}) => {
  const context = await browser.newContext({ viewport: SIZES.phone, javaScriptEnabled })
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
  if (!(await page.evaluate<boolean>('"axe" in window'))) await page.evaluate(axe)
  return page.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map((node) => [id, node.html, node.failureSummary].join(': '))))`)
}

const isWide = (page: Page) => page.evaluate<boolean>('document.documentElement.scrollWidth > innerWidth')

/** The page as it stands, on a phone and on a desk, by day and by night. */
const expectSmooth = async (page: Page, name: string) => {
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await stumblingBlocks(page), `${name} ${size} ${colorScheme}`).toEqual([])
      expect(await isWide(page), `${name} is wider than the ${size}`).toBe(false)
      await show(page, `${name}-${size}-${colorScheme}`)
    }
  }
}

/** Past what the browser itself would ask for, as another program would send it. */
const sendAsItIs = async (page: Page) => {
  await page.evaluate('for (const form of document.forms) form.noValidate = true')
  await page.locator('form button').last().click()
}

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
  await page.getByLabel('I will dance').check()
  await show(page, 'filled-phone')
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.waitForURL(/guest_signups/)
  await page.getByRole('status').filter({ hasText: 'We have your signup' }).waitFor()
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
  await page.getByRole('status').filter({ hasText: 'still have to be confirmed' }).waitFor()
  expect((await ball.requestOf(email)).pending_addition).toMatchObject({ companions: 1, companion_names: ['Ngozi'] })
  await page.getByRole('button', { name: 'Send my tickets again' }).click()
  await page.getByRole('status').filter({ hasText: 'on their way' }).waitFor()
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

const STRICT = {
  max_companions: 19,
  companion_names_field: 'required',
  company_field: 'required',
  phone_field: 'required',
  asks_questions: true,
}

/** Somebody who is on the list, with the longest of names. */
const onTheList = async (link: { public_url: string }) => {
  const email = newGuest()
  const { shoe, drinks, oath } = ball.questions
  const reply = await ball.submit(link.public_url, {
    name: `Maximiliane von und zu Hohenstein-Wittgenstein-${'Sayn'.repeat(30)}`,
    email,
    phone: '1',
    company: 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft',
    companions: 2,
    companion_names: ['Omar', 'Wei'],
    answers: { [shoe!]: '40', [drinks!]: ['Wine'], [oath!]: '1' },
  })
  expect(reply.status, reply.text).toBe(201)
  await ball.approve(await ball.requestOf(email))
  return email
}

test('nobody stumbles over a form, wherever it stands: empty, refused, sent twice, closed or lost', async () => {
  const [link, closed] = [await ball.link(STRICT), await ball.link({ enabled: false })]
  const email = await onTheList(link)
  const { context, page } = await open(link.public_url)
  await expectSmooth(page, 'form')
  await page.getByLabel('Name', { exact: true }).fill('x'.repeat(255))
  await page.getByLabel('Who comes along?').selectOption('3')
  await sendAsItIs(page)
  await page.getByRole('alert').waitFor()
  expect(await page.getByRole('alert').getByRole('listitem').count()).toBe(9)
  const wrong = `Array.from(document.querySelectorAll('input[aria-invalid]:not([type=checkbox])'), (field) => getComputedStyle(field).borderTopWidth)`
  expect(new Set(await page.evaluate<string[]>(wrong))).toEqual(new Set(['2px']))
  await expectSmooth(page, 'refused')

  await page.goto(here((await ball.link()).public_url))
  await page.getByLabel('Name', { exact: true }).fill('Somebody')
  await page.getByLabel('Email').fill(email.toUpperCase())
  await sendAsItIs(page)
  await page.getByRole('status').filter({ hasText: 'already signed up' }).waitFor()
  await expectSmooth(page, 'repeated')

  await page.goto(here(closed.public_url))
  await expectSmooth(page, 'closed')
  await page.goto(here('/guest_list/nothing'))
  await expectSmooth(page, 'lost')
  await context.close()
})

test('nobody stumbles over the own page: confirmed, refused, waiting for more, without tickets or lost', async () => {
  const link = await ball.link(STRICT)
  const email = await onTheList(link)
  const { context, page } = await open(await ball.ownPage(email))
  await expectSmooth(page, 'own')
  await page.getByLabel('How many more?').selectOption('2')
  await page.getByLabel('Name of companion 1', { exact: true }).fill('Ngozi')
  await sendAsItIs(page)
  await page.getByRole('link', { name: "Name of companion 2 can't be blank" }).waitFor()
  await expectSmooth(page, 'own-refused')
  await page.getByLabel('Name of companion 2', { exact: true }).fill('عمر')
  await page.getByRole('button', { name: 'Add' }).click()
  await page.getByRole('status').filter({ hasText: 'still have to be confirmed' }).waitFor()
  expect(await page.textContent('main')).toMatch(/2 more companions\s*: Ngozi, عمر/)
  await expectSmooth(page, 'own-waiting')

  const { order_public_id } = await ball.requestOf(email)
  await ball.office.post(ball.partyPath({ public_id: order_public_id }, '/cancellation'))
  await page.getByRole('button', { name: 'Send my tickets again' }).click()
  await page.getByRole('alert').filter({ hasText: 'There are no tickets to send.' }).waitFor()
  await expectSmooth(page, 'own-cancelled')
  await page.goto(here('/guest_signups/nothing'))
  await expectSmooth(page, 'own-lost')
  await context.close()
})

test('a thumb that taps twice signs up once', async () => {
  const { public_url } = await ball.link()
  const email = newGuest()
  const { context, page } = await open(public_url, { javaScriptEnabled: false })
  await page.getByLabel('Name', { exact: true }).fill('Zoë')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Sign up' }).dblclick()
  await page.getByRole('status').waitFor()
  expect(await page.getByRole('status').textContent()).toMatch(/We have your signup|You are already signed up/)
  expect((await ball.waiting()).requests.filter((each: { email: string }) => each.email === email)).toHaveLength(1)
  await context.close()
})
