import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { DESK, PHONE, openConsolePage, signInAs } from '../kit/browser/console.ts'
import { waitForToast } from '../kit/browser/desk.ts'
import { buildFronts } from '../kit/browser/fronts.ts'
import { CONSOLE, openBrowserAt } from '../kit/browser/watched-browser.ts'
import { BUYER, offerTransfers, openBuyer as openBuyerIn } from '../kit/venue/checkouts.ts'
import { openStripeInstallation } from '../kit/venue/stripe-shop.ts'

// A day at the desk has many steps, and a busy machine takes its time for each.
vi.setConfig({ testTimeout: 300_000 })

const house = await openStripeInstallation()
const openBuyer = () => openBuyerIn(undefined, house)

let browser: Browser

beforeAll(async () => {
  await buildFronts()
  browser = await openBrowserAt(house)
}, 300_000)

afterAll(() => browser?.close())

const OLGA = 'olga@neue-halle.example'
const MARA = 'mara@neue-halle.example'
const CEM = 'cem@partner.example'
const ORDERS = `${CONSOLE}/console/events/winter-ball/orders`
const SLOW = { timeout: 30_000, interval: 200 }

const openDeskOf = async (
  { venue }: Pick<Awaited<ReturnType<typeof openBuyer>>, 'venue'>,
  email = MARA,
  options: Parameters<typeof openConsolePage>[1] = {},
) => {
  const desk = await openConsolePage(browser, options)
  await signInAs(desk, venue, email)
  desk.page.setDefaultTimeout(30_000)
  return { desk, page: desk.page }
}

/** Berit buys over JSON and pays a part of it with a voucher. */
const buyWithVoucher = async (buyer: Awaited<ReturnType<typeof openBuyer>>, quantity: number, voucher: string) => {
  const { code } = (await buyer.venue.office.post('/admin/vouchers', { voucher: { amount: voucher } })).body
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity }])
  await buyer.change(token, BUYER)
  expect((await buyer.post(`/checkouts/${token}/vouchers`, { code })).status).toBe(200)
  const paying = await buyer.pay(token)
  await buyer.decide(paying.body.payment.redirect_url, 'paid')
  return (await buyer.see(token)).order
}

test('a refund says what it does and then does it: a ticket, an amount, and everything', async () => {
  const buyer = await openBuyer()
  const order = await buyWithVoucher(buyer, 3, '20.00')
  const { desk, page } = await openDeskOf(buyer)
  await page.goto(ORDERS)
  await page.getByRole('heading', { name: 'Orders', level: 1 }).waitFor()
  await page.getByRole('link', { name: /Berit Buyer/ }).waitFor()
  await desk.expectReadable('orders-list')
  await page.getByRole('link', { name: /Berit Buyer/ }).click()
  await page.getByRole('heading', { name: 'Berit Buyer', level: 1 }).waitFor()
  const timeline = page.getByRole('region', { name: 'What happened' })
  await timeline.getByText('Ordered: 3 tickets').waitFor()
  await timeline.getByText(/Paid by voucher ····/).waitFor()
  await timeline.getByText('Paid: test payment').waitFor()
  await desk.expectReadable('order-paid')

  await page.getByRole('button', { name: 'Give money back' }).click()
  const dialog = page.getByRole('dialog')
  const preview = dialog.getByRole('region', { name: 'What will happen' })
  await preview.getByText('€75.00 goes back').waitFor()
  await preview.getByText(/€20.00 to voucher ····\w{4}, to be spent again/).waitFor()
  await preview.getByText('€55.00 by itself, the way it came: test payment').waitFor()
  await preview.getByText('These 3 tickets end:').waitFor()
  await dialog.getByRole('radio', { name: 'Some tickets' }).check()
  await preview.getByText('Tick the tickets.').waitFor()
  await dialog.getByRole('checkbox').first().check()
  await preview.getByText('€25.00 goes back').waitFor()
  await preview.getByText(/€20.00 to voucher/).waitFor()
  await preview.getByText(/€5.00 by itself/).waitFor()
  await preview.getByText('This ticket ends:').waitFor()
  await preview.getByText('berit@guest.example is told by mail, with a receipt.').waitFor()
  await dialog.getByLabel('Reason, for your books').fill('Has a cold')
  await desk.expectReadable('order-refund')
  await dialog.getByRole('button', { name: 'Give €25.00 back' }).click()
  await waitForToast(page, '€25.00 is on its way back.')
  await timeline.getByText('€20.00 to vouchers, €5.00 in money, by Mara Manager').waitFor()
  await timeline.getByText('Has a cold').waitFor()

  await page.getByRole('button', { name: 'Give money back' }).click()
  await dialog.getByRole('radio', { name: 'An amount' }).check()
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('60')
  await preview.getByText('No more than €50.00 is left.').waitFor()
  await dialog.getByRole('textbox', { name: 'Amount' }).fill('7,50')
  await preview.getByText('Every ticket stays valid.').waitFor()
  await dialog.getByRole('button', { name: 'Give €7.50 back' }).click()
  await timeline.getByText('All tickets stayed valid').waitFor()

  await page.getByRole('button', { name: 'Give money back' }).click()
  await preview.getByText('These 2 tickets end:').waitFor()
  await dialog.getByRole('button', { name: 'Give €42.50 back' }).click()
  await waitForToast(page, '€42.50 is on its way back.')

  const { body } = await buyer.venue.office.get(`/admin/orders/${order.public_id}`)
  expect(body).toMatchObject({
    status: 'refunded',
    refunded: '75.00',
    refunds: [
      { amount: '25.00', voucher_amount: '20.00', payment_amount: '5.00', reason: 'Has a cold' },
      { amount: '7.50', voucher_amount: '0.00' },
      { amount: '42.50' },
    ],
  })
  await expect.poll(() => page.getByRole('button', { name: 'Give money back' }).count(), SLOW).toBe(0)
  desk.expectNoFaults()
  await page.context().close()
})

