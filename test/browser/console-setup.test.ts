import type { Browser } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE } from '../kit/browser/console.ts'
import { dragOverSeats, openDesk, waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const drawPicture = () =>
  sharp({ create: { width: 64, height: 48, channels: 3, background: '#8a2133' } })
    .png()
    .toBuffer()

test('by mouse: a seated night from nothing to published', async () => {
  const { venue, desk, page } = await openDesk(browser)
  await page.goto(`${CONSOLE}/console/events`)
  await page.getByRole('link', { name: 'New event' }).click()
  await page.getByRole('heading', { name: 'New event' }).waitFor()
  await desk.expectReadable('setup-new')
  await page.getByLabel('Title').fill('Kammermusik im Saal')
  await page.getByLabel('Begins').fill('2030-05-04T20:00')
  await page.getByLabel('Doors open').fill('2030-05-04T19:00')
  await page.getByRole('button', { name: 'New venue' }).click()
  const newVenue = page.getByRole('group', { name: 'New venue' })
  await newVenue.getByLabel('Name').fill('Kleiner Saal')
  await newVenue.getByLabel('City').fill('Hamburg')
  await newVenue.getByRole('button', { name: 'Save the venue' }).click()
  await waitForToast(page, 'Saved.')
  await page.getByText('/events/kammermusik-im-saal').waitFor()
  await page.getByRole('button', { name: 'Create the event' }).click()

  await page.waitForURL(`${CONSOLE}/console/events/kammermusik-im-saal/setup`)
  await page.getByRole('heading', { name: 'Kammermusik im Saal' }).waitFor()
  const text = page.getByRole('textbox', { name: 'About the evening' })
  await text.click()
  await page.keyboard.type('Schubert, ')
  await page.getByRole('button', { name: 'Bold' }).click()
  await page.keyboard.type('spät')
  await page
    .getByRole('group', { name: 'Picture', exact: true })
    .locator('input[type=file]')
    .setInputFiles({ name: 'saal.png', mimeType: 'image/png', buffer: await drawPicture() })
  await page.getByRole('button', { name: 'Remove Picture' }).waitFor()
  await page.getByRole('button', { name: 'Add somebody' }).click()
  await page.getByLabel('Name').fill('Quartett Nord')
  await page.getByRole('button', { name: 'Add a question' }).click()
  await page.getByLabel('Question').fill('Gibt es eine Garderobe?')
  await page.getByLabel('Answer').fill('Ja, links.')
  await desk.expectReadable('setup-details')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await waitForToast(page, 'Saved.')

  await page.getByRole('link', { name: 'Tickets', exact: true }).click()
  await page.getByRole('button', { name: 'Add a ticket' }).click()
  await page.getByLabel('Name').fill('Parkett')
  await page.getByLabel('Price').fill('24,50')
  await page.getByLabel('Where guests stand or sit').selectOption('places')
  await desk.expectReadable('setup-ticket')
  await page.getByRole('button', { name: 'Add the ticket' }).click()
  await page.getByText('€24.50').waitFor()

  await page.getByRole('link', { name: 'Seats', exact: true }).click()
  await page.getByRole('button', { name: 'Add rows' }).click()
  await page.getByLabel('Wheelchair pairs').fill('2')
  await page.getByText('260 new seats, 2 wheelchair pairs').waitFor()
  await desk.expectReadable('setup-generator')
  await page.getByRole('button', { name: 'Make 260 seats' }).click()
  await page.getByText('260 seats: 260 free, 0 blocked, 0 taken').waitFor()
  // What stands above the plan goes when everything else has been read, and the plan moves up.
  await page.getByRole('form', { name: 'Rows and seats' }).waitFor({ state: 'detached' })

  await page.getByText('Block', { exact: true }).first().click()
  await dragOverSeats(page, 'A-1', 'B-3')
  await page.getByText('260 seats: 254 free, 6 blocked, 0 taken').waitFor()
  await waitForToast(page, '6 blocked.')
  await desk.expectReadable('setup-seats')

  await page.getByRole('link', { name: 'Publish', exact: true }).click()
  await page.getByText('Nothing is missing.').waitFor()
  const preview = page.frameLocator('iframe')
  await preview.getByRole('heading', { name: 'Kammermusik im Saal' }).waitFor()
  await preview.getByText('Quartett Nord').waitFor()
  await desk.expectReadable('setup-publish')
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByRole('button', { name: 'Take off the shop' }).waitFor()

  const { body } = await venue.office.get('/admin/events/kammermusik-im-saal')
  expect(body).toMatchObject({
    published: true,
    starts_at: '2030-05-04T18:00:00.000Z',
    doors_open_at: '2030-05-04T17:00:00.000Z',
    description: '<p>Schubert, <strong>spät</strong></p>',
    image: expect.stringMatching(/\/images\/[0-9a-f]{64}\.png$/),
    performers: [{ name: 'Quartett Nord' }],
    faq_items: [{ question: 'Gibt es eine Garderobe?', answer: 'Ja, links.' }],
    venue: { name: 'Kleiner Saal', city: 'Hamburg' },
  })
  const { places } = (await venue.office.get('/admin/events/kammermusik-im-saal/places')).body
  expect(places.filter((place: { blocked: boolean }) => place.blocked).map(({ key }: { key: string }) => key)).toEqual([
    'A-1',
    'A-2',
    'A-3',
    'B-1',
    'B-2',
    'B-3',
  ])
  expect(places.filter((place: { accessibility: string | null }) => place.accessibility)).toMatchObject([
    { label: 'Row M Seat 1', accessibility: 'wheelchair', pair: 'M-2' },
    { label: 'Row M Seat 2', accessibility: 'companion', pair: 'M-1' },
    { label: 'Row M Seat 19', accessibility: 'companion', pair: 'M-20' },
    { label: 'Row M Seat 20', accessibility: 'wheelchair', pair: 'M-19' },
  ])
  // The preview shows the picture from the shop, which stands at no address here.
  desk.expectNoFaults(/asked http:\/\/[a-z0-9-]+\.localhost:\d+\/images\/|ERR_CONNECTION_REFUSED/)
  await page.context().close()
})

test('by keyboard alone: a new event, a ticket moved up, seats from the list, published by the palette', async () => {
  const { venue, desk, page } = await openDesk(browser)
  const { keyboard } = page
  await page.goto(`${CONSOLE}/console/events`)
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  const command = async (typed: string, option: string) => {
    await keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Go to or do' }).waitFor()
    await keyboard.type(typed)
    await page.getByRole('dialog').getByRole('option', { name: option, selected: true }).waitFor()
    await keyboard.press('Enter')
  }
  await command('new event', 'New event')
  await page.getByRole('heading', { name: 'New event' }).waitFor()
  await keyboard.type('Keys only')
  await keyboard.press('Tab')
  // Month, day, year, hour, minute, half of the day: the field goes on by itself.
  await keyboard.type('123120300830PM')
  await expect.poll(() => page.getByLabel('Begins').inputValue()).toBe('2030-12-31T20:30')
  await keyboard.press('Enter')
  await page.waitForURL(`${CONSOLE}/console/events/keys-only/setup`)

  await command('tickets of keys', 'Tickets of Keys only')
  await page.getByRole('heading', { name: 'There are no tickets yet' }).waitFor()
  for (const name of ['First', 'Second']) {
    await keyboard.press('n')
    await page.getByRole('region', { name: 'Add a ticket' }).waitFor()
    await keyboard.type(name)
    await keyboard.press('Enter')
    await page.getByRole('button', { name: `Change ${name}` }).waitFor()
    await page.getByRole('region', { name: 'Add a ticket' }).waitFor({ state: 'detached' })
  }
  await page.getByRole('button', { name: 'Move Second' }).focus()
  await keyboard.press('Enter')
  // The menu takes the keyboard to itself a moment after it can be seen.
  await expect.poll(() => page.evaluate(`document.activeElement.closest('[role="menu"]') !== null`)).toBe(true)
  await page.getByRole('menuitem', { name: 'Move up' }).focus()
  await keyboard.press('Enter')
  const titles = async () =>
    (await venue.office.get('/admin/events/keys-only/tickets')).body.tickets.map(
      ({ title }: { title: string }) => title,
    )
  await expect.poll(titles).toEqual(['Second', 'First'])

  await command('seats of keys', 'Seats of Keys only')
  await page.getByRole('button', { name: 'Make a ticket “Seat”' }).focus()
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Add rows' }).waitFor()
  await page.getByRole('button', { name: 'Add rows' }).focus()
  await keyboard.press('Enter')
  await page.getByRole('form', { name: 'Rows and seats' }).waitFor()
  await keyboard.press('Control+a')
  await keyboard.type('A–B')
  await keyboard.press('Tab')
  await keyboard.type('3')
  await page.getByText('6 new seats').waitFor()
  await keyboard.press('Enter')
  await page.getByText('6 seats: 6 free').waitFor()
  await page.getByRole('form', { name: 'Rows and seats' }).waitFor({ state: 'detached' })
  await page.getByRole('radio', { name: 'List' }).focus()
  await keyboard.press('Space')
  await page.locator('summary', { hasText: 'Row A' }).focus()
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Row A Seat 2' }).focus()
  await keyboard.press('Space')
  await page.getByRole('button', { name: 'Row A Seat 2', pressed: true }).waitFor()
  await desk.expectReadable('setup-seat-list')
  await page.getByRole('group', { name: '1 picked' }).getByRole('button', { name: 'Block' }).focus()
  await keyboard.press('Enter')
  await page.getByText('6 seats: 5 free, 1 blocked').waitFor()

  await command('publish, cancel or copy keys', 'Publish, cancel or copy Keys only')
  await page.getByText('Nobody knows where it is.').waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).focus()
  await keyboard.press('Enter')
  await page.getByRole('button', { name: 'Take off the shop' }).waitFor()
  desk.expectNoFaults()
  await page.context().close()
})

