import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { checkoutPaymentHandlers } from '../../src/checkouts/payment-handlers.ts'
import { type Payments, openPayments } from '../../src/payments/payments.ts'
import type { Manners } from '../kit/network/stripe-listener.ts'
import { pickBy, randomOf } from '../kit/seed.ts'
import { openBuyers } from '../kit/venue/sales/buyers.ts'
import { findSaleFaults } from '../kit/venue/sales/faults.ts'
import { type Sales, openSales } from '../kit/venue/sales/house.ts'
import { openProvider } from '../kit/venue/sales/provider.ts'
import { comeToRest, sellTo, toRepeat } from '../kit/venue/sales/storm.ts'

/** The full run takes many more. */
const CHECKOUTS = Number(process.env['FOYER_OUTAGE_CHECKOUTS'] ?? 50)
/** So many of them meet one outage; a fifth has begun before it. */
const PER_OUTAGE = 50

/** Away, slow, or talking nonsense. */
const MANNERS: readonly Manners[] = [
  'reset',
  'error',
  'busy',
  'unauthorized',
  'deaf',
  'slow',
  'garbage',
  'html',
  'nonsense',
  'redirect',
  'endless',
]
/** What each costs as long as a call may wait. */
const SLOW_MANNERS: readonly Manners[] = ['silent', 'dripping']

/** Some have begun to pay; then the provider misbehaves for ten minutes, and is back. */
const meetOutage = async (sales: Sales, random: () => number, buy: (n: number) => Promise<void>, first: number) => {
  const before = PER_OUTAGE / 5
  sales.stripe.manners = 'well'
  await sellTo(sales, before, (n) => buy(first + n), { tick: '1 minute', buyersPerTick: before })
  const during = PER_OUTAGE - before
  const slowOnes = new Set([1, 2].map(() => Math.floor(random() * during)))
  const buyAnyway = (n: number) => {
    sales.stripe.manners = pickBy(random, slowOnes.has(n) ? SLOW_MANNERS : MANNERS)
    return buy(first + before + n)
  }
  await sellTo(sales, during, buyAnyway, { tick: '1 minute', buyersPerTick: during / 10 })
  sales.stripe.manners = 'well'
}

const sellThroughOutages = async (sales: Sales, checkouts: number, purpose: string) => {
  const random = randomOf(purpose)
  const provider = openProvider(sales, random)
  const buy = openBuyers(sales, provider, random, ['stripe', 'stripe', 'stripe', 'leave'])
  for (let first = 0; first < checkouts; first += PER_OUTAGE) await meetOutage(sales, random, buy, first)
  // The circuit breaker rests by the clock on the wall, which nobody moves; then a single call tries.
  await delay(6_000)
  await comeToRest(sales, provider)
}

test(
  'the provider is away, slow or talks nonsense for ten minutes: nothing is sold without money, and nobody pays twice',
  { timeout: 120_000 + CHECKOUTS * 1_000 },
  async () => {
    const sales = await openSales({ checkouts: CHECKOUTS })
    try {
      await sellThroughOutages(sales, CHECKOUTS, 'outage')
      expect(await findSaleFaults(sales), toRepeat('FOYER_OUTAGE_CHECKOUTS', CHECKOUTS)).toEqual([])
    } finally {
      await sales.close()
    }
  },
)

test('control: whoever takes no answer for a yes sells without money', { timeout: 300_000 }, async () => {
  const real: Payments = openPayments(checkoutPaymentHandlers(() => careless))
  const { stripe } = real.methods
  const yes = () => ({ status: 'paid', captureReference: null }) as const
  const careless: Payments = {
    ...real,
    methods: {
      ...real.methods,
      stripe: { ...stripe, confirm: (...asked) => stripe.confirm(...asked).catch(yes) },
    },
  }
  const sellCarelessly = async (name: string) => {
    const sales = await openSales({ checkouts: PER_OUTAGE, payments: careless })
    try {
      await sellThroughOutages(sales, PER_OUTAGE, name)
      return (await findSaleFaults(sales)).map(({ what }) => what)
    } finally {
      await sales.close()
    }
  }
  const wrong = 'money that Stripe and Foyer count differently'
  // Chance decides who pays in the moment that matters.
  let found: string[] = []
  for (let round = 1; round <= 4 && !found.includes(wrong); round++)
    found = await sellCarelessly(`careless outage ${round}`)
  expect(found).toContain(wrong)
})
