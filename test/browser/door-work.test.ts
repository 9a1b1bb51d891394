import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { writeFilm } from '../kit/browser/camera-film.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { type Phone, openPhone, pairPhone, startPairing, waitForServiceWorker } from '../kit/browser/phone.ts'
import { openBrowserAt, openWholeBrowserAt } from '../kit/browser/watched-browser.ts'
import { type DoorNight, openDoorNight, readLog } from '../kit/venue/door-night.ts'
import { addOrder } from '../kit/venue/orders.ts'
import { theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const openDoor = async (night: DoorNight, more = 0): Promise<Phone> => {
  const phone = await openPhone(browser)
  await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count + more)
  return phone
}

const menu = async ({ page }: Phone, entry: string | RegExp) => {
  await page.getByRole('button', { name: /^More/ }).click()
  await page.getByRole('button', { name: entry }).click()
}

const counters = async ({ page }: Phone) => (await page.locator('.counters dd').allInnerTexts()).map(Number)

test('a party: one scan shows it, some are ticked, the rest come later; all of it without a line', async () => {
  const night = await openDoorNight()
  const [ayse, can, , ela] = night.party
  const phone = await openDoor(night)
  const { page } = phone
  await expect.poll(() => counters(phone)).toEqual([0, 8, 0])
  await phone.context.setOffline(true)
  expect(await phone.scan(ayse!.publicId)).toBe('in')
  await page.getByRole('heading', { name: 'Party of 4' }).waitFor()
  await page.getByRole('checkbox', { name: /Can Yılmaz/ }).check()
  await phone.expectReadable('party')
  await page.getByRole('button', { name: 'Let in 1' }).click()
  await expect.poll(() => counters(phone)).toEqual([2, 8, 2])
  await expect.poll(() => page.getByRole('checkbox', { name: /Can Yılmaz/ }).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Next' }).click()
  expect(await phone.scan(can!.publicId)).toBe('already')
  expect(await phone.scan(ela!.publicId)).toBe('in')
  await page.getByRole('button', { name: 'All 4' }).click()
  await expect.poll(() => counters(phone)).toEqual([4, 8, 4])
  await phone.context.setOffline(false)
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  const { body } = await night.venue.office.get(`/scanner/events/${night.slug}/stats`)
  expect(body).toMatchObject({ arrived: 4, expected: 8 })
  expect(await counters(phone)).toEqual([4, 8, 4])
  await phone.close()
})

test('the two of a wheelchair pair are shown together, and others are told which door let a guest in', async () => {
  const night = await openDoorNight((file) => {
    const places = [
      { key: 'W-1', label: 'Wheelchair 1', accessibility: 'wheelchair', pair: 'W-1C' },
      { key: 'W-1C', label: 'Wheelchair 1 companion', accessibility: 'companion', pair: 'W-1' },
    ]
    const event = file['events'].at(-1)
    event.tickets.push({ key: 'seat', title: 'Balcony seat', inventory_kind: 'places' })
    event.places = places.map((place) => ({ ...place, ticket: 'seat' }))
  })
  const seat = (key: string, label: string, accessibility: string) => ({
    ticket: 'seat',
    placeLabel: label,
    placeSnapshot: { key, label, accessibility },
  })
  const [lead] = await addOrder(night.venue, night.slug, {
    customerName: 'Wilma Wheels',
    admissions: [
      { ...seat('W-1', 'Wheelchair 1', 'wheelchair'), attendeeName: 'Wilma Wheels' },
      { ...seat('W-1C', 'Wheelchair 1 companion', 'companion'), attendeeName: 'Karl Kompagnon' },
    ],
  })
  const phone = await openDoor(night, 2)
  expect(await phone.scan(lead!.publicId)).toBe('in')
  await phone.page.getByText('Wheelchair pair: Wilma Wheels (Wheelchair 1) + Karl Kompagnon').waitFor()
  await night.venue.door.post(`/scanner/tickets/${night.fine.publicId}/redemption`)
  expect(await phone.scan(night.fine.publicId)).toBe('already')
  await phone.page.getByText('by Door 1').waitFor()
  await phone.close()
})

test('taken back with a reason, on the phone that did it; out and in again only in the mode for it', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { page } = phone
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await page.getByRole('button', { name: 'Take back' }).click()
  await phone.expectReadable('undo')
  await page.getByRole('button', { name: 'Wrong person' }).click()
  await page.getByText('Taken back').waitFor()
  await expect.poll(() => counters(phone)).toEqual([0, 8, 0])
  await page.getByRole('button', { name: 'Next' }).click()
  expect(await phone.scan(night.fine.publicId)).toBe('in')

  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: /^More/ }).click()
  await page.getByText('Out mode').click()
  await page.getByRole('button', { name: 'Start checking out' }).click()
  await page.getByText('Checking people out').waitFor()
  await phone.expectReadable('exit-mode')
  await phone.context.setOffline(true)
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await page.getByText('Out', { exact: true }).waitFor()
  expect(await phone.scan(night.second.publicId)).toBe('refused')
  await page.getByText('Nobody is inside with this ticket.').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Back to letting in' }).click()
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await phone.context.setOffline(false)
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  const log = (await readLog(night)).filter(({ public_id }) => public_id === night.fine.publicId)
  expect(log.map(({ kind, result }) => `${kind} ${result}`)).toEqual([
    'entry accepted',
    'annulment accepted',
    'entry accepted',
    'exit accepted',
    'entry accepted',
  ])
  await phone.close()
})

