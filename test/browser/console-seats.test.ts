import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PHONE } from '../kit/browser/console.ts'
import { openDesk } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { type Venue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const BALL = '/admin/events/winter-ball'
const GUESTS = `${CONSOLE}/console/events/winter-ball/guests`

test('seats are picked from the plan by hand, in the order of the people, and moved on it', async () => {
  const { venue, desk, page } = await openDesk(browser, {}, (file) => {
    file['events'][0].guest_parties = [{ key: 'sue', customer_name: 'Sue Seated', ticket: 'seat', places: ['A-1'] }]
  })
  await page.goto(`${GUESTS}?add=true`)
  await page.getByLabel('Who is coming?').fill('Bo Balcony +1')
  await page.getByRole('form', { name: 'Add guests' }).getByLabel('Ticket', { exact: true }).selectOption({ index: 2 })
  await page.locator('[data-place="A-4"]').click()
  await page.locator('[data-place="A-2"]').click()
  // Somebody sits there.
  await page.locator('[data-place="A-1"]').click()
  await page.getByText('2 of 2 picked').waitFor()
  await desk.expectReadable('quick-add-plan')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByText('Bo Balcony +1 is on the list').waitFor()
  const { guest_parties: parties } = (await venue.office.get(`${BALL}/guest_list?query=bo`)).body
  expect(parties[0].admissions.map((each: { place_label: string }) => each.place_label)).toEqual([
    'Row A Seat 4',
    'Row A Seat 2',
  ])

  const listed = page.getByRole('list', { name: 'Parties' })
  // Sue makes room for him before she is clicked.
  await listed.getByRole('link', { name: 'Bo Balcony' }).waitFor()
  await listed.getByRole('link', { name: 'Sue Seated' }).click()
  await page.getByRole('button', { name: 'Move seat' }).click()
  await page.locator('[data-place="A-6"]').click()
  await expect.poll(() => page.getByLabel('New seat').locator('option:checked').textContent()).toBe('Row A Seat 6')
  await desk.expectReadable('party-seat-plan')
  await page.getByRole('button', { name: 'Move', exact: true }).click()
  await page.getByText('Moved to Row A Seat 6.').waitFor()

  // The tickets as they would be mailed.
  const link = page.getByRole('link', { name: 'Tickets as PDF' })
  const asked = `fetch("${await link.getAttribute('href')}").then((answer) => [answer.status, answer.headers.get('content-type')])`
  expect(await page.evaluate(asked)).toEqual([200, 'application/pdf'])
  desk.expectNoFaults()
  await page.context().close()
})

test('by keyboard the same seats are in a list, and a phone shows the plan whole', async () => {
  const { venue, desk, page } = await openDesk(browser, { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' })
  await page.goto(`${GUESTS}?add=true`)
  await page.getByLabel('Wer kommt?').fill('Zoë Lindqvist')
  await page
    .getByRole('form', { name: 'Gäste eintragen' })
    .getByLabel('Ticket', { exact: true })
    .selectOption({ index: 2 })
  await page.locator('[data-place="A-5"]').waitFor()
  await desk.expectFitting()
  await desk.expectReadable('quick-add-plan-phone')
  await page.getByRole('radio', { name: 'Liste' }).focus()
  await page.keyboard.press('Space')
  await page.locator('summary', { hasText: 'Reihe A' }).press('Enter')
  await page.getByRole('button', { name: 'Row A Seat 5 frei' }).press('Enter')
  await page.getByText('1 von 1 gewählt').waitFor()
  await desk.expectFitting()
  await page.getByRole('button', { name: 'Eintragen', exact: true }).press('Enter')
  await page.getByText('Zoë Lindqvist steht auf der Liste').waitFor()
  const { guest_parties: parties } = (await venue.office.get(`${BALL}/guest_list?query=zoe`)).body
  expect(parties[0].admissions[0].place_label).toBe('Row A Seat 5')
  desk.expectNoFaults()
  await page.context().close()
})

const seatsOf = async (venue: Venue, name: string) =>
  (await venue.office.get(`${BALL}/guest_list?query=${name}`)).body.guest_parties[0].admissions.map(
    ({ place_label }: { place_label: string }) => place_label,
  )

test('many parties are moved to seats beside each other, and whoever loses theirs to another is told and gets new ones', async () => {
  const { venue, desk, page } = await openDesk(browser, {}, (file) => {
    file['events'][0].guest_parties = ['Ada', 'Bo'].map((name) => ({
      key: name,
      customer_name: name,
      ticket: 'ga',
      party_size: 2,
      ...(name === 'Ada' && { delivery_email: 'ada@guest.example' }),
    }))
  })
  await page.goto(GUESTS)
  await page.getByRole('checkbox', { name: 'Pick Ada' }).check()
  await page.getByRole('checkbox', { name: 'Pick Bo' }).check()
  await page.getByRole('button', { name: 'Move to another ticket' }).click()
  const dialog = page.getByRole('dialog', { name: 'Move 2 parties' })
  await dialog.getByLabel('Ticket', { exact: true }).selectOption({ index: 2 })
  await dialog.getByText('Row A Seat 1, Row A Seat 2').waitFor()
  await dialog.getByText('Row A Seat 4, Row A Seat 5').waitFor()
  await dialog.getByText('Goes to 1 of 2 parties, the others have no address.').waitFor()
  await dialog.getByRole('button', { name: 'Change seats: Bo' }).press('Enter')
  await dialog.locator('[data-place="A-4"]').click()
  await dialog.getByText('Row A Seat 5 · 1 of 2 picked').waitFor()
  await dialog.getByText('One party has no seats yet and stays where it is.').waitFor()
  await dialog.locator('[data-place="A-6"]').click()
  // Ada will sit there.
  await dialog.locator('[data-place="A-1"]').click()
  await dialog.getByText('Row A Seat 5, Row A Seat 6').waitFor()
  await desk.expectReadable('move-to-seats')

  // The page learns only from the refusal that somebody else is quicker: told before, it would give Bo other seats.
  const held = Promise.withResolvers<void>()
  await page.route('**/ticket_options', async (route) => {
    await held.promise
    await route.continue()
  })
  const places = venue.report.events['winter-ball']!.places
  const sue = { customer_name: 'Sue', ticket_id: venue.report.events['winter-ball']!.tickets['seat'] }
  const taken = await venue.office.post(`${BALL}/guest_parties`, {
    guest_party: { ...sue, event_place_ids: [places['A-6']] },
  })
  expect(taken.status).toBe(201)
  await dialog.getByLabel('Mail the new tickets').check()
  await Promise.all([
    page.waitForResponse('**/ticket_changes'),
    dialog.getByRole('button', { name: 'Move', exact: true }).click(),
  ])
  held.resolve()
  const rest = page.getByRole('dialog', { name: 'Move this party' })
  await rest.getByRole('alert').getByText('Seats are no longer available').waitFor()
  expect(await seatsOf(venue, 'Ada')).toEqual(['Row A Seat 1', 'Row A Seat 2'])
  expect(await seatsOf(venue, 'Bo')).toEqual([null, null])
  await rest.getByText('Row A Seat 4, Row A Seat 5').waitFor()
  await desk.expectReadable('move-to-seats-again')
  await rest.getByRole('button', { name: 'Move', exact: true }).click()
  await rest.waitFor({ state: 'detached' })
  expect(await seatsOf(venue, 'Bo')).toEqual(['Row A Seat 4', 'Row A Seat 5'])
  desk.expectNoFaults()
  await page.context().close()
})

test('one party is moved from its own page, by keyboard on a phone', async () => {
  const { venue, desk, page } = await openDesk(
    browser,
    { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' },
    (file) => {
      file['events'][0].guest_parties = [
        { key: 'zoe', customer_name: 'Zoë', ticket: 'ga', party_size: 2, delivery_email: 'zoe@guest.example' },
      ]
    },
  )
  await page.goto(`${GUESTS}/${venue.report.events['winter-ball']!.guest_parties['zoe']!.public_id}`)
  await page.getByRole('button', { name: 'In ein anderes Ticket' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Diese Gruppe umbuchen' })
  await dialog.getByLabel('Ticket', { exact: true }).selectOption({ index: 2 })
  await dialog.getByText('Row A Seat 1, Row A Seat 2').waitFor()
  await dialog.getByText('Geht an zoe@guest.example.').waitFor()
  await desk.expectFitting()
  await desk.expectReadable('move-to-seats-phone')
  await dialog.getByRole('radio', { name: 'Liste' }).focus()
  await page.keyboard.press('Space')
  await dialog.locator('summary', { hasText: 'Reihe A' }).press('Enter')
  await dialog.getByRole('button', { name: /^Row A Seat 1 / }).press('Enter')
  await dialog.getByRole('button', { name: 'Row A Seat 6 frei' }).press('Enter')
  await dialog.getByText('Row A Seat 2, Row A Seat 6').waitFor()
  await dialog.getByRole('button', { name: 'Umbuchen', exact: true }).press('Enter')
  await page.getByText('Eine Gruppe umgebucht').waitFor()
  expect(await seatsOf(venue, 'Zoë')).toEqual(['Row A Seat 2', 'Row A Seat 6'])
  desk.expectNoFaults()
  await page.context().close()
})
