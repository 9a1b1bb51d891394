import { beforeEach, expect, test } from 'vitest'
import type { Manners } from '../../test/kit/network/stripe-listener.ts'
import { SECRET_KEY, WEBHOOK_SECRET, openPaymentHouse } from '../../test/kit/venue/payments.ts'
import { signLink } from '../access/signed-links.ts'
import { ProviderUnavailable } from './payment-method.ts'
import { RETURN_LINK_PURPOSE } from './return-link.ts'
import { refundPayment, retryRefund } from './refunds/refund-payment.ts'
import { cancelPayment, settlePayment } from './settle-payment.ts'
import { createPayment } from './start-payment.ts'
import { stripeAmount } from './methods/stripe/amounts.ts'

const house = await openPaymentHouse()
const { payments, stripe, settle } = house

beforeEach(() => {
  stripe.manners = 'well'
  stripe.refundsEndAs = 'succeeded'
  stripe.heard.length = 0
})

const openStripeVenue = async () => {
  const venue = await house.openVenue()
  await venue.withStripe()
  const begin = () => venue.start({ method: 'stripe' })
  const tellPaid = (id: string) =>
    venue.tell(stripe.message('checkout.session.completed', stripe.sessions.get(id)!, WEBHOOK_SECRET))
  return { ...venue, begin, tellPaid }
}

/** A buyer has paid by Stripe, and all of it is to go back. */
const openRefund = async (endsAs: typeof stripe.refundsEndAs) => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  stripe.pay(payment.providerReference!)
  await venue.tellPaid(payment.providerReference!)
  stripe.refundsEndAs = endsAs
  const wanted = { publicId: payment.publicId, amountCents: 2500, key: 'all', reason: 'Rained off' }
  const refund = await refundPayment(payments, venue.scope, wanted)
  await settle()
  return { venue, payment, refund }
}

/** A pause until the next check has passed. */
const passCheck = async () => {
  await house.moveClock('5 minutes')
  await settle()
}

test('a buyer is sent to Stripe, pays there, and the webhook settles it', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  const session = stripe.sessionOf(payment.publicId)
  expect(payment).toMatchObject({ status: 'pending', redirectUrl: session.url, providerReference: session.id })
  expect(session).toMatchObject({ amount_total: 2500, currency: 'eur' })
  expect(stripe.heard).toEqual([
    {
      method: 'POST',
      path: '/v1/checkout/sessions',
      key: `foyer-start-${payment.publicId}-1`,
      authorization: `Bearer ${SECRET_KEY}`,
    },
  ])

  stripe.pay(session.id)
  stripe.heard.length = 0
  expect((await venue.tellPaid(session.id)).body).toEqual({ received: true })
  expect(stripe.heard).toEqual([])
  expect((await venue.tellPaid(session.id)).status).toBe(200)
  expect(await venue.told(payment)).toEqual(['pending to paid'])
})

test('without a webhook the buyer who comes back settles it', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  const session = stripe.sessionOf(payment.publicId)
  stripe.pay(session.id)
  const back = (await returnAddressOf(payment.publicId)).pathname
  const reply = await venue.stranger.get(back)
  expect([reply.status, reply.headers.get('location')]).toEqual([303, 'http://shop.example/checkouts/token'])
  expect(await venue.told(payment)).toEqual(['pending to paid'])
})

test('a buyer who presses back at Stripe gives the payment up, its session first', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  const back = await returnAddressOf(payment.publicId)
  expect((await venue.stranger.get(`${back.pathname}?cancelled=1`)).status).toBe(303)
  expect(stripe.sessionOf(payment.publicId).status).toBe('expired')
  expect(await venue.told(payment)).toEqual(['pending to cancelled'])
  expect((await venue.stranger.get('/payments/returns/nothing')).status).toBe(404)
})

/** Where Stripe was told to send the buyer. */
const returnAddressOf = async (publicId: string) => {
  const { rows } = await house.app.database.pool.query('select account_id from payments where public_id = $1', [
    publicId,
  ])
  const accountId = Number(rows[0].account_id)
  const link = signLink(house.app.secrets, RETURN_LINK_PURPOSE, { accountId, id: publicId, expiresAt: null })
  return new URL(`${house.origin}/payments/returns/${link}`)
}