test('whoever was taken back here and came in elsewhere is said to have come in there', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { page } = phone
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('button', { name: 'Wrong person' }).click()
  await page.getByText('Taken back').waitFor()
  expect((await night.venue.door.post(`/scanner/tickets/${night.fine.publicId}/redemption`)).status).toBe(200)
  expect(await phone.scan(night.fine.publicId)).toBe('already')
  await page.getByText('by Door 1').waitFor()
  expect(await page.getByText('on this phone').count()).toBe(0)
  await phone.close()
})

/** What keys do in a field, and those that a script presses do not. */
const FIELDS_TAKE_KEYS = `addEventListener('keydown', ({ key, target }) => {
  if (key.length !== 1 || !(target instanceof HTMLInputElement)) return
  target.value += key
  target.dispatchEvent(new Event('input', { bubbles: true }))
})`

test('what a scanner types into the field for codes does not stay there', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { page } = phone
  await page.evaluate(FIELDS_TAKE_KEYS)
  const field = page.getByLabel('Code on the ticket')
  await field.fill('K7')
  await field.focus()
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  expect(await field.inputValue()).toBe('K7')
  await page.getByRole('button', { name: 'Next' }).click()
  await field.focus()
  await page.keyboard.press('Enter')
  await page.locator('[data-verdict="unknown"]').waitFor()
  await phone.close()
})

test('two letters without accents find a guest without a line; a PIN keeps search, undo and overrides for supervisors', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { page } = phone
  await phone.context.setOffline(true)
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByLabel('Name or code').fill('an')
  await page.getByText('Bjørn Ångström').first().waitFor()
  await page.getByLabel('Name or code').fill('ayse yi')
  await page.getByText('Ayşe Yılmaz').first().waitFor()
  await phone.expectReadable('search')
  await page.getByLabel('Name or code').fill('bjorn')
  await page.getByRole('button', { name: 'Let in' }).click()
  await page.locator('[data-verdict="in"]').waitFor()
  await page.getByRole('button', { name: 'Next' }).click()

  await menu(phone, 'PIN of the supervisor')
  await page.getByLabel('New PIN, 4 to 8 digits').fill('2468')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Search' }).click()
  await page.getByLabel('PIN of the supervisor', { exact: true }).last().fill('1111')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.getByText('That was not it.', { exact: false }).waitFor()
  await phone.expectReadable('pin')
  await page.getByRole('button', { name: 'Back' }).click()
  expect(await phone.scan(night.second.publicId)).toBe('already')
  await page.getByRole('button', { name: 'Let in anyway' }).click()
  await page.getByLabel('PIN of the supervisor', { exact: true }).last().fill('2468')
  await page.getByRole('button', { name: 'Open' }).click()
  await page.locator('[data-verdict="in"]').waitFor()
  await phone.context.setOffline(false)
  await expect.poll(() => phone.queue(), { timeout: 15_000 }).toBe(0)
  // It is no secret that somebody was let in against the rules.
  const { conflicts } = (await night.venue.office.get(`/admin/events/${night.slug}/night`)).body
  expect(conflicts).toMatchObject([{ ticket_public_id: night.second.publicId }])
  await phone.close()
})

