import { randomBytes } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeTestCertificates } from '../../src/wallet/apple/test-certificates.ts'
import { type ConsolePage, PHONE, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { pressInTurn } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import type { VenueFile } from '../kit/venue/neue-halle.ts'
import { openVenue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const MARA = 'mara@neue-halle.example'
const PASSWORD = 'ein gutes Passwort'

/** A show tonight with guests, one of them at the door already, and requests that wait. */
const addTonight = (file: VenueFile) => {
  file['events'].push({
    slug: 'long-night',
    title: 'The Long Night',
    venue: 'halle',
    starts_at: '+PT1M',
    doors_open_at: '-PT1H',
    capacity: 300,
    tickets: [{ key: 'ga', title: 'General admission', price: '25.00', stock: 100 }],
    guest_parties: [{ key: 'press', customer_name: 'Petra Press', ticket: 'ga', party_size: 3 }],
    signup_links: [{ key: 'friends', name: 'Friends', ticket: 'ga', max_companions: 3 }],
    signup_requests: [
      { link: 'friends', name: 'Wanda Waiting', email: 'wanda@guest.example', companions: 1 },
      { link: 'friends', name: 'Willi Waiting', email: 'willi@guest.example' },
    ],
  })
}

const openHouse = async (change: (file: VenueFile) => void = () => {}) => {
  const email = `nora-${randomBytes(4).toString('hex')}@neue-halle.example`
  const venue = await openVenue((file) => {
    file['people'].push({ name: 'Nora Night', email, password: PASSWORD, role: 'manager' })
    addTonight(file)
    change(file)
  })
  return { venue, email }
}

const figure = ({ page }: ConsolePage, label: string) =>
  page
    .locator('dl > div', { has: page.locator('dt', { hasText: label }) })
    .locator('dd')
    .first()

test('by mouse: signed in, tonight at a glance, one event, its public page, and out again', async () => {
  const { email } = await openHouse()
  const desk = await openConsolePage(browser)
  const { page } = desk
  await page.goto(CONSOLE)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()

  await page.waitForURL(`${CONSOLE}/console/events`)
  await page.getByRole('heading', { name: 'Tonight' }).waitFor()
  await expect.poll(() => page.title()).toBe('Events · Foyer')
  await expect.poll(() => figure(desk, 'Expected').textContent()).toBe('3')
  await expect.poll(() => figure(desk, 'Arrived').textContent()).toBe('0')
  await expect.poll(() => figure(desk, 'Requests waiting').textContent()).toBe('2')
  await expect.poll(() => figure(desk, 'Tickets left').textContent()).toBe('97')
  expect(await page.getByRole('list', { name: 'List of events' }).getByRole('link').allInnerTexts()).toEqual([
    expect.stringContaining('Winter Ball'),
    expect.stringContaining('Draft Show'),
    expect.stringContaining('Spring Night'),
  ])

  await page.getByRole('link', { name: 'The Long Night' }).click()
  await page.waitForURL(`${CONSOLE}/console/events/long-night`)
  await page.getByRole('heading', { name: 'The Long Night' }).waitFor()
  await expect.poll(() => page.title()).toBe('The Long Night · Events · Foyer')
  await page.getByText('0 of 3 arrived').waitFor()
  expect(await page.getByRole('link', { name: 'Public page' }).getAttribute('href')).toContain('/events/long-night')
  await page.getByRole('link', { name: 'All events' }).click()

  await page.getByText('Past', { exact: true }).click()
  await page.getByRole('link', { name: 'Last Summer' }).waitFor()
  expect(page.url()).toBe(`${CONSOLE}/console/events?show=past`)
  await page.goBack()
  await page.getByRole('heading', { name: 'Tonight' }).waitFor()

  // What was typed and not sent is nothing for whoever signs in next in this tab.
  await page.getByRole('link', { name: 'Winter Ball' }).click()
  await page.getByLabel('Note a task for this event').fill('Ask the choir')
  await expect.poll(() => page.evaluate<string>('JSON.stringify(sessionStorage)')).toContain('Ask the choir')
  await page.getByRole('button', { name: 'Nora Night' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).not.toContain('Ask the choir')
  desk.expectNoFaults()
  await page.context().close()
})

test('by keyboard alone: signed in, searched, walked, opened, picked, found by the palette', async () => {
  const { email } = await openHouse()
  const desk = await openConsolePage(browser)
  const { page } = desk
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'], { origin: CONSOLE })
  await page.goto(`${CONSOLE}/console/events`)
  await page.getByLabel('Email address').focus()
  await page.keyboard.type(email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  const list = page.getByRole('list', { name: 'List of events' })
  await list.waitFor()

  const { keyboard } = page
  const focused = () => page.evaluate<string>('document.activeElement.innerText')
  await keyboard.press('j')
  await keyboard.press('j')
  await expect.poll(focused).toContain('Draft Show')
  await keyboard.press('k')
  await expect.poll(focused).toContain('Winter Ball')
  await keyboard.press('x')
  await keyboard.press('j')
  await keyboard.press('x')
  await page.getByText('2 picked').waitFor()

  await keyboard.press('/')
  await keyboard.type('sprïng')
  await expect.poll(() => list.getByRole('link').count()).toBe(1)
  await page.waitForURL(/text=spr/)
  await keyboard.press('Escape')
  await keyboard.press('j')
  await expect.poll(focused).toContain('Spring Night')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Spring Night' }).waitFor()

  await pressInTurn(page, 'g', 'e')
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()

  await keyboard.press('Control+k')
  await page.getByRole('combobox').waitFor()
  await keyboard.type('winter b')
  await expect.poll(() => page.getByRole('option', { selected: true }).textContent()).toMatch(/^Winter Ball/)
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Winter Ball' }).waitFor()

  await keyboard.press('?')
  await page.getByRole('dialog').getByText('Go to or do anything').waitFor()
  await desk.expectReadable('keyboard-help')
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  desk.expectNoFaults()
  await page.context().close()
})

test('a session that ends in the middle of typing: nothing is lost, and it goes on by itself', async () => {
  const { venue, email } = await openHouse()
  const desk = await openConsolePage(browser)
  const { page } = desk
  await signInAs(desk, venue, email)
  await page.goto(`${CONSOLE}/console/events/winter-ball`)
  const field = page.getByLabel('Note a task for this event')
  await field.fill('Order the blue wristbands')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Note it' }).click()
  await page.getByText('You have been signed out.').waitFor()
  expect(await field.inputValue()).toBe('Order the blue wristbands')
  await desk.expectReadable('signed-out')

  const [window] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in again' }).click(),
  ])
  await window.getByLabel('Email address').fill(email)
  await window.getByLabel('Password').fill(PASSWORD)
  await window.getByRole('button', { name: 'Sign in', exact: true }).click()

  await page.getByText('It is on the task board.').waitFor()
  await page.getByText('You have been signed out.').waitFor({ state: 'detached' })
  expect(await field.inputValue()).toBe('')
  const { body } = await venue.office.get('/admin/tasks')
  expect(body.tasks.filter((task: { title: string }) => task.title === 'Order the blue wristbands')).toHaveLength(1)
  desk.expectNoFaults(/401/)
  await page.context().close()
})

test('what was typed outlives a reload, and a rule that says no says so at the field', async () => {
  const { venue, email } = await openHouse()
  const desk = await openConsolePage(browser)
  const { page } = desk
  await signInAs(desk, venue, email)
  await page.goto(`${CONSOLE}/console/events/winter-ball`)
  const field = page.getByLabel('Note a task for this event')
  await field.fill('x'.repeat(201))
  await page.reload()
  expect(await field.inputValue()).toBe('x'.repeat(201))
  await field.press('Enter')
  await page.getByText(/too long/).waitFor()
  expect(await field.getAttribute('aria-invalid')).toBe('true')
  await desk.expectReadable('task-refused')
  desk.expectNoFaults(/422/)
  await page.context().close()
})

test('the line breaks: the page says so, keeps what it shows, and goes on by itself', async () => {
  const { venue, email } = await openHouse()
  const desk = await openConsolePage(browser)
  const { page } = desk
  await signInAs(desk, venue, email)
  await page.goto(`${CONSOLE}/console/events`)
  const link = page.getByRole('link', { name: 'Winter Ball' })
  // Its room is loaded already when somebody reaches for it, with all the files that it consists of.
  const onTheirWay = new Set<string>()
  page.on('request', (request) => request.url().includes('/assets/') && onTheirWay.add(request.url()))
  page.on('requestfinished', (request) => onTheirWay.delete(request.url()))
  await Promise.all([page.waitForResponse(/assets\/event-view-.*\.js$/), link.hover()])
  await expect.poll(() => [...onTheirWay]).toEqual([])
  await page.context().setOffline(true)
  await link.click()
  await page.getByText('Foyer cannot be reached.', { exact: false }).first().waitFor()
  await page.getByRole('button', { name: 'Try again' }).first().waitFor()
  await desk.expectReadable('offline')
  await page.context().setOffline(false)
  await page.getByRole('heading', { name: 'Winter Ball' }).waitFor()
  await page.getByText('This page goes on as soon as it can.', { exact: false }).waitFor({ state: 'detached' })
  desk.expectNoFaults(/ERR_INTERNET_DISCONNECTED/)
  await page.context().close()
})

test('a server that fails is told apart from one that is not there, and trying again helps', async () => {
  const { venue, email } = await openHouse()
  const desk = await openConsolePage(browser)
  const { page } = desk
  await signInAs(desk, venue, email)
  await page.route('**/admin/events?*', (route) => route.fulfill({ status: 500, json: { errors: { base: ['Oh'] } } }))
  await page.goto(`${CONSOLE}/console/events`)
  await page.getByText('Something went wrong on our side.', { exact: false }).waitFor()
  await desk.expectReadable('failed')
  await page.unroute('**/admin/events?*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('heading', { name: 'Tonight' }).waitFor()
  desk.expectNoFaults(/500/)
  await page.context().close()
})

test('a certificate of wallet passes that ends soon is told to those who run the venue', async () => {
  const { venue, email } = await openHouse()
  const { certificate, key, intermediate } = makeTestCertificates({ days: 13 })
  const wallet = { apple_certificate: certificate, apple_key: key, apple_intermediate: intermediate }
  expect((await venue.office.patch('/admin/wallet', { wallet })).status).toBe(200)
  const desk = await openConsolePage(browser)
  const { page } = desk
  await signInAs(desk, venue, email)
  await page.goto(`${CONSOLE}/console/events`)
  await page.getByText('The certificate that signs wallet passes ends on', { exact: false }).waitFor()
  await desk.expectReadable('certificate-ends')
  desk.expectNoFaults()
  await page.context().close()
})

test('someone who works for two houses changes between them', async () => {
  const email = `zoe-${randomBytes(4).toString('hex')}@neue-halle.example`
  const here = await openVenue((file) => file['people'].push({ name: 'Zoë Both', email, role: 'manager' }))
  await openVenue((file) => {
    file['account'].name = 'Altes Werk'
    file['people'].push({ name: 'Zoë Both', email, role: 'owner' })
  })
  const desk = await openConsolePage(browser)
  const { page } = desk
  await signInAs(desk, here, email)
  await page.goto(`${CONSOLE}/console`)
  await page.getByRole('button', { name: 'Zoë Both' }).click()
  await page.getByRole('menuitem', { name: 'Altes Werk' }).click()
  await page.getByRole('banner').getByText('Altes Werk').waitFor()
  await page.getByText('Owner', { exact: true }).waitFor()
  desk.expectNoFaults()
  await page.context().close()
})

test('those who do not organize are told where they belong', async () => {
  const { venue } = await openHouse()
  const phone = await openConsolePage(browser, { viewport: PHONE })
  await signInAs(phone, venue, 'sami@neue-halle.example')
  await phone.page.goto(`${CONSOLE}/console`)
  await phone.page.getByRole('heading', { name: 'The console is for those who organize' }).waitFor()
  await phone.expectReadable('scanner')
  phone.expectNoFaults()
  await phone.page.context().close()
})

test('an address that leads nowhere, and an event that is not there, say so', async () => {
  const { venue } = await openHouse()
  const desk = await openConsolePage(browser)
  const { page } = desk
  await signInAs(desk, venue, MARA)
  await page.goto(`${CONSOLE}/console/no/such/view`)
  await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Tasks' }).waitFor()
  await desk.expectReadable('nowhere')
  await page.getByRole('link', { name: 'To the events' }).click()
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await page.goto(`${CONSOLE}/console/events/nothing`)
  await page.getByRole('heading', { name: 'Not here' }).waitFor()
  desk.expectNoFaults(/404/)
  await page.context().close()
})

/** It stays a text wherever it is shown. */
const MARKUP = '<img src=//canary.example/1 onerror=alert(1)><b>Bold</b>'

const LIGHT = { colorScheme: 'light', locale: 'en-GB' } as const
const DARK = { colorScheme: 'dark', locale: 'de-DE' } as const

const LOOKS = [
  ['a phone', PHONE, DARK],
  ['a tablet', { width: 768, height: 1024 }, LIGHT],
  ['a desk', { width: 1440, height: 900 }, LIGHT],
  ['a screen at 200 %', { width: 640, height: 400 }, DARK],
  // The other half is for those who look at the pictures.
  ...(process.env['FOYER_SCREENSHOTS']
    ? ([
        ['a phone', PHONE, LIGHT],
        ['a tablet', { width: 768, height: 1024 }, DARK],
        ['a desk', { width: 1440, height: 900 }, DARK],
      ] as const)
    : []),
] as const

test.each(LOOKS)('every view on %s is readable and fits (%o, %o)', async (name, viewport, look) => {
  const long = 'Donaudampfschifffahrtsgesellschaftskapitänsmützenabzeichenverleihung'
  const { venue } = await openHouse((file) => {
    const event = { venue: 'halle', tickets: [] }
    file['events'].push({ ...event, slug: 'long', title: `${long} ${long}`, starts_at: '+P2D', cancelled: true })
    file['events'].push({ ...event, slug: 'markup', title: MARKUP, starts_at: '+P2D' })
    file['events'].push({ ...event, slug: 'laila', title: 'ليلة الشتاء', starts_at: '+P3D', published: false })
  })
  const seen = await openConsolePage(browser, { viewport, ...look })
  const { page } = seen
  await signInAs(seen, venue, MARA)
  const views = {
    events: '/events',
    none: '/events?text=qqq',
    event: '/events/long-night',
    empty: '/events/long',
  }
  for (const [view, path] of Object.entries(views)) {
    await page.goto(`${CONSOLE}/console${path}`)
    await page.getByRole('heading', { level: 1 }).waitFor()
    // The stream never falls silent, so what is awaited is that nothing loads any more.
    await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
    await seen.expectFitting()
    await seen.expectReadable(`${view}-${name.replaceAll(/\W+/g, '-')}-${look.colorScheme}`)
  }
  await page.goto(`${CONSOLE}/console/events/markup`)
  await page.getByRole('heading', { level: 1, name: MARKUP }).waitFor()
  expect(await page.evaluate('document.documentElement.lang')).toBe(look.locale.slice(0, 2))
  seen.expectNoFaults()
  await page.context().close()
})

test('on a phone the rooms are behind a button, and the person’s menu changes language and light', async () => {
  const { venue } = await openHouse()
  const phone = await openConsolePage(browser, { viewport: PHONE, colorScheme: 'light' })
  const { page } = phone
  await signInAs(phone, venue, MARA)
  await page.goto(`${CONSOLE}/console/events/winter-ball`)
  await page.getByRole('heading', { name: 'Winter Ball' }).waitFor()
  expect(await page.getByRole('navigation', { name: 'Rooms', exact: true }).isVisible()).toBe(false)
  await page.getByRole('button', { name: 'Menu' }).click()
  await page.getByRole('button', { name: 'Mara Manager' }).click()
  await page.getByRole('menuitem', { name: 'Deutsch' }).click()
  await page.getByRole('menuitem', { name: 'Aussehen' }).click()
  await page.getByRole('menuitem', { name: 'Aussehen' }).click()
  await expect.poll(() => page.evaluate('getComputedStyle(document.body).backgroundColor')).toBe('rgb(20, 19, 17)')
  await phone.expectReadable('phone-menu')
  await phone.expectFitting()
  // Mara works for every venue of this file; however many they are, the menu keeps to the screen.
  const menu = await page.getByRole('menu').boundingBox()
  expect(menu!.y).toBeGreaterThanOrEqual(0)
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Veranstaltungen', exact: true }).click()
  await page.getByRole('heading', { name: 'Heute Abend' }).waitFor()
  expect(await page.getByRole('navigation').isVisible()).toBe(false)
  await page.reload()
  await page.getByRole('heading', { name: 'Heute Abend' }).waitFor()
  await page.getByRole('button', { name: 'Suchen…' }).click()
  await page.getByRole('combobox').fill('winter')
  await page.getByRole('option', { name: 'Winter Ball veröffentlichen' }).waitFor()
  await phone.expectReadable('phone-palette')
  phone.expectNoFaults()
  await page.context().close()
})