test('without webhook and buyer the clock settles it', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  stripe.pay(payment.providerReference!)
  await passCheck()
  expect(await venue.told(payment)).toEqual(['pending to paid'])
})

test('an expired payment is ended at Stripe first, and one that was paid in the last second is paid', async () => {
  const venue = await openStripeVenue()
  const [left, paid] = [await venue.begin(), await venue.begin()]
  stripe.pay(paid.providerReference!)
  await house.moveClock('16 minutes')
  await settle()
  expect(stripe.sessions.get(left.providerReference!)!.status).toBe('expired')
  expect(await venue.told(left)).toEqual(['pending to cancelled'])
  expect(await venue.told(paid)).toEqual(['pending to paid'])
  expect(() => stripe.pay(left.providerReference!)).toThrow('ended')
})

test('money that takes days keeps the payment pending beyond its time', async () => {
  const venue = await openStripeVenue()
  const [coming, failing] = [await venue.begin(), await venue.begin()]
  const underWay = stripe.payLater(coming.providerReference!, 'processing')
  stripe.payLater(failing.providerReference!, 'processing')
  const message = stripe.message('checkout.session.completed', underWay, WEBHOOK_SECRET)
  expect((await venue.tell(message)).status).toBe(200)
  await house.moveClock('16 minutes')
  await settle()
  expect((await venue.find(coming)).status).toBe('pending')

  Object.assign(underWay, { payment_status: 'paid' })
  const failed = stripe.payLater(failing.providerReference!, 'requires_payment_method')
  await venue.tell(stripe.message('checkout.session.async_payment_succeeded', underWay, WEBHOOK_SECRET))
  await venue.tell(stripe.message('checkout.session.async_payment_failed', failed, WEBHOOK_SECRET))
  await settle()
  expect(await venue.told(coming)).toEqual(['pending to paid'])
  expect(await venue.told(failing)).toEqual(['pending to declined'])
})

test('messages out of order, late or about others do no harm', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  const open = { ...stripe.sessions.get(payment.providerReference!)! }
  const paid = { ...stripe.pay(payment.providerReference!) }
  await venue.tell(stripe.message('checkout.session.completed', paid, WEBHOOK_SECRET))
  for (const type of ['checkout.session.expired', 'checkout.session.async_payment_failed']) {
    expect((await venue.tell(stripe.message(type, { ...open, status: 'expired' }, WEBHOOK_SECRET))).status).toBe(200)
  }
  const foreign = stripe.message('checkout.session.completed', { ...paid, id: 'cs_of_others' }, WEBHOOK_SECRET)
  expect((await venue.tell(foreign)).status).toBe(200)
  expect((await venue.tell(stripe.message('invoice.paid', { object: 'invoice' }, WEBHOOK_SECRET))).status).toBe(200)
  await settle()
  expect(await venue.told(payment)).toEqual(['pending to paid'])
})

test('money for a payment that was given up is paid late, when Stripe says so after all', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  await cancelPayment(payments, venue.scope, payment)
  const paid = {
    ...stripe.sessions.get(payment.providerReference!)!,
    payment_status: 'paid',
    payment_intent: 'pi_late',
  }
  expect((await venue.tell(stripe.message('checkout.session.completed', paid, WEBHOOK_SECRET))).status).toBe(200)
  expect(await venue.told(payment)).toEqual(['pending to cancelled', 'cancelled to paid'])
})

