import { expect, test } from 'vitest'
import { openBuyer } from '../../test/kit/venue/checkouts.ts'
import { mailsTo } from '../../test/kit/venue/outbox.ts'
import { bodyOf, header } from '../../test/kit/network/read-eml.ts'
import { openRowsForJob } from '../access/job-scope.ts'
import { compareCounters } from '../inventory/consistency/records.ts'
import { findOrderFaults } from './consistency/records.ts'

/** A shop with orders that came with its venue file, and that nobody has paid. */
const openReserved = async (email: string, ...orders: object[]) => {
  const { venue, shop } = await openBuyer((file) => {
    const rita = { customer_name: 'Rita Reserved', customer_email: email, status: 'unpaid' }
    file['events'][0].orders = orders.map((order, n) => ({ key: `reserved-${n}`, ...rita, ...order }))
  })
  const { account, events } = venue.report
  const paths = orders.map((_, n) => `/admin/orders/${events['winter-ball']!.orders[`reserved-${n}`]!.public_id}`)
  const pay = (path: string, amount: string) =>
    venue.office.post(`${path}/payments`, { amount, reference: 'In an envelope' })
  const claimed = async () =>
    (await venue.office.get('/admin/events/winter-ball/tickets')).body.tickets[0].claimed_count as number
  const mails = async () => {
    await venue.workOffJobs()
    return mailsTo(venue, email)
  }
  const expectSound = async () => {
    expect(await compareCounters(venue.app.database.kysely, account.id)).toEqual([])
    expect(await findOrderFaults(openRowsForJob(venue.app, account.id))).toEqual([])
  }
  return { office: venue.office, shop, paths, pay, claimed, mails, expectSound }
}

test('an order that came unpaid with the venue file is paid here, in parts, and is then like one of the shop', async () => {
  const group = { ticket: 'four', group_number: 1, price: '22.50' }
  const { office, shop, paths, pay, mails, expectSound } = await openReserved('parts@reserved.example', {
    items: [
      { ticket: 'ga', tax_rate: '19.00' },
      { ticket: 'ga', attendee_name: 'Guest', tax_rate: '19.00' },
      ...Array.from({ length: 4 }, () => group),
      { ticket: 'seat', place: 'A-1' },
    ],
  })
  const at = paths[0]!
  const before = (await office.get(at)).body
  expect(before).toMatchObject({ status: 'unpaid', total: '185.00', due: '185.00' })

  const part = await pay(at, '10.00')
  expect(part.status, part.text).toBe(201)
  expect(part.body).toMatchObject({ status: 'unpaid', paid: '10.00', due: '175.00' })
  expect(await pay(at, '175.01')).toRefuse(422, { amount: ['must be less than or equal to 175.00'] })
  expect((await pay(at, '175.00')).body).toMatchObject({
    status: 'paid',
    due: '0.00',
    items: [
      { quantity: 2, total: '50.00' },
      { quantity: 1, total: '90.00' },
      { quantity: 1, total: '45.00' },
    ],
    admissions: before.admissions,
    receipts: [{ number: '1' }],
  })
  await expectSound()

  const [mail, ...more] = await mails()
  expect(more).toEqual([])
  const [, page = ''] = /(\/orders\/\w+)/.exec(bodyOf(mail!, 'text/plain')!) ?? []
  const admissions = before.admissions.map(({ check_in_code }: { check_in_code: string }) => ({ check_in_code }))
  expect((await shop.get(page)).body).toMatchObject({
    items: [{}, {}, { places: [{ key: 'A-1' }] }],
    order: { status: 'paid', order_code: before.order_code, admissions },
  })
  expect((await shop.get(page, { headers: { accept: 'text/html' } })).status).toBe(200)
  expect((await office.post(`${at}/refunds`)).body).toMatchObject({ amount: '185.00' })
  await expectSound()
})

test('one that is cancelled gives back what it held, and what was paid of it; its buyer is told', async () => {
  const { office, paths, pay, claimed, mails, expectSound } = await openReserved(
    'gone@reserved.example',
    { items: [{ ticket: 'ga' }] },
    { items: [{ ticket: 'ga' }, { ticket: 'ga' }] },
  )
  expect(await claimed()).toBe(3)
  expect((await pay(paths[1]!, '5.00')).status).toBe(201)
  for (const at of paths) {
    expect((await office.post(`${at}/cancellation`)).body).toMatchObject({ status: 'cancelled' })
    expect(await pay(at, '5.00')).toRefuse(422, { base: ['This order was cancelled'] })
  }
  expect(await claimed()).toBe(0)
  expect((await mails()).map((mail) => header(mail, 'subject'))).toHaveLength(2)
  await expectSound()
})

test('two who note the money at once note it once, and what was paid elsewhere in part stays there', async () => {
  const { office, paths, pay, expectSound } = await openReserved(
    'twice@reserved.example',
    { items: [{ ticket: 'ga' }] },
    { items: [{ ticket: 'ga' }], total: '25.00', voucher_total: '5.00' },
    { items: [{ ticket: 'ga' }], total: '20.00' },
  )
  const [at, ...others] = paths
  const replies = await Promise.all([1, 2, 3].map(() => pay(at!, '25.00')))
  expect(replies.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 422, 422])
  expect(new Set(replies.map(({ body }) => body.errors?.base?.[0]))).toEqual(
    new Set([undefined, 'This order has been paid already']),
  )
  for (const other of others) {
    for (const asked of [pay(other, '5.00'), office.post(`${other}/cancellation`)])
      expect(await asked).toRefuse(422, { base: ['This order was sold elsewhere'] })
    expect((await office.get(other)).body).toMatchObject({ status: 'unpaid' })
  }
  await expectSound()
})
