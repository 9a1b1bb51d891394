import { readFile } from 'node:fs/promises'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import type { VenueFile } from '../kit/venue/neue-halle.ts'
import { type Venue, openVenue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const MARA = 'mara@neue-halle.example'
const BALL = '/admin/events/winter-ball'
const GUESTS = `${CONSOLE}/console/events/winter-ball/guests`

const GUEST_PARTIES = [
  { key: 'petra', customer_name: 'Petra Press', ticket: 'ga', party_size: 3, staff_note: 'Side entrance' },
  { key: 'omar', customer_name: 'عمر الشريف', ticket: 'floor', standing_area: 'front', party_size: 2 },
  { key: 'sue', customer_name: 'Sue Seated', ticket: 'seat', places: ['A-1'], delivery_email: 'sue@guest.example' },
]

const openHouse = (change: (file: VenueFile) => void = () => {}) =>
  openVenue((file) => {
    file['events'][0].guest_parties = structuredClone(GUEST_PARTIES)
    change(file)
  })

const openDesk = async (venue: Venue, options = {}) => {
  const desk = await openConsolePage(browser, options)
  await signInAs(desk, venue, MARA)
  const figure = (label: string) =>
    desk.page.locator('dl > div', { has: desk.page.locator('dt', { hasText: label }) }).locator('dd')
  return { ...desk, figure, parties: desk.page.getByRole('list', { name: 'Parties' }) }
}

const partiesOf = async (venue: Venue) => (await venue.office.get(`${BALL}/guest_list`)).body.guest_parties

test('by mouse: the list agrees with the door, a party is found, changed, mailed and half cancelled', async () => {
  const venue = await openHouse()
  const petra = (await partiesOf(venue)).find(
    ({ customer_name }: { customer_name: string }) => customer_name === 'Petra Press',
  )
  const desk = await openDesk(venue)
  const { page, figure, parties } = desk
  await page.goto(`${CONSOLE}/console/events/winter-ball`)
  await page.getByRole('link', { name: 'Guest list' }).first().click()
  await page.getByRole('heading', { name: 'Guest list' }).waitFor()
  await expect.poll(() => parties.getByRole('link').count()).toBe(3)
  const { body: stats } = await venue.door.get('/scanner/events/winter-ball/stats')
  expect([await figure('Guests').textContent(), await figure('Arrived').textContent()]).toEqual([
    String(stats.expected),
    String(stats.arrived),
  ])
  await desk.expectReadable('guests')

  // Somebody comes in at the door, and the list knows it by itself.
  await venue.door.post(`/scanner/tickets/${petra.admissions[0].public_id}/redemption`)
  await parties.getByText('1 of 3 in').waitFor()
  expect(await figure('Arrived').textContent()).toBe('1')

  await page.getByLabel('Search guests').fill('petra')
  await expect.poll(() => parties.getByRole('link').count()).toBe(1)
  await page.waitForURL(`${GUESTS}?text=petra`)
  await parties.getByRole('link').click()
  await page.getByRole('heading', { name: 'Petra Press' }).waitFor()
  await expect.poll(() => page.title()).toBe('Petra Press · Guest list · Winter Ball · Foyer')
  await page.getByLabel('Note for the door').fill('Main entrance')
  await page.getByLabel('E-mail for tickets').fill('petra@press.example')
  await page.getByLabel('Name of companion 1').fill('Paul Photo')
  await page.getByLabel('How did you hear of us?').selectOption('Radio')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Mail tickets' }).click()
  await page.getByText('The tickets are on their way to petra@press.example.').waitFor()
  await page.getByRole('button', { name: 'Cancel the ticket of Paul Photo' }).click()
  await page.getByText('One ticket stops working').waitFor()
  await desk.expectReadable('cancel-one')
  await page.getByRole('button', { name: 'Cancel 1 ticket' }).click()
  await page.getByRole('region', { name: 'History' }).getByText('One ticket cancelled').waitFor()
  await page.getByRole('region', { name: 'History' }).getByText('Came in').waitFor()
  await page.getByRole('region', { name: 'History' }).getByText('Tickets mailed').waitFor()
  await desk.expectReadable('party')
  const after = (await partiesOf(venue)).find(({ public_id }: { public_id: string }) => public_id === petra.public_id)
  expect(after).toMatchObject({ staff_note: 'Main entrance', delivery_email: 'petra@press.example', party_size: 2 })
  expect(Object.values(after.custom_field_answers)).toEqual(['Radio'])
  desk.expectNoFaults()
  await page.context().close()
})

test('by keyboard alone: added in five seconds, taken back, searched, picked, found by the palette', async () => {
  const venue = await openHouse()
  const desk = await openDesk(venue)
  const { page, parties } = desk
  const { keyboard } = page
  await page.goto(GUESTS)
  await parties.waitFor()
  await keyboard.press('n')
  await page.getByLabel('Who is coming?').waitFor()
  await keyboard.type('Zoë Lindqvist +3 crew')
  await page.getByText('4 people · Crew').waitFor()
  await keyboard.press('Enter')
  await page.getByText('Zoë Lindqvist +3 is on the list').waitFor()
  await parties.getByText('Zoë Lindqvist').waitFor()
  await keyboard.type('zoe lindqvist +1 press')
  await page.getByText('On the list already?').waitFor()
  await page.getByText('Note: press').waitFor()
  await page.getByRole('button', { name: 'Undo' }).focus()
  await keyboard.press('Enter')
  await page.getByText('Zoë Lindqvist +3 is off the list again').waitFor()
  await parties.getByText('Zoë Lindqvist').waitFor({ state: 'detached' })
  await page.getByLabel('Who is coming?').focus()
  await desk.expectReadable('quick-add')
  await keyboard.press('Enter')
  await page.getByText('zoe lindqvist +1 is on the list').waitFor()
  await keyboard.press('Escape')
  await page.getByLabel('Who is coming?').waitFor({ state: 'detached' })
  await parties.getByText('zoe lindqvist').waitFor()

  await keyboard.press('/')
  await keyboard.type('PRÉSS')
  await expect
    .poll(() => parties.getByRole('link').allInnerTexts())
    .toEqual([expect.stringContaining('Petra Press'), expect.stringContaining('zoe lindqvist')])
  await keyboard.press('Escape')
  const focused = () => page.evaluate<string>('document.activeElement.innerText')
  await keyboard.press('j')
  await expect.poll(focused).toContain('Petra Press')
  await keyboard.press('x')
  await page.getByText('1 picked').waitFor()
  await keyboard.press('j')
  await expect.poll(focused).toContain('zoe lindqvist')
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'zoe lindqvist' }).waitFor()

  await keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to or do' }).waitFor()
  await keyboard.type('sue sea')
  await page.getByRole('option', { name: 'Sue Seated' }).waitFor()
  await keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Sue Seated' }).waitFor()
  desk.expectNoFaults()
  await page.context().close()
})

