import { readFile } from 'node:fs/promises'
import jsQR from 'jsqr'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { DESK, PHONE, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { addTicket } from '../kit/venue/orders.ts'
import { signedIn } from '../kit/venue/sessions.ts'
import { type Venue, openVenue, theApp } from '../kit/venue/venue.ts'

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'
const CEM = 'cem@partner.example'
const SOON = 30_000

const openAt = async (
  venue: Venue,
  path: string,
  email = OLGA,
  options: Parameters<typeof openConsolePage>[1] = {},
) => {
  const desk = await openConsolePage(browser, options)
  desk.page.setDefaultTimeout(SOON)
  await signInAs(desk, venue, email)
  await desk.page.goto(`${CONSOLE}/console${path}`)
  return desk
}

const choose = async (page: Page, label: string, option: string) => {
  await page.getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a co-organizer is invited to one event, invited again, and the invitation is withdrawn', async () => {
  const venue = await openVenue()
  const desk = await openAt(venue, '/team')
  const { page } = desk
  await page.getByText('5 members').waitFor()
  await page.getByText('Works on Winter Ball').waitFor()
  await page.getByText('Sees nothing of other events.').waitFor()
  await desk.expectReadable('team')

  await page.keyboard.press('n')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Email address').fill('nobody')
  await choose(page, 'Role', 'Co-organizer')
  await dialog.getByRole('combobox', { name: 'Events' }).click()
  await page.getByRole('option', { name: 'Spring Night' }).click()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await dialog.getByText('is invalid').first().waitFor()
  await desk.expectReadable('team-invite')
  await dialog.getByLabel('Email address').fill('nora@partner.example')
  await dialog.getByRole('button', { name: 'Send the invitation' }).click()
  await waitForToast(page, 'An invitation is on its way to nora@partner.example.')
  const waiting = page.getByRole('region', { name: 'Invited, not here yet' })
  await waiting.getByText('Works on Spring Night').waitFor()
  const [made] = (await venue.office.get('/admin/invitations')).body
  expect(made).toMatchObject({
    email: 'nora@partner.example',
    role: 'co_organizer',
    event_ids: [venue.report.events['spring-night']!.id],
  })

  await page.getByRole('button', { name: 'Send again: nora@partner.example' }).click()
  await waitForToast(page, 'Sent to nora@partner.example again.')
  await waiting.getByRole('button', { name: 'Withdraw…' }).click()
  await page.getByRole('dialog').getByText('The link in the mail leads nowhere from then on.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Withdraw', exact: true }).click()
  await waitForToast(page, 'The invitation to nora@partner.example is withdrawn.')
  await waiting.waitFor({ state: 'detached' })
  expect((await venue.office.get('/admin/invitations')).body).toEqual([])
  desk.expectNoFaults(/422/)
  await page.context().close()
})

test('a role is changed and a manager deactivated after being told what ends; the other screen sees it', async () => {
  const venue = await openVenue()
  const olga = await openAt(venue, '/team')
  const second = await openAt(venue, '/team')
  const mara = await signedIn(venue, MARA)
  const { page } = olga
  const cem = page.getByRole('listitem').filter({ hasText: 'Cem Partner' })
  await cem.getByRole('button', { name: 'Change role…' }).click()
  await choose(page, 'Role', 'Scanner')
  await page.getByText('With another role Cem Partner is signed out everywhere').waitFor()
  await page.getByRole('button', { name: 'Save the role' }).click()
  await waitForToast(page, 'The role of Cem Partner is changed.')
  expect(await venue.partner.get('/admin/events')).toRefuse(401)

  expect(await mara.get('/admin/events')).toMatchObject({ status: 200 })
  await page
    .getByRole('listitem')
    .filter({ hasText: 'Mara Manager' })
    .getByRole('button', { name: 'Deactivate…' })
    .click()
  const dialog = page.getByRole('dialog')
  for (const text of ['they are signed out everywhere', 'their own tokens end', 'What they did stays.']) {
    await dialog.getByText(text).waitFor()
  }
  await olga.expectReadable('team-deactivate')
  await dialog.getByRole('button', { name: 'Deactivate', exact: true }).click()
  await waitForToast(page, 'Mara Manager is deactivated.')
  expect(await mara.get('/admin/events')).toRefuse(401)
  const former = second.page.getByRole('region', { name: 'Deactivated' })
  await former.getByText('Mara Manager').waitFor()
  await former.getByRole('button', { name: 'Make active again: Mara Manager' }).click()
  await waitForToast(second.page, 'Mara Manager is active again.')

  const own = page.getByRole('listitem').filter({ hasText: 'Olga Owner' })
  await own.waitFor()
  expect(await own.getByRole('button').count()).toBe(0)
  for (const screen of [olga, second]) {
    screen.expectNoFaults()
    await screen.page.context().close()
  }
})