test('whoever notes a payment for an event that is cancelled is warned', async () => {
  const buyer = await openBuyer()
  await offerTransfers(buyer.venue)
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
  await buyer.change(token, BUYER)
  await buyer.pay(token, 'bank_transfer')
  const { order } = await buyer.see(token)
  const { desk, page } = await openDeskOf(buyer, MARA, { viewport: PHONE, colorScheme: 'dark' })
  await page.goto(`${CONSOLE}/console/orders/${order.public_id}`)
  const dialog = page.getByRole('dialog')
  const warning = dialog.getByText('This event is cancelled.')

  await page.getByRole('button', { name: 'Note a payment' }).click()
  await dialog.getByText('€25.00 is due').waitFor()
  expect(await warning.count()).toBe(0)
  const done = await buyer.venue.office.post('/admin/events/winter-ball/cancellation', { notify: false })
  expect(done.status).toBe(200)
  await page.reload()
  await page.getByRole('button', { name: 'Note a payment' }).click()
  await warning.waitFor()
  await desk.expectReadable('order-payment-of-cancelled-event')
  desk.expectNoFaults()
  await page.context().close()
})

test('a transfer is noted in parts, seen by a colleague, and its tickets are mailed again', async () => {
  const buyer = await openBuyer()
  await offerTransfers(buyer.venue)
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  await buyer.change(token, BUYER)
  await buyer.pay(token, 'bank_transfer')
  const { order } = await buyer.see(token)

  const { page: other } = await openDeskOf(buyer, OLGA)
  await other.goto(`${ORDERS}?status=unpaid`)
  await other.getByText(/€50.00 due by/).waitFor()

  const { desk, page } = await openDeskOf(buyer)
  await page.goto(`${CONSOLE}/console/orders/${order.public_id}`)
  await page.getByText('Money is expected until then').waitFor()
  await page.getByRole('button', { name: 'Note a payment' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('With this the order is paid: 2 tickets and the receipt go to berit@guest.example.').waitFor()
  await dialog.getByLabel('Amount').fill('20')
  await dialog.getByText('€30.00 stays due; the tickets wait.').waitFor()
  await dialog.getByLabel('Reference').fill('Statement 47, line 3')
  await desk.expectReadable('order-payment')
  await dialog.getByRole('button', { name: 'Note €20.00' }).click()
  await page.getByText('Statement 47, line 3').waitFor()
  await other.getByText(/€30.00 due by/).waitFor()

  await page.getByRole('button', { name: 'Note a payment' }).click()
  await dialog.getByLabel('Amount').fill('31')
  await dialog.getByLabel('Reference').fill('Statement 48')
  await dialog.getByRole('button', { name: 'Note €31.00' }).click()
  await dialog.getByText(/must be less than or equal to 30.00/).waitFor()
  await dialog.getByLabel('Amount').fill('30.00')
  await dialog.getByRole('button', { name: 'Note €30.00' }).click()
  await page.getByRole('button', { name: 'Mail the tickets again' }).waitFor()
  await other.getByText('No order fits').waitFor()
  await page.getByRole('button', { name: 'Mail the tickets again' }).click()
  await waitForToast(page, 'On the way to berit@guest.example.')
  await buyer.settle()

  // Money that came by hand goes back by hand.
  await page.getByRole('button', { name: 'Give money back' }).click()
  await dialog.getByText('€20.00 you pay out yourself: it came by bank transfer').waitFor()
  await dialog.getByRole('button', { name: 'Give €50.00 back' }).click()
  const byHand = page
    .getByRole('region', { name: 'Money that has not arrived yet' })
    .getByRole('listitem')
    .filter({ hasText: '€20.00' })
  await byHand.getByText('To be paid out by hand: bank transfer').waitFor()
  expect(await byHand.getByRole('button', { name: 'Ask again' }).count()).toBe(0)
  await byHand.getByRole('button', { name: 'Note as paid' }).click()
  await dialog.getByText('Note €20.00 as paid?').waitFor()
  await dialog.getByRole('button', { name: 'Note as paid' }).click()
  await page.getByText('€20.00 paid out').waitFor()
  await byHand.waitFor({ state: 'detached' })
  desk.expectNoFaults(/422/)
  await page.context().close()
  await other.context().close()
})

test('a refund that has failed says why, is asked for anew, and is noted as paid by whoever has paid it', async () => {
  house.stripe.refundsEndAs = 'succeeded'
  const buyer = await house.openStripeBuyer()
  const { office } = buyer.venue
  const orderId = await buyer.payByCard([{ ticket_id: buyer.tickets['ga'], quantity: 3 }])
  await buyer.failRefund(orderId, { amount: '10.00' })
  await buyer.failRefund(orderId, { amount: '15.00' })
  const address = `${CONSOLE}/console/orders/${orderId}`

  const { desk: partner, page: read } = await openDeskOf(buyer, CEM)
  await read.goto(address)
  await read.getByText('Could not be paid out: card').first().waitFor()
  expect(await read.getByRole('button', { name: /Ask again|Note as paid/ }).count()).toBe(0)

  for (const [name, viewport, colorScheme, locale] of [
    ['desk-light', DESK, 'light', 'en-GB'],
    ['desk-dark', DESK, 'dark', 'en-GB'],
    ['phone-light', PHONE, 'light', 'de-DE'],
    ['phone-dark', PHONE, 'dark', 'de-DE'],
  ] as const) {
    const { desk: look, page: seen } = await openDeskOf(buyer, MARA, { viewport, colorScheme, locale })
    const words =
      locale === 'de-DE'
        ? { reason: 'Stripe konnte das Geld nicht zurückgeben.', note: 'Als ausgezahlt vermerken' }
        : { reason: 'Stripe could not give the money back.', note: 'Note as paid' }
    await seen.goto(address)
    await seen.getByText(words.reason).first().waitFor()
    await look.expectFitting()
    await look.expectReadable(`order-failed-refund-${name}`)
    await seen.getByRole('button', { name: words.note }).first().click()
    await seen.getByRole('dialog').getByRole('button', { name: words.note }).waitFor()
    await look.expectFitting()
    await look.expectReadable(`order-payout-${name}`)
    look.expectNoFaults()
    await seen.context().close()
  }

  const { desk, page } = await openDeskOf(buyer)
  await page.goto(address)
  const payouts = page.getByRole('region', { name: 'Money that has not arrived yet' })
  const ten = payouts.getByRole('listitem').filter({ hasText: '€10.00' })
  const fifteen = payouts.getByRole('listitem').filter({ hasText: '€15.00' })
  await ten.getByText('Stripe could not give the money back.').waitFor()

  // By keyboard alone.
  house.stripe.refundsEndAs = 'pending'
  await ten.getByRole('button', { name: 'Ask again' }).press('Enter')
  await waitForToast(page, '€10.00: the provider is asked once more.')
  await ten.getByText('On its way back: card').waitFor()
  expect(await ten.getByRole('button').count()).toBe(0)
  await payouts.locator('li:focus').filter({ hasText: '€10.00' }).waitFor()
  await read.getByText('On its way back: card').waitFor()
  await buyer.settle()
  await ten.getByText('The provider is paying it out.').waitFor()
  await desk.expectReadable('order-refund-on-its-way')
  for (const refund of house.stripe.refunds.values()) refund.status = 'succeeded'
  await buyer.settle()
  const timeline = page.getByRole('region', { name: 'What happened' })
  await timeline.getByText('€10.00 paid out').waitFor()
  await ten.waitFor({ state: 'detached' })

  await fifteen.getByRole('button', { name: 'Note as paid' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Note €15.00 as paid?').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await fifteen.getByText('Could not be paid out: card').waitFor()
  await fifteen.getByRole('button', { name: 'Note as paid' }).press('Enter')
  await dialog.getByRole('button', { name: 'Note as paid' }).click()
  await waitForToast(page, '€15.00 is noted as paid.')
  await timeline.getByText('€15.00 paid out').waitFor()
  await payouts.waitFor({ state: 'detached' })
  await read.getByText('€15.00 paid out').waitFor()
  await desk.expectReadable('order-refunds-paid')
  expect((await office.get(`/admin/orders/${orderId}`)).body.payments[0].refunds).toMatchObject([
    { amount: '10.00', status: 'paid' },
    { amount: '15.00', status: 'paid' },
  ])
  desk.expectNoFaults()
  partner.expectNoFaults()
  await page.context().close()
  await read.context().close()
})

test('an unpaid order is cancelled after one question, and a co-organizer only reads', async () => {
  const buyer = await openBuyer()
  await offerTransfers(buyer.venue)
  const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 2 }])
  await buyer.change(token, BUYER)
  await buyer.pay(token, 'bank_transfer')
  const { order } = await buyer.see(token)
  const address = `${CONSOLE}/console/orders/${order.public_id}`

  const { desk: partner, page: read } = await openDeskOf(buyer, CEM)
  await read.goto(address)
  await read.getByText('Payments and refunds are for owners and managers.').waitFor()
  expect(await read.getByRole('button', { name: /Note a payment|Give money back|Cancel the order/ }).count()).toBe(0)
  await partner.expectReadable('order-co-organizer')

  const { desk, page } = await openDeskOf(buyer)
  await page.goto(address)
  await page.getByRole('button', { name: 'Cancel the order' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('It is not paid. 2 tickets will be cancelled and can be sold again.').waitFor()
  await desk.expectReadable('order-cancel')
  await dialog.getByRole('button', { name: 'Keep it' }).click()
  await page.getByRole('button', { name: 'Cancel the order' }).click()
  await dialog.getByRole('button', { name: 'Cancel the order' }).click()
  await page.getByText('Cancelled: 2 tickets').waitFor()
  // The colleague's page hears of it by itself.
  await read.getByText('Cancelled: 2 tickets').waitFor()
  expect((await buyer.venue.office.get(`/admin/orders/${order.public_id}`)).body.status).toBe('cancelled')
  desk.expectNoFaults()
  partner.expectNoFaults()
  await page.context().close()
  await read.context().close()
})

test('many orders are found by keyboard and palette, on a phone and in German; none is a beginning', async () => {
  const buyer = await openBuyer()
  const { desk, page } = await openDeskOf(buyer, MARA, { colorScheme: 'dark' })
  await page.goto(ORDERS)
  await page.getByText('No orders yet').waitFor()
  await page.getByRole('link', { name: 'Look at the shop' }).waitFor()
  await desk.expectReadable('orders-empty-dark')

  const names = ['Ada Lovelace', 'Łukasz Nowak', 'Zoë Lindqvist']
  for (const customer_name of names) {
    const token = await buyer.begin([{ ticket_id: buyer.tickets['ga'], quantity: 1 }])
    await buyer.change(token, { ...BUYER, customer_name })
    await buyer.decide((await buyer.pay(token)).body.payment.redirect_url, 'paid')
  }
  // They come by themselves.
  for (const name of names) await page.getByRole('link', { name }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('lukasz')
  await expect
    .poll(() => page.getByRole('list', { name: 'Orders of this event' }).getByRole('link').count(), SLOW)
    .toBe(1)
  await page.keyboard.press('Escape')
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Łukasz Nowak', level: 1 }).waitFor()

  await page.goto(`${CONSOLE}/console/events`)
  await page.getByRole('heading', { name: 'Events', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Go to or do' }).waitFor()
  await page.keyboard.type('lindqvist')
  await page.getByRole('option', { name: /Zoë Lindqvist/ }).click()
  await page.getByRole('heading', { name: 'Zoë Lindqvist', level: 1 }).waitFor()
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.goto(ORDERS).then(() => page.getByRole('link', { name: 'Save as CSV' }).click()),
  ])
  expect(download.suggestedFilename()).toBe('orders.csv')
  desk.expectNoFaults()
  await page.context().close()

  for (const [name, viewport, colorScheme] of [
    ['phone', PHONE, 'light'],
    ['desk', DESK, 'light'],
    ['tablet', { width: 768, height: 1024 }, 'dark'],
  ] as const) {
    const { desk: german, page: klein } = await openDeskOf(buyer, MARA, { viewport, colorScheme, locale: 'de-DE' })
    await klein.goto(ORDERS)
    await klein.getByRole('link', { name: /Ada Lovelace/ }).waitFor()
    await german.expectFitting()
    await german.expectReadable(`orders-german-${name}`)
    await klein.getByRole('link', { name: /Ada Lovelace/ }).click()
    await klein.getByText('Bestellt: 1 Ticket').waitFor()
    await german.expectFitting()
    await german.expectReadable(`order-german-${name}`)
    await klein.getByRole('button', { name: 'Geld erstatten' }).click()
    await klein.getByRole('dialog').getByText('25,00 € gehen zurück').waitFor()
    await german.expectFitting()
    await german.expectReadable(`order-refund-german-${name}`)
    german.expectNoFaults()
    await klein.context().close()
  }
})
