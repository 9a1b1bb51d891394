import { openMailServer } from '../test/kit/network/mail-server.ts'
import type { BareHolds } from './bare-holds.ts'
import { fillVenue } from './filling.ts'
import { type Bench, type BenchDatabase, type Figure, round, withClient } from './frame.ts'
import { openProcessorTimes } from './processor-times.ts'
import { measureRush } from './rush.ts'
import type { ShopOutcome, ShopTask } from './shop-buyers.ts'

const CONNECTIONS = 64
const BARE_CLIENTS = 16

/** Holds, sales from the hold to the mail, and the rush. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  yield* measureHolds(bench)
  yield* measureSales(bench)
  yield* measureRush(bench)
}

const openSale = async (database: BenchDatabase, subdomain: string) => {
  const { accountId, events } = await withClient(database.connection, (client) =>
    fillVenue(client, { subdomain, devices: 1, events: [10] }),
  )
  const { id: eventId, slug } = events[0]!
  await database.query(
    `with shop as (update accounts set shop_published_at = foyer_now() where id = $1)
     update tickets set price_cents = 2500 where account_id = $1`,
    [accountId],
  )
  const [ticket] = await database.query<{ id: number }>('select id::int from tickets where account_id = $1', [
    accountId,
  ])
  return { accountId, eventId, slug, ticketId: ticket!.id }
}

async function* measureHolds(bench: Bench): AsyncGenerator<Figure> {
  const count = bench.small ? 1_000 : 4_000
  const database = await bench.makeDatabase('holds')
  const sale = await openSale(database, 'holds')
  const foyer = await database.startFoyer({}, ['--no-jobs'])
  const port = Number(new URL(foyer.origin).port)
  const task = { ...sale, port, host: `holds.localhost:${port}`, connections: CONNECTIONS, goesOn: false }
  try {
    const ask = (orders: number) => bench.work<ShopOutcome>('shop-buyers.ts', { ...task, orders } satisfies ShopTask)
    await ask(500)
    const bare = await bench.work<{ seconds: number }>('bare-holds.ts', {
      connection: database.connection,
      clients: BARE_CLIENTS,
      count,
      ...sale,
    } satisfies BareHolds)
    const used = await openProcessorTimes(database, { Foyer: foyer.child.pid! })
    const { seconds } = await ask(count)
    used.tell(count)
    const [rate, baseline] = [count / seconds, count / bare.seconds]
    yield {
      id: 'P16',
      what: `checkouts of two tickets of one type, ${CONNECTIONS} connections`,
      figure: round(rate),
      unit: '/s',
      baseline: round(baseline),
      ratio: round(rate / baseline, 2),
      target: '≥ 300/s and ≥ 0.5 × the bare statement',
      isMet: rate >= 300 && rate / baseline >= 0.5,
    }
  } finally {
    await foyer.end()
  }
}

/** Who sells and who mails are two processes, as an installation is set up that expects a rush. */
async function* measureSales(bench: Bench): AsyncGenerator<Figure> {
  const orders = bench.small ? 300 : 1_500
  const warmUp = 500
  const database = await bench.makeDatabase('sales')
  const sale = await openSale(database, 'sales')
  const mails = await openMailServer()
  const environment = { FOYER_TEST_PAYMENTS: 'on', SMTP_URL: `smtp://127.0.0.1:${mails.port}` }
  const shop = await database.startFoyer(environment, ['--no-jobs'])
  const port = Number(new URL(shop.origin).port)
  const worker = await database.startFoyer({ ...environment, BASE_URL: `http://localhost:${port}` })
  const task = { ...sale, port, host: `sales.localhost:${port}`, connections: CONNECTIONS, goesOn: true }
  const sell = async (count: number) => {
    const before = mails.taken.length
    const started = performance.now()
    await bench.work<ShopOutcome>('shop-buyers.ts', { ...task, orders: count } satisfies ShopTask)
    const soldAfter = (performance.now() - started) / 1_000
    while (mails.taken.length < before + count) await new Promise((resolve) => setTimeout(resolve, 5))
    return { soldAfter, mailedAfter: (performance.now() - started) / 1_000 }
  }
  try {
    await sell(warmUp)
    const used = await openProcessorTimes(database, { shop: shop.child.pid!, worker: worker.child.pid! })
    const { soldAfter, mailedAfter } = await sell(orders)
    used.tell(orders)
    const rate = orders / mailedAfter
    yield {
      id: 'P17',
      what: 'orders from the hold to the mailed ticket',
      figure: round(rate),
      unit: '/s',
      target: '≥ 100/s',
      isMet: rate >= 100,
    }
    yield {
      id: 'P17',
      what: 'orders until they are paid',
      figure: round(orders / soldAfter),
      unit: '/s',
      target: 'none',
      isMet: true,
    }
  } finally {
    await shop.end()
    await worker.end()
    await mails.close()
  }
}
