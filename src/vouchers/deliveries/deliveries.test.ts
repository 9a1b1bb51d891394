import { expect, test } from 'vitest'
import { SMTPServer } from 'smtp-server'
import { openAccountForJob } from '../../access/job-scope.ts'
import { bodyOf, header, leaves, mailbox } from '../../../test/kit/network/read-eml.ts'
import { makeJobsDue } from '../../../test/kit/process/jobs.ts'
import { mailsTo } from '../../../test/kit/venue/outbox.ts'
import { openVenueIn } from '../../../test/kit/venue/venue-in.ts'
import { type Venue, openTestApp, openVenue } from '../../../test/kit/venue/venue.ts'
import { findVoucherFaults } from '../consistency/records.ts'
import { findProduct } from '../products/records.ts'
import { refundPurchase } from './refund-purchase.ts'
import { issuePurchasedVoucher } from './sell-voucher.ts'
import { voucherPdf } from './voucher-pdf.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })

/** A sold voucher whose delivery stands like this. */
const withDelivery = async (delivery: object, address = 'rita@guest.example') => {
  const venue = await openVenue((file) => {
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
          recipient_email: address,
          delivery_mode: 'email_now',
          message: 'Enjoy!',
          paid_at: '-P2D',
          deliveries: [{ audience: 'recipient', recipient_name: 'Rita', recipient_email: address, ...delivery }],
        },
      },
    ]
  })
  const sold = venue.report.vouchers['sold']!
  const retry = () => venue.office.post(`/admin/voucher_deliveries/${sold.deliveries[0]}/retry`)
  const show = async () => (await venue.office.get(`/admin/vouchers/${sold.id}`)).body
  return { venue, sold, retry, show }
}

test('a voucher shows its purchase and the state of its mail', async () => {
  const { show } = await withDelivery({
    queued_at: '-P2D',
    last_attempted_at: '-P2D',
    failed_at: '-P2D',
    failure_message: 'Mailbox unavailable',
    attempts_count: 3,
  })
  expect((await show()).purchase).toMatchObject({
    status: 'paid',
    payment_provider: 'stripe',
    amount: euros('60.00'),
    paid_amount: euros('50.00'),
    bonus_amount: euros('10.00'),
    customer_name: 'Bea Buyer',
    customer_email: 'bea@guest.example',
    recipient_name: 'Rita',
    recipient_email: 'rita@guest.example',
    delivery_mode: 'email_now',
    scheduled_for: null,
    delivered_at: null,
    message: 'Enjoy!',
    deliveries: [
      {
        audience: 'recipient',
        recipient_name: 'Rita',
        failure_message: 'Mailbox unavailable',
        attempts_count: 3,
        delivering_at: null,
        delivered_at: null,
      },
    ],
  })
})

test.each([
  [
    'failed a moment ago',
    { queued_at: '-PT1M', failed_at: '-PT1S', attempts_count: 1, last_attempted_at: '-PT2S' },
    202,
  ],
  ['freshly queued', { queued_at: '-PT10S' }, 422],
  ['queued four minutes ago and never started', { queued_at: '-PT4M' }, 422],
  ['queued six minutes ago and never started', { queued_at: '-PT6M' }, 202],
  ['scheduled for tomorrow', { queued_at: '-P2D', scheduled_for: '+P1D' }, 422],
  ['due four minutes ago', { queued_at: '-P2D', scheduled_for: '-PT4M' }, 422],
  ['due six minutes ago', { queued_at: '-P2D', scheduled_for: '-PT6M' }, 202],
  ['attempted half an hour ago', { queued_at: '-PT2H', last_attempted_at: '-PT30M', attempts_count: 1 }, 422],
  ['attempted an hour ago', { queued_at: '-PT2H', last_attempted_at: '-PT61M', attempts_count: 1 }, 202],
  [
    'being delivered',
    { queued_at: '-PT2H', delivering_at: '-PT10M', last_attempted_at: '-PT10M', attempts_count: 1 },
    422,
  ],
  [
    'stuck for an hour',
    { queued_at: '-PT2H', delivering_at: '-PT61M', last_attempted_at: '-PT61M', attempts_count: 1 },
    202,
  ],
  [
    'attempted long ago and queued again just now',
    { queued_at: '-PT10M', last_attempted_at: '-PT3H', attempts_count: 2 },
    422,
  ],
  ['delivered', { queued_at: '-P1D', delivered_at: '-P1D', attempts_count: 1, last_attempted_at: '-P1D' }, 422],
])('a delivery that %s answers a retry with %3$i', async (_state, delivery, status) => {
  const { sold, retry, show } = await withDelivery(delivery)
  const before = (await show()).purchase.deliveries[0]
  const retried = await retry()
  expect(retried.headers.get('cache-control')).toBe('private, no-store')
  if (status === 422) {
    expect(retried).toRefuse(422, { base: ['This delivery cannot be retried now'] })
    expect((await show()).purchase.deliveries).toEqual([before])
  } else {
    expect([retried.status, retried.body]).toEqual([202, { id: sold.deliveries[0], status: 'queued' }])
    const [after, ...more] = (await show()).purchase.deliveries
    expect(more).toEqual([])
    expect(after).toMatchObject({ id: before.id, failed_at: null, failure_message: null, delivering_at: null })
    expect(after.attempts_count).toBe(before.attempts_count)
    expect(after.queued_at > before.queued_at).toBe(true)
  }
})

