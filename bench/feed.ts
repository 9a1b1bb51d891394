import { fork } from 'node:child_process'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import path from 'node:path'
import type { FeedLoad, FeedOutcome } from './feed-load.ts'
import { fillVenue } from './filling.ts'
import { type Bench, type Figure, percentile, round, withClient } from './frame.ts'

const TARGET = 0.6
const CONNECTIONS = 64
const ROUNDS = 3

/** The public feed against a handler that does nothing, turn by turn, so that both meet the same machine. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const database = await bench.makeDatabase('feed')
  await withClient(database.connection, async (client) => {
    const { accountId, events } = await fillVenue(client, { subdomain: 'feed', devices: 1, events: [2_000] })
    await client.query('update accounts set shop_published_at = foyer_now() where id = $1', [accountId])
    await client.query(DRESS_UP, [accountId, events[0]!.id])
  })
  const foyer = await database.startFoyer()
  const empty = fork(path.join(import.meta.dirname, 'empty-handler.ts'))
  const [{ port: emptyPort }] = (await once(empty, 'message')) as [{ port: number }]
  const foyerPort = Number(new URL(foyer.origin).port)
  const count = bench.small ? 10_000 : 40_000

  const requestOf = (more = '') =>
    `GET /events/night-1 HTTP/1.1\r\nHost: feed.localhost:${foyerPort}\r\nAccept: application/json\r\n${more}\r\n`
  const ask = (port: number, request: string, status: number, requests = count) =>
    bench.work<FeedOutcome>('feed-load.ts', {
      port,
      connections: CONNECTIONS,
      count: requests,
      request,
      status,
    } satisfies FeedLoad)

  try {
    const etag = await warmUp(foyer.origin, () => ask(foyerPort, requestOf(), 200, 5_000))
    await ask(emptyPort, requestOf(), 200, 5_000)
    const known = requestOf(`If-None-Match: ${etag}\r\n`)

    const rates: Record<'bare' | 'whole' | 'known', number[]> = { bare: [], whole: [], known: [] }
    const times: number[] = []
    for (let turn = 0; turn < ROUNDS; turn++) {
      rates.bare.push((await ask(emptyPort, requestOf(), 200)).perSecond)
      const whole = await ask(foyerPort, requestOf(), 200)
      rates.whole.push(whole.perSecond)
      times.push(...whole.times)
      rates.known.push((await ask(foyerPort, known, 304)).perSecond)
    }

    const baseline = percentile(rates.bare, 0.5)
    yield figureOf('one event with tickets', percentile(rates.whole, 0.5), baseline)
    yield figureOf('one event, not modified (304)', percentile(rates.known, 0.5), baseline)
    const slow = round(percentile(times, 0.99), 1)
    yield { id: 'P5', what: 'one event, p99', figure: slow, unit: 'ms', target: 'none', isMet: true }
  } finally {
    empty.kill()
    await foyer.end()
  }
}

const figureOf = (what: string, figure: number, baseline: number): Figure => ({
  id: 'P5',
  what,
  figure: round(figure),
  unit: 'requests/s',
  baseline: round(baseline),
  ratio: round(figure / baseline, 2),
  target: `≥ ${TARGET} × an empty handler`,
  isMet: figure / baseline >= TARGET,
})

/** An event as venues fill it in. */
const DRESS_UP = `
  with dressed as (
    update events set description = repeat('<p>Dance until <strong>morning</strong>, and a little longer.</p>', 12), capacity = 5000
    where account_id = $1 and id = $2
  ), tickets as (
    insert into tickets (account_id, event_id, key, position, title, color, price_cents, stock, features)
    select $1, $2, 'ticket-' || n, n, 'Ticket ' || n, '#2f6fed', n * 500, 3000, array['Cloakroom', 'One drink'] from generate_series(2, 6) n
  ), faq as (
    insert into faq_items (account_id, event_id, position, question, answer)
    select $1, $2, n, 'Question ' || n || '?', 'The answer to it.' from generate_series(1, 4) n
  )
  insert into performers (account_id, event_id, position, name, bio)
  select $1, $2, n, 'The Lanterns ' || n, '<p>Nine people and a bass.</p>' from generate_series(1, 3) n`

const warmUp = async (origin: string, run: () => Promise<unknown>) => {
  await run()
  await run()
  const { port } = new URL(origin)
  const headers = { host: `feed.localhost:${port}` }
  const asking = request({ host: '127.0.0.1', port, path: '/events/night-1', headers }).end()
  const [answer] = (await once(asking, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.headers.etag!
}