test('five thousand seats are drawn, and five hundred of them blocked by one drag', async () => {
  const { venue, desk, page } = await openDesk(browser)
  const created = await venue.office.post('/admin/events', {
    event: {
      title: 'Arena',
      starts_at: '2030-05-04T18:00:00Z',
      tickets: [{ key: 'seat', title: 'Seat', inventory_kind: 'places' }],
    },
  })
  expect(created.status).toBe(201)
  const [ticket] = (await venue.office.get('/admin/events/arena/tickets')).body.tickets
  const places = Array.from({ length: 5_000 }, (_, n) => {
    const [row, seat] = [String(Math.floor(n / 50) + 1), String((n % 50) + 1)]
    return { key: `${row}-${seat}`, label: `Row ${row} Seat ${seat}`, row, seat, ticket_id: ticket.id }
  })
  await venue.office.post('/admin/events/arena/places', { places })
  await page.goto(`${CONSOLE}/console/events/arena/setup/seats`)
  await page.getByText('5,000 seats: 5,000 free').waitFor()
  await page.getByText('Block', { exact: true }).first().click()
  await dragOverSeats(page, '1-1', '10-50')
  await page.getByText('5,000 seats: 4,500 free, 500 blocked').waitFor()
  desk.expectNoFaults()
  await page.context().close()
})

