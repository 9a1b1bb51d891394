import { expect, test } from 'vitest'
import { openPaymentHouse } from '../../test/kit/venue/payments.ts'
import { createPayment, recordPaymentByHand } from './start-payment.ts'
import { cancelPayment, settlePayment } from './settle-payment.ts'
import { findRefundTotalDifferences } from './refunds/records.ts'
import { recordRefundByHand, refundPayment } from './refunds/refund-payment.ts'

const house = await openPaymentHouse()
const { payments, settle } = house
const { pool } = house.app.database

test('a buyer pays on the test page, and whoever sells is told once', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  expect(payment).toMatchObject({ status: 'pending', method: 'test', amountCents: 2500, currency: 'EUR' })

  const address = new URL(payment.redirectUrl!).pathname
  const page = await venue.stranger.get(address, { headers: { accept: 'text/html' } })
  expect(page.text).toContain('25.00 EUR')
  expect(page.text).toMatch(/value="paid">Pay<.*value="declined"[^>]*>Decline</s)
  expect(page.headers.get('content-security-policy')).toContain("form-action 'self' http://shop.example")

  const reply = await venue.choose(payment, 'paid')
  expect(reply.body).toEqual({
    status: 'paid',
    amount: '25.00',
    currency: 'EUR',
    return_url: 'http://shop.example/checkouts/token',
  })
  expect((await venue.choose(payment, 'paid')).body.status).toBe('paid')
  expect(await venue.told(payment)).toEqual(['pending to paid'])
  expect((await venue.choose(payment, 'declined')).status).toBe(422)
})

test('the buttons of the page lead back to the shop', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  const reply = await venue.stranger.ask('POST', new URL(payment.redirectUrl!).pathname, {
    raw: 'outcome=declined',
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
  })
  expect([reply.status, reply.headers.get('location')]).toEqual([303, 'http://shop.example/checkouts/token'])
  expect(await venue.told(payment)).toEqual(['pending to declined'])
})

test('after a decline another payment can begin, and never two at once', async () => {
  const venue = await house.openVenue()
  const first = await venue.start()
  const { payableId } = first
  await expect(createPayment(venue.scope, venue.wanted({ payableId, amountCents: 1 }))).rejects.toThrow('under way')
  expect((await createPayment(venue.scope, venue.wanted({ payableId }))).publicId).toBe(first.publicId)

  await venue.choose(first, 'declined')
  const second = await venue.start({ payableId })
  expect(second.publicId).not.toBe(first.publicId)
  await venue.choose(second, 'paid')
  await expect(createPayment(venue.scope, venue.wanted({ payableId }))).rejects.toThrow('paid already')
})

test('nonsense on the test page changes nothing', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  for (const outcome of ['', 'free', null, 7, ['paid']]) {
    const reply = await venue.stranger.post(new URL(payment.redirectUrl!).pathname, { outcome })
    expect(reply.status).toBe(422)
  }
  const { pathname } = new URL(payment.redirectUrl!)
  const forged = `${pathname.slice(0, -1)}${pathname.endsWith('A') ? 'E' : 'A'}`
  expect((await venue.stranger.post(forged, { outcome: 'paid' })).status).toBe(404)
  expect((await venue.find(payment)).status).toBe('pending')
})

test('a payment that nobody finishes is given up when its time is over', async () => {
  const venue = await house.openVenue()
  const [started, neverStarted] = [await venue.start(), await createPayment(venue.scope, venue.wanted())]
  await settle()
  expect((await venue.find(started)).status).toBe('pending')

  await house.moveClock('16 minutes')
  await settle()
  expect((await venue.find(started)).status).toBe('cancelled')
  expect((await venue.find(neverStarted)).status).toBe('cancelled')
  expect(await venue.told(started)).toEqual(['pending to cancelled'])
  expect(await venue.told(neverStarted)).toEqual(['none to cancelled'])
  expect((await venue.choose(started, 'paid')).status).toBe(422)
})

test('a late payment is paid only after it was given up', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  expect((await venue.choose(payment, 'late')).body.status).toBe('pending')
  await settle()
  expect((await venue.find(payment)).status).toBe('pending')

  await house.moveClock('16 minutes')
  await settle()
  expect(await venue.told(payment)).toEqual(['pending to cancelled', 'cancelled to paid'])
  expect(await venue.find(payment)).toMatchObject({ status: 'paid', nextCheckAt: null })
})

