import { readFile } from 'node:fs/promises'
import type { Browser, Page } from 'playwright-core'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DESK, PHONE, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { scanCode, waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { BUYER, openBuyer } from '../kit/venue/checkouts.ts'
import type { VenueFile } from '../kit/venue/neue-halle.ts'
import { type Venue, openVenue, theApp } from '../kit/venue/venue.ts'

// A day at the desk has many steps, and a busy machine takes its time for each.
vi.setConfig({ testTimeout: 300_000 })

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(await theApp())
}, 300_000)

afterAll(() => browser?.close())

const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'
const CEM = 'cem@partner.example'
const VOUCHERS = `${CONSOLE}/console/vouchers`
const SLOW = { timeout: 30_000, interval: 200 }

const openDeskOf = async (venue: Venue, email = OLGA, options: Parameters<typeof openConsolePage>[1] = {}) => {
  const desk = await openConsolePage(browser, options)
  await signInAs(desk, venue, email)
  desk.page.setDefaultTimeout(30_000)
  return { desk, page: desk.page }
}

/** What would be on paper is kept until the browser says that it was printed. */
const holdPrinting = (page: Page) =>
  page.evaluate('window.print = () => { window.printed = (window.printed ?? 0) + 1 }')
const endPrinting = (page: Page) => page.evaluate('dispatchEvent(new Event("afterprint"))')

test('the first voucher is issued, printed, found by typing and by scanning, corrected, blocked and freed', async () => {
  const venue = await openVenue()
  const { desk, page } = await openDeskOf(venue)
  await page.goto(VOUCHERS)
  await page.getByText('No vouchers yet').waitFor()
  await desk.expectReadable('vouchers-empty')
  await page.getByRole('main').getByRole('button', { name: 'Issue a voucher' }).last().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Amount').fill('37,50')
  await dialog.getByLabel('Note, for your books').fill('With our apologies')
  await dialog.getByText('A voucher worth €37.50 is issued').waitFor()
  await desk.expectReadable('voucher-issue')
  await dialog.getByRole('button', { name: 'Issue €37.50' }).click()
  const shown = dialog.getByRole('status', { name: 'The code of the voucher' })
  await shown.waitFor()
  const code = (await shown.textContent())!
  expect(code).toMatch(/^[A-Z0-9]{4}(-[A-Z0-9]{4}){3}$/)
  await desk.expectReadable('voucher-issued')
  await holdPrinting(page)
  await dialog.getByRole('button', { name: 'Print the voucher' }).click()
  await expect.poll(() => page.evaluate('window.printed'), SLOW).toBe(1)
  await page.emulateMedia({ media: 'print' })
  await page.getByRole('paragraph').filter({ hasText: code }).waitFor()
  expect(await dialog.isVisible()).toBe(false)
  expect(await page.locator('#root').isVisible()).toBe(false)
  await page.emulateMedia({ media: 'screen' })
  await endPrinting(page)
  await dialog.getByRole('link', { name: 'Open the voucher' }).click()
  await page.getByRole('heading', { name: `****-****-****-${code.slice(-4)}` }).waitFor()
  expect(page.url()).not.toContain(code.slice(0, 4))

  await page.getByRole('link', { name: 'All vouchers' }).click()
  await page.getByLabel('Code of a voucher').fill('AAAA-BBBB-CCCC-DDDD')
  await page.getByRole('button', { name: 'Look it up' }).click()
  await page.getByText('There is no voucher of this code.').waitFor()
  await page.getByLabel('Code of a voucher').fill(code.toLowerCase().replaceAll('-', ' '))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /\*{4}/ }).waitFor()
  await page.getByRole('link', { name: 'All vouchers' }).click()
  await page.getByRole('heading', { name: 'Vouchers', level: 1 }).waitFor()
  await scanCode(page, code)
  await page.getByRole('heading', { name: /\*{4}/ }).waitFor()

  await page.getByRole('button', { name: 'Correct the balance' }).click()
  await dialog.getByRole('radio', { name: /Debit/ }).check()
  await dialog.getByLabel('Amount').fill('40')
  await dialog.getByText('No more than €37.50 is available.').waitFor()
  await dialog.getByLabel('Amount').fill('7.5')
  await dialog.getByText('The balance goes from €37.50 to €30.00.').waitFor()
  await dialog.getByLabel('Reason').fill('Typed wrong')
  await desk.expectReadable('voucher-adjust')
  await dialog.getByRole('button', { name: 'Take €7.50 off' }).click()
  await waitForToast(page, 'The balance is corrected.')
  const ledger = page.getByRole('region', { name: 'Statement' })
  await ledger.getByText('Debited by hand').waitFor()
  await ledger.getByText('Typed wrong · Olga Owner').waitFor()

  await page.getByRole('button', { name: 'Block', exact: true }).click()
  await dialog.getByText('Nobody can pay with it any more; €30.00 stays on it.').waitFor()
  await dialog.getByLabel('Reason').fill('Reported stolen')
  await dialog.getByRole('button', { name: 'Block it' }).click()
  await page.getByText('Reported stolen').waitFor()
  await desk.expectReadable('voucher-blocked')
  await page.getByRole('main').getByRole('button', { name: 'Lift the block' }).first().click()
  await page.getByText('Reported stolen').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Block it again' }).click()
  await page.getByText('Reported stolen').waitFor()
  const { vouchers } = (await venue.office.get('/admin/vouchers')).body
  expect(vouchers).toMatchObject([{ status: 'blocked', balance: { amount: '30.00' }, block_reason: 'Reported stolen' }])
  desk.expectNoFaults(/404/)
  await page.context().close()
})

