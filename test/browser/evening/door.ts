import { generate } from 'lean-qr'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
import type { ConsolePage } from '../../kit/browser/console.ts'
import { waitForToast } from '../../kit/browser/desk.ts'
import { type Phone, openPhone } from '../../kit/browser/phone.ts'
import { CONSOLE } from '../../kit/browser/watched-browser.ts'
import type { Venue } from '../../kit/venue/venue.ts'
import { HAND } from './house.ts'
import { SLUG } from './organizer.ts'
import type { Album } from './pictures.ts'

const SOON = { timeout: 30_000, interval: 100 }

/** In the page: what the camera sees is what is held before it. Everything behind the camera is the app's own. */
const CAMERA = `navigator.mediaDevices.getUserMedia = async () => {
  const canvas = Object.assign(document.createElement('canvas'), { width: 480, height: 640 })
  const brush = canvas.getContext('2d')
  let frame = 0
  setInterval(() => {
    brush.fillStyle = '#5c5148'
    brush.fillRect(0, 0, 480, 640)
    const rows = window.heldUp ?? []
    if (rows.length === 0) return
    // A hand is never quite still.
    const [side, left, top] = [8, 90 + (++frame % 3), 170 + (frame % 2)]
    brush.fillStyle = '#f4f1ea'
    brush.fillRect(left - 32, top - 32, rows.length * side + 64, rows.length * side + 64)
    brush.fillStyle = '#15130f'
    rows.forEach((row, y) => [...row].forEach((dot, x) => dot === '1' && brush.fillRect(left + x * side, top + y * side, side, side)))
  }, 100)
  return canvas.captureStream(10)
}`

const rowsOf = (code: string): string[] => {
  const qr = generate(code)
  const sides = Array.from({ length: qr.size }, (_, n) => n)
  return sides.map((y) => sides.map((x) => (qr.get(x, y) ? '1' : '0')).join(''))
}

/** Holds a code before the camera until the phone has said its verdict. */
const holdUp = async ({ page }: Phone, code: string): Promise<string> => {
  const before = await page.evaluate<string>(`document.querySelector('[data-scan]')?.dataset.scan ?? ''`)
  await page.evaluate(`window.heldUp = ${JSON.stringify(rowsOf(code))}`)
  const verdict = await page.locator(`[data-scan]:not([data-scan="${before}"])`).getAttribute('data-verdict')
  await page.evaluate('window.heldUp = []')
  return verdict!
}

/** Olga shows a code on her screen, and the phone of the door takes its link. */
export const pairDoor = async (browser: Browser, { page }: ConsolePage, album: Album): Promise<Phone> => {
  await page.goto(`${CONSOLE}/console/team/devices`)
  await page.getByRole('button', { name: 'Pair devices' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Side door')
  await dialog.getByRole('button', { name: 'Show the code' }).click()
  await dialog.getByRole('img', { name: 'QR code to pair Side door' }).waitFor()
  await album.take(page, 'pairing')
  await dialog.getByRole('button', { name: 'Copy the link' }).click()
  await waitForToast(page, 'The link is copied. Whoever has it can pair a device.')
  const link = await page.evaluate<string>('navigator.clipboard.readText()')

  const phone = await openPhone(browser, { viewport: HAND, colorScheme: 'dark' }, 30_000)
  await phone.context.addInitScript(CAMERA)
  await phone.page.goto(link)
  await phone.page.locator('main[data-line="online"]').waitFor()
  await dialog.getByText('All are paired.').waitFor()
  return phone
}

/** The rest of the house comes by the main door, in the fifty minutes before now. */
export const letCrowdIn = async (venue: Venue): Promise<number> => {
  const { office, door } = venue
  const [standing] = (await office.get(`/admin/events/${SLUG}/tickets`)).body.tickets
  const minutes = Array.from({ length: 50 }, (_, n) => [0, 1, 0, 1, 2, 1, 1, 3, 1, 2][(n + Math.floor(n / 10)) % 10]!)
  const came = minutes.reduce((sum, count) => sum + count, 0)
  const guests: string[] = []
  for (let n = 0; n < came / 3 + 3; n++) {
    const party = { customer_name: `Party ${n + 1}`, party_size: 3, ticket_id: standing.id }
    const { status, body, text } = await office.post(`/admin/events/${SLUG}/guest_parties`, { guest_party: party })
    expect(status, text).toBe(201)
    guests.push(...body.admissions.map(({ public_id: id }: { public_id: string }) => id))
  }
  await venue.moveClock(`-${minutes.length} minutes`)
  for (const count of minutes) {
    for (const id of guests.splice(0, count))
      expect((await door.post(`/scanner/events/${SLUG}/tickets/${id}/redemption`)).status).toBe(200)
    await venue.moveClock('1 minute')
  }
  await door.post('/scanner/heartbeat', { queue: 0, snapshot_at: new Date().toISOString() })
  return came
}

/** The line is cut, and everybody comes in all the same: a party by one touch, others one after the other. */
export const letInWithoutLine = async (
  phone: Phone,
  party: readonly string[],
  others: readonly string[],
  album: Album,
) => {
  const { page } = phone
  const next = () => page.getByRole('button', { name: 'Next' }).click()
  const everybody = party.length + others.length
  await expect.poll(() => phone.tickets(), SOON).toBeGreaterThan(everybody)
  await phone.context.setOffline(true)
  await page.getByRole('button', { name: 'Start the camera' }).click()
  await page.locator('[data-camera="on"]').waitFor()
  expect(await holdUp(phone, party[0]!)).toBe('in')
  await album.take(page, 'door')
  await page.getByRole('button', { name: `All ${party.length}` }).click()
  await expect.poll(() => phone.queue(), SOON).toBe(party.length)
  for (const code of others) {
    await next()
    expect(await holdUp(phone, code)).toBe('in')
  }
  await expect.poll(() => phone.line(), SOON).toBe('offline')
  await expect.poll(() => phone.queue(), SOON).toBe(everybody)
  // Who comes with the same ticket again is told so, line or not.
  await next()
  expect(await holdUp(phone, party[0]!)).toBe('already')
  await album.take(page, 'already')
  await next()
  await page.locator('[data-camera="on"]').waitFor()
  await album.take(page, 'offline')
}
