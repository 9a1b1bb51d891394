import { readFile } from 'node:fs/promises'
import http from 'node:http'
import { createGunzip } from 'node:zlib'
import type { BareRedemptions } from './bare-redemptions.ts'
import { measureGrowth, measureSearch, openSearch } from './door-search.ts'
import {
  type Stage,
  askAll,
  redeemableTickets,
  redemptionOf,
  redemptionWithoutKeyOf,
  requireOnly,
  setTheStage,
} from './door-stage.ts'
import { type Bench, type Figure, middleOf, percentile, round } from './frame.ts'
import type { HttpRequest } from './http-load.ts'

export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const [most, event, rest, few] = bench.small ? [40_000, 5_000, 3, 2_000] : [200_000, 50_000, 15, 10_000]
  const large = await setTheStage(bench, 'large', [most, event, ...Array.from({ length: rest }, () => event)])
  const tickets = await redeemableTickets(large, 0)

  yield* measureRedemptions(bench, large, tickets)
  await large.database.tidyUp()
  yield* measureSync(bench, large, tickets)
  await large.database.tidyUp()
  // By a process of its own, so that the memory is the snapshot's and not what a night of redemptions left behind.
  const apart = { ...large, foyer: await large.database.startFoyer() }
  yield* measureSnapshot(apart, 1)
  await apart.foyer.end()
  const search = await openSearch(bench, large, 1)
  yield* measureSearch(search)

  const little = await setTheStage(bench, 'little', [few / 2, few / 2])
  yield* measureGrowth(
    bench,
    { stage: large, tickets, search },
    { stage: little, tickets: await redeemableTickets(little, 0), search: await openSearch(bench, little, 1) },
  )
  await little.foyer.end()
  yield* measureTwoProcesses(bench, large, tickets)
  await large.foyer.end()
  await large.database.drop()
}

/** In turns with the bare statement, so that a slow minute of the machine is slow for all of them. */
async function* measureRedemptions(bench: Bench, stage: Stage, tickets: string[]): AsyncGenerator<Figure> {
  const size = bench.small ? 1_000 : 8_000
  const redeem = async (count: number, requestOf: (stage: Stage, publicId: string) => HttpRequest) => {
    const requests = tickets.splice(-count).map((id) => requestOf(stage, id))
    const outcome = await askAll(bench, { origins: [stage.foyer.origin], connections: 64, requests })
    requireOnly(200, outcome)
    return { rate: count / outcome.seconds, p99: percentile(outcome.times, 0.99) }
  }
  const redeemBare = async () => {
    const task: BareRedemptions = {
      connection: stage.database.connection,
      clients: 16,
      accountId: stage.venue.accountId,
      publicIds: tickets.splice(-size),
    }
    const { seconds } = await bench.work<{ seconds: number }>('bare-redemptions.ts', task)
    return size / seconds
  }
  // As warm as a server that has been up since the morning: V8 goes on improving for tens of thousands of requests.
  for (let n = 0; n < 4; n++) await redeem(size, redemptionOf)

  const rounds: Record<'bare' | 'keyed' | 'p99' | 'ratio' | 'keyless' | 'keylessRatio', number>[] = []
  for (let n = 0; n < 5; n++) {
    const bare = await redeemBare()
    const { rate: keyed, p99 } = await redeem(size, redemptionOf)
    const { rate: keyless } = await redeem(size / 4, redemptionWithoutKeyOf)
    rounds.push({ bare, keyed, p99, ratio: keyed / bare, keyless, keylessRatio: keyless / bare })
  }

  const ratio = middleOf(rounds, 'ratio')
  const p99 = middleOf(rounds, 'p99')
  const baseline = round(middleOf(rounds, 'bare'))
  yield {
    id: 'P1',
    what: 'online redemptions with an Idempotency-Key over 64 connections',
    figure: round(middleOf(rounds, 'keyed')),
    unit: '/s',
    baseline,
    ratio: round(ratio, 2),
    target: '≥ 1.5 × the bare statement',
    isMet: ratio >= 1.5,
  }
  yield {
    id: 'P1',
    what: 'the slowest of a hundred redemptions with a key',
    figure: round(p99, 1),
    unit: 'ms',
    target: '≤ 40 ms',
    isMet: p99 <= 40,
  }
  yield {
    id: 'P1',
    what: 'online redemptions without a key',
    figure: round(middleOf(rounds, 'keyless')),
    unit: '/s',
    baseline,
    ratio: round(middleOf(rounds, 'keylessRatio'), 2),
    target: 'none',
    isMet: true,
  }
}

async function* measureSync(bench: Bench, stage: Stage, tickets: string[]): AsyncGenerator<Figure> {
  const { venue } = stage
  let batches = 0
  const batchOf = (device: number): HttpRequest => {
    const batch = batches++
    const attempts = tickets.splice(-1_000).map((publicId, n) => ({
      client_id: `scan-${batch}-${n}`,
      event_slug: venue.events[0]!.slug,
      public_id: publicId,
      scanned_at: '2026-12-15T18:03:40.123Z',
    }))
    return {
      method: 'POST',
      path: '/scanner/redemption_attempts',
      token: venue.devices[device]!,
      body: JSON.stringify({ attempts }),
    }
  }
  const sync = async (requests: HttpRequest[], connections: number) => {
    const outcome = await askAll(bench, { origins: [stage.foyer.origin], connections, requests })
    requireOnly(200, outcome)
    return outcome
  }

  const alone = await sync(
    Array.from({ length: bench.small ? 3 : 9 }, () => batchOf(0)),
    1,
  )
  const count = bench.small ? 8 : 40
  const together = await sync(
    Array.from({ length: count }, (_, n) => batchOf(n % 4)),
    4,
  )
  const rate = (count * 1_000) / together.seconds
  yield {
    id: 'P2',
    what: 'synced attempts, 4 devices at once',
    figure: round(rate),
    unit: '/s',
    target: '≥ 10,000/s',
    isMet: rate >= 10_000,
  }
  const median = percentile(alone.times, 0.5)
  yield {
    id: 'P2',
    what: 'a batch of 1,000 alone',
    figure: round(median, 1),
    unit: 'ms',
    target: '≤ 120 ms',
    isMet: median <= 120,
  }
}

