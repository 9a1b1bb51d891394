import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAs } from '../kit/browser/console.ts'
import { holdNext, openDesk, scanCode, waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const BALL = '/admin/events/winter-ball'
const CONSOLE_BALL = `${CONSOLE}/console/events/winter-ball`

const saveButton = (page: Page) => page.getByRole('button', { name: 'Save', exact: true })

test('what is typed into a party while it is being saved stays, and is saved next', async () => {
  const { venue, desk, page } = await openDesk(browser, {}, (file) => {
    file['events'][0].guest_parties = [{ key: 'petra', customer_name: 'Petra Press', ticket: 'ga', party_size: 2 }]
  })
  const [{ public_id: id }] = (await venue.office.get(`${BALL}/guest_list`)).body.guest_parties
  await page.goto(`${CONSOLE_BALL}/guests/${id}`)
  const [note, company] = [page.getByLabel('Note for the door'), page.getByLabel('Company')]
  await note.fill('Press table')
  const held = await holdNext(page, 'PATCH', new RegExp(`/guest_parties/${id}$`))
  await saveButton(page).click()
  await held.asked
  await note.fill('Press table, ask for Ida')
  await company.fill('Abendblatt')
  held.release()
  await waitForToast(page, 'Saved.')
  expect([await note.inputValue(), await company.inputValue()]).toEqual(['Press table, ask for Ida', 'Abendblatt'])
  await expect.poll(() => saveButton(page).isEnabled()).toBe(true)
  await saveButton(page).click()
  await expect
    .poll(async () => (await venue.office.get(`${BALL}/guest_parties/${id}`)).body)
    .toMatchObject({ staff_note: 'Press table, ask for Ida', customer_company: 'Abendblatt' })
  await expect.poll(() => saveButton(page).isDisabled()).toBe(true)
  desk.expectNoFaults()
  await page.context().close()
})

test('what is typed into an event while it is being saved stays, and is saved next', async () => {
  const { venue, desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE_BALL}/setup`)
  const [title, room] = [page.getByLabel('Title', { exact: true }), page.getByLabel('Room for')]
  await title.fill('Winter Ball 2')
  const held = await holdNext(page, 'PATCH', /\/admin\/events\/winter-ball$/)
  await saveButton(page).click()
  await held.asked
  await title.fill('Winter Ball 27')
  await room.fill('300')
  held.release()
  await waitForToast(page, 'Saved.')
  await expect.poll(async () => (await venue.office.get(BALL)).body.title).toBe('Winter Ball 2')
  await expect.poll(() => saveButton(page).isEnabled()).toBe(true)
  expect([await title.inputValue(), await room.inputValue()]).toEqual(['Winter Ball 27', '300'])
  await saveButton(page).click()
  await expect
    .poll(async () => (await venue.office.get(BALL)).body)
    .toMatchObject({ title: 'Winter Ball 27', capacity: 300 })
  await expect.poll(() => saveButton(page).isDisabled()).toBe(true)
  desk.expectNoFaults(/409/)
  await page.context().close()
})

test('what is typed into a signup link while it is being made or saved stays', async () => {
  const { venue, desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE_BALL}/signup/new`)
  const [name, quota] = [page.getByLabel('Name', { exact: true }), page.getByLabel('Quota')]
  await name.fill('Neighb')
  const made = await holdNext(page, 'POST', /\/guest_list_forms$/)
  await page.getByRole('button', { name: 'Create the link' }).click()
  await made.asked
  await name.fill('Neighbours')
  made.release()
  await page.getByRole('heading', { name: 'Neighb', level: 1, exact: true }).waitFor()
  expect(await name.inputValue()).toBe('Neighbours')

  const saved = await holdNext(page, 'PATCH', /\/guest_list_forms\//)
  await saveButton(page).click()
  await saved.asked
  await quota.fill('12')
  saved.release()
  await page.getByRole('heading', { name: 'Neighbours', level: 1 }).waitFor()
  expect(await quota.inputValue()).toBe('12')
  await expect.poll(() => saveButton(page).isEnabled()).toBe(true)
  await saveButton(page).click()
  const links = async () => (await venue.office.get(`${BALL}/guest_list_forms`)).body.forms
  await expect.poll(async () => (await links()).at(-1)).toMatchObject({ name: 'Neighbours', capacity: 12 })
  desk.expectNoFaults()
  await page.context().close()
})

test('Enter twice makes one venue, and two people who change different things of it keep both', async () => {
  const { venue, desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE_BALL}/setup`)
  await page.getByRole('button', { name: 'New venue' }).click()
  const added = page.getByRole('group', { name: 'New venue' })
  await added.getByLabel('Name').fill('Kleiner Saal')
  const held = await holdNext(page, 'POST', /\/admin\/venues$/)
  await page.keyboard.press('Enter')
  await held.asked
  await page.keyboard.press('Enter')
  held.release()
  await waitForToast(page, 'Saved.')
  await added.waitFor({ state: 'detached' })
  const venues = async () => (await venue.office.get('/admin/venues')).body.venues
  const [made, ...others] = (await venues()).filter(({ name }: { name: string }) => name === 'Kleiner Saal')
  expect([others.length, held.count()]).toEqual([0, 1])

  await page.getByRole('button', { name: 'Change this venue' }).click()
  const changed = page.getByRole('group', { name: 'Change this venue' })
  await changed.getByLabel('Name').fill('Großer Saal')
  await venue.office.patch(`/admin/venues/${made.id}`, { venue: { city: 'Hamburg' } })
  await changed.getByRole('button', { name: 'Save the venue' }).click()
  await changed.waitFor({ state: 'detached' })
  expect((await venue.office.get(`/admin/venues/${made.id}`)).body).toMatchObject({
    name: 'Großer Saal',
    city: 'Hamburg',
  })
  desk.expectNoFaults(/409/)
  await page.context().close()
})

test('a picture that is taken out while another one is on its way stays out', async () => {
  const { desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE_BALL}/setup`)
  const field = page.getByRole('group', { name: 'More pictures' })
  const add = async (background: string) => {
    const picture = sharp({ create: { width: 64, height: 48, channels: 3, background } })
    const buffer = await picture.png().toBuffer()
    await field.locator('input[type=file]').setInputFiles({ name: 'one.png', mimeType: 'image/png', buffer })
  }
  await add('#8a2133')
  await field.getByRole('button', { name: 'Remove picture 1' }).waitFor()
  const held = await holdNext(page, 'PUT', /\/uploads\//)
  await add('#21338a')
  await held.asked
  await field.getByRole('button', { name: 'Remove picture 1' }).click()
  await expect.poll(() => field.getByRole('img').count()).toBe(0)
  const shown = () => field.locator('img').count()
  held.release()
  await expect.poll(shown).toBeGreaterThan(0)
  expect(await shown()).toBe(1)
  desk.expectNoFaults()
  await page.context().close()
})

test('the address of the next guest stays, and so does the keyboard in it, when the one before is on the list', async () => {
  const { desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE_BALL}/guests`)
  await page.getByRole('heading', { name: 'Guest list' }).waitFor()
  await page.keyboard.press('n')
  const email = page.getByLabel('E-mail, if tickets should be sent')
  const held = await holdNext(page, 'POST', /\/guest_parties$/)
  await page.getByLabel('Who is coming?').fill('Ada Lovelace')
  await page.keyboard.press('Enter')
  await held.asked
  await email.focus()
  await page.keyboard.type('grace@')
  held.release()
  await page.getByText('Ada Lovelace is on the list').waitFor()
  await page.keyboard.type('navy.example')
  expect(await email.inputValue()).toBe('grace@navy.example')
  desk.expectNoFaults()
  await page.context().close()
})

test('parts that are moved one after the other end in the order in which they were put', async () => {
  const { venue, desk, page } = await openDesk(browser)
  const titles = async (): Promise<string[]> =>
    (await venue.office.get(`${BALL}/tickets`)).body.tickets.map(({ title }: { title: string }) => title)
  const [first, second, third, ...rest] = (await titles()) as [string, string, string, ...string[]]
  await page.goto(`${CONSOLE_BALL}/setup/tickets`)
  const shown = () => page.getByRole('button', { name: /^Change / }).allInnerTexts()
  const moveFirst = async (title: string) => {
    await page.getByRole('button', { name: `Move ${title}`, exact: true }).click()
    await page.getByRole('menuitem', { name: 'Move to 1', exact: true }).click()
    await expect.poll(async () => (await shown())[0]).toBe(title)
  }
  const goes = Promise.withResolvers<void>()
  let asked = 0
  await page.route('**/position', async (route) => {
    if (++asked === 1) await goes.promise
    await route.continue()
  })
  await moveFirst(third)
  await moveFirst(second)
  goes.resolve()
  await expect.poll(() => asked).toBe(2)
  await expect.poll(titles).toEqual([second, third, first, ...rest])
  await expect.poll(shown).toEqual([second, third, first, ...rest])
  desk.expectNoFaults()
  await page.context().close()
})

/** One after the other, before the page can show that it is busy. */
const doAtOnce = (page: Page, button: string, then: string): Promise<void> =>
  page.evaluate(`{
    const button = [...document.querySelectorAll('[role=dialog] button')].find((each) => each.innerText === '${button}')
    button.click()
    ${then}
  }`)
const PRESS_ESCAPE = `button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))`

test('who submits twice before the page can show that it is busy issues one voucher', async () => {
  const { venue, desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/vouchers?issue=true`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('37.50')
  await dialog.getByRole('button', { name: 'Issue €37.50' }).waitFor()
  await doAtOnce(page, 'Issue €37.50', 'button.click()')
  await dialog.getByRole('status', { name: 'The code of the voucher' }).waitFor()
  const { vouchers } = (await venue.office.get('/admin/vouchers')).body
  expect(vouchers).toHaveLength(1)
  desk.expectNoFaults()
  await page.context().close()
})

