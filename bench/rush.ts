import { once } from 'node:events'
import { Agent, type IncomingMessage, get } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fillVenue } from './filling.ts'
import { type Bench, type Figure, percentile, round, withClient } from './frame.ts'
import type { RushOutcome, RushTask } from './rush-buyers.ts'

const CONNECTIONS = 64
const FEED_EVERY_MS = 50

/** The rush: ten times as many buyers as tickets within a minute, through the waiting room, and the feed beside it. */
export async function* measureRush(bench: Bench): AsyncGenerator<Figure> {
  const [buyers, tickets, arrivalMs] = bench.small ? [2_000, 200, 10_000] : [20_000, 2_000, 60_000]
  const database = await bench.makeDatabase('rush')
  const { eventId, slug, ticketId } = await withClient(database.connection, async (client) => {
    const { accountId, events } = await fillVenue(client, { subdomain: 'rush', devices: 1, events: [10] })
    const { id, slug } = events[0]!
    await client.query('update accounts set shop_published_at = foyer_now() where id = $1', [accountId])
    const { rows } = await client.query<{ id: string }>(
      'update tickets set stock = $3, claimed_count = 0 where account_id = $1 and event_id = $2 returning id',
      [accountId, id, tickets],
    )
    return { eventId: id, slug, ticketId: Number(rows[0]!.id) }
  })
  const foyer = await database.startFoyer({ FOYER_RATE_LIMITS: 'on', FOYER_TRUST_PROXY: '1' })
  const port = Number(new URL(foyer.origin).port)
  const host = `rush.localhost:${port}`

  try {
    for (let n = 0; n < 50; n++) await askFeed(port, host, slug)
    const rush = new AbortController()
    const rushing = bench
      .work<RushOutcome>('rush-buyers.ts', {
        port,
        host,
        slug,
        ticketId,
        buyers,
        arrivalMs,
        connections: CONNECTIONS,
      } satisfies RushTask)
      .finally(() => rush.abort())
    const feed: number[] = []
    while (!rush.signal.aborted) {
      feed.push(await askFeed(port, host, slug))
      await delay(FEED_EVERY_MS)
    }
    const { bought, waiting, statuses, times, seconds } = await rushing
    const [held] = await database.query<{ quantity: number }>(
      'select coalesce(sum(quantity), 0)::int as quantity from holds where event_id = $1',
      [eventId],
    )
    console.error(`     ${round(seconds, 1)} s, answers by status: ${JSON.stringify(statuses)}`)
    yield {
      id: 'P18',
      what: `the rush, ${buyers.toLocaleString('en')} buyers for ${tickets.toLocaleString('en')} tickets: tickets held`,
      figure: held!.quantity,
      unit: '',
      target: `${tickets}, no more and no less`,
      isMet: held!.quantity === tickets && bought === tickets && waiting === 0,
    }
    const slowest = round(percentile(times, 1) / 1_000, 2)
    yield { id: 'P18', what: 'the slowest answer', figure: slowest, unit: 's', target: '≤ 10 s', isMet: slowest <= 10 }
    const p99 = round(percentile(feed, 0.99), 1)
    yield { id: 'P18', what: 'the feed beside it, p99', figure: p99, unit: 'ms', target: '≤ 50 ms', isMet: p99 <= 50 }
  } finally {
    await foyer.end()
  }
}

const agent = new Agent({ keepAlive: true, maxSockets: 1 })

/** Milliseconds. This process does nothing else meanwhile. */
const askFeed = async (port: number, host: string, slug: string): Promise<number> => {
  const started = performance.now()
  const headers = { host, accept: 'application/json' }
  const [answer] = (await once(
    get({ agent, host: '127.0.0.1', port, path: `/events/${slug}`, headers }),
    'response',
  )) as [IncomingMessage]
  if (answer.statusCode !== 200) throw new Error(`The feed answered ${answer.statusCode}`)
  await once(answer.resume(), 'end')
  return performance.now() - started
}
