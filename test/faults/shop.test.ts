import { expect, test } from 'vitest'
import { checkoutPaymentHandlers } from '../../src/checkouts/payment-handlers.ts'
import { type Payments, openPayments } from '../../src/payments/payments.ts'
import { type FoyerProcess, startFoyer } from '../kit/process/foyer-process.ts'
import { randomOf } from '../kit/seed.ts'
import { openBuyers } from '../kit/venue/sales/buyers.ts'
import { findSaleFaults } from '../kit/venue/sales/faults.ts'
import { type Sales, openSales } from '../kit/venue/sales/house.ts'
import { openProvider } from '../kit/venue/sales/provider.ts'
import { comeToRest, sellTo, toRepeat } from '../kit/venue/sales/storm.ts'

/** The full run takes a hundred thousand. */
const CHECKOUTS = Number(process.env['FOYER_SHOP_CHECKOUTS'] ?? 160)
const KILLS = 1 + Math.floor(CHECKOUTS / 400)

/** A process of the same installation beside the one of the test, which is killed whenever it suits nobody. */
const openVictim = async (sales: Sales) => {
  const { user, database, host } = sales.apps[0]!.database.pool.options
  const environment = {
    DATABASE_URL: `postgres://${user}@localhost/${database}?host=${host}`,
    FOYER_SHARDS: sales.furtherServers.map(({ name, url }) => `${name}=${url}`).join(','),
    FOYER_DATA: sales.dataFolder,
    FOYER_SECRET: 'only for tests, and long enough for them',
    FOYER_RATE_LIMITS: 'off',
    FOYER_TEST_PAYMENTS: 'on',
    STRIPE_API_BASE: sales.stripe.address,
    BASE_URL: 'http://localhost:3000',
    SHOP_DOMAIN: 'localhost:3000',
  }
  let foyer: FoyerProcess | null = null
  const start = async () => {
    foyer = await startFoyer(environment)
    sales.origins.push(foyer.origin)
  }
  const kill = async () => {
    const { origin, end } = foyer!
    await end('SIGKILL')
    sales.origins.splice(sales.origins.indexOf(origin), 1)
    // What it had begun would be taken over after half a minute.
    await sales.pool.query(`update workers set beat_at = beat_at - interval '31 seconds'`)
  }
  await start()
  return {
    start,
    kill,
    close: async () => {
      await foyer?.end('SIGKILL')
    },
  }
}

test(
  'buyers, expiry, messages of the provider, refunds and kills at once: every payment has its tickets or its refund',
  { timeout: 120_000 + CHECKOUTS * 1_500 },
  async () => {
    const random = randomOf('sales')
    const sales = await openSales({ checkouts: CHECKOUTS })
    const victim = await openVictim(sales)
    try {
      const provider = openProvider(sales, random)
      const buy = openBuyers(sales, provider, random)
      const kills = Array.from({ length: KILLS }, (_, kill) => {
        const at = Math.floor(((kill + random()) / KILLS) * CHECKOUTS * 0.9)
        return { at, isDue: Promise.withResolvers<void>() }
      })
      const selling = sellTo(sales, CHECKOUTS, (n) => {
        for (const { at, isDue } of kills) if (n >= at) isDue.resolve()
        return buy(n)
      })
      // Looked at in the end; until then a failure must not pass for one that nobody handles.
      selling.catch(() => {})
      for (const { isDue } of kills) {
        await Promise.race([isDue.promise, selling])
        await victim.kill()
        await victim.start()
      }
      await selling
      await victim.kill()
      await comeToRest(sales, provider)
      expect(await findSaleFaults(sales), toRepeat('FOYER_SHOP_CHECKOUTS', CHECKOUTS)).toEqual([])
      const { rows } = await sales.pool.query(
        `select status, count(*)::int as count from orders where checkout_id is not null group by 1 order by 1`,
      )
      console.info(`${CHECKOUTS} checkouts, ${KILLS + 1} kills: ${JSON.stringify(rows)}`)
    } finally {
      await victim.close()
      await sales.close()
    }
  },
)

test('control: a shop that keeps money which came too late is found out', { timeout: 120_000 }, async () => {
  const random = randomOf('careless sales')
  const handlers = checkoutPaymentHandlers(() => careless)
  const careless: Payments = openPayments({
    ...handlers,
    settled: async (scope, payment) => {
      if (payment.status === 'paid' && payment.previousStatus === 'cancelled') return
      await handlers.settled(scope, payment)
    },
  })
  const sales = await openSales({ checkouts: 40, payments: careless })
  try {
    const provider = openProvider(sales, random)
    await sellTo(sales, 40, openBuyers(sales, provider, random, ['test', 'stripe']))
    await comeToRest(sales, provider)
    expect((await findSaleFaults(sales)).map(({ what }) => what)).toContain('money that was kept for nothing')
  } finally {
    await sales.close()
  }
})