test('of two retries at once one wins, and one mail goes out with the voucher in it', async () => {
  const address = 'rita.once@guest.example'
  const { venue, sold, retry, show } = await withDelivery(
    { queued_at: '-P1D', failed_at: '-P1D', attempts_count: 3 },
    address,
  )
  const statuses = (await Promise.all([retry(), retry(), retry()])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([202, 422, 422])
  await Promise.all([venue.workOffJobs(), venue.workOffJobs()])

  const mails = await mailsTo(venue, address)
  expect(mails).toHaveLength(1)
  const [mail] = mails
  expect(mailbox(mail!, 'To')).toEqual({ name: 'Rita', address })
  expect(header(mail!, 'Subject')).toBe('A voucher for you from Bea Buyer')
  expect(bodyOf(mail!, 'text/plain')).toContain(sold.code)
  expect(bodyOf(mail!, 'text/plain')).toContain('Enjoy!')
  const pdf = leaves(mail!).find(({ type }) => type === 'application/pdf')!.part.body
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')

  const { purchase } = await show()
  expect(purchase.deliveries).toMatchObject([{ delivering_at: null, failed_at: null, attempts_count: 4 }])
  expect(purchase.delivered_at).toBe(purchase.deliveries[0].delivered_at)
  expect((await venue.office.get('/admin/vouchers')).body.summary.count).toBe(1)
  expect(await retry()).toRefuse(422)
})

test('the path takes the ID of the delivery and no other', async () => {
  const { venue, sold, show } = await withDelivery({ queued_at: '-P1D', failed_at: '-P1D' })
  const other = await openVenue()
  const { purchase } = await show()
  for (const id of [sold.id, purchase.id, 'nothing']) {
    expect(await venue.office.post(`/admin/voucher_deliveries/${id}/retry`)).toRefuse(404)
  }
  const path = `/admin/voucher_deliveries/${sold.deliveries[0]}/retry`
  expect(await other.office.post(path)).toRefuse(404)
  expect(await venue.reader.post(path)).toRefuse(401)
})

const sale = {
  amountCents: 6000,
  paidCents: 5000,
  paymentProvider: 'stripe',
  customerName: 'Bea Buyer',
  customerEmail: 'bea@guest.example',
  recipientName: '王小明',
  recipientEmail: 'ming@guest.example',
  scheduledFor: null,
  message: 'عمر says hello',
}

const sell = async (venue: Venue, more: Partial<Parameters<typeof issuePurchasedVoucher>[1]> = {}) => {
  const scope = (await openAccountForJob(venue.app, venue.report.account.id))!
  const product = (await findProduct(scope.rows, venue.report.voucher_products['bonus']!.id))!
  return {
    scope,
    voucher: await issuePurchasedVoucher(scope, { ...sale, deliveryMode: 'email_now', product, ...more }),
  }
}

const withBonus = () =>
  openVenue((file) => {
    file['voucher_products'] = [
      { key: 'bonus', name: 'Give 50, get 60', pricing_type: 'fixed', fixed_amount: '60.00', purchase_price: '50.00' },
    ]
  })

test('a sale issues the voucher, mails it to the recipient and counts as sold until it is paid back', async () => {
  const venue = await withBonus()
  const { scope, voucher } = await sell(venue)
  await venue.workOffJobs()
  const shown = (await venue.office.get(`/admin/vouchers/${voucher.publicId}`)).body
  expect(shown).toMatchObject({
    source: 'shop',
    purchase: { deliveries: [{ audience: 'recipient', attempts_count: 1 }] },
  })
  expect(shown.purchase.delivered_at).not.toBeNull()
  const summary = async () => (await venue.office.get('/admin/vouchers')).body.summary
  expect(await summary()).toMatchObject({ sold_count: 1, sold: euros('50.00'), bonus: euros('10.00') })

  await refundPurchase(scope, shown.purchase.id, { creditCents: 3000, actor: 'Olga Owner', reason: 'Half' })
  expect(await summary()).toMatchObject({ sold_count: 1, sold: euros('25.00'), outstanding: euros('30.00') })
  await refundPurchase(scope, shown.purchase.id, { actor: 'Olga Owner', reason: 'All of it' })
  expect(await summary()).toMatchObject({ sold_count: 0, sold: euros('0.00'), outstanding: euros('0.00') })
  const after = (await venue.office.get(`/admin/vouchers/${voucher.publicId}`)).body
  expect(after).toMatchObject({ status: 'depleted', purchase: { status: 'refunded' } })
  expect(after.entries.map(({ kind }: { kind: string }) => kind)).toEqual([
    'purchase_refund',
    'purchase_refund',
    'issuance',
  ])
  await expect(refundPurchase(scope, shown.purchase.id, { actor: null, reason: null })).rejects.toThrow(
    'This purchase is not paid',
  )
  expect(await findVoucherFaults(scope.rows)).toEqual([])
})

test('a buyer who hands it on in person gets the mail', async () => {
  const venue = await withBonus()
  const { voucher } = await sell(venue, { deliveryMode: 'self_managed', customerEmail: 'bea.self@guest.example' })
  await venue.workOffJobs()
  const { purchase } = (await venue.office.get(`/admin/vouchers/${voucher.publicId}`)).body
  expect(purchase.deliveries).toMatchObject([{ audience: 'buyer', recipient_email: 'bea.self@guest.example' }])
  expect(await mailsTo(venue, 'bea.self@guest.example')).toHaveLength(1)
})

test('a mail server that is away is tried again, and an address that nobody has fails at once', async () => {
  let isAway = true
  const taken: string[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (address, _session, done) => {
      if (address.address.startsWith('nobody'))
        return done(Object.assign(new Error('No such mailbox'), { responseCode: 550 }))
      done(isAway ? Object.assign(new Error('Busy'), { responseCode: 451 }) : null)
    },
    onData: (stream, session, done) => {
      stream.resume().on('end', () => {
        taken.push(...session.envelope.rcptTo.map(({ address }) => address))
        done()
      })
    },
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  const running = await openTestApp({ environment: { SMTP_URL: `smtp://127.0.0.1:${port}` } })
  try {
    const failed = { queued_at: '-P1D', failed_at: '-P1D', attempts_count: 1 }
    const sold = (key: string, address: string) => ({
      key,
      amount: '5.00',
      source: 'shop',
      purchase: {
        customer_name: 'Bea',
        customer_email: 'bea@guest.example',
        deliveries: [{ audience: 'buyer', recipient_name: 'Bea', recipient_email: address, ...failed }],
      },
    })
    const { report, client } = await openVenueIn(running, (file) => {
      file['vouchers'] = [sold('busy', 'busy@guest.example'), sold('nobody', 'nobody@guest.example')]
    })
    const office = client('office write')
    const show = async (key: string) =>
      (await office.get(`/admin/vouchers/${report.vouchers[key]!.id}`)).body.purchase.deliveries[0]
    for (const { deliveries } of Object.values(report.vouchers))
      await office.post(`/admin/voucher_deliveries/${deliveries[0]}/retry`)
    await running.workOffJobs()

    expect(await show('nobody')).toMatchObject({
      attempts_count: 2,
      failure_message: 'The mail server refused the recipient with 550',
    })
    expect((await show('nobody')).failed_at).not.toBeNull()
    expect(await show('busy')).toMatchObject({
      failed_at: null,
      delivered_at: null,
      delivering_at: null,
      attempts_count: 2,
    })

    isAway = false
    await makeJobsDue(running.app.database.pool)
    await running.workOffJobs()
    expect(await show('busy')).toMatchObject({ failed_at: null, failure_message: null, attempts_count: 3 })
    expect((await show('busy')).delivered_at).not.toBeNull()
    expect(taken).toEqual(['busy@guest.example'])
  } finally {
    await running.close()
    await new Promise<void>((resolve) => server.close(resolve))
  }
})

test('a mail whose worker died is sent an hour later, and not before', async () => {
  const running = await openTestApp()
  try {
    const { report, client } = await openVenueIn(running, (file) => {
      const delivery = {
        audience: 'buyer',
        recipient_name: 'Bea',
        recipient_email: 'bea.dead@guest.example',
        failed_at: '-P1D',
      }
      const purchase = { customer_name: 'Bea', customer_email: 'bea@guest.example', deliveries: [delivery] }
      file['vouchers'] = [{ key: 'sold', amount: '5.00', source: 'shop', purchase }]
    })
    await client('office write').post(`/admin/voucher_deliveries/${report.vouchers['sold']!.deliveries[0]}/retry`)
    const { pool } = running.app.database
    await pool.query('update voucher_deliveries set delivering_at = foyer_now(), attempts_count = 1')
    await running.workOffJobs()
    expect(await mailsTo(running, 'bea.dead@guest.example')).toHaveLength(0)

    await running.moveClock('61 minutes')
    await makeJobsDue(pool)
    await running.workOffJobs()
    expect(await mailsTo(running, 'bea.dead@guest.example')).toHaveLength(1)
  } finally {
    await running.close()
  }
})

test('the voucher on paper carries every script and a long message', async () => {
  const pdf = await voucherPdf({
    language: 'en',
    organizer: 'Łódź – Zoë & Co.',
    amount: '1000000.00 EUR',
    code: 'K7WM-3XQD-9TFA-NPQR',
    productName: 'Give 50, get 60',
    forName: '王小明',
    fromName: 'عمر',
    message: 'Happy birthday! '.repeat(60),
    validUntil: 'Friday 1 January 2038',
  })
  expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  expect(pdf.length).toBeGreaterThan(3000)
})
