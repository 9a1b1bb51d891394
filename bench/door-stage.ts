import { randomUUID } from 'node:crypto'
import { type FoyerProcess, runFoyer } from '../test/kit/process/foyer-process.ts'
import { type Filled, fillVenue } from './filling.ts'
import { type Bench, type BenchDatabase, withClient } from './frame.ts'
import type { HttpLoad, HttpOutcome, HttpRequest } from './http-load.ts'

export interface Stage {
  database: BenchDatabase
  venue: Filled
  foyer: FoyerProcess
}

export const setTheStage = async (
  bench: Bench,
  name: string,
  events: number[],
  { onFurtherServer = Boolean(process.env['FOYER_BENCH_SHARDS']) } = {},
): Promise<Stage> => {
  const database = await bench.makeDatabase(name)
  const venue = await withClient(database.connection, (client) =>
    fillVenue(client, { subdomain: name, devices: 4, events }),
  )
  const home = onFurtherServer ? await moveToShard(bench, database, name) : database
  return { database: home, venue, foyer: await home.startFoyer() }
}

/** The account lives on a further server then, as far as one machine can show it: in a database of its own. */
const moveToShard = async (bench: Bench, directory: BenchDatabase, name: string): Promise<BenchDatabase> => {
  const shard = await bench.makeDatabase(`${name}_shard`)
  const spread = { FOYER_SHARDS: `two=${shard.url}` }
  const environment = { DATABASE_URL: directory.url, FOYER_DATA: directory.dataFolder, ...spread }
  const { code, stderr } = await runFoyer(['account', 'move', name, '--to', 'two'], environment)
  if (code !== 0) throw new Error(`The account was not moved: ${stderr}`)
  await shard.tidyUp()
  return {
    ...shard,
    startFoyer: (others, switches) => directory.startFoyer({ ...spread, ...others }, switches),
    drop: async () => {
      await shard.drop()
      await directory.drop()
    },
  }
}

/** Tickets of one event that can still be redeemed, shuffled; whoever needs some takes them off the end. */
export const redeemableTickets = async ({ database, venue }: Stage, event: number): Promise<string[]> => {
  const rows = await database.query<{ public_id: string }>(
    `select a.public_id from admissions a
     join orders o on o.account_id = a.account_id and o.id = a.order_id
     where a.account_id = $1 and a.event_id = $2 and a.redeemed_at is null and o.status = 'paid'
     order by md5(a.public_id)`,
    [venue.accountId, venue.events[event]!.id],
  )
  return rows.map((row) => row.public_id)
}

/** As the door's page recommends it. */
export const redemptionOf = ({ venue }: Stage, publicId: string, event = 0): HttpRequest =>
  redemptionAt({ token: venue.devices[0]!, slug: venue.events[event]!.slug }, publicId)

export const redemptionWithoutKeyOf = (stage: Stage, publicId: string, event = 0): HttpRequest => {
  const { idempotencyKey: _key, ...rest } = redemptionOf(stage, publicId, event)
  return rest
}

/** By the device of this token, for a ticket of the event of this slug. */
export const redemptionAt = ({ token, slug }: { token: string; slug: string }, publicId: string): HttpRequest => ({
  method: 'POST',
  path: `/scanner/events/${slug}/tickets/${publicId}/redemption`,
  token,
  idempotencyKey: randomUUID(),
})

export const askAll = (bench: Bench, task: HttpLoad) => bench.work<HttpOutcome>('http-load.ts', task)

export const requireOnly = (status: number, { statuses }: HttpOutcome) => {
  if (Object.keys(statuses).join() !== String(status))
    throw new Error(`Answers other than ${status}: ${JSON.stringify(statuses)}`)
}
