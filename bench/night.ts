import { type Stage, redeemableTickets, redemptionOf } from './door-stage.ts'
import { addCredential, fillVenue } from './filling.ts'
import { type Bench, type Figure, percentile, round, withClient } from './frame.ts'
import type { ScansOutcome, ScansTask } from './night-scans.ts'
import type { ViewersOutcome, ViewersTask } from './night-viewers.ts'
import { openProcessorTimes } from './processor-times.ts'

const ARRIVED = 20_000
const DEVICES = 200
const VIEWERS = 50
const SCANS_PER_SECOND = 20
/** So long it goes on before and after what is measured. */
const LEAD_SECONDS = 3

/** What those who watch a night cost the server: Foyer and PostgreSQL, with the same scans and nobody watching taken off. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const seconds = bench.small ? 8 : 20
  const stage = await openNight(bench, seconds)
  const tickets = await redeemableTickets(stage, 0)
  const scan = (forSeconds: number) =>
    bench.work<ScansOutcome>('night-scans.ts', {
      origin: stage.foyer.origin,
      perSecond: SCANS_PER_SECOND,
      requests: tickets.splice(-forSeconds * SCANS_PER_SECOND).map((publicId) => redemptionOf(stage, publicId)),
    } satisfies ScansTask)

  try {
    await scan(LEAD_SECONDS)
    const alone = await openProcessorTimes(stage.database, { Foyer: stage.foyer.child.pid! })
    await scan(seconds)
    const withoutViewers = alone.total()

    const tokens = await withClient(stage.database.connection, async (client) => {
      const made: string[] = []
      for (let n = 1; n <= VIEWERS; n++) {
        made.push(await addCredential(client, stage.venue.accountId, 'account_token', `Screen ${n}`))
      }
      return made
    })
    const viewing = bench.work<ViewersOutcome>('night-viewers.ts', {
      url: `${stage.foyer.origin}/admin/events/${stage.venue.events[0]!.slug}/night/stream`,
      tokens,
      seconds: seconds + LEAD_SECONDS + 1,
    } satisfies ViewersTask)
    await scan(LEAD_SECONDS)
    const watched = await openProcessorTimes(stage.database, { Foyer: stage.foyer.child.pid! })
    const { answeredAt } = await scan(seconds)
    const withViewers = watched.total()
    watched.tell(VIEWERS * seconds)
    // The last scan is told with the next message, which another one brings about.
    const [{ viewers }] = await Promise.all([viewing, scan(LEAD_SECONDS)])
    const before = ARRIVED + (2 * LEAD_SECONDS + seconds) * SCANS_PER_SECOND
    const delays = viewers.flatMap((told) => delaysOf(answeredAt, before, told))

    const share = ((withViewers - withoutViewers) / seconds / VIEWERS) * 100
    yield {
      id: 'P20',
      what: `a viewer of a night of 20,000 arrivals, 200 devices, 50 viewers`,
      figure: round(share, 2),
      unit: '% of a core',
      target: '< 1 % of a core',
      isMet: share < 1,
    }
    const slowest = round(percentile(delays, 0.99) / 1_000, 2)
    yield {
      id: 'P20',
      what: 'a scan is told to the viewers of the night after, 99th percentile',
      figure: slowest,
      unit: 's',
      target: '≤ 2 s',
      isMet: slowest <= 2,
    }
  } finally {
    await stage.foyer.end()
  }
}

/** How long after its answer each scan was seen by one viewer. */
const delaysOf = (answeredAt: readonly number[], before: number, told: ViewersOutcome['viewers'][number]): number[] =>
  answeredAt.map((at, n) => {
    const seen = told.find(({ arrived }) => arrived > before + n)
    if (!seen) throw new Error(`A viewer never saw scan ${n}`)
    return seen.at - at
  })

/** Guests came over three hours, by all devices, and every device is heard of. */
const openNight = async (bench: Bench, seconds: number): Promise<Stage> => {
  const database = await bench.makeDatabase('night')
  const toCome = (2 * seconds + 4 * LEAD_SECONDS) * SCANS_PER_SECOND
  const venue = await withClient(database.connection, (client) =>
    fillVenue(client, { subdomain: 'night', devices: DEVICES, events: [Math.ceil((ARRIVED + toCome) * 1.05)] }),
  )
  const event = venue.events[0]!
  const arrival = `foyer_now() - interval '3 hours' * ((n % 997) / 997.0)`
  await database.query(
    `with came as (
       select a.id, row_number() over (order by md5(a.public_id)) as n from admissions a
       join orders o on o.account_id = a.account_id and o.id = a.order_id
       where a.account_id = $1 and a.event_id = $2 and o.status = 'paid'
     )
     update admissions a set redeemed_at = ${arrival} from came where came.id = a.id and came.n <= $3`,
    [venue.accountId, event.id, ARRIVED],
  )
  await database.query(
    `with devices as (
       select id, row_number() over (order by id) - 1 as n from credentials where account_id = $1 and kind = 'scanner_device'
     )
     insert into redemption_attempts (account_id, event_id, credential_id, admission_id, event_slug, public_id, result, message,
       scanned_at, synced_at, accepted_at, entry_number)
     select $1, $2, d.id, a.id, $3, a.public_id, 'accepted', '', a.redeemed_at, a.redeemed_at, a.redeemed_at, 1
     from admissions a join devices d on d.n = a.id % $4
     where a.account_id = $1 and a.event_id = $2 and a.redeemed_at is not null`,
    [venue.accountId, event.id, event.slug, DEVICES],
  )
  await database.query(
    `insert into device_heartbeats (account_id, credential_id, seen_at, queue, snapshot_at)
     select $1, id, foyer_now(), id % 3, foyer_now() from credentials where account_id = $1 and kind = 'scanner_device'`,
    [venue.accountId],
  )
  await database.tidyUp()
  return { database, venue, foyer: await database.startFoyer() }
}
