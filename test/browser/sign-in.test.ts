import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBrowser } from '../kit/browser/browser.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { linkTo } from '../kit/venue/sessions.ts'
import { openVenue, theApp } from '../kit/venue/venue.ts'

/** The console's own address, as the browser sees it; behind it answers Foyer of this file. */
const CONSOLE = 'http://localhost:3000'

const SCREENSHOTS = process.env['FOYER_SCREENSHOTS']

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  const { origin } = await theApp()
  browser = await openBrowser({ 'localhost:3000': new URL(origin).host })
}, 300_000)

afterAll(() => browser?.close())

const openPage = async (options: { javaScriptEnabled?: boolean } = {}) => {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}

/** Signing in leads to the console; what is one's own is a page of its own. */
const goToOwnAccount = async (page: Page) => {
  await page.waitForURL(`${CONSOLE}/console**`)
  await page.goto(`${CONSOLE}/account`)
}

const addressOf = (name: string) => `${name}-${randomBytes(4).toString('hex')}@partner.example`

/** What the page of someone who is signed in can ask of the API. */
const ask = (page: Page, path: string) =>
  page.evaluate(async (path) => {
    const answer = await fetch(path, { headers: { accept: 'application/json' } })
    return { status: answer.status, body: (await answer.json()) as { events?: object[] } }
  }, path)

test.each([true, false])(
  'invited, accepted, signed in: one sees what the role may see (JavaScript: %s)',
  async (javaScriptEnabled) => {
    const venue = await openVenue()
    const email = addressOf('nora')
    const invitation = { email, role: 'co_organizer', event_ids: [venue.report.events['spring-night']!.id] }
    await venue.office.post('/admin/invitations', { invitation })
    await venue.workOffJobs()

    const page = await openPage({ javaScriptEnabled })
    await page.goto(CONSOLE + (await linkTo(venue, email)))
    await page.getByRole('heading', { name: 'Join Neue Halle' }).waitFor()
    expect(await page.getByText('Spring Night').count()).toBe(1)
    await page.getByLabel('Name').fill('Nora Neu')
    await page.getByLabel('Password').fill('ein gutes Passwort')
    await page.getByRole('button', { name: 'Accept the invitation' }).click()
    await goToOwnAccount(page)
    expect(await page.locator('#events').innerText()).toContain('Spring Night')
    expect(await page.locator('#events').innerText()).not.toContain('Winter Ball')

    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByText('You are signed out.').waitFor()
    await page.goto(`${CONSOLE}/account`)
    await page.getByLabel('Email address').fill(email)
    await page.getByLabel('Password').fill('wrong password')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.getByText('do not open anything here').waitFor()
    await page.getByLabel('Password').fill('ein gutes Passwort')
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    await page.waitForURL(`${CONSOLE}/account`)
    await page.getByText('Nora Neu').waitFor()

    if (javaScriptEnabled) {
      expect((await ask(page, '/admin/events')).body.events).toMatchObject([{ slug: 'spring-night' }])
      expect((await ask(page, '/admin/events/winter-ball')).status).toBe(404)
      expect((await ask(page, '/admin/memberships')).status).toBe(403)
    }
    await page.context().close()
  },
)