test('what a checkout sets aside makes the difference, and is seen as it happens', async () => {
  const buyer = await openBuyer()
  const { id, code } = (await buyer.venue.office.post('/admin/vouchers', { voucher: { amount: '40.00' } })).body
  const { desk, page } = await openDeskOf(buyer.venue, MARA)
  await page.goto(`${VOUCHERS}/${id}`)
  await page.getByText('Balance', { exact: true }).first().waitFor()
  expect(await page.getByRole('button', { name: 'Correct the balance' }).count()).toBe(0)
  expect(await page.getByText('Available now').count()).toBe(0)

  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  await buyer.change(token, BUYER)
  await buyer.post(`/checkouts/${token}/vouchers`, { code })
  await page.getByText('Available now').waitFor()
  await page.getByText('-€25.00').waitFor()
  await page.getByText(/since \d\d:\d\d, free again at \d\d:\d\d unless it is paid/).waitFor()
  await desk.expectReadable('voucher-reserved')
  await buyer.pay(token, null)
  await page.getByRole('region', { name: 'Statement' }).getByText('Spent').waitFor()
  await expect.poll(() => page.getByText('Available now').count(), SLOW).toBe(0)
  await page.getByRole('region', { name: 'Statement' }).getByRole('link', { name: 'Order' }).click()
  await page.getByRole('heading', { name: 'Berit Buyer', level: 1 }).waitFor()
  desk.expectNoFaults()
  await page.context().close()

  const { page: partner } = await openDeskOf(buyer.venue, CEM)
  await partner.goto(`${CONSOLE}/console/events`)
  await partner.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  expect(await partner.getByRole('navigation').getByRole('link', { name: 'Vouchers' }).count()).toBe(0)
  await partner.context().close()
})

