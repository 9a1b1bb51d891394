import { expect, test } from 'vitest'
import { openAccountForJob } from '../../access/job-scope.ts'
import { openVenueIn } from '../../../test/kit/venue/venue-in.ts'
import { openTestApp, openVenue } from '../../../test/kit/venue/venue.ts'
import { findVoucherFaults } from '../consistency/records.ts'

const euros = (amount: string) => ({ amount, currency: 'EUR' })

test('a voucher whose time is over is expired at once, and its rest is posted once', async () => {
  const { office, report, app, workOffJobs } = await openVenue((file) => {
    file['vouchers'] = [{ key: 'gone', amount: '10.00', created_at: '-P400D', expires_at: '-PT1S' }]
  })
  const path = `/admin/vouchers/${report.vouchers['gone']!.id}`
  expect((await office.get(path)).body).toMatchObject({
    status: 'expired',
    balance: euros('10.00'),
    entries: [{ kind: 'issuance' }],
  })
  expect((await office.get('/admin/vouchers')).body.summary.outstanding).toEqual(euros('0.00'))
  const adjustment = { direction: 'credit', amount: '1', reason: 'x' }
  expect(await office.post(`${path}/adjustment`, adjustment)).toRefuse(422, { base: ['This voucher has expired'] })

  await Promise.all([workOffJobs(), workOffJobs()])
  await workOffJobs()
  const { body } = await office.get(path)
  expect(body).toMatchObject({ status: 'expired', balance: euros('0.00') })
  expect(body.entries).toMatchObject([
    { kind: 'expiration', amount: euros('-10.00'), balance_after: euros('0.00'), actor: null, reason: null },
    { kind: 'issuance' },
  ])
  expect(await office.post(`${path}/adjustment`, adjustment)).toRefuse(422, { base: ['This voucher has expired'] })
  expect(await findVoucherFaults((await openAccountForJob(app, report.account.id))!.rows)).toEqual([])
})

test('unblocking a voucher whose time is over makes it expired', async () => {
  const { office, report } = await openVenue((file) => {
    file['vouchers'] = [
      { key: 'gone', amount: '10.00', expires_at: '-P1D', created_at: '-P2D', blocked_reason: 'Lost' },
    ]
  })
  const path = `/admin/vouchers/${report.vouchers['gone']!.id}`
  expect((await office.get(path)).body.status).toBe('blocked')
  expect((await office.delete(`${path}/block`)).body.status).toBe('expired')
})

test('expiration waits for a checkout under way, and goes on when it is given up', async () => {
  const running = await openTestApp()
  try {
    const { report, client } = await openVenueIn(running, (file) => {
      file['vouchers'] = [{ key: 'held', amount: '10.00', reserved: '4.00', expires_at: '+PT1H' }]
    })
    const office = client('office write')
    const path = `/admin/vouchers/${report.vouchers['held']!.id}`

    await running.moveClock('2 hours')
    await running.workOffJobs()
    expect((await office.get(path)).body).toMatchObject({ status: 'expired', balance: euros('10.00') })
    expect((await office.get('/admin/vouchers')).body.summary.outstanding).toEqual(euros('0.00'))

    await running.moveClock('40 days')
    await running.workOffJobs()
    const { body } = await office.get(path)
    expect(body).toMatchObject({ status: 'expired', balance: euros('0.00'), entries: [{ kind: 'expiration' }, {}] })
  } finally {
    await running.close()
  }
})