type Download = Record<'firstByte' | 'whole' | 'bytes', number>

const download = (stage: Stage, path: string, encoding: 'identity' | 'gzip') =>
  new Promise<Download>((resolve, reject) => {
    const started = performance.now()
    const headers = { authorization: `Bearer ${stage.venue.devices[0]}`, 'accept-encoding': encoding }
    http
      .get(stage.foyer.origin + path, { headers, agent: false }, (response) => {
        let firstByte = 0
        let bytes = 0
        response.on('data', (piece: Buffer) => {
          firstByte ||= performance.now() - started
          bytes += piece.length
        })
        const text = encoding === 'gzip' ? response.pipe(createGunzip()) : response
        text.on('error', reject).resume()
        text.on('end', () => resolve({ firstByte, whole: performance.now() - started, bytes }))
      })
      .on('error', reject)
  })

/** The largest memory the process ever had, from the kernel. */
const peakMegabytes = async ({ foyer }: Stage) => {
  const status = await readFile(`/proc/${foyer.child.pid}/status`, 'utf8')
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)![1]) / 1024
}

/** How long the server keeps somebody else waiting meanwhile: the longest answer to the cheapest question. */
const watchStalls = (stage: Stage) => {
  let longest = 0
  const watch = new AbortController()
  const agent = new http.Agent({ keepAlive: true })
  const ask = () =>
    new Promise<void>((resolve, reject) => {
      http
        .get(`${stage.foyer.origin}/openapi.json`, { method: 'HEAD', agent }, (response) =>
          response.resume().on('end', resolve),
        )
        .on('error', reject)
    })
  const watching = (async () => {
    await ask()
    while (!watch.signal.aborted) {
      const started = performance.now()
      await ask()
      longest = Math.max(longest, performance.now() - started)
      await new Promise((resolve) => setTimeout(resolve, 2))
    }
    agent.destroy()
  })()
  return async () => {
    watch.abort()
    await watching
    return longest
  }
}

async function* measureSnapshot(stage: Stage, event: number): AsyncGenerator<Figure> {
  const path = `/scanner/events/${stage.venue.events[event]!.slug}/snapshot`
  const count = stage.venue.events[event]!.tickets
  // Until Node has set aside what it will, which it does in steps over the first dozen: that is the process's, not one snapshot's.
  for (let n = 0; n < 14; n++) await download(stage, path, n % 2 ? 'gzip' : 'identity')

  const before = await peakMegabytes(stage)
  const stop = watchStalls(stage)
  const runs: Download[] = []
  for (let n = 0; n < 5; n++) runs.push(await download(stage, path, 'identity'))
  const longest = await stop()
  const grown = (await peakMegabytes(stage)) - before
  const zipped = await download(stage, path, 'gzip')

  const median = (key: keyof Download) => middleOf(runs, key)
  const what = `snapshot of ${count.toLocaleString('en')} tickets`
  const figure = (name: string, figured: number, unit: string, target: string, isMet: boolean): Figure => ({
    id: 'P3',
    what: `${what}: ${name}`,
    figure: round(figured, 1),
    unit,
    target,
    isMet,
  })
  yield figure('first byte', median('firstByte'), 'ms', '≤ 60 ms', median('firstByte') <= 60)
  yield figure('whole', median('whole'), 'ms', '≤ 800 ms', median('whole') <= 800)
  yield figure('more memory', grown, 'MB', '≤ 64 MB', grown <= 64)
  yield figure('longest stall', longest, 'ms', '≤ 50 ms', longest <= 50)
  yield figure('compressed, whole', zipped.whole, 'ms', '≤ 800 ms', zipped.whole <= 800)
  yield figure(
    'compressed, of the plain size',
    (zipped.bytes / median('bytes')) * 100,
    '%',
    'less',
    zipped.bytes < median('bytes'),
  )
}

/** Two processes, the same tickets asked for at both: whoever wins, each ticket is redeemed once. */
async function* measureTwoProcesses(bench: Bench, stage: Stage, tickets: string[]): AsyncGenerator<Figure> {
  const second = await stage.database.startFoyer()
  const count = bench.small ? 500 : 5_000
  const requests = tickets.splice(-count).flatMap((id) => [redemptionOf(stage, id), redemptionOf(stage, id)])
  const outcome = await askAll(bench, { origins: [stage.foyer.origin, second.origin], connections: 64, requests })
  await second.end()
  const accepted = outcome.statuses[200] ?? 0
  const refused = outcome.statuses[422] ?? 0
  yield {
    id: 'P15',
    what: `tickets redeemed once, of ${count.toLocaleString('en')} asked for twice at two processes`,
    figure: accepted,
    unit: '',
    target: `${count} and no other answer than 200 and 422`,
    isMet: accepted === count && refused === count,
  }
}
