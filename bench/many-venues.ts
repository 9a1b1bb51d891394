import { randomUUID } from 'node:crypto'
import { type VenueAmongMany, fillManyVenues } from './filling-many.ts'
import { askAll, requireOnly } from './door-stage.ts'
import { type Bench, type Figure, percentile, round, withClient } from './frame.ts'
import type { HttpRequest } from './http-load.ts'

/** A host with so many venues, and one evening on which all of them open. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const [count, tickets, size] = bench.small ? [200, 24, 500] : [10_000, 20, 8_000]
  const database = await bench.makeDatabase('many')
  const venues = await withClient(database.connection, (client) => fillManyVenues(client, { venues: count, tickets }))
  const first = await database.startFoyer()
  const named = `of ${count.toLocaleString('en')} venues`

  const scans = shuffled(venues.flatMap((venue) => venue.tickets.map((id) => redemptionOf(venue, id))))
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

const redemptionOf = ({ token, slug }: VenueAmongMany, publicId: string): HttpRequest => ({
  method: 'POST',
  path: `/scanner/events/${slug}/tickets/${publicId}/redemption`,
  token,
  idempotencyKey: randomUUID(),
})

/** There is no row for it in the table of targets: what it tells is in docs/scaling.md. */
const figureOf = (what: string, figure: number, unit: string): Figure => ({
  id: 'many',
  what,
  figure: round(figure, unit === 'ms' ? 1 : 0),
  unit,
  target: 'none',
  isMet: true,
})

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item)