test('a late payment pays too when the shop gives up by itself', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  await venue.choose(payment, 'late')
  expect((await cancelPayment(payments, venue.scope, payment)).status).toBe('cancelled')
  await settle()
  expect(await venue.told(payment)).toEqual(['pending to cancelled', 'cancelled to paid'])
})

test('money for what was paid meanwhile is a surplus, and goes back by itself', async () => {
  const venue = await house.openVenue()
  const late = await venue.start()
  await venue.choose(late, 'late')
  await cancelPayment(payments, venue.scope, late)
  const second = await venue.start({ payableId: late.payableId })
  await venue.choose(second, 'paid')
  await settle()

  expect(await venue.find(second)).toMatchObject({ status: 'paid', isSurplus: false, refundedCents: 0 })
  const surplus = await venue.find(late)
  expect(surplus).toMatchObject({ status: 'paid', isSurplus: true, refundedCents: 2500 })
  expect(surplus.refunds).toMatchObject([{ status: 'paid', amountCents: 2500, key: 'surplus' }])
})

test('cancelling asks first whether it was paid', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  await pool.query(`update payments set test_outcome = 'paid' where id = $1`, [payment.id])
  expect((await cancelPayment(payments, venue.scope, payment)).status).toBe('paid')
  expect((await cancelPayment(payments, venue.scope, payment)).status).toBe('paid')
  expect(await venue.told(payment)).toEqual(['pending to paid'])
})

test('what the shop cannot take rolls the payment back, and it settles later', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  house.faults.next = new Error('The shop is on fire')
  expect((await venue.choose(payment, 'paid')).status).toBe(500)
  expect((await venue.find(payment)).status).toBe('pending')
  expect(await venue.told(payment)).toEqual([])

  await house.moveClock('1 minute')
  await settle()
  expect(await venue.told(payment)).toEqual(['pending to paid'])
})

test('a bank transfer has its own days, and is paid when somebody says so', async () => {
  const venue = await house.openVenue()
  await venue.configure('bank_transfer', { enabled: true, instructions: 'IBAN DE02', expires_after_days: 10 })
  const payment = await venue.start({ method: 'bank_transfer' })
  expect(payment).toMatchObject({ status: 'pending', redirectUrl: null, instructions: 'IBAN DE02' })
  const days = (payment.expiresAt!.getTime() - house.app.clock.now().getTime()) / 86_400_000
  expect(days).toBeCloseTo(10, 2)

  await house.moveClock('9 days')
  await settle()
  expect((await settlePayment(payments, venue.scope, payment, { by: 'buyer' })).status).toBe('pending')
  expect((await settlePayment(payments, venue.scope, payment, { by: 'organizer' })).status).toBe('paid')
  expect(await venue.told(payment)).toEqual(['pending to paid'])
})

test('a bank transfer that does not come is given up', async () => {
  const venue = await house.openVenue()
  await venue.configure('bank_transfer', { enabled: true, instructions: 'IBAN DE02' })
  const payment = await venue.start({ method: 'bank_transfer' })
  await house.moveClock('7 days 1 minute')
  await settle()
  expect(await venue.told(payment)).toEqual(['pending to cancelled'])
})

test('money by hand adds up beside other payments, and goes back by hand', async () => {
  const venue = await house.openVenue()
  const payableId = 4711
  const money = { payableId, method: 'at_the_door' as const, reference: 'Till 2' }
  const [first, second] = [
    await recordPaymentByHand(venue.scope, { ...money, amountCents: 1000 }),
    await recordPaymentByHand(venue.scope, { ...money, amountCents: 1500 }),
  ]
  expect([first.status, second.status]).toEqual(['paid', 'paid'])

  const asked = { publicId: second.publicId, amountCents: 400, key: 'one', reason: 'A seat was broken' }
  const refund = await refundPayment(payments, venue.scope, asked)
  expect(refund).toMatchObject({ status: 'by_hand', amountCents: 400 })
  await settle()
  expect((await venue.find(second)).refunds).toMatchObject([{ status: 'by_hand' }])
  expect(await recordRefundByHand(payments, venue.scope, refund.publicId)).toMatchObject({ status: 'paid' })
  expect(await recordRefundByHand(payments, venue.scope, refund.publicId)).toMatchObject({ status: 'paid' })
  expect(await venue.told(second)).toEqual(['refund paid'])
})