const readQrCode = async (page: Page, name: string): Promise<string> => {
  const picture = sharp(await page.getByRole('img', { name }).screenshot())
    .ensureAlpha()
    .raw()
  const { data, info } = await picture.toBuffer({ resolveWithObject: true })
  return (jsQR as unknown as typeof jsQR.default)(new Uint8ClampedArray(data), info.width, info.height)!.data
}

test('a code on the screen pairs a stack of phones; one is revoked, and what it had not sent is handed in', async () => {
  const venue = await openVenue()
  const desk = await openAt(venue, '/team/devices', MARA)
  const { page } = desk
  await page.getByText('2 devices').waitFor()
  await page.getByRole('button', { name: 'Pair devices' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Gate')
  await dialog.getByLabel('How many devices').fill('101')
  await dialog.getByRole('button', { name: 'Show the code' }).click()
  // The field keeps to what is possible, so that the server is asked for a hundred.
  await dialog.getByText('0 of 100 paired').waitFor()
  await page.keyboard.press('Escape')

  await page.getByRole('button', { name: 'Pair devices' }).click()
  await dialog.getByLabel('Name').fill('Gate')
  await dialog.getByLabel('How many devices').fill('2')
  await dialog.getByRole('button', { name: 'Show the code' }).click()
  await dialog.getByText('0 of 2 paired').waitFor()
  await desk.expectReadable('team-pairing')
  const secret = new URL(await readQrCode(page, 'QR code to pair Gate')).hash.replace('#pair=', '')
  const pair = async () => (await venue.stranger.post('/scanner/pairings', { pairing_secret: secret })).body
  const first = await pair()
  await dialog.getByText('1 of 2 paired').waitFor()
  await pair()
  await dialog.getByText('All are paired.').waitFor()
  await dialog.getByRole('button', { name: 'Done' }).click()

  const gate = page.getByRole('listitem').filter({ hasText: 'Gate 1' })
  await gate.waitFor()
  await venue.client(first.token).post('/scanner/heartbeat', { queue: 1, snapshot_at: new Date().toISOString() })
  await gate.getByText('1 scan not sent').waitFor()
  await page.getByRole('button', { name: 'Revoke Gate 1' }).click()
  await dialog.getByText('It has 1 scan that is not sent.').waitFor()
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
  await waitForToast(page, 'Gate 1 is revoked.')
  expect(await venue.client(first.token).get('/scanner/me')).toMatchObject({ status: 401, body: { revoked: true } })

  const { publicId } = await addTicket(venue, 'winter-ball')
  const scan = { client_id: 'a', event_slug: 'winter-ball', public_id: publicId, scanned_at: new Date().toISOString() }
  const handIn = async (content: string) => {
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      page.getByRole('button', { name: 'Hand in scans: Gate 1' }).click(),
    ])
    await chooser.setFiles({ name: 'foyer-scans.json', mimeType: 'application/json', buffer: Buffer.from(content) })
  }
  await handIn('no scans at all')
  await waitForToast(page, 'That is no file of saved scans.')
  await handIn(JSON.stringify({ attempts: [scan] }))
  await waitForToast(page, '1 scan handed in. As entries count 1.')
  const { arrived } = (await venue.office.get('/admin/events/winter-ball/night')).body
  expect(arrived).toBe(1)
  await desk.expectReadable('team-devices')
  desk.expectNoFaults(/401/)
  await page.context().close()
})