test('a dialog stays until what is shown once has come', async () => {
  const { desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/vouchers?issue=true`)
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('37.50')
  const voucher = await holdNext(page, 'POST', /\/admin\/vouchers$/)
  await dialog.getByRole('button', { name: 'Issue €37.50' }).waitFor()
  await doAtOnce(page, 'Issue €37.50', PRESS_ESCAPE)
  await voucher.asked
  await page.keyboard.press('Escape')
  voucher.release()
  await dialog.getByRole('status', { name: 'The code of the voucher' }).waitFor()

  await page.goto(`${CONSOLE}/console/me`)
  await page.getByRole('button', { name: 'Make a token' }).first().click()
  await dialog.getByLabel('What it is for').fill('Website')
  const token = await holdNext(page, 'POST', /\/admin\/api_tokens$/)
  await doAtOnce(page, 'Make it', PRESS_ESCAPE)
  await token.asked
  await page.keyboard.press('Escape')
  token.release()
  await page.getByRole('dialog', { name: 'Your new token' }).waitFor()
  desk.expectNoFaults()
  await page.context().close()
})

test('of two vouchers that are scanned at once the second is shown', async () => {
  const { venue, desk, page } = await openDesk(browser, {}, (file) => {
    file['vouchers'] = ['10.00', '20.00'].map((amount, n) => ({ key: `v${n}`, amount }))
  })
  const [first, second] = Object.values(venue.report.vouchers)
  await page.goto(`${CONSOLE}/console/vouchers`)
  await page.getByLabel('Code of a voucher').waitFor()
  const held = await holdNext(page, 'POST', /\/admin\/voucher_lookup$/)
  await scanCode(page, first!.code)
  await held.asked
  await scanCode(page, second!.code)
  await expect.poll(held.count).toBe(2)
  held.release()
  await page.getByRole('heading', { name: `****-****-****-${second!.code.slice(-4)}` }).waitFor()
  desk.expectNoFaults()
  await page.context().close()
})

test('what is typed into a way to pay while it is being saved stays', async () => {
  const { venue, desk, page } = await openDesk(browser)
  await signInAs(desk, venue, 'olga@neue-halle.example')
  await page.goto(`${CONSOLE}/console/team/settings`)
  const form = page.getByRole('form', { name: 'Bank transfer' })
  const told = form.getByLabel('What buyers are told')
  await told.fill('IBAN DE02')
  const held = await holdNext(page, 'PATCH', /\/admin\/payment_methods\//)
  await form.getByRole('button', { name: 'Save' }).click()
  await held.asked
  await told.fill('IBAN DE02 1203 0000')
  held.release()
  await waitForToast(page, 'Saved.')
  expect(await told.inputValue()).toBe('IBAN DE02 1203 0000')
  desk.expectNoFaults()
  await page.context().close()
})

test('who is picked while something is done with others stays picked', async () => {
  const { desk, page } = await openDesk(browser, {}, (file) => {
    const names = ['Ada Lovelace', 'Grace Hopper']
    file['events'][0].guest_parties = names.map((name) => ({
      key: name,
      customer_name: name,
      ticket: 'ga',
      delivery_email: 'guest@mail.example',
    }))
  })
  await page.goto(`${CONSOLE_BALL}/guests`)
  const pick = (name: string) => page.getByRole('checkbox', { name: new RegExp(name) })
  await pick('Ada').check()
  const held = await holdNext(page, 'POST', /\/guest_parties\/deliveries$/)
  await page.getByRole('button', { name: 'Mail tickets' }).click()
  await held.asked
  await pick('Grace').check()
  held.release()
  await waitForToast(page, 'One party is being mailed')
  await expect.poll(() => pick('Ada').isChecked()).toBe(false)
  expect(await pick('Grace').isChecked()).toBe(true)
  desk.expectNoFaults()
  await page.context().close()
})