const soldWithFailedDelivery = (file: VenueFile) => {
  file['voucher_products'] = [
    { key: 'a', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' },
    { key: 'b', name: 'Any', pricing_type: 'flexible', minimum_amount: '10.00', maximum_amount: '200.00' },
  ]
  file['vouchers'] = [
    {
      key: 'sold',
      amount: '60.00',
      source: 'shop',
      purchase: {
        paid_amount: '50.00',
        payment_provider: 'stripe',
        customer_name: 'Bea Buyer',
        customer_email: 'bea@guest.example',
        recipient_name: 'Rita',
        recipient_email: 'rita@guest.example',
        delivery_mode: 'email_now',
        message: 'Enjoy!',
        paid_at: '-P2D',
        deliveries: [
          {
            audience: 'recipient',
            recipient_name: 'Rita',
            recipient_email: 'rita@guest.example',
            queued_at: '-P2D',
            last_attempted_at: '-P2D',
            failed_at: '-P2D',
            failure_message: 'Mailbox unavailable',
            attempts_count: 3,
          },
        ],
      },
    },
  ]
}

test('a mail that failed is sent again, and products are made, moved, pictured and archived', async () => {
  const venue = await openVenue(soldWithFailedDelivery)
  const { desk, page } = await openDeskOf(venue, MARA)
  await page.goto(VOUCHERS)
  await page.getByRole('link', { name: /\*{4}/ }).click()
  await page.getByText(/failed · .*3 attempts · Mailbox unavailable/).waitFor()
  await page.getByText('€50.00, paid, and €10.00 on top').waitFor()
  await desk.expectReadable('voucher-sold')
  await page.getByRole('button', { name: 'Send it again' }).click()
  await waitForToast(page, 'On the way to rita@guest.example again.')
  await venue.workOffJobs()
  await page.getByText(/^delivered/).waitFor()

  await page.goto(`${VOUCHERS}/products`)
  await page.getByRole('button', { name: 'Add a product' }).click()
  await page.getByLabel('Name').fill('Give 50, get 60')
  await page.getByLabel('Credit on the voucher').fill('60')
  await page.getByLabel('Price, if it is lower').fill('70')
  await page.getByRole('button', { name: 'Add the product' }).click()
  await page.getByRole('alert').getByText('must be less than 60.00').waitFor()
  await page.getByLabel('Price, if it is lower').fill('50')
  const picture = sharp({ create: { width: 64, height: 48, channels: 3, background: '#8a2133' } })
  await page
    .getByRole('group', { name: 'Picture', exact: true })
    .locator('input[type=file]')
    .setInputFiles({ name: 'gift.png', mimeType: 'image/png', buffer: await picture.png().toBuffer() })
  await page.getByRole('button', { name: 'Remove Picture' }).waitFor()
  await desk.expectReadable('voucher-product-new')
  await page.getByRole('button', { name: 'Add the product' }).click()
  await page.getByText('€50.00 for €60.00').waitFor()
  await page.getByRole('button', { name: 'Move Give 50, get 60' }).click()
  await page.getByRole('menuitem', { name: 'Move to 1', exact: true }).click()
  const names = async () =>
    (await venue.office.get('/admin/voucher_products')).body.voucher_products.map(({ name }: { name: string }) => name)
  await expect.poll(names, SLOW).toEqual(['Give 50, get 60', 'Fifty', 'Any'])

  await page.getByRole('button', { name: 'Change Fifty' }).click()
  await page.getByLabel('Amount', { exact: true }).selectOption('flexible')
  await page.getByLabel('At least').fill('5')
  await page.getByLabel('At most').fill('99,90')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('€5.00 to €99.90').waitFor()
  await page.getByRole('button', { name: 'Change Any' }).click()
  await page.getByRole('button', { name: 'Archive' }).click()
  await page.getByText('It is sold no more, and cannot be brought back.').waitFor()
  await page.getByRole('button', { name: 'Archive it' }).click()
  await page.getByRole('region', { name: 'Archived' }).getByText('Any').waitFor()
  await desk.expectReadable('voucher-products')
  const { voucher_products: products } = (await venue.office.get('/admin/voucher_products')).body
  expect(products).toMatchObject([
    { name: 'Give 50, get 60', purchase_price: '50.00', image_url: expect.stringContaining('/public_images/') },
    { name: 'Fifty', pricing_type: 'flexible', fixed_amount: null, maximum_amount: { amount: '99.90' } },
    { name: 'Any', status: 'archived' },
  ])
  desk.expectNoFaults(/422/)
  await page.context().close()
})

test('an import of 5,000 rows with 4,000 faults is read, told by kind, put right and issued', async () => {
  const venue = await openVenue()
  const { desk, page } = await openDeskOf(venue)
  await page.goto(`${VOUCHERS}/import`)
  const rows = (faulty: number) =>
    Array.from({ length: 5000 }, (_, n) => `,${n < faulty ? 'ten' : '10.00'},,Row ${n},`).join('\n')
  await page.locator('input[type=file]').setInputFiles({
    name: 'old-shop.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`code,amount,expires_at,note,product_id\n${rows(4000)}\n`),
  })
  await page.getByRole('heading', { name: '4,000 of 5,000 rows need another look' }).waitFor()
  await page.getByText('4,000×').waitFor()
  expect(await page.getByRole('button', { name: /Issue them/ }).count()).toBe(0)
  // Of thousands only those in sight are drawn.
  expect(await page.getByRole('list', { name: 'Faults, line by line' }).getByRole('listitem').count()).toBeLessThan(100)
  await desk.expectReadable('voucher-import-faults')
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await page.getByText('Line 4,001', { exact: true }).waitFor()
  await page.evaluate('scrollTo(0, 0)')
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Save the faults as CSV' }).click(),
  ])
  expect((await readFile(await file.path(), 'utf8')).split('\r\n')).toHaveLength(4002)

  await page.getByRole('button', { name: 'Read another file' }).click()
  await page.getByLabel('The file as text').fill('amount,note\n25.00,From the old shop\n10.50,')
  await page.getByRole('button', { name: 'Read it' }).click()
  await page.getByText('2 rows, worth €35.50. Nothing is wrong.').waitFor()
  await desk.expectReadable('voucher-import')
  await page.getByRole('button', { name: 'Issue them: 2 rows' }).click()
  await page.getByText('They are being issued…').waitFor()
  await venue.workOffJobs()
  await page.getByText('Issued: 2 rows.').waitFor()
  await page.getByRole('link', { name: 'To the vouchers' }).click()
  await page.getByText('€35.50').first().waitFor()

  await page.getByRole('button', { name: 'Save as CSV' }).click()
  await page.getByRole('dialog').getByText('whoever has it can spend them').waitFor()
  const [codes] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('dialog').getByRole('link', { name: 'Save it' }).click(),
  ])
  expect((await readFile(await codes.path(), 'utf8')).trimEnd().split('\r\n')).toHaveLength(3)
  desk.expectNoFaults()
  await page.context().close()
})

