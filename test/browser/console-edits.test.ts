import { randomBytes } from 'node:crypto'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { signInAs } from '../kit/browser/console.ts'
import { openDesk, waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

test('two people change one ticket: both versions are shown, and nothing that was typed is lost', async () => {
  const { venue, desk, page } = await openDesk(browser)
  const [ticket] = (await venue.office.get('/admin/events/winter-ball/tickets')).body.tickets
  await page.goto(`${CONSOLE}/console/events/winter-ball/setup/tickets?edit=${ticket.id}`)
  const name = page.getByRole('textbox', { name: 'Name' })
  await name.fill('Mara’s name')
  await page.getByLabel('How many there are').fill('777')
  await venue.office.patch(`/admin/events/winter-ball/tickets/${ticket.id}`, {
    ticket: { title: 'Their name', max_per_order: 3 },
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const conflict = page.getByRole('alert', { name: 'Somebody else changed this in the meantime' })
  await conflict.waitFor()
  expect(await conflict.locator('dd').allInnerTexts()).toEqual(['Their name', 'Mara’s name'])
  expect(await name.inputValue()).toBe('Mara’s name')
  await desk.expectReadable('setup-conflict')
  await conflict.getByRole('button', { name: 'Save mine' }).click()
  await page.getByRole('button', { name: 'Change Mara’s name' }).waitFor()
  const tickets = async () => (await venue.office.get('/admin/events/winter-ball/tickets')).body.tickets
  expect((await tickets())[0]).toMatchObject({ title: 'Mara’s name', stock: 777, max_per_order: 3 })

  // Of other fields nobody needs to be asked.
  await page.getByRole('button', { name: 'Change Mara’s name' }).click()
  await page.getByLabel('Price').fill('12.00')
  await venue.office.patch(`/admin/events/winter-ball/tickets/${ticket.id}`, { ticket: { stock: 800 } })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('€12.00').waitFor()
  expect((await tickets())[0]).toMatchObject({ price: '12.00', stock: 800 })
  desk.expectNoFaults(/409/)
  await page.context().close()
})

test('a fault stands beside its field, and what was typed outlives a reload', async () => {
  const { desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/events/winter-ball/setup`)
  await page.getByLabel('Title', { exact: true }).fill('')
  await page.getByLabel('Room for').fill('many')
  await page.getByRole('button', { name: 'Add somebody' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('alert').getByText('Title').waitFor()
  for (const field of ['Title', 'Room for']) {
    expect(await page.getByLabel(field, { exact: true }).getAttribute('aria-invalid')).toBe('true')
  }
  expect(await page.getByLabel('Name').last().getAttribute('aria-invalid')).toBe('true')
  await desk.expectReadable('setup-faults')
  await page.reload()
  expect(await page.getByLabel('Room for').inputValue()).toBe('many')
  await page.getByRole('button', { name: 'Discard changes' }).click()
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Winter Ball')
  desk.expectNoFaults(/422/)
  await page.context().close()
})

test('a session that ends in the middle of a text: it is saved when the person is back', async () => {
  const email = `nora-${randomBytes(4).toString('hex')}@neue-halle.example`
  const { venue, desk, page } = await openDesk(browser, {}, (file) =>
    file['people'].push({ name: 'Nora Night', email, password: 'ein gutes Passwort', role: 'manager' }),
  )
  await page.context().clearCookies()
  await signInAs(desk, venue, email)
  await page.goto(`${CONSOLE}/console/events/winter-ball/setup`)
  await page.getByRole('textbox', { name: 'About the evening' }).click()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Written before the session ended')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('You have been signed out.').waitFor()
  await page.getByText('Written before the session ended').waitFor()
  const [window] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByRole('link', { name: 'Sign in again' }).click(),
  ])
  await window.getByLabel('Email address').fill(email)
  await window.getByLabel('Password').fill('ein gutes Passwort')
  await window.getByRole('button', { name: 'Sign in', exact: true }).click()
  await waitForToast(page, 'Saved.')
  const { body } = await venue.office.get('/admin/events/winter-ball')
  expect(body.description).toContain('Written before the session ended')
  desk.expectNoFaults(/401/)
  await page.context().close()
})

test('cancelling says what it will do, and a copy takes everything along to its new date', async () => {
  const { venue, desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/events/winter-ball/setup/publish`)
  await page.getByRole('button', { name: 'Cancel the event…' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('nothing more is sold', { exact: false }).waitFor()
  await dialog.getByLabel('Mail everybody who has a ticket').check()
  await dialog.getByRole('button', { name: 'Cancel and tell everybody' }).waitFor()
  await desk.expectReadable('setup-cancel')
  await dialog.getByLabel('Mail everybody who has a ticket').uncheck()
  await dialog.getByRole('button', { name: 'Cancel the event' }).click()
  await page.getByRole('button', { name: 'Take the cancellation back' }).click()
  await page.getByRole('button', { name: 'Cancel the event…' }).waitFor()

  await page.getByRole('button', { name: 'Copy to another date…' }).click()
  await dialog.getByLabel('Begins').fill('2031-07-12T21:00')
  await dialog.getByLabel('Title').fill('Summer Ball')
  await desk.expectReadable('setup-copy')
  await dialog.getByRole('button', { name: 'Copy', exact: true }).click()
  await page.waitForURL(`${CONSOLE}/console/events/summer-ball/setup`)
  await page.getByRole('heading', { name: 'Summer Ball' }).waitFor()
  const { body } = await venue.office.get('/admin/events/summer-ball')
  expect(body).toMatchObject({ published: false, starts_at: '2031-07-12T19:00:00.000Z' })
  desk.expectNoFaults()
  await page.context().close()
})

test('tickets are dragged into their order, and a refusal puts them back', async () => {
  const { venue, desk, page } = await openDesk(browser)
  const titles = async (): Promise<string[]> =>
    (await venue.office.get('/admin/events/winter-ball/tickets')).body.tickets.map(
      ({ title }: { title: string }) => title,
    )
  const before = await titles()
  await page.goto(`${CONSOLE}/console/events/winter-ball/setup/tickets`)
  const handle = async (title: string) => {
    const { x, y, width, height } = (await page.getByRole('button', { name: `Drag ${title}` }).boundingBox())!
    return [x + width / 2, y + height / 2] as const
  }
  const lifted = page.locator('li[data-dragging]').first()
  const isLifted = () =>
    lifted.waitFor({ timeout: 2_000 }).then(
      () => true,
      () => false,
    )
  // As a person does it: takes a row again that does not come along because another is still settling.
  const lift = async (title: string) => {
    for (let tries = 0; tries < 10; tries++) {
      const [x, y] = await handle(title)
      await page.mouse.move(x, y)
      await page.mouse.down()
      await page.mouse.move(x, y + 12, { steps: 4 })
      if (await isLifted()) return
      await page.mouse.up()
    }
    throw new Error(`${title} cannot be lifted`)
  }
  const drag = async (from: string, to: string) => {
    const end = await handle(to)
    await lift(from)
    await page.mouse.move(end[0], end[1] + 4, { steps: 12 })
    // Nobody lets go of a row before the other one has made room for it.
    await expect.poll(async () => Math.abs((await handle(to))[1] - end[1])).toBeGreaterThan(8)
    await page.mouse.up()
    await lifted.waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: `Drag ${before[0]}` }).waitFor()
  await drag(before[0]!, before[2]!)
  await expect.poll(titles, { timeout: 30_000 }).toEqual([before[1], before[2], before[0], ...before.slice(3)])

  const shown = () => page.getByRole('button', { name: /^Change / }).allInnerTexts()
  await expect.poll(shown, { timeout: 30_000 }).toEqual(await titles())

  await page.route('**/position', (route) => route.fulfill({ status: 422, json: { errors: { base: ['Not today'] } } }))
  await drag(before[1]!, before[0]!)
  await waitForToast(page, 'Not today')
  await expect.poll(shown, { timeout: 30_000 }).toEqual([before[1], before[2], before[0], ...before.slice(3)])
  desk.expectNoFaults(/422/)
  await page.context().close()
})

test('the tools of a text leave the keyboard in it: what is typed at once after a click is not lost', async () => {
  const { desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/events/winter-ball/setup`)
  const text = page.getByRole('textbox', { name: 'About the evening' })
  await text.click()
  await page.keyboard.press('Control+A')
  // A machine so slow that no further frame is drawn: whatever waits for one comes too late.
  await page.evaluate('window.requestAnimationFrame = () => 0')
  await page.keyboard.type('Schubert, ')
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('spät')
  expect(await text.innerHTML()).toBe('<p>Schubert, <strong>spät</strong></p>')

  // From the keyboard a tool is reached and used as before, and the focus goes back to the text.
  await page.getByRole('button', { name: 'Bold' }).focus()
  await page.keyboard.press('Space')
  await page.keyboard.type(' im Mai')
  expect(await text.innerHTML()).toBe('<p>Schubert, <strong>spät</strong> im Mai</p>')
  desk.expectNoFaults()
  await page.context().close()
})

test('what is typed while a picture is on its way is still there when it has arrived', async () => {
  const { venue, desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/events/winter-ball/setup`)
  const title = page.getByLabel('Title', { exact: true })
  await title.fill('Ball')
  const held = Promise.withResolvers<void>()
  await page.route(/\/uploads\//, async (route) => {
    await held.promise
    await route.continue()
  })
  const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#8a2133' } })
  const field = page.getByRole('group', { name: 'Picture', exact: true })
  await field
    .locator('input[type=file]')
    .setInputFiles({ name: 'ball.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() })
  await field.getByRole('progressbar').waitFor({ state: 'attached' })
  await title.fill('Winter Ball with a picture')
  held.resolve()
  await page.getByRole('button', { name: 'Remove Picture' }).waitFor()
  expect(await title.inputValue()).toBe('Winter Ball with a picture')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await waitForToast(page, 'Saved.')
  expect((await venue.office.get('/admin/events/winter-ball')).body).toMatchObject({
    title: 'Winter Ball with a picture',
    image: expect.stringMatching(/\.png$/),
  })
  desk.expectNoFaults()
  await page.context().close()
})

test('letters that come faster than the address is written are all searched for', async () => {
  const { desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/events`)
  const links = page.getByRole('list', { name: 'List of events' }).getByRole('link')
  await links.first().waitFor()
  await page.evaluate(`(() => {
    const field = document.querySelector('input[type=search]')
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')
    for (const letter of 'spring') {
      set.call(field, field.value + letter)
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
  })()`)
  await page.waitForURL(/text=spring$/)
  expect(await page.getByRole('searchbox').inputValue()).toBe('spring')
  await expect.poll(() => links.allInnerTexts()).toEqual([expect.stringContaining('Spring Night')])
  desk.expectNoFaults()
  await page.context().close()
})

test('the next guest may be typed before the one before is on the list', async () => {
  const { desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/events/winter-ball/guests`)
  await page.getByRole('heading', { name: 'Guest list' }).waitFor()
  await page.keyboard.press('n')
  const field = page.getByLabel('Who is coming?')
  const held = Promise.withResolvers<void>()
  await page.route(/\/guest_parties$/, async (route) => {
    if (route.request().method() === 'POST') await held.promise
    await route.continue()
  })
  await field.fill('Ada Lovelace +1')
  await page.keyboard.press('Enter')
  await page.keyboard.type(' Grace Hopper')
  held.resolve()
  await page.getByText('Ada Lovelace +1 is on the list').waitFor()
  await expect.poll(() => field.inputValue()).toBe('Grace Hopper')
  await expect.poll(() => page.getByRole('button', { name: 'Add', exact: true }).isEnabled()).toBe(true)
  await page.keyboard.press('Enter')
  await page.getByText('Grace Hopper is on the list').waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  desk.expectNoFaults()
  await page.context().close()
})

test('what can be undone stays as long as somebody points at it or has the focus there, and goes away afterwards', async () => {
  const { desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/events/winter-ball/guests`)
  await page.getByRole('heading', { name: 'Guest list' }).waitFor()
  await page.clock.install()
  await page.keyboard.press('n')
  await page.getByLabel('Who is coming?').fill('Ada Lovelace')
  await page.keyboard.press('Enter')
  const undo = page.getByRole('button', { name: 'Undo' })
  const minutesPass = () => page.clock.runFor(5 * 60_000)

  await undo.hover()
  await minutesPass()
  await undo.focus()
  await page.mouse.move(10, 10)
  await minutesPass()
  expect(await undo.isVisible()).toBe(true)
  await page.getByLabel('Who is coming?').focus()
  await minutesPass()
  await undo.waitFor({ state: 'detached' })
  desk.expectNoFaults()
  await page.context().close()
})