test('a link by mail signs in, from a button and without a password', async () => {
  const email = addressOf('lea')
  const venue = await openVenue((file) => {
    file['people'].push({ name: 'Lea Link', email, role: 'manager' })
  })
  const page = await openPage()
  await page.goto(`${CONSOLE}/sign_in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByRole('button', { name: 'Email me a link' }).click()
  await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
  await venue.workOffJobs()
  await page.goto(CONSOLE + (await linkTo(venue, email)))
  await page.getByRole('button', { name: 'Sign in' }).click()
  await goToOwnAccount(page)
  await page.getByText('Lea Link').waitFor()
  await page.context().close()
})

test('the pages are readable by everyone', async () => {
  const email = addressOf('ada')
  const venue = await openVenue((file) => {
    file['people'].push({ name: 'Ada Axe', email, password: 'ein gutes Passwort', role: 'manager' })
    file['api_tokens'].push({ description: 'Till', permission: 'write', person: email })
  })
  const axe = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
  const page = await openPage()
  const check = async (name: string) => {
    if (SCREENSHOTS) await page.screenshot({ path: `${SCREENSHOTS}/${name}.png`, fullPage: true })
    // A script of DevTools is not held up by the page's policy.
    const devtools = await page.context().newCDPSession(page)
    await devtools.send('Runtime.evaluate', { expression: axe })
    const { result } = await devtools.send('Runtime.evaluate', {
      expression: 'axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + " " + nodes[0].html))',
      awaitPromise: true,
      returnByValue: true,
    })
    expect({ name, violations: result.value }).toEqual({ name, violations: [] })
  }

  await page.goto(`${CONSOLE}/sign_in`)
  await check('sign-in')
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('wrong password')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('alert').waitFor()
  await check('sign-in-refused')
  await page.getByLabel('Password').fill('ein gutes Passwort')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await goToOwnAccount(page)
  await check('account')
  await venue.stranger.post('/password', { email })
  await venue.workOffJobs()
  await page.goto(CONSOLE + (await linkTo(venue, email)))
  await page.getByLabel('End all of these keys').waitFor()
  await check('new-password')

  const invited = addressOf('ivo')
  await venue.office.post('/admin/invitations', { invitation: { email: invited, role: 'scanner' } })
  await venue.workOffJobs()
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(CONSOLE + (await linkTo(venue, invited)))
  await check('invitation')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.getByLabel('Name').fill('Ivo')
  await page.getByLabel('Password').fill('kurz')
  await page.getByRole('button', { name: 'Accept the invitation' }).click()
  await page.getByText('Password is too short').waitFor()
  await check('invitation-refused')
  await page.context().close()
})

test('a new password ends the tokens by a tick that is on, without JavaScript, on a phone and at a desk', async () => {
  const email = addressOf('nina')
  const venue = await openVenue((file) => {
    file['people'].push({ name: 'Nina Neu', email, role: 'manager' })
    for (const description of ['Box office till', 'A script with a name that is rather long for a small screen']) {
      file['api_tokens'].push({ description, permission: 'write', person: email })
    }
  })
  await venue.app.database.pool.query(
    `insert into passkeys (person_id, credential_id, public_key, signature_count, name, last_used_at)
     values ($1, $2, '', 0, 'Firefox on Linux', foyer_now())`,
    [venue.report.people[email]!.user_id, email],
  )
  const script = venue.client(venue.report.api_tokens['Box office till'])
  const page = await openPage({ javaScriptEnabled: false })
  const open = async () => {
    await page.goto(`${CONSOLE}/password`)
    await page.getByLabel('Email address').fill(email)
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
    await venue.workOffJobs()
    await page.goto(CONSOLE + (await linkTo(venue, email)))
  }
  const tick = page.getByLabel('End all of these keys')

  await open()
  for (const [name, size] of Object.entries({
    desk: { width: 1280, height: 800 },
    phone: { width: 360, height: 740 },
  })) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      if (SCREENSHOTS) {
        await page.screenshot({ path: `${SCREENSHOTS}/new-password-${name}-${colorScheme}.png`, fullPage: true })
      }
    }
    expect((await page.locator('html').boundingBox())!.width).toBeLessThanOrEqual(size.width)
    expect(await page.getByText('Box office till').isVisible()).toBe(true)
  }
  expect(await tick.isChecked()).toBe(true)
  await tick.uncheck()
  await page.getByLabel('Password', { exact: true }).fill('ein gutes Passwort')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByText('Your password is saved.').waitFor()
  expect((await script.get('/admin/events')).status).toBe(200)

  await open()
  await page.getByLabel('Password', { exact: true }).fill('ein anderes Passwort')
  await page.getByRole('button', { name: 'Save the password' }).click()
  await page.getByText('Your password is saved.').waitFor()
  expect((await script.get('/admin/events')).status).toBe(401)
  await page.context().close()
})

test('a passkey is added and signs in', async () => {
  const email = addressOf('pat')
  await openVenue((file) => {
    file['people'].push({ name: 'Pat Passkey', email, password: 'ein gutes Passwort', role: 'manager' })
  })
  const page = await openPage()
  const faults: string[] = []
  page.on('pageerror', (error) => faults.push(error.message))
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })

  await page.goto(`${CONSOLE}/sign_in`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill('ein gutes Passwort')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await goToOwnAccount(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('last used: never').waitFor()

  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await goToOwnAccount(page)
  await page.getByText('Pat Passkey').waitFor()

  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('button', { name: 'Remove' }).waitFor({ state: 'detached' })
  expect(faults).toEqual([])
  await page.context().close()
})