test('on a phone: seats are picked and moved, and whoever is told is said', async () => {
  const venue = await openHouse()
  const phone = await openDesk(venue, { viewport: PHONE, colorScheme: 'dark' })
  const { page, parties } = phone
  await page.goto(GUESTS)
  await parties.waitFor()
  await phone.expectFitting()
  await phone.expectReadable('guests-phone')
  await page.getByRole('button', { name: 'Add guests' }).click()
  await page.getByLabel('Who is coming?').fill('Bo Balcony +1')
  await page.getByRole('form', { name: 'Add guests' }).getByLabel('Ticket', { exact: true }).selectOption({ index: 2 })
  await page.getByRole('button', { name: 'Pick 2 beside each other' }).click()
  await page.getByText('2 of 2 picked').waitFor()
  await phone.expectFitting()
  await phone.expectReadable('seats-phone')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Bo Balcony +1 is on the list').waitFor()
  // The others make room before one of them is clicked.
  await parties.getByRole('link', { name: 'Bo Balcony' }).waitFor()

  await page.getByLabel('Search guests').fill('sue')
  await expect.poll(() => parties.getByRole('link').count()).toBe(1)
  await parties.getByRole('link', { name: 'Sue Seated' }).click()
  await page.getByRole('button', { name: 'Move seat' }).click()
  await page.getByText('A new ticket goes to sue@guest.example at once.').waitFor()
  await page.getByLabel('New seat').selectOption({ label: 'Row A Seat 6' })
  await phone.expectFitting()
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Moved to Row A Seat 6.').waitFor()
  await page.getByRole('region', { name: 'Tickets' }).getByText('Row A Seat 6').waitFor()
  await phone.expectReadable('party-phone')
  phone.expectNoFaults()
  await page.context().close()
})

