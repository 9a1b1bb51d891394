import { shuffledBy } from '../test/kit/seed.ts'
import { askAll, redemptionAt, requireOnly } from './door-stage.ts'
import { fillManyVenues } from './filling-many.ts'
import { type Bench, type Figure, percentile, round, withClient } from './frame.ts'

/** A host with so many venues, and one evening on which all of them open. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const [count, tickets, size] = bench.small ? [200, 24, 500] : [10_000, 20, 8_000]
  const database = await bench.makeDatabase('many')
  const venues = await withClient(database.connection, (client) => fillManyVenues(client, { venues: count, tickets }))
  const first = await database.startFoyer()
  const named = `of ${count.toLocaleString('en')} venues`

  const scans = shuffledBy(
    Math.random,
    venues.flatMap((venue) => venue.tickets.map((id) => redemptionAt(venue, id))),
  )
  const scan = async (origins: string[]) => {
    const outcome = await askAll(bench, { origins, connections: 64, requests: scans.splice(-size) })
    requireOnly(200, outcome)
    return { rate: size / outcome.seconds, p99: percentile(outcome.times, 0.99) }
  }
  // The first scan of a venue at a process is also the first sight of its device and its event.
  const cold = await scan([first.origin])
  for (let n = 0; n < 4; n++) await scan([first.origin])
  const warm = await scan([first.origin])
  yield figureOf(`redemptions ${named}, most of them not seen before`, cold.rate, '/s')
  yield figureOf(`redemptions ${named}, from wherever the next guest comes`, warm.rate, '/s')
  yield figureOf(`the slowest of a hundred redemptions ${named}`, warm.p99, 'ms')

  const second = await database.startFoyer()
  await scan([first.origin, second.origin])
  const both = await scan([first.origin, second.origin])
  yield figureOf(`redemptions ${named} at two processes`, both.rate, '/s')
  yield figureOf(`the slowest of a hundred redemptions ${named} at two processes`, both.p99, 'ms')

  await first.end()
  await second.end()
  await database.drop()
}

/** There is no target for it. */
const figureOf = (what: string, figure: number, unit: string): Figure => ({
  id: 'many',
  what,
  figure: round(figure, unit === 'ms' ? 1 : 0),
  unit,
  target: 'none',
  isMet: true,
})
