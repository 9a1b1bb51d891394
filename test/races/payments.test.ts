import { randomInt } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { Refusal } from '../../src/kernel/refusals.ts'
import { refundPayment } from '../../src/payments/refunds/refund-payment.ts'
import { cancelPayment, settlePayment } from '../../src/payments/settle-payment.ts'
import { createPayment, startPayment } from '../../src/payments/start-payment.ts'
import { SEED, pickBy, randomOf } from '../kit/seed.ts'
import { WEBHOOK_SECRET, openPaymentHouse } from '../kit/venue/payments.ts'

const CHECKOUTS = Number(process.env['FOYER_PAYMENT_CHECKOUTS'] ?? 40)

const house = await openPaymentHouse()
const { payments, stripe } = house
const { pool } = house.app.database

beforeEach(() => {
  stripe.manners = 'well'
})

const times = <T>(count: number, act: (n: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, n) => act(n)))

const openStripeVenue = async () => {
  const venue = await house.openVenue()
  await venue.withStripe()
  return venue
}

test('the same webhook fifty times at once settles once', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.start({ method: 'stripe' })
  const session = stripe.pay(payment.providerReference!)
  const replies = await times(50, () =>
    venue.tell(stripe.message('checkout.session.completed', session, WEBHOOK_SECRET)),
  )
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]))
  expect(await venue.told(payment)).toEqual(['pending to paid'])
})

test('control: without the lock and the comparison, two who both saw it pending both tell the shop', async () => {
  const venue = await house.openVenue()
  const payment = await venue.start()
  const settleCarelessly = async (hasSeen: () => Promise<void>) => {
    const { rows } = await pool.query('select status from payments where id = $1', [payment.id])
    await hasSeen()
    if (rows[0].status !== 'pending') return
    await pool.query(`insert into told (payment_id, news) values ($1, 'pending to paid')`, [payment.id])
    await pool.query(
      `update payments set status = 'paid', paid_at = coalesce(paid_at, foyer_now()), next_check_at = null where id = $1`,
      [payment.id],
    )
  }
  let [waiting, go] = [2, () => {}]
  const both = new Promise<void>((resolve) => (go = resolve))
  const meet = async () => {
    if (--waiting === 0) go()
    await both
  }
  await times(2, () => settleCarelessly(meet))
  expect(await venue.told(payment)).toEqual(['pending to paid', 'pending to paid'])
  await pool.query('delete from told where payment_id = $1', [payment.id])
})

test('webhook, buyer, clock and cancellation at once agree on one end', async () => {
  const venue = await openStripeVenue()
  for (let round = 0; round < 10; round++) {
    const payment = await venue.start({ method: 'stripe' })
    const session = stripe.pay(payment.providerReference!)
    const message = stripe.message('checkout.session.completed', session, WEBHOOK_SECRET)
    await times(16, async (n) => {
      if (n % 4 === 0) return venue.tell(message)
      if (n % 4 === 1) return settlePayment(payments, venue.scope, payment, { by: 'buyer' })
      if (n % 4 === 2) return settlePayment(payments, venue.scope, payment, { by: 'clock' })
      return cancelPayment(payments, venue.scope, payment)
    })
    expect(await venue.told(payment)).toEqual(['pending to paid'])
  }
})

test('starting the same payment many times at once opens one session', async () => {
  const venue = await openStripeVenue()
  const payableId = randomInt(2 ** 40)
  const created = await times(10, () => createPayment(venue.scope, venue.wanted({ method: 'stripe', payableId })))
  const [publicId, ...others] = new Set(created.map((each) => each.publicId))
  expect(others).toEqual([])
  const started = await times(10, (n) => startPayment(payments, venue.scope, created[n]!))
  expect(new Set(started.map(({ redirectUrl }) => redirectUrl)).size).toBe(1)
  expect([...stripe.sessions.values()].filter((each) => each.client_reference_id === publicId)).toHaveLength(1)
})