test('many at once: moved as far as the stock goes, printed, saved as CSV and cancelled after a question', async () => {
  const venue = await openHouse((file) => {
    for (let n = 0; n < 22; n++)
      file['events'][0].guest_parties.push({ key: `g${n}`, customer_name: `=Guest ${n}`, ticket: 'ga', party_size: 1 })
  })
  const desk = await openDesk(venue)
  const { page, parties } = desk
  await page.goto(`${GUESTS}?text=guest`)
  await parties.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: /^Pick all/ }).click()
  await page.getByText('23 picked').waitFor()
  await page.getByLabel('Search guests').fill('=guest')
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await parties.getByRole('checkbox').first().check()
  await page.getByRole('button', { name: 'Pick all 22' }).click()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  const csv = await readFile(await download.path(), 'utf8')
  expect(csv.split('\r\n')).toHaveLength(24)
  expect(csv).toContain("\r\n'=Guest 0,1,")

  await page.evaluate('window.print = () => dispatchEvent(new Event("afterprint"))')
  await page.getByRole('button', { name: 'Print labels' }).click()
  await page.getByRole('button', { name: 'Move to another ticket' }).click()
  await page.getByRole('dialog').getByLabel('Ticket', { exact: true }).selectOption({ label: 'Crew (20 left)' })
  await desk.expectReadable('move-many')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('20 parties moved').waitFor()
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByText('Not enough places available').count()).toBe(2)
  await dialog.getByRole('button', { name: 'Cancel', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('2 picked').waitFor()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await page.getByText('2 tickets stop working and can go to others.').waitFor()
  await page.getByRole('button', { name: 'Cancel 2 tickets' }).click()
  await page.getByText('2 parties cancelled').waitFor()
  expect((await partiesOf(venue)).length).toBe(23)

  // What was saved can be read again, without what kept a spreadsheet from taking it for a formula.
  const read = await venue.office.post('/admin/events/spring-night/guest_imports', {
    csv: csv.replaceAll('General admission', ''),
  })
  const { rows } = (await venue.office.get(`/admin/events/spring-night/guest_imports/${read.body.id}`)).body
  expect(rows[0].customer_name).toBe('=Guest 0')
  desk.expectNoFaults()
  await page.context().close()
})

test('a list is pasted on a phone, put right, added and taken back as one', async () => {
  const venue = await openHouse()
  const phone = await openDesk(venue, { viewport: PHONE })
  const { page, parties } = phone
  await page.goto(`${GUESTS}/import`)
  const paste = page.getByLabel('Paste a list')
  await paste.fill('Wer;Mail\nAda;ada@\nPetra Press;petra@press.example\nBo;\n')
  await page.getByLabel('Ticket where none is named').selectOption({ index: 1 })
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('E-mail is invalid').waitFor()
  await page.getByText('Name is on the guest list already').waitFor()
  expect(await page.getByRole('button', { name: 'Add 3 parties' }).isDisabled()).toBe(true)
  await phone.expectFitting()
  await phone.expectReadable('import-faults-phone')
  await page.getByLabel('Mail', { exact: true }).selectOption({ label: 'Leave out' })
  await page.getByRole('button', { name: 'Read again like this' }).click()
  await page.getByText('Everything fits.').waitFor()
  await phone.expectReadable('import-fits-phone')
  await page.getByRole('button', { name: 'Add 3 parties' }).click()
  await page.getByText('Adding them…').waitFor()
  await venue.workOffJobs()
  await page.getByText('3 parties with 3 people are on the list.').waitFor()
  expect((await partiesOf(venue)).length).toBe(6)
  await phone.expectFitting()
  await phone.expectReadable('import-applied-phone')

  await page.getByRole('button', { name: 'Undo the import' }).click()
  await page.getByText('everybody on it is off the list again').first().waitFor()
  await page.getByRole('link', { name: 'To the guest list' }).click()
  await expect.poll(() => parties.getByRole('link').count()).toBe(3)
  phone.expectNoFaults()
  await page.context().close()
})

test('a file of an old spreadsheet is dropped, and what is no table says so', async () => {
  const venue = await openHouse()
  const desk = await openDesk(venue)
  const { page } = desk
  await page.goto(`${GUESTS}/import`)
  const chooser = page.locator('input[type=file]')
  await chooser.setInputFiles({ name: 'list.xlsx', mimeType: 'text/csv', buffer: Buffer.from('504b030414', 'hex') })
  await page.getByText('is not a text file; save the table as CSV').waitFor()
  const buffer = Buffer.from('Vorname;Nachname;Ticket\r\nZoë;Müller;Crew\r\n', 'latin1')
  await chooser.setInputFiles({ name: 'liste.csv', mimeType: 'text/csv', buffer })
  await page.getByText('Zoë Müller').waitFor()
  expect(await page.getByLabel('Encoding').inputValue()).toBe('windows-1252')
  await desk.expectReadable('import-file')
  desk.expectNoFaults(/422/)
  await page.context().close()
})

