import { expect, test } from 'vitest'
import { makeJobsDue } from '../../../test/kit/process/jobs.ts'
import { mailsTo } from '../../../test/kit/venue/outbox.ts'
import { openVenueIn } from '../../../test/kit/venue/venue-in.ts'
import { type OpenApp, openTestApp } from '../../../test/kit/venue/venue.ts'
import { openAccountForJob } from '../../access/job-scope.ts'
import { bodyOf } from '../../../test/kit/network/read-eml.ts'
import { findProduct } from '../products/records.ts'
import { refundPurchase } from './refund-purchase.ts'
import { issuePurchasedVoucher } from './sell-voucher.ts'

/** Jobs wake by the real clock; here each that waits wakes now, whatever day it waits for. */
const wakeEveryJob = async (running: OpenApp) => {
  await makeJobsDue(running.app.database.pool)
  await running.workOffJobs()
}

/** What day it is at the venue, so many days from now. */
const dayAtVenue = (days: number) =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/Berlin', dateStyle: 'short' }).format(
    Date.now() + days * 24 * 3600_000,
  )

test('a scheduled mail goes out once, when its day begins where the venue is, and not a minute before', async () => {
  const running = await openTestApp()
  try {
    const { report, client } = await openVenueIn(running, (file) => {
      file['voucher_products'] = [{ key: 'fifty', name: 'Fifty', pricing_type: 'fixed', fixed_amount: '50.00' }]
    })
    const office = client('office write')
    const scope = (await openAccountForJob(running.app, report.account.id))!
    const wished = dayAtVenue(3)
    const voucher = await issuePurchasedVoucher(scope, {
      product: (await findProduct(scope.rows, report.voucher_products['fifty']!.id))!,
      amountCents: 5000,
      paidCents: 5000,
      paymentProvider: 'stripe',
      customerName: 'Bea Buyer',
      customerEmail: 'bea@guest.example',
      recipientName: 'Rita',
      recipientEmail: 'later@guest.example',
      deliveryMode: 'email_scheduled',
      scheduledFor: wished,
      message: null,
    })
    const shown = async () => (await office.get(`/admin/vouchers/${voucher.publicId}`)).body.purchase
    const day = new Date((await shown()).scheduled_for)
    expect(day.toLocaleString('sv', { timeZone: 'Europe/Berlin' })).toBe(`${wished} 00:00:00`)
    expect((await shown()).deliveries).toMatchObject([{ scheduled_for: day.toISOString(), attempts_count: 0 }])

    const { rows: jobs } = await running.app.database.pool.query(
      `select run_at from lane_jobs where job_key like 'vouchers.deliver/%'`,
    )
    expect(jobs).toEqual([{ run_at: day }])

    await running.workOffJobs()
    await running.moveClock(`${day.getTime() - Date.now() - 60_000} milliseconds`)
    for (let time = 0; time < 3; time++) await wakeEveryJob(running)
    expect(await mailsTo(running, 'later@guest.example')).toHaveLength(0)
    expect((await shown()).deliveries).toMatchObject([{ attempts_count: 0, delivered_at: null, failed_at: null }])
    const retry = `/admin/voucher_deliveries/${(await shown()).deliveries[0].id}/retry`
    expect(await office.post(retry)).toRefuse(422)

    await running.moveClock('61 seconds')
    for (let time = 0; time < 3; time++) await wakeEveryJob(running)
    const [mail, ...others] = await mailsTo(running, 'later@guest.example')
    expect(others).toEqual([])
    expect(bodyOf(mail!, 'text/plain')).toContain('Code: ')
    const { deliveries, delivered_at } = await shown()
    expect(deliveries).toMatchObject([{ attempts_count: 1, delivered_at, failed_at: null }])
    expect(new Date(delivered_at) >= day).toBe(true)
    expect(await office.post(retry)).toRefuse(422)
  } finally {
    await running.close()
  }
})