test('refunds at once never give back more than was paid', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.start({ method: 'stripe' })
  stripe.pay(payment.providerReference!)
  await settlePayment(payments, venue.scope, payment, { by: 'buyer' })
  const ask = (key: string, amountCents: number) =>
    refundPayment(payments, venue.scope, { publicId: payment.publicId, amountCents, key, reason: null })
  const answers = await times(40, (n) => ask(`key ${n % 20}`, 300).catch((error: Error) => error))
  const refusals = answers.filter((each) => each instanceof Error)
  expect(refusals.every((each) => each instanceof Refusal)).toBe(true)
  await house.settle()
  const { refunds, refundedCents } = await venue.find(payment)
  expect([refunds.length, refundedCents]).toEqual([8, 2400])
  expect([...stripe.refunds.values()].reduce((sum, { amount }) => sum + amount, 0)).toBe(2400)
})

/** Everything that may happen to a checkout, in any order and at once, with a provider that has its moods. */
test(
  'whatever happens, every payment is paid, given up or given back, and nobody pays twice',
  { timeout: 120_000 },
  async () => {
    const random = randomOf('payments')
    const venue = await openStripeVenue()
    const payables = Array.from({ length: CHECKOUTS }, () => randomInt(2 ** 40))
    const moods = ['well', 'well', 'well', 'error', 'reset', 'deaf', 'garbage'] as const
    const quietly = (work: Promise<unknown>) => work.catch(() => {})
    const first = stripe.refunds.size

    await times(6, async () => {
      for (const payableId of payables) {
        stripe.manners = pickBy(random, moods)
        const wanted = venue.wanted({ payableId, method: 'stripe' })
        const payment = await createPayment(venue.scope, wanted)
          .then((created) => startPayment(payments, venue.scope, created))
          .catch(() => null)
        if (!payment?.providerReference) continue
        const session = stripe.sessions.get(payment.providerReference)!
        const act = pickBy(random, ['pay', 'pay', 'pay', 'leave', 'cancel'] as const)
        if (act === 'pay' && session.status === 'open') stripe.pay(session.id)
        if (act === 'cancel') await quietly(cancelPayment(payments, venue.scope, payment))
        const message = stripe.message('checkout.session.completed', session, WEBHOOK_SECRET)
        if (random() < 0.5) await quietly(times(3, () => venue.tell(message)))
        if (random() < 0.3) await quietly(settlePayment(payments, venue.scope, payment, { by: 'buyer' }))
      }
    })
    stripe.manners = 'well'
    for (let round = 0; round < 4; round++) {
      await house.moveClock('20 minutes')
      await house.settle()
    }

    const { rows } = await pool.query<{
      reference: string
      status: string
      kept: string
      paying: boolean
      payable: string
    }>(
      `select provider_reference as reference, status, amount_cents - refunded_cents as kept, payable_id as payable,
       status = 'paid' and not is_surplus as paying
     from payments where account_id = $1 and provider_reference is not null`,
      [venue.report.account.id],
    )
    const repeat = `to repeat: FOYER_SEED=${SEED} FOYER_PAYMENT_CHECKOUTS=${CHECKOUTS}`
    expect(new Set(rows.map(({ status }) => status)), repeat).not.toContain('pending')
    const paidAtStripe = [...stripe.sessions.values()].filter(
      ({ id, payment_status: paid }) => paid === 'paid' && rows.some(({ reference }) => reference === id),
    )
    const paidHere = rows.filter(({ status }) => status === 'paid')
    expect(paidHere.map(({ reference }) => reference).toSorted(), repeat).toEqual(
      paidAtStripe.map(({ id }) => id).toSorted(),
    )
    expect(
      [...stripe.sessions.values()]
        .filter(({ status }) => status === 'open')
        .map(({ id }) => id)
        .filter((id) => rows.some(({ reference }) => reference === id)),
      repeat,
    ).toEqual([])
    const paying = rows.filter((row) => row.paying).map(({ payable }) => payable)
    expect(new Set(paying).size, repeat).toBe(paying.length)
    expect(
      paidHere.filter((row) => !row.paying && Number(row.kept) !== 0),
      repeat,
    ).toEqual([])
    const givenBack = [...stripe.refunds.values()].slice(first).reduce((sum, { amount }) => sum + amount, 0)
    expect(givenBack, repeat).toBe(paidHere.filter((row) => !row.paying).length * 2500)
    const { rows: twice } = await pool.query(
      `select payment_id, news from told where news like '% to %' group by 1, 2 having count(*) > 1`,
    )
    expect(twice, repeat).toEqual([])
  },
)