test('forged, old, broken, huge and misaddressed messages are refused, and change nothing', async () => {
  const venue = await openStripeVenue()
  const other = await openStripeVenue()
  const payment = await venue.begin()
  const session = stripe.pay(payment.providerReference!)
  const message = stripe.message('checkout.session.completed', session, WEBHOOK_SECRET)
  const refusedWith = async (change: { raw?: string; headers?: Record<string, string> }, path?: string) =>
    (await venue.tell({ ...message, ...change }, path)).status

  expect(await refusedWith({ headers: {} })).toBe(400)
  expect(await refusedWith({ headers: { 'stripe-signature': 't=1,v1=abc' } })).toBe(400)
  expect(await refusedWith({ headers: { 'stripe-signature': '' } })).toBe(400)
  expect(await refusedWith(stripe.message('checkout.session.completed', session, 'whsec_wrong'))).toBe(400)
  const anHourAgo = Math.floor(Date.now() / 1000) - 3600
  expect(await refusedWith(stripe.message('checkout.session.completed', session, WEBHOOK_SECRET, anHourAgo))).toBe(400)
  expect(await refusedWith({ raw: message.raw.replace('2500', '2501') })).toBe(400)
  expect(await refusedWith({ raw: '' })).toBe(400)
  expect(
    await refusedWith(stripe.message('checkout.session.completed', { object: 'checkout.session' }, WEBHOOK_SECRET)),
  ).toBe(400)
  expect(await refusedWith({ raw: ' '.repeat(300 * 1024) })).toBe(413)
  const address = new URL(venue.methodOf('stripe').webhook_url).pathname
  expect(await refusedWith({}, `${address}x`)).toBe(404)
  expect(await refusedWith({}, address.replace('/stripe/', '/test/'))).toBe(404)
  expect(await refusedWith({}, '/payments/stripe/webhooks/%00')).toBe(404)
  expect((await venue.find(payment)).status).toBe('pending')

  // Signed alike, but at another account's address: there it is about nothing.
  expect(await refusedWith({}, new URL(other.methodOf('stripe').webhook_url).pathname)).toBe(200)
  expect((await venue.find(payment)).status).toBe('pending')
})

test('a message about another amount or currency than was agreed on settles nothing', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  const session = stripe.pay(payment.providerReference!)
  for (const wrong of [{ amount_total: 1 }, { currency: 'usd' }, { amount_total: null }]) {
    const message = stripe.message('checkout.session.completed', { ...session, ...wrong }, WEBHOOK_SECRET)
    expect((await venue.tell(message)).status).toBe(400)
  }
  expect((await venue.find(payment)).status).toBe('pending')
  Object.assign(session, { amount_total: 1 })
  await passCheck()
  expect(await venue.find(payment)).toMatchObject({
    status: 'pending',
    failureMessage: 'Stripe has said something that makes no sense',
  })
})

const BAD_MANNERS: Manners[] = [
  'reset',
  'deaf',
  'error',
  'garbage',
  'html',
  'nonsense',
  'endless',
  'redirect',
  'busy',
  'unauthorized',
]

test.each(BAD_MANNERS)('a provider that is %s starts, settles and refunds later, each once', async (manners) => {
  const venue = await openStripeVenue()
  const created = await createPayment(venue.scope, venue.wanted({ method: 'stripe' }))
  const begin = () => venue.start({ method: 'stripe', payableId: created.payableId })
  stripe.manners = manners
  await expect(begin()).rejects.toBeInstanceOf(ProviderUnavailable)
  expect(await venue.find(created)).toMatchObject({ status: 'none', failureMessage: expect.stringContaining('Stripe') })
  stripe.manners = 'well'
  const payment = await begin()
  expect(payment.status).toBe('pending')
  expect([...stripe.sessions.values()].filter((each) => each.client_reference_id === payment.publicId)).toHaveLength(1)

  stripe.pay(payment.providerReference!)
  stripe.manners = manners
  await expect(settlePayment(payments, venue.scope, payment, { by: 'buyer' })).rejects.toThrow(ProviderUnavailable)
  await passCheck()
  expect((await venue.find(payment)).status).toBe('pending')
  stripe.manners = 'well'
  await passCheck()
  expect(await venue.told(payment)).toEqual(['pending to paid'])

  const wanted = { publicId: payment.publicId, amountCents: 1000, key: 'one', reason: null }
  stripe.manners = manners
  await refundPayment(payments, venue.scope, wanted)
  await settle()
  expect((await venue.find(payment)).refunds).toMatchObject([
    { status: 'pending', failureMessage: expect.stringContaining('Stripe') },
  ])
  stripe.manners = 'well'
  await settle()
  const { refunds } = await venue.find(payment)
  expect(refunds).toMatchObject([{ status: 'paid', amountCents: 1000, failureMessage: null }])
  expect(
    [...stripe.refunds.values()].filter(({ metadata }) => metadata['foyer_refund'] === refunds[0]!.publicId),
  ).toHaveLength(1)
  expect(house.logged.filter((line) => line.includes(SECRET_KEY) || line.includes(WEBHOOK_SECRET))).toEqual([])
})