test('a refund is made once for its key, and never of more than there is', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  const { publicId } = payment
  const ask = (key: string, amountCents: number) =>
    refundPayment(payments, venue.scope, { publicId, amountCents, key, reason: null })
  await expect(ask('early', 100)).rejects.toThrow('not paid')
  await venue.choose(payment, 'paid')

  const first = await ask('one', 1000)
  expect((await ask('one', 1000)).publicId).toBe(first.publicId)
  await expect(ask('one', 999)).rejects.toThrow('another amount')
  await expect(ask('two', 1501)).rejects.toMatchObject({ errors: { amount: ['must be less than or equal to 15.00'] } })
  for (const amount of [0, -1]) await expect(ask('three', amount)).rejects.toMatchObject({ status: 422 })
  await settle()
  await settle()
  expect(await venue.find(payment)).toMatchObject({ refundedCents: 1000, refunds: [{ status: 'paid' }] })
  expect(await venue.told(payment)).toEqual(['pending to paid', 'refund paid'])
})

test('the audit tells a payment whose refunds do not add up', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  await venue.choose(payment, 'paid')
  const wanted = { publicId: payment.publicId, amountCents: 1000, key: 'one', reason: null }
  await refundPayment(payments, venue.scope, wanted)
  expect(await findRefundTotalDifferences(venue.scope.rows)).toEqual([])
  await pool.query('update payments set refunded_cents = refunded_cents + 1 where id = $1', [payment.id])
  expect(await findRefundTotalDifferences(venue.scope.rows)).toEqual([
    { paymentPublicId: payment.publicId, counted: 1000, kept: 1001 },
  ])
})

test('the database itself lets no payment go back, be paid twice or be refunded too much', async () => {
  const venue = await house.openVenue()
  const paid = await venue.start()
  await venue.choose(paid, 'paid')
  const cancelled = await venue.start({ payableId: paid.payableId + 1 })
  await cancelPayment(payments, venue.scope, cancelled)
  const twin = await venue.start({ payableId: cancelled.payableId })

  const violated = async (statement: string, values: unknown[]) =>
    pool.query(statement, values).then(
      () => 'nothing',
      ({ constraint }) => constraint,
    )
  const set = (assignment: string, { id }: { id: number }) =>
    violated(`update payments set ${assignment} where id = $1`, [id])

  for (const status of ['none', 'pending', 'declined', 'cancelled']) {
    expect(await set(`status = '${status}', paid_at = null, ended_at = foyer_now()`, paid)).toBe(
      'a_payment_never_goes_back',
    )
  }
  expect(await set(`status = 'pending'`, cancelled)).toBe('a_payment_never_goes_back')
  expect(await set(`status = 'declined'`, cancelled)).toBe('a_payment_never_goes_back')
  expect(await set('amount_cents = 1', paid)).toBe('what_is_paid_stays_as_it_was_agreed')
  expect(await set(`status = 'paid'`, twin)).toBe('a_paid_payment_says_when')
  expect(await set('refunded_cents = 2501', paid)).toBe('never_more_is_refunded_than_was_paid')
  await pool.query(`update payments set status = 'paid', paid_at = foyer_now(), next_check_at = null where id = $1`, [
    cancelled.id,
  ])
  expect(await set(`status = 'paid', paid_at = foyer_now(), next_check_at = null`, twin)).toBe('one_payment_pays')

  const copy = `insert into payments (account_id, public_id, payable_id, payment_method_id, amount_cents, currency)
    select account_id, 'copy', payable_id, payment_method_id, 1, currency from payments where id = $1`
  expect(await violated(copy, [twin.id])).toBe('one_payment_is_under_way_at_a_time')
  const refund = `insert into payment_refunds (account_id, public_id, payment_id, key, amount_cents, status)
    select account_id, 'refund' || $2, id, $2::text, $3::bigint, 'pending' from payments where id = $1`
  expect(await violated(refund, [twin.id, 'a', 1])).toBe('only_paid_money_is_refunded')
  expect(await violated(refund, [paid.id, 'a', 2501])).toBe('never_more_is_refunded_than_was_paid')
  expect(await violated(refund, [paid.id, 'a', 2500])).toBe('nothing')
  expect(await violated(refund, [paid.id, 'b', 1])).toBe('never_more_is_refunded_than_was_paid')
  expect(await violated(`update payment_refunds set amount_cents = 1 where payment_id = $1`, [paid.id])).toBe(
    'a_refund_never_goes_back',
  )
})

test('a method that is off, unknown or not configured is refused', async () => {
  const venue = await house.openVenue()
  for (const method of ['stripe', 'bank_transfer', 'at_the_door', 'gold', '']) {
    await expect(createPayment(venue.scope, venue.wanted({ method }))).rejects.toMatchObject({
      errors: { payment_method: ['is not included in the list'] },
    })
  }
  expect((await venue.start()).status).toBe('pending')
})