test('a statement of 5,000 entries is walked through and printed whole', async () => {
  const venue = await openVenue()
  const { id } = (await venue.office.post('/admin/vouchers', { voucher: { amount: '100.00' } })).body
  await venue.app.database.pool.query(
    `insert into voucher_entries (account_id, voucher_id, seq, public_id, kind, amount_cents, balance_after_cents, reason)
     select v.account_id, v.id, n, 'entry' || n || '_' || v.id, 'adjustment_credit', 1, 10000 + n - 1, 'Cent ' || n
     from vouchers v, generate_series(2, 5000) n where v.public_id = $1 order by n`,
    [id],
  )
  const { desk, page } = await openDeskOf(venue)
  await page.goto(`${VOUCHERS}/${id}`)
  const ledger = page.getByRole('list', { name: 'Entries, newest first' })
  await ledger.getByText('Cent 5000').waitFor()
  await page.getByText('€149.99').first().waitFor()
  expect(await ledger.getByRole('listitem').count()).toBeLessThan(100)
  await desk.expectReadable('voucher-long')
  await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)')
  await ledger.getByText('Issued').waitFor()
  expect(await ledger.getByRole('listitem').count()).toBeLessThan(100)
  await page.evaluate('scrollTo(0, 0)')
  await holdPrinting(page)
  await page.getByRole('button', { name: 'Print the statement' }).click()
  await expect.poll(() => page.evaluate('window.printed'), SLOW).toBe(1)
  expect(await page.evaluate('document.querySelectorAll("body > div tbody tr").length')).toBe(5000)
  await endPrinting(page)
  desk.expectNoFaults()
  await page.context().close()
})

test('the month adds up to the cent for the accountant, as table, plot and CSV', async () => {
  const venue = await openVenue((file) => {
    file['vouchers'] = [
      { key: 'a', amount: '100.00', created_at: '2026-08-10T12:00:00Z' },
      { key: 'b', amount: '40.05', created_at: '2026-09-30T21:59:00Z' },
      { key: 'c', amount: '9.95', created_at: '2026-09-30T22:00:00Z' },
    ]
  })
  const { desk, page } = await openDeskOf(venue, MARA)
  await page.goto(`${VOUCHERS}/month?month=2026-09`)
  const september = page.getByRole('region', { name: 'September 2026' })
  await september.getByText('€100.00').waitFor()
  await september.getByText('€140.05').waitFor()
  await september.getByText('Adds up.').waitFor()
  await page.locator('figure canvas').waitFor()
  await desk.expectReadable('voucher-months')
  await page.getByRole('link', { name: 'Month after' }).click()
  await page.getByRole('region', { name: 'October 2026' }).getByText('€150.00').waitFor()
  const [csv] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Save as CSV' }).click(),
  ])
  expect(csv.suggestedFilename()).toBe('voucher-months.csv')
  expect(await readFile(await csv.path(), 'utf8')).toContain(
    '2026-10,140.05,9.95,0.00,0.00,0.00,0.00,0.00,0.00,150.00,EUR\r\n',
  )
  desk.expectNoFaults()
  await page.context().close()
})

test('every view of the desk on a phone, a tablet and a desk, in German, light and dark', async () => {
  const venue = await openVenue(soldWithFailedDelivery)
  const { id } = venue.report.vouchers['sold']!
  for (const [name, viewport, colorScheme] of [
    ['phone', PHONE, 'light'],
    ['tablet', { width: 768, height: 1024 }, 'dark'],
    ['desk', DESK, 'dark'],
  ] as const) {
    const { desk, page } = await openDeskOf(venue, OLGA, { viewport, colorScheme, locale: 'de-DE' })
    for (const [view, path, heading] of [
      ['list', '', 'Gutscheine'],
      ['one', `/${id}`, /\*{4}/],
      ['products', '/products', 'Gutscheinprodukte'],
      ['import', '/import', 'Gutscheine importieren'],
      ['months', '/month', 'Gutscheine nach Monaten'],
    ] as const) {
      await page.goto(`${VOUCHERS}${path}`)
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      await expect.poll(() => page.getByRole('status', { name: 'Lädt…' }).count(), SLOW).toBe(0)
      if (view === 'months') await page.locator('figure canvas').waitFor()
      await desk.expectFitting()
      await desk.expectReadable(`vouchers-german-${view}-${name}`)
    }
    desk.expectNoFaults()
    await page.context().close()
  }
})