test('one’s own account: another browser is signed out, a token is made, shown once, used and revoked', async () => {
  const venue = await openVenue()
  const elsewhere = await signedIn(venue, CEM)
  const desk = await openAt(venue, '/me', CEM)
  const { page } = desk
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  await page.getByText('Co-organizer at Neue Halle').waitFor()
  expect(await page.getByRole('link', { name: 'Passkeys' }).getAttribute('href')).toBe('/account#passkeys')
  await desk.expectReadable('own-account')
  const sessions = page.getByRole('region', { name: 'Where you are signed in' })
  await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2)
  await sessions.getByRole('button', { name: 'Sign out Firefox on Linux' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out', exact: true }).click()
  await waitForToast(page, 'That browser is signed out.')
  expect(await elsewhere.get('/admin/events')).toRefuse(401)

  await page.getByRole('button', { name: 'Make a token' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Make it' }).click()
  await dialog.getByText("can't be blank").first().waitFor()
  await dialog.getByLabel('What it is for').fill('Till')
  await dialog.getByRole('button', { name: 'Make it' }).click()
  await dialog.getByText('It is shown this once.').waitFor()
  const token = await dialog.locator('code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  expect(await venue.client(token).get('/admin/events')).toMatchObject({ status: 200 })
  await page.getByRole('button', { name: 'Revoke Till' }).click()
  await dialog.getByText('It cannot be brought back.').waitFor()
  await dialog.getByRole('button', { name: 'Revoke', exact: true }).click()
  await waitForToast(page, 'Till is revoked.')
  expect(await venue.client(token).get('/admin/events')).toRefuse(401)
  desk.expectNoFaults(/422/)
  await page.context().close()
})

test('a webhook is added with its secret, its failed delivery sent again, switched off and removed', async () => {
  const venue = await openVenue()
  const desk = await openAt(venue, '/team/webhooks', MARA)
  const { page } = desk
  await page.getByText('Nobody is told yet').waitFor()
  await page.getByRole('button', { name: 'Add a webhook' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Address').fill('https://books.example/foyer')
  await dialog.getByLabel('What it is for').fill('Books')
  await dialog.getByRole('radio', { name: 'Only these:' }).check()
  await dialog.getByRole('checkbox', { name: 'guest_party.created' }).check()
  await desk.expectReadable('team-webhook-new')
  await dialog.getByRole('button', { name: 'Add it' }).click()
  await dialog.getByText('It is shown this once.').waitFor()
  expect(await dialog.locator('code').innerText()).toMatch(/^whsec_/)
  await dialog.getByRole('button', { name: 'Done' }).click()

  await venue.office.post('/admin/events/winter-ball/guest_parties', {
    guest_party: { customer_name: 'Petra Press', ticket_id: venue.report.events['winter-ball']!.tickets['ga'] },
  })
  await venue.app.database.pool.query(
    `update webhook_deliveries set failed_at = foyer_now(), failure_message = 'The address answered with 500',
       response_status = 500, attempts_count = 10, next_attempt_at = null where account_id = $1`,
    [venue.report.account.id],
  )
  await page.getByRole('link', { name: 'Books' }).click()
  const deliveries = page.getByRole('region', { name: 'Deliveries' })
  await deliveries.getByText('Failed').waitFor()
  await deliveries.getByText('Answered 500').waitFor()
  await desk.expectReadable('team-webhook')
  await deliveries.getByRole('button', { name: 'Send again: guest_party.created' }).click()
  await waitForToast(page, 'It is sent again.')
  await deliveries.getByText('Waiting').waitFor()

  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('While it is off nothing is sent').waitFor()
  await page.getByRole('button', { name: 'Remove…' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await waitForToast(page, 'The webhook is removed.')
  await page.getByText('Nobody is told yet').waitFor()
  expect((await venue.office.get('/admin/webhook_endpoints')).body.webhook_endpoints).toEqual([])
  desk.expectNoFaults()
  await page.context().close()
})

test('the log is filtered by person and action, stands in the address, and is saved as CSV', async () => {
  const venue = await openVenue()
  const mara = await signedIn(venue, MARA)
  for (let n = 0; n < 3; n++) await mara.post('/admin/api_tokens', { api_token: { description: `Till ${n}` } })
  await venue.office.post('/admin/scanner_devices', { scanner_device: { name: 'Door 9' } })
  const desk = await openAt(venue, '/team/log')
  const { page } = desk
  const log = page.getByRole('region', { name: 'Log' })
  await log.getByText('POST /admin/scanner_devices').waitFor()
  await desk.expectReadable('team-log')
  await choose(page, 'Who', 'Mara Manager')
  await log.getByText('POST /admin/scanner_devices').waitFor({ state: 'detached' })
  await page.getByLabel('What begins with').fill('POST /admin/api')
  await expect.poll(() => page.url(), { timeout: SOON }).toContain('action=POST')
  await page.reload()
  await expect.poll(() => log.getByRole('listitem').count(), { timeout: SOON }).toBe(3)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save as CSV' }).click(),
  ])
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(4)
  expect(lines[1]).toContain('Mara Manager')
  await page.getByLabel('From').fill('2099-01-01')
  await page.getByText('Nothing fits').waitFor()
  desk.expectNoFaults()
  await page.context().close()
})

test('settings are changed by owners and only seen by managers; a secret is written and never shown', async () => {
  const venue = await openVenue()
  const desk = await openAt(venue, '/team/settings')
  const { page } = desk
  await page.getByLabel('Answers to mails go to').fill('nobody')
  await choose(page, 'Language of mails and of pages for guests', 'German')
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await page.getByRole('alert').getByText('is invalid').waitFor()
  await page.getByLabel('Answers to mails go to').fill('office@neue-halle.example')
  await page.getByRole('switch', { name: 'The shop is open to everybody' }).click()
  await page.getByText('Closed, the shop shows nothing').waitFor()
  await page.getByRole('switch', { name: 'The shop is open to everybody' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).first().click()
  await waitForToast(page, 'Saved.')
  expect((await venue.office.get('/admin/account')).body).toMatchObject({
    language: 'de',
    reply_to_email: 'office@neue-halle.example',
    shop_published: true,
  })

  const stripe = page.getByRole('form', { name: 'Stripe' })
  await stripe.getByLabel('Secret key', { exact: true }).first().fill('sk_test_verySecret')
  await stripe.getByRole('button', { name: 'Save' }).click()
  await stripe.getByText('One is set. It is never shown; a new one takes its place.').waitFor()
  await expect.poll(() => stripe.getByLabel('Secret key', { exact: true }).first().inputValue()).toBe('')
  expect(await page.content()).not.toContain('verySecret')
  await desk.expectReadable('team-settings')
  await stripe.getByRole('button', { name: 'Take away: Secret key' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take away', exact: true }).click()
  await waitForToast(page, 'It is gone.')
  desk.expectNoFaults(/422/)
  await page.context().close()

  const manager = await openAt(venue, '/team/settings', MARA)
  await manager.page.getByText('Only an owner can change these.').waitFor()
  expect(await manager.page.getByRole('region', { name: 'Ways to pay' }).count()).toBe(0)
  expect(await manager.page.getByRole('link', { name: 'Log' }).count()).toBe(0)
  manager.expectNoFaults()
  await manager.page.context().close()
})

const addDevices = (venue: Venue, count: number) =>
  venue.app.database.pool.query(
    `insert into credentials (account_id, kind, permission, description)
     select $1, 'scanner_device', 'write', 'Gate ' || n from generate_series(1, $2::int) n`,
    [venue.report.account.id, count],
  )

const LOOKS = [
  ['phone', { viewport: PHONE, colorScheme: 'dark', locale: 'de-DE' }],
  ['tablet', { viewport: { width: 768, height: 1024 }, colorScheme: 'light', locale: 'de-DE' }],
  ['desk', { viewport: DESK, colorScheme: 'dark', locale: 'en-GB' }],
] as const

test('every part fits on a phone, a tablet and a desk, with two hundred devices and names of 255 letters', async () => {
  const venue = await openVenue((file) => {
    file['people'].push({ name: 'W'.repeat(255), email: 'w@long.example', role: 'scanner' })
  })
  await addDevices(venue, 200)
  for (const [name, options] of LOOKS) {
    const desk = await openAt(venue, '/team', OLGA, options)
    const { page } = desk
    for (const [part, path, shown] of [
      ['people', '/team', 'Sami Scanner'],
      ['devices', '/team/devices', 'Gate 1'],
      ['tokens', '/team/tokens', 'office write'],
      ['log', '/team/log', 'CSV'],
      ['settings', '/team/settings', 'Stripe'],
      ['me', '/me', OLGA],
    ] as const) {
      await page.goto(`${CONSOLE}/console${path}`)
      await page.getByText(shown).first().waitFor()
      await desk.expectFitting()
      await desk.expectReadable(`team-${part}-${name}`)
    }
    desk.expectNoFaults()
    await page.context().close()
  }
})