test('two people change one party: both versions are shown, and the session may end in between', async () => {
  const venue = await openHouse()
  const petra = (await partiesOf(venue)).find(
    ({ customer_name }: { customer_name: string }) => customer_name === 'Petra Press',
  )
  const desk = await openDesk(venue)
  const { page } = desk
  await page.goto(`${GUESTS}/${petra.public_id}`)
  const note = page.getByLabel('Note for the door')
  await note.fill('Backstage')
  await venue.office.patch(`${BALL}/guest_parties/${petra.public_id}`, { guest_party: { staff_note: 'VIP table' } })
  await page.reload()
  expect(await note.inputValue()).toBe('Backstage')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Somebody else changed this while you were typing').waitFor()
  await page.getByRole('alert').getByText('VIP table').waitFor()
  await page.getByRole('alert').getByText('Backstage').waitFor()
  await desk.expectReadable('conflict')
  await page.getByRole('button', { name: 'Save mine instead' }).click()
  await page.getByText('Saved.', { exact: true }).waitFor()

  await note.fill('Green room')
  await page.context().clearCookies()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('You have been signed out.').waitFor()
  expect(await note.inputValue()).toBe('Green room')
  await signInAs(desk, venue, MARA)
  await page.evaluate('dispatchEvent(new Event("focus"))')
  await expect
    .poll(async () => (await venue.office.get(`${BALL}/guest_parties/${petra.public_id}`)).body.staff_note)
    .toBe('Green room')
  desk.expectNoFaults(/409|401/)
  await page.context().close()
})

test('who came in after the list was read, and before the page listened, is on it', async () => {
  const venue = await openHouse()
  const [admission] = (await partiesOf(venue)).find(
    ({ customer_name }: { customer_name: string }) => customer_name === 'Petra Press',
  ).admissions
  const desk = await openDesk(venue)
  const { page, parties } = desk
  const held = Promise.withResolvers<void>()
  await page.route('**/night/stream', async (route) => {
    await held.promise
    await route.continue()
  })
  await page.goto(GUESTS)
  await parties.getByRole('link', { name: 'Petra Press' }).waitFor()
  await venue.door.post(`/scanner/tickets/${admission.public_id}/redemption`)
  held.resolve()
  await parties.getByText('1 of 3 in').waitFor()
  desk.expectNoFaults()
  await page.context().close()
})

const LOOKS = [
  ['a phone', PHONE, { colorScheme: 'light', locale: 'de-DE' }],
  ['a tablet', { width: 768, height: 1024 }, { colorScheme: 'dark', locale: 'de-DE' }],
  ['a screen at 200 %', { width: 640, height: 400 }, { colorScheme: 'dark', locale: 'en-GB' }],
] as const

test.each(LOOKS)('every view on %s is readable and fits (%o, %o)', async (name, viewport, look) => {
  const venue = await openHouse((file) => {
    const long = 'Donaudampfschifffahrtsgesellschaft'.repeat(7)
    file['events'][0].guest_parties.push({ key: 'long', customer_name: long, ticket: 'ga', staff_note: long })
    file['events'][0].guest_parties.push({ key: 'markup', customer_name: '<b onclick=x>山田太郎</b>', ticket: 'ga' })
  })
  const long = (await partiesOf(venue)).find(
    ({ customer_name }: { customer_name: string }) => customer_name.length > 99,
  )
  const seen = await openDesk(venue, { viewport, ...look })
  const { page } = seen
  const views = {
    guests: GUESTS,
    add: `${GUESTS}?add=1`,
    nobody: `${GUESTS}?text=qqq`,
    empty: `${CONSOLE}/console/events/spring-night/guests`,
    party: `${GUESTS}/${long.public_id}`,
    gone: `${GUESTS}/nobody`,
    import: `${GUESTS}/import`,
  }
  for (const [view, address] of Object.entries(views)) {
    await page.goto(address)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page
      .getByRole('status', { name: /Loading|Lädt/ })
      .first()
      .waitFor({ state: 'detached' })
    await seen.expectFitting()
    await seen.expectReadable(`guests-${view}-${name.replaceAll(/\W+/g, '-')}`)
  }
  seen.expectNoFaults(/404/)
  await page.context().close()
})
