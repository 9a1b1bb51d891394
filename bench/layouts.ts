import type { FoyerProcess } from '../test/kit/process/foyer-process.ts'
import { type Stage, askAll, redeemableTickets, redemptionOf, requireOnly, setTheStage } from './door-stage.ts'
import { type Bench, type BenchDatabase, type Figure, percentile, round } from './frame.ts'
import type { HttpRequest } from './http-load.ts'
import { openPooler, type Pooler } from './pooler.ts'

const ROUNDS = 9
const WARM_UPS = 3
const CONNECTIONS = 64

/** Foyer set up in one way, and what it has to redeem. */
interface Layout {
  name: string
  origins: string[]
  stage: Stage
  tickets: string[]
}

type Measured = 'redemptions' | 'reads'

/** The same door by one process, by two, through a pooler and on a further server, in turns: what each of them buys. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const size = bench.small ? 500 : 4_000
  // Not every ticket of a full house can be redeemed.
  const perLayout = 1.5 * size * (ROUNDS + WARM_UPS)
  const home = await setTheStage(bench, 'home', [3 * perLayout], { onFurtherServer: false })
  const further = await setTheStage(bench, 'further', [perLayout], { onFurtherServer: true })
  const [tickets, furtherTickets] = [await redeemableTickets(home, 0), await redeemableTickets(further, 0)]
  const second = await home.database.startFoyer()
  const pooled = await startBehindPooler(home.database)
  const one: Layout = { name: 'one process', origins: [home.foyer.origin], stage: home, tickets }
  const others: Layout[] = [
    { ...one, name: 'two processes', origins: [home.foyer.origin, second.origin] },
    ...(pooled ? [{ ...one, name: 'through PgBouncer', origins: [pooled.foyer.origin] }] : []),
    { name: 'on a further server', origins: [further.foyer.origin], stage: further, tickets: furtherTickets },
  ]
  try {
    const rounds: Record<string, Record<Measured, number>>[] = []
    for (let turn = 0; turn < WARM_UPS + ROUNDS; turn++) {
      const rates: Record<string, Record<Measured, number>> = {}
      // Whoever comes first may meet what the one before left to do.
      const order = [one, ...others].map((_, n, all) => all[(n + turn) % all.length]!)
      for (const layout of order) rates[layout.name] = await ask(bench, layout, size)
      if (turn >= WARM_UPS) rounds.push(rates)
    }
    for (const what of ['redemptions', 'reads'] as const) {
      const rateOf = (name: string) =>
        percentile(
          rounds.map((rates) => rates[name]![what]),
          0.5,
        )
      const shown = { id: 'layout', unit: '/s', target: 'none', isMet: true }
      yield { ...shown, what: `${what} by ${one.name}`, figure: round(rateOf(one.name)) }
      for (const { name } of others) {
        const ratios = rounds.map((rates) => rates[name]![what] / rates[one.name]![what])
        const compared = { baseline: round(rateOf(one.name)), ratio: round(percentile(ratios, 0.5), 2) }
        yield { ...shown, what: `${what}, ${name}`, figure: round(rateOf(name)), ...compared }
      }
    }
  } finally {
    for (const foyer of [home.foyer, second, further.foyer, ...(pooled ? [pooled.foyer] : [])]) await foyer.end()
    pooled?.pooler.close()
    await further.database.drop()
    await home.database.drop()
  }
}

const ask = async (
  bench: Bench,
  { origins, stage, tickets }: Layout,
  size: number,
): Promise<Record<Measured, number>> => {
  const rateOf = async (requests: HttpRequest[]) => {
    const outcome = await askAll(bench, { origins, connections: CONNECTIONS, requests })
    requireOnly(200, outcome)
    return requests.length / outcome.seconds
  }
  const read: HttpRequest = { method: 'GET', path: '/scanner/me', token: stage.venue.devices[0]! }
  return {
    redemptions: await rateOf(tickets.splice(-size).map((id) => redemptionOf(stage, id))),
    reads: await rateOf(Array.from({ length: 2 * size }, () => read)),
  }
}

/** Null where there is no PgBouncer on this machine. */
const startBehindPooler = async (database: BenchDatabase): Promise<{ pooler: Pooler; foyer: FoyerProcess } | null> => {
  try {
    const pooler = await openPooler(`${database.dataFolder}-pooler`, database.connection)
    return { pooler, foyer: await database.startFoyer({ DATABASE_URL: pooler.addressOf(database.url) }) }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    console.error('     there is no pgbouncer on this machine')
    return null
  }
}
