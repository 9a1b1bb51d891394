import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildFronts } from '../kit/browser/fronts.ts'
import { checkAll } from '../kit/database/consistency.ts'
import type { Venue } from '../kit/venue/venue.ts'
import { letCrowdIn, letInWithoutLine, pairDoor } from './evening/door.ts'
import { INES, MARA, openDeskOf, openHouse, openHouseBrowser } from './evening/house.ts'
import { SLUG, approveGuest, issueVoucher, setUpNight } from './evening/organizer.ts'
import { type Album, openAlbum, picturesShown } from './evening/pictures.ts'
import { BUYER, GUEST, buyWithVoucher, codesMailedTo, seeConfirmation, signUp } from './evening/visitors.ts'

const SOON = { timeout: 30_000, interval: 100 }

let venue: Venue
let browser: Browser

beforeAll(async () => {
  await buildFronts()
  venue = await openHouse()
  browser = await openHouseBrowser(venue)
}, 300_000)

afterAll(() => browser?.close())

const expectFigure = async (page: Page, label: string, value: string) => {
  const figure = page.locator('dl > div', { has: page.locator('dt', { hasText: label }) }).locator('dd')
  await expect.poll(() => figure.textContent(), SOON).toBe(value)
}

/** A month later, when all of it is over. */
const closeMonth = async (album: Album) => {
  const month = new Date().toLocaleDateString('sv-SE', { timeZone: 'Europe/Berlin' }).slice(0, 7)
  await venue.moveClock('40 days')
  const later = new Date(Date.now() + 40 * 24 * 60 * 60_000)
  const ines = await openDeskOf(browser, venue, INES, `/vouchers/month?month=${month}`, later)
  const { page } = ines
  await page.getByText('Adds up.', { exact: true }).waitFor()
  await page.locator('figure canvas').waitFor()
  await album.take(page, 'month')
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as CSV' }).click(),
  ])
  expect(await readFile(await csv.path(), 'utf8')).toContain(
    `${month},0.00,50.00,48.00,0.00,0.00,0.00,0.00,0.00,2.00,EUR\r\n`,
  )
  ines.expectNoFaults()

  const [year, number] = month.split('-').map(Number) as [number, number]
  const last = new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10)
  const { body } = await venue.office.get(`/admin/accounting?from=${month}-01&to=${last}`)
  return body
}

test(
  'an evening in browsers: set up, signed up, approved, bought, let in without a line, seen live, and booked',
  { timeout: 300_000 },
  async () => {
    const album = openAlbum()
    const { desk: olga, link } = await setUpNight(browser, album)
    const guest = await signUp(browser, link, album)
    await approveGuest(olga, GUEST.name, album)
    await seeConfirmation(guest, album)
    const voucher = await issueVoucher(olga, album)
    await buyWithVoucher(browser, venue, voucher, album)
    const party = await codesMailedTo(venue, GUEST.email)
    const others = await codesMailedTo(venue, BUYER.email)
    expect([party.length, others.length]).toEqual([2, 2])

    const crowd = await letCrowdIn(venue)
    const phone = await pairDoor(browser, olga, album)
    const mara = await openDeskOf(browser, venue, MARA, `/events/${SLUG}/night`)
    await mara.page.getByText('Live', { exact: true }).waitFor()
    await letInWithoutLine(phone, party, others, album)
    await expectFigure(mara.page, 'Inside now', String(crowd))
    await phone.context.setOffline(false)
    await expect.poll(() => phone.queue(), SOON).toBe(0)
    await expectFigure(mara.page, 'Inside now', String(crowd + 4))
    await mara.page.getByText('not sent yet', { exact: false }).waitFor({ state: 'detached' })
    await album.take(mara.page, 'night')
    for (const each of [olga, mara]) each.expectNoFaults(/asked http:\/\/neue-halle\.localhost:\d+\/images\//)

    const books = await closeMonth(album)
    expect(books).toMatchObject({ sales: { total: '48.00' }, vouchers: { spent: '48.00', returned: '0.00' } })
    expect(await checkAll(venue.app)).toEqual([])
    expect(album.taken).toEqual(picturesShown())
  },
)
