import { test } from 'vitest'
import { openPaymentHouse } from '../../test/kit/venue/payments.ts'

/** Each waits in a house of its own, so that both may wait at the same time. */
const houses = { silent: await openPaymentHouse(), dripping: await openPaymentHouse() }

test.concurrent.for(['silent', 'dripping'] as const)(
  'a provider that is %s is waited for ten seconds once, and then not at all for a while',
  { timeout: 120_000 },
  async (manners, { expect }) => {
    const { stripe, openVenue } = houses[manners]
    const venue = await openVenue()
    await venue.withStripe()
    const { payableId } = venue.wanted()
    const begin = () => venue.start({ method: 'stripe', payableId })
    const attempt = async () => {
      const startedAt = performance.now()
      await expect(begin()).rejects.toThrow('Stripe could not be reached')
      return performance.now() - startedAt
    }
    stripe.manners = manners
    const first = await attempt()
    expect(first).toBeGreaterThan(9_000)
    expect(first).toBeLessThan(15_000)
    const count = stripe.heard.length
    expect(await attempt()).toBeLessThan(2_000)
    expect(stripe.heard).toHaveLength(count)

    stripe.manners = 'well'
    await expect
      .poll(async () => (await begin().catch(() => null))?.status, {
        timeout: 60_000,
        interval: 500,
      })
      .toBe('pending')
  },
)
