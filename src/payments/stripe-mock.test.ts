import { afterAll, beforeAll, expect, test } from 'vitest'
import { openStripeMock } from '../../test/kit/network/stripe-mock.ts'
import { openPaymentHouse } from '../../test/kit/venue/payments.ts'
import { loadMethodForAccount } from './payments.ts'
import { refundPayment } from './refunds/refund-payment.ts'
import { settlePayment } from './settle-payment.ts'

/*
 * What Foyer asks is held against Stripe's own description of its API, which stripe-mock does. It remembers nothing, so
 * what becomes of a payment is tested against a listener that does.
 */

let house: Awaited<ReturnType<typeof openPaymentHouse>>
let mock: Awaited<ReturnType<typeof openStripeMock>>

beforeAll(async () => {
  mock = await openStripeMock()
  house = await openPaymentHouse({ STRIPE_API_BASE: mock.address })
}, 300_000)

afterAll(() => mock.close())

test('every request that Foyer makes is one that Stripe describes', async () => {
  const { payments } = house
  const venue = await house.openVenue()
  await venue.configure('stripe', { enabled: true, secret_key: 'sk_test_123', webhook_secret: 'whsec_123456' })
  const payment = await venue.start({ method: 'stripe' })
  expect(payment).toMatchObject({ status: 'pending', providerReference: expect.stringMatching(/^cs_test_/) })
  expect(payment.redirectUrl).toMatch(/^https:\/\/checkout\.stripe\.com\//)
  expect((await settlePayment(payments, venue.scope, payment, { by: 'buyer' })).status).toBe('pending')

  // It ends a session of its own choice, which is nonsense to us: what matters is that the request was understood.
  const { method, call } = await loadMethodForAccount(payments, venue.scope, { name: 'stripe' })
  await expect(method.cancel(call, payment)).rejects.toThrow('Stripe has said something that makes no sense')

  const paid = await settlePayment(payments, venue.scope, payment, {
    by: 'provider',
    says: { status: 'paid', captureReference: 'pi_123' },
  })
  const refund = await refundPayment(payments, venue.scope, {
    publicId: paid.publicId,
    amountCents: 500,
    key: 'one',
    reason: 'Rained off',
  })
  await house.settle()
  expect((await venue.find(paid)).refunds).toMatchObject([{ publicId: refund.publicId, status: 'paid' }])
  // Asked for once more it is looked for first.
  const again = await method.refund(call, paid, { ...refund, attemptsCount: 1 })
  expect(again.status).toBe('paid')
})

test('a wrong key is told without the key', async () => {
  const venue = await house.openVenue()
  await venue.configure('stripe', { enabled: true, secret_key: 'sk_live_wrongkey', webhook_secret: 'whsec_123456' })
  await expect(venue.start({ method: 'stripe' })).rejects.toThrow('Stripe does not accept the secret key')
  expect(house.logged.join('')).not.toContain('wrongkey')
})
