import { rm } from 'node:fs/promises'
import { migrate } from '../src/database/migrate.ts'
import { databaseFolder } from '../test/kit/database/folders.ts'
import { type ServerPair, startServerPair } from '../test/kit/database/server-pair.ts'
import { startFoyer } from '../test/kit/process/foyer-process.ts'
import { type Filled, fillVenue } from './filling.ts'
import { type Bench, type Figure, percentile, round, withClient } from './frame.ts'
import { ofChildren } from './processor-times.ts'

const HALF = 0.5
const SLOWER_MOST = 3

/**
 * Two database servers of its own, the second a standby: what reading from it saves the primary, and what a redemption
 * takes when it must be on both. All share the machine, so processor time is what is compared.
 */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const folder = await databaseFolder('replica', bench.folder)
  const pair = await startServerPair({ isSynchronous: false })
  try {
    const connection = { connectionString: pair.urlOf(pair.primary) }
    await migrate(connection)
    const tickets = bench.small ? 2_000 : 10_000
    const venue = await withClient(connection, (client) =>
      fillVenue(client, { subdomain: 'replica', devices: 1, events: [tickets] }),
    )
    await pair.primary.ask('vacuum analyze', 'foyer')
    const rounds = bench.small ? 60 : 200
    const alone = await snapshotCost(pair, venue, { folder, rounds, readsStandby: false })
    const shared = await snapshotCost(pair, venue, { folder, rounds, readsStandby: true })
    yield {
      id: 'repl',
      what: `the primary's processor for a snapshot of ${tickets} tickets that the standby reads`,
      figure: round(shared.primaryMs, 2),
      unit: 'ms',
      baseline: round(alone.primaryMs, 2),
      ratio: round(shared.primaryMs / alone.primaryMs, 2),
      target: '≤ 0.5 × without a standby',
      isMet: shared.primaryMs <= alone.primaryMs * HALF,
    }
    yield {
      id: 'repl',
      what: 'the same snapshot, median',
      figure: round(shared.medianMs, 1),
      unit: 'ms',
      baseline: round(alone.medianMs, 1),
      ratio: round(shared.medianMs / alone.medianMs, 2),
      target: 'none',
      isMet: true,
    }
    const scans = bench.small ? 200 : 800
    const asynchronous = await scanMedian(pair, venue, { folder, from: 0, scans })
    await pair.primary.ask(`alter system set synchronous_standby_names = 'second'`)
    await pair.primary.ask('select pg_reload_conf()')
    const synchronous = await scanMedian(pair, venue, { folder, from: scans, scans })
    yield {
      id: 'repl',
      what: 'a redemption that is on both servers when it is answered, median of one after the other',
      figure: round(synchronous, 2),
      unit: 'ms',
      baseline: round(asynchronous, 2),
      ratio: round(synchronous / asynchronous, 2),
      target: `≤ ${SLOWER_MOST} × on one`,
      isMet: synchronous <= asynchronous * SLOWER_MOST,
    }
  } finally {
    await pair.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const environmentOf = (pair: ServerPair, folder: string) => ({
  FOYER_DATA: folder,
  FOYER_RATE_LIMITS: 'off',
  DATABASE_URL: pair.urlOf(pair.primary),
})

const snapshotCost = async (
  pair: ServerPair,
  { devices, events }: Filled,
  { folder, rounds, readsStandby }: { folder: string; rounds: number; readsStandby: boolean },
) => {
  const standby: Record<string, string> = readsStandby ? { DATABASE_READ_URL: pair.urlOf(pair.standby) } : {}
  const foyer = await startFoyer({ ...environmentOf(pair, folder), ...standby }, ['--no-jobs'])
  const take = async () => {
    const started = performance.now()
    const headers = { authorization: `Bearer ${devices[0]}` }
    const reply = await fetch(`${foyer.origin}/scanner/events/${events[0]!.slug}/snapshot`, { headers })
    await reply.arrayBuffer()
    return performance.now() - started
  }
  try {
    for (let n = 0; n < 10; n++) await take()
    const before = ofChildren(pair.primary.pid())
    const times: number[] = []
    for (let n = 0; n < rounds; n++) times.push(await take())
    const primaryMs = ((ofChildren(pair.primary.pid()) - before) / rounds) * 1_000
    return { primaryMs, medianMs: percentile(times, 0.5) }
  } finally {
    await foyer.end()
  }
}

const scanMedian = async (
  pair: ServerPair,
  { devices, events }: Filled,
  { folder, from, scans }: { folder: string; from: number; scans: number },
) => {
  const foyer = await startFoyer(environmentOf(pair, folder), ['--no-jobs'])
  const headers = { authorization: `Bearer ${devices[0]}` }
  const { slug } = events[0]!
  try {
    const reply = await fetch(`${foyer.origin}/scanner/events/${slug}/snapshot`, { headers })
    const { tickets } = (await reply.json()) as { tickets: { public_id: string }[] }
    const times: number[] = []
    for (const { public_id: ticket } of tickets.slice(from, from + scans)) {
      const started = performance.now()
      const scanned = await fetch(`${foyer.origin}/scanner/events/${slug}/tickets/${ticket}/redemption`, {
        method: 'POST',
        headers,
      })
      await scanned.arrayBuffer()
      times.push(performance.now() - started)
    }
    return percentile(times, 0.5)
  } finally {
    await foyer.end()
  }
}
