import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import type { FeedLoad, FeedOutcome } from './feed-load.ts'
import { fillVenue } from './filling.ts'
import { type Bench, type Figure, percentile, round, withClient } from './frame.ts'

const TARGET = 0.5
const ROUNDS = 3

/** An endpoint that asks for a credential and reads one row, against a handler that does nothing, turn by turn. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const database = await bench.makeDatabase('access')
  const { devices } = await withClient(database.connection, (client) =>
    fillVenue(client, { subdomain: 'access', devices: 1, events: [10] }),
  )
  const foyer = await database.startFoyer()
  const empty = fork(path.join(import.meta.dirname, 'empty-handler.ts'))
  const [{ port: emptyPort }] = (await once(empty, 'message')) as [{ port: number }]
  const request = `GET /scanner/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${devices[0]!}\r\n\r\n`
  const ask = (port: number, count: number) =>
    bench.work<FeedOutcome>('feed-load.ts', { port, connections: 64, count, request, status: 200 } satisfies FeedLoad)

  try {
    const foyerPort = Number(new URL(foyer.origin).port)
    for (const port of [foyerPort, emptyPort, foyerPort]) await ask(port, 5_000)
    const rates: Record<'bare' | 'admitted', number[]> = { bare: [], admitted: [] }
    for (let turn = 0; turn < ROUNDS; turn++) {
      rates.bare.push((await ask(emptyPort, 30_000)).perSecond)
      rates.admitted.push((await ask(foyerPort, 30_000)).perSecond)
    }
    const [rate, baseline] = [percentile(rates.admitted, 0.5), percentile(rates.bare, 0.5)]
    yield {
      id: 'auth',
      what: 'an authenticated request that reads one row',
      figure: round(rate),
      unit: 'requests/s',
      baseline: round(baseline),
      ratio: round(rate / baseline, 2),
      target: `≥ ${TARGET} × an empty handler`,
      isMet: rate / baseline >= TARGET,
    }
  } finally {
    empty.kill()
    await foyer.end()
  }
}