test('a gift that is paid back before its day is not mailed, unless somebody says so', async () => {
  const running = await openTestApp()
  try {
    const { report, client } = await openVenueIn(running, (file) => {
      const scheduled = { delivery_mode: 'email_scheduled', scheduled_for: '+P2D', status: 'paid' }
      const purchase = { customer_name: 'Bea', customer_email: 'bea@guest.example', ...scheduled }
      const delivery = { audience: 'recipient', recipient_name: 'Rita', scheduled_for: '+P2D' }
      file['vouchers'] = ['whole', 'half'].map((key) => ({
        key,
        amount: '50.00',
        source: 'shop',
        purchase: { ...purchase, deliveries: [{ ...delivery, recipient_email: `${key}@guest.example` }] },
      }))
    })
    const office = client('office write')
    const scope = (await openAccountForJob(running.app, report.account.id))!
    const shown = async (key: string) => (await office.get(`/admin/vouchers/${report.vouchers[key]!.id}`)).body.purchase
    await refundPurchase(scope, (await shown('whole')).id, { actor: null, reason: null })
    await refundPurchase(scope, (await shown('half')).id, { creditCents: 2500, actor: null, reason: null })

    await running.moveClock('49 hours')
    for (let time = 0; time < 2; time++) await wakeEveryJob(running)
    expect(await mailsTo(running, 'half@guest.example')).toHaveLength(1)
    expect(await mailsTo(running, 'whole@guest.example')).toHaveLength(0)
    const [withdrawn] = (await shown('whole')).deliveries
    expect(withdrawn).toMatchObject({ attempts_count: 0, failure_message: 'The purchase was refunded' })
    expect((await office.post(`/admin/voucher_deliveries/${withdrawn.id}/retry`)).status).toBe(202)
    await wakeEveryJob(running)
    expect(await mailsTo(running, 'whole@guest.example')).toHaveLength(1)
  } finally {
    await running.close()
  }
})

test('what a venue file has scheduled for a day to come goes out on that day, and nothing else of it does', async () => {
  const running = await openTestApp()
  try {
    const to = (recipient_email: string, delivery: object) => ({
      deliveries: [{ audience: 'recipient', recipient_name: 'Rita', recipient_email, ...delivery }],
    })
    const purchase = { customer_name: 'Bea', customer_email: 'bea@guest.example' }
    const scheduled = { delivery_mode: 'email_scheduled', scheduled_for: '+P2D' }
    const { client } = await openVenueIn(running, (file) => {
      const purchases = [
        { ...scheduled, ...to('day@guest.example', { scheduled_for: '+P2D' }) },
        { ...scheduled, ...to('queued@guest.example', { scheduled_for: '+P2D', queued_at: '-PT1M' }) },
        { ...scheduled, ...to('failed@guest.example', { scheduled_for: '+P2D', failed_at: '-PT1M' }) },
        { ...scheduled, status: 'refunded', ...to('refunded@guest.example', { scheduled_for: '+P2D' }) },
        { ...scheduled, scheduled_for: '-P1D', ...to('stuck@guest.example', { scheduled_for: '-P1D' }) },
        { ...to('never@guest.example', { queued_at: '-PT1M' }) },
      ]
      file['vouchers'] = purchases.map((more, n) => ({
        key: `v${n}`,
        amount: '5.00',
        source: 'shop',
        purchase: { ...purchase, ...more },
      }))
    })
    await wakeEveryJob(running)
    const mailed = async () => {
      const names = ['day', 'queued', 'failed', 'refunded', 'stuck', 'never']
      const mails = await Promise.all(names.map((name) => mailsTo(running, `${name}@guest.example`)))
      return Object.fromEntries(names.flatMap((name, n) => (mails[n]!.length > 0 ? [[name, mails[n]!.length]] : [])))
    }
    expect(await mailed()).toEqual({})
    await running.moveClock('48 hours')
    for (let time = 0; time < 2; time++) await wakeEveryJob(running)
    expect(await mailed()).toEqual({ day: 1, queued: 1 })
    expect((await client('office write').get('/admin/vouchers')).body.summary.count).toBe(6)
  } finally {
    await running.close()
  }
})