test('several events at once, and another door in two touches', async () => {
  const night = await openDoorNight()
  const phone = await openDoor(night)
  const { page } = phone
  await page.getByRole('button', { name: 'The Long Night' }).click()
  await phone.expectReadable('events')
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Spring Night' })
    .getByRole('button', { name: 'Also this' })
    .click()
  await expect.poll(() => phone.tickets()).toBe(night.count + 1)
  await page.getByRole('button', { name: 'Back' }).click()
  expect(await phone.scan(night.elsewhere.publicId)).toBe('in')
  expect(await phone.scan(night.fine.publicId)).toBe('in')
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'The Long Night + Spring Night' }).click()
  await page.getByRole('listitem').filter({ hasText: 'Winter Ball' }).getByRole('button', { name: 'Only this' }).click()
  await page.getByRole('button', { name: 'Winter Ball' }).waitFor()
  await expect.poll(() => phone.tickets()).toBe(0)
  await phone.context.setOffline(true)
  expect(await phone.scan(night.second.publicId)).toBe('wrong_event')
  await page.getByText('This ticket is for The Long Night').waitFor()
  await phone.close()
})

test('a camera reads codes as they are, inverted and damaged, each once however long it is held', async () => {
  const night = await openDoorNight()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'foyer-film-'))
  const film = path.join(folder, 'codes.y4m')
  await writeFilm(film, [
    { frames: 6 },
    { code: night.fine.publicId, frames: 10 },
    { frames: 3 },
    { code: night.second.publicId, frames: 10, isInverted: true },
    { frames: 3 },
    { code: night.third.publicId, frames: 10, damage: 0.2 },
    { frames: 3 },
  ])
  const seeing = await openWholeBrowserAt(await theApp(), [
    '--use-fake-ui-for-media-stream',
    '--use-fake-device-for-media-stream',
    `--use-file-for-fake-video-capture=${film}`,
  ])
  try {
    const phone = await openPhone(seeing, { permissions: ['camera'] })
    await pairPhone(phone, await startPairing(night.venue, 'Main door'), night.count)
    await phone.page.locator('[data-camera="on"]').waitFor()
    const accepted = async () => {
      // A code that was missed comes again with the film, after others that are refused by then and stay to be seen.
      await phone.page.evaluate(`document.querySelector('[data-verdict="already"] button.main')?.click()`)
      return (await readLog(night)).flatMap(({ public_id, result }) => (result === 'accepted' ? [public_id] : []))
    }
    await expect.poll(accepted, { timeout: 40_000 }).toHaveLength(3)
    expect(new Set(await accepted())).toEqual(
      new Set([night.fine.publicId, night.second.publicId, night.third.publicId]),
    )
    phone.expectNoFaults(/422/)
  } finally {
    await seeing.close()
    await rm(folder, { recursive: true })
  }
})

test('the self-test says of each thing how it is', async () => {
  const phone = await openDoor(await openDoorNight())
  const { page } = phone
  await waitForServiceWorker(page)
  await menu(phone, 'Self-test')
  await page.getByRole('button', { name: 'Run the test' }).click()
  await page.locator('[data-check="offline"][data-good]').waitFor()
  const isGood = (check: string) => page.locator(`[data-check="${check}"]`).getAttribute('data-good')
  // This browser has no camera and will promise no storage; the test says so, which is what it is for.
  expect(await Promise.all(['line', 'clock', 'offline', 'camera'].map(isGood))).toEqual([
    'true',
    'true',
    'true',
    'false',
  ])
  await phone.expectReadable('self-test')
  await phone.close()
})
