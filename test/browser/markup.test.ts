import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { html, rawHtml } from '../../src/kernel/html.ts'
import { bodyOf } from '../kit/network/read-eml.ts'
import { ENDPOINTS } from '../../src/main.ts'
import { sanitizeTree, sanitizeHtml } from '../../src/rich-text/sanitize.ts'
import { LINES, TRICKS, bundles, carelessPage } from '../kit/browser/hostile-text.ts'
import { fillWithHostileText } from '../kit/browser/hostile-venue.ts'
import { mailsTo, readOutbox } from '../kit/venue/outbox.ts'
import { form, linkTo } from '../kit/venue/sessions.ts'
import {
  CONSOLE,
  type Watched,
  examine,
  openBrowserAt,
  openGallery,
  openWatched,
  provoke,
  signInWatched,
  strangeIn,
} from '../kit/browser/watched-browser.ts'
import { type Venue, openVenue, theApp } from '../kit/venue/venue.ts'

// Foyer as it is; a control makes it forget to escape and to clean.
vi.mock(import('../../src/kernel/html.ts'), { spy: true })
vi.mock(import('../../src/rich-text/sanitize.ts'), { spy: true })

let browser: Browser

beforeAll(async () => {
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const LIVE = TRICKS.filter(({ isInert }) => !isInert).map(({ number }) => String(number))

test('control: on pages that forget to escape, every trick that can run runs', async () => {
  const watched = await openWatched(browser)
  const show = await openGallery(watched)
  const ran = await show(TRICKS.map(({ text }) => ({ body: carelessPage(text) })))
  await expect.poll(() => [...ran].toSorted()).toEqual(LIVE.toSorted())
  await watched.context.close()
})

/** Everything a person or a machine wrote, on whichever page it stands. */
const NAMES = bundles(LINES, 250)
const SHORT_NAMES = bundles(LINES, 190)
/** Every second one in everyday runs: what shows one of them shows them all. */
const SOME = [...NAMES.keys()].filter((n) => process.env['FOYER_MARKUP'] === 'all' || n % 2 === 0)
const TINY_NAMES = LINES.map(({ text }) => text).filter((text) => text.length <= 50)
const PASSWORD = 'ein gutes Passwort'
const EVERYWHERE = 'everywhere@neue-halle.example'

const openMischievous = async (n: number) => {
  const texts = {
    text: NAMES[n]!,
    short: SHORT_NAMES[n % SHORT_NAMES.length]!,
    tiny: TINY_NAMES[n % TINY_NAMES.length]!,
    markup: TRICKS.filter((_, k) => k % NAMES.length === n).map(({ text }) => text),
  }
  const venue = await openVenue((file) => {
    fillWithHostileText(file, `mischief-${n}`, texts)
    file['people'].push({ name: NAMES[n], email: EVERYWHERE, role: 'manager', password: PASSWORD })
  })
  const shop = `http://${venue.report.account.subdomain}.localhost:${new URL(venue.origin).port}`
  return { venue, shop, ...texts, owner: `olga@mischief-${n}.neue-halle.example` }
}
type Mischievous = Awaited<ReturnType<typeof openMischievous>>

const visit = async (watched: Watched, address: string, ...shows: string[]) => {
  await watched.page.goto(address)
  await examine(watched, address, shows)
}

/** Sends the form as it is filled in, past the browser's own objections. */
const submit = async ({ page }: Watched, selector = 'main form') => {
  await Promise.all([
    page.waitForEvent('load'),
    page.evaluate(`document.querySelector(${JSON.stringify(selector)}).submit()`),
  ])
}

const signIn = async (watched: Watched, { venue, owner, text }: Mischievous) => {
  await signInWatched(watched, venue, { email: owner, browser: text })
  await venue.app.database.pool.query(
    `insert into passkeys (person_id, credential_id, public_key, signature_count, name) values ($1, $2, '', 0, $3)`,
    [venue.report.people[owner]!.user_id, randomUUID(), text],
  )
}

test.each(SOME)('nothing runs on the pages of a venue full of mischief (%i)', async (n) => {
  const mischief = await openMischievous(n)
  const { venue, shop, text, tiny, owner } = mischief
  const watched = await openWatched(browser)
  const { page, context } = watched

  await visit(watched, `${shop}/events`, text)
  await visit(watched, `${shop}/events/winter-ball?code=BACKSTAGE`, text)
  const data = await page.locator('script[type="application/ld+json"]').textContent()
  expect(JSON.parse(data!)).toMatchObject({ name: text, location: { name: text } })
  expect(await page.locator('h1').textContent()).toBe(text)

  const guest = `zoe-${n}@signup.example`
  await visit(watched, shop + new URL(signupUrl(venue)).pathname, text)
  const fillIn = async (fields: Record<string, string>) => {
    for (const [name, value] of Object.entries(fields)) {
      for (const field of await page.locator(`main form [name="${name}"]`).all())
        await field.fill(value, { force: true })
    }
  }
  const wanted = `guest_request[answers][${venue.report.events['winter-ball']!.questions['wanted']}]`
  const filled = { 'guest_request[name]': text, 'guest_request[company]': text, [wanted]: text }
  const names = { 'guest_request[companion_names][]': text }
  await page.locator('select[name="guest_request[companions]"]').selectOption('2')
  await fillIn({ ...filled, ...names, 'guest_request[phone]': tiny, 'guest_request[email]': 'nobody' })
  await submit(watched)
  await examine(watched, 'the signup that was refused', [text, tiny])
  await fillIn({ 'guest_request[email]': guest })
  await submit(watched)
  await page.waitForURL(/guest_signups/)
  await examine(watched, 'the own page', [text])
  await fillIn({ 'guest_addition[companion_names][]': ' ' })
  await submit(watched, 'form[action$="/companions"]')
  await examine(watched, 'the companions that were refused', [text])

  const invitee = `nora-${n}@partner.example`
  const eventIds = [venue.report.events['winter-ball']!.id]
  const invitation = { email: invitee, role: 'co_organizer', event_ids: eventIds }
  expect((await venue.office.post('/admin/invitations', { invitation })).status).toBe(201)
  await visit(watched, `${CONSOLE}/sign_in?return_to=${encodeURIComponent(`javascript:${text}`)}`)
  await fillIn({ email: text })
  await submit(watched)
  await examine(watched, 'the address that is none', [text])
  await fillIn({ email: owner })
  await submit(watched)
  await venue.workOffJobs()
  await visit(watched, CONSOLE + (await linkTo(venue, owner)), text)
  await visit(watched, CONSOLE + (await linkTo(venue, invitee)), text)
  await fillIn({ 'invitation[name]': text, 'invitation[password]': 'short' })
  await submit(watched)
  await examine(watched, 'the invitation that was refused', [text])

  await signIn(watched, mischief)
  await visit(watched, `${CONSOLE}/account`, text)
  await context.close()
})

const signupUrl = ({ report }: Venue) => report.events['winter-ball']!.signup_links['friends']!.public_url

test('nothing runs in the mails they send', async () => {
  const { dataFolder, workOffJobs } = await theApp()
  for (const n of SOME) {
    const { venue, text, owner } = await openMischievous(n)
    const { tickets } = venue.report.events['winter-ball']!
    const party = { customer_name: text, ticket_id: tickets['ga'], delivery_email: `petra-${n}@press.example` }
    const { host, pathname } = new URL(signupUrl(venue))
    const replies = [
      await venue.office.post(`/admin/voucher_deliveries/${venue.report.vouchers['sold']!.deliveries[0]}/retry`),
      await venue.office.post('/admin/events/winter-ball/guest_parties', { guest_party: party }),
      await venue.office.post('/admin/invitations', { invitation: { email: `ivo-${n}@x.example`, role: 'scanner' } }),
      await venue.stranger.ask('POST', '/sign_in', form({ email: owner })),
      await venue.stranger.ask('POST', pathname, {
        headers: { host },
        body: { guest_request: { name: text, email: `zoe-mail-${n}@signup.example` } },
      }),
    ]
    expect(replies.map(({ status }) => status)).toEqual([202, 201, 201, 200, 201])
  }
  await workOffJobs()
  const pages = (await readOutbox({ dataFolder })).map((mail) => bodyOf(mail, 'text/html')!)
  expect(pages.every((page) => page.includes('<h1'))).toBe(true)
  expect(pages.filter((page) => page.includes('canary(')).length).toBeGreaterThanOrEqual(SOME.length * 5)

  const watched = await openWatched(browser)
  const show = await openGallery(watched)
  expect([...(await show(pages.map((body) => ({ body }))))]).toEqual([])
  await watched.context.close()
})

test('whoever works for all of them chooses between their names, and nothing runs', async () => {
  for (const n of NAMES.keys()) await openMischievous(n)
  const watched = await openWatched(browser)
  await watched.page.goto(`${CONSOLE}/sign_in`)
  await watched.page.getByLabel('Email address').fill(EVERYWHERE)
  await watched.page.getByLabel('Password').fill(PASSWORD)
  await watched.page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await watched.page.waitForURL(`${CONSOLE}/sign_in/account`)
  await examine(watched, 'the choice of an account', NAMES)
  await watched.page.locator('main button').first().click()
  await watched.page.waitForURL(`${CONSOLE}/console**`)
  await watched.page.goto(`${CONSOLE}/account`)
  await examine(watched, 'the other accounts', NAMES)
  await watched.context.close()
})

/** Addresses that take a text from the address itself, or answer with something else than a page. */
test('nothing runs of what stands in an address, nor in answers that are no pages', async () => {
  const mischief = await openMischievous(1)
  const { shop } = mischief
  const watched = await openWatched(browser)
  await signIn(watched, mischief)
  const look = async (address: string) => {
    const download = watched.page.waitForEvent('download', { timeout: 1_000 }).catch(() => null)
    await watched.page.goto(address).catch((error: Error) => {
      // An answer without content leaves the browser where it is.
      if (error.message.includes('ERR_ABORTED')) return null
      if (!error.message.includes('Download is starting')) throw error
      return download
    })
    await provoke(watched)
    expect({ address, ran: [...watched.ran] }).toEqual({ address, ran: [] })
  }

  for (const text of NAMES.map(encodeURIComponent)) {
    await look(`${shop}/events/winter-ball?code=${text}`)
    await look(`${shop}/events/${text}`)
    await look(`${shop}/guest_list/${text}`)
    await look(`${CONSOLE}/admin/tasks/${text}?event_slug=${text}`)
  }
  // All that may answer with a page, and some of the many that answer with JSON.
  // A script of our own holds nothing that anybody wrote, and takes a browser long to show as a text.
  const isShown = (address: string) => !address.includes('stream') && !address.endsWith('.js')
  const asked = ENDPOINTS.filter(({ method, path: address }) => method === 'GET' && isShown(address))
    .filter(({ page, undocumented }, n) => page || undocumented || n % 5 === 0)
    .map(({ path: address, access }) => (access.site === 'shop' ? shop : CONSOLE) + address)
    .map((address) => address.replace(/:(event_slug|slug)\b/, 'winter-ball').replaceAll(/:[a-z_]+(?=\/|$)/g, 'nothing'))
  expect(asked.length).toBeGreaterThan(25)
  for (const address of asked) await look(address)
  await watched.context.close()
})

test('should a page ever forget to escape, its policy lets nothing run; control: without the policy much does', async () => {
  const { venue } = await openMischievous(2)
  const policyOf = async (address: string, host?: string) => {
    const { headers } = await venue.stranger.get(address, { headers: { accept: 'text/html', ...(host && { host }) } })
    // The gallery shows the pages in frames, which they would not allow either.
    return headers.get('content-security-policy')!.replace("frame-ancestors 'none'", '')
  }
  const { host } = new URL(venue.report.account.shop_url)
  const policies = [
    await policyOf('/events/winter-ball', host),
    await policyOf(new URL(signupUrl(venue)).pathname, host),
    await policyOf('/sign_in'),
  ]
  const watched = await openWatched(browser, { bypassCSP: false })
  const show = await openGallery(watched)
  const pages = bundles(TRICKS, 500).map(carelessPage)
  for (const policy of policies) {
    expect(policy).toContain('default-src')
    expect({ policy, ran: [...(await show(pages.map((body) => ({ body, policy }))))] }).toEqual({ policy, ran: [] })
  }
  const ran = await show(pages.map((body) => ({ body })))
  await expect.poll(() => ran.size).toBeGreaterThan(LIVE.length / 2)
  await watched.context.close()
})

const carelessly = async (work: () => Promise<void>) => {
  const show = (value: Parameters<typeof html>[1]): string => {
    if (value === null || value === undefined || value === false) return ''
    if (typeof value !== 'object') return String(value)
    return 'markup' in value ? value.markup : value.map(show).join('')
  }
  vi.mocked(html).mockImplementation((strings, ...values) =>
    rawHtml(strings.reduce((markup, string, n) => markup + show(values[n - 1]) + string)),
  )
  vi.mocked(sanitizeHtml).mockImplementation((markup) => markup)
  vi.mocked(sanitizeTree).mockImplementation((tree) => tree)
  try {
    await work()
  } finally {
    vi.mocked(html).mockReset()
    vi.mocked(sanitizeHtml).mockReset()
    vi.mocked(sanitizeTree).mockReset()
  }
}

test('control: on the same pages of a house that forgets to escape and to clean, it runs', async () => {
  await carelessly(async () => {
    const mischief = await openMischievous(0)
    const { venue, shop, owner } = mischief
    await venue.stranger.ask('POST', '/sign_in', form({ email: owner }))
    const { body } = await venue.office.post('/admin/tasks', { task: { title: 'x', description: mischief.text } })
    await venue.workOffJobs()
    const mail = (await mailsTo(venue, owner)).at(-1)!

    const watched = await openWatched(browser)
    const show = await openGallery(watched)
    for (const markup of [bodyOf(mail, 'text/html')!, body.description_html]) {
      const ran = await show([{ body: markup }])
      await expect.poll(() => ran.size).toBeGreaterThan(0)
    }
    await signIn(watched, mischief)
    const signup = shop + new URL(signupUrl(venue)).pathname
    const addresses = [`${shop}/events`, `${shop}/events/winter-ball`, signup, `${CONSOLE}/account`]
    for (const address of addresses) {
      watched.ran.clear()
      await watched.page.goto(address)
      await provoke(watched)
      await expect.poll(() => ({ address, hasRun: watched.ran.size > 0 })).toEqual({ address, hasRun: true })
      expect((await strangeIn(watched)).length).toBeGreaterThan(0)
    }
    await watched.context.close()
  })
})