test('a payment keeps its hold while Stripe is away, and is given up when it is back', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  stripe.manners = 'reset'
  await house.moveClock('16 minutes')
  await settle()
  await passCheck()
  await expect(cancelPayment(payments, venue.scope, payment)).rejects.toBeInstanceOf(ProviderUnavailable)
  expect((await venue.find(payment)).status).toBe('pending')
  stripe.manners = 'well'
  await passCheck()
  expect(await venue.told(payment)).toEqual(['pending to cancelled'])
})

test('a session that Stripe does not know any more holds nothing for ever', async () => {
  const venue = await openStripeVenue()
  const payment = await venue.begin()
  stripe.sessions.delete(payment.providerReference!)
  await house.moveClock('16 minutes')
  await settle()
  expect((await venue.find(payment)).status).toBe('pending')
  await house.moveClock('25 hours')
  await settle()
  expect(await venue.told(payment)).toEqual(['pending to cancelled'])
})

test('a refund that Stripe refuses is failed for all to see, and can be tried again', async () => {
  const { venue, payment, refund } = await openRefund('failed')
  expect(await venue.find(payment)).toMatchObject({
    refundedCents: 2500,
    refunds: [{ status: 'failed', failureMessage: 'Stripe could not give the money back' }],
  })
  expect(await venue.told(payment)).toEqual(['pending to paid', 'refund failed'])

  stripe.refundsEndAs = 'pending'
  await retryRefund(venue.scope, refund.publicId)
  await settle()
  expect((await venue.find(payment)).refunds).toMatchObject([{ status: 'pending' }])
  for (const known of stripe.refunds.values()) known.status = 'succeeded'
  await settle()
  expect((await venue.find(payment)).refunds).toMatchObject([{ status: 'paid' }])
  await expect(retryRefund(venue.scope, refund.publicId)).rejects.toThrow('not failed')
  expect(await venue.told(payment)).toEqual(['pending to paid', 'refund failed', 'refund paid'])
})

test('a refund that fails after it was under way is failed, and not asked for anew by itself', async () => {
  const { venue, payment, refund } = await openRefund('pending')
  const atStripe = () =>
    [...stripe.refunds.values()].filter(({ metadata }) => metadata['foyer_refund'] === refund.publicId)
  for (const known of atStripe()) known.status = 'failed'
  await settle()
  expect((await venue.find(payment)).refunds).toMatchObject([{ status: 'failed' }])
  expect(atStripe()).toHaveLength(1)
})

test('a refund that is under way for longer than it is tried stays so, and is asked about again after a day', async () => {
  const { venue, payment } = await openRefund('pending')
  const { pool } = house.app.database
  const ofThisAccount = `account_id = ${venue.report.account.id} and name = 'payments.pay-refund'`
  await pool.query(`update lane_jobs set attempts = 15 where ${ofThisAccount}`)
  await settle()
  expect((await venue.find(payment)).refunds).toMatchObject([{ status: 'pending' }])
  const { rows: waiting } = await pool.query(
    `select state, attempts, run_at > clock_timestamp() + interval '23 hours' as rests from lane_jobs where ${ofThisAccount}`,
  )
  expect(waiting).toEqual([{ state: 'later', attempts: 0, rests: true }])
  expect(await venue.told(payment)).toEqual(['pending to paid'])

  for (const known of stripe.refunds.values()) known.status = 'succeeded'
  await settle()
  expect((await venue.find(payment)).refunds).toMatchObject([{ status: 'paid', failureMessage: null }])
  expect(await venue.told(payment)).toEqual(['pending to paid', 'refund paid'])
})

test('amounts are what Stripe takes them for, without rounding', () => {
  expect(stripeAmount(1234, 'EUR')).toBe(1234)
  expect(stripeAmount(500, 'JPY')).toBe(500)
  expect(stripeAmount(500, 'ISK')).toBe(50_000)
  expect(stripeAmount(1230, 'KWD')).toBe(1230)
  expect(stripeAmount(9_999_999_999, 'EUR')).toBe(9_999_999_999)
  expect(() => stripeAmount(1234, 'KWD')).toThrow('no such amount')
})