/** Fields that are told from their ground by less than what is drawn around everything that can be touched. */
const FAINT_EDGES = `(() => {
  const probe = document.createElement('i')
  probe.style.color = 'var(--control)'
  document.body.append(probe)
  const edge = getComputedStyle(probe).color
  probe.remove()
  const fields = document.querySelectorAll('.mantine-Input-input:not(:focus), .mantine-Checkbox-input:not(:checked)')
  return [...fields].filter((each) => getComputedStyle(each).borderTopColor !== edge).map((each) => each.outerHTML)
})()`

test.each([
  ['a phone in German in the dark', { viewport: PHONE, locale: 'de-DE', colorScheme: 'dark' }],
  ['a tablet', { viewport: { width: 768, height: 1024 }, colorScheme: 'light' }],
] as const)('every part fits and is readable on %s', async (name, look) => {
  const { desk, page } = await openDesk(browser, look, (file) => {
    file['events'][0].faq_items = [
      { question: 'Where do I leave my coat, and what does it cost?', answer: 'On the left.' },
    ]
  })
  const path = '/events/winter-ball/setup'
  const titles = new Set<string>()
  const views = {
    details: path,
    tickets: `${path}/tickets?edit=new`,
    areas: `${path}/areas`,
    seats: `${path}/seats`,
    questions: `${path}/questions?edit=new`,
    publish: `${path}/publish`,
    new: '/new-event',
  }
  for (const [view, address] of Object.entries(views)) {
    await page.goto(`${CONSOLE}/console${address}`)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await expect.poll(() => page.getByRole('status', { name: /^(Loading|Lädt)/ }).count()).toBe(0)
    await desk.expectFitting()
    await desk.expectReadable(`setup-${view}-${name.replaceAll(/\W+/g, '-')}`)
    expect(await page.evaluate(FAINT_EDGES)).toEqual([])
    if (view !== 'new') {
      const { x, width } = (await page.locator('main nav [aria-current="page"]').boundingBox())!
      expect([x >= 0, x + width <= look.viewport.width]).toEqual([true, true])
    }
    titles.add(await page.title())
  }
  expect(titles.size).toBe(Object.keys(views).length)
  desk.expectNoFaults()
  await page.context().close()
})
