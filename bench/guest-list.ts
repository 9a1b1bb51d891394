import type { BareClaims } from './bare-claims.ts'
import { fillVenue } from './filling.ts'
import { type Bench, type BenchDatabase, type Figure, percentile, round, withClient } from './frame.ts'
import type { HttpLoad, HttpOutcome, HttpRequest } from './http-load.ts'
import { openProcessorTimes } from './processor-times.ts'

const CLIENTS = 16
const LIST_ROUNDS = 12

/** Parties that are added, and the list of five thousand of them. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const database = await bench.makeDatabase('guest_list')
  const { accountId, office, events } = await withClient(database.connection, (client) =>
    fillVenue(client, { subdomain: 'guests', devices: 1, events: [10, 10, 5_000] }),
  )
  const [added, listed] = events
  const foyer = await database.startFoyer()
  const load = (connections: number, requests: HttpRequest[]) =>
    bench.work<HttpOutcome>('http-load.ts', { origins: [foyer.origin], connections, requests } satisfies HttpLoad)

  try {
    const [ticket] = await database.query<{ id: number }>(
      'select id::int from tickets where account_id = $1 and event_id = $2',
      [accountId, added!.id],
    )
    const count = bench.small ? 1_000 : 4_000
    const party: HttpRequest = {
      method: 'POST',
      path: `/admin/events/${added!.slug}/guest_parties`,
      token: office,
      body: JSON.stringify({ guest_party: { customer_name: 'Petra Press', ticket_id: ticket!.id, party_size: 2 } }),
    }
    await load(
      CLIENTS,
      Array.from({ length: 300 }, () => party),
    )
    const bare = await bench.work<{ seconds: number }>('bare-claims.ts', {
      connection: database.connection,
      clients: CLIENTS,
      count,
      accountId,
      eventId: added!.id,
    } satisfies BareClaims)
    const parties = await load(
      CLIENTS,
      Array.from({ length: count }, () => party),
    )
    if (parties.statuses[201] !== count) throw new Error(`Parties were refused: ${JSON.stringify(parties.statuses)}`)
    const [rate, baseline] = [count / parties.seconds, count / bare.seconds]
    yield {
      id: 'P6',
      what: 'guest parties of two, one ticket, 16 clients',
      figure: round(rate),
      unit: '/s',
      baseline: round(baseline),
      ratio: round(rate / baseline, 2),
      target: '≥ 0.5 × the bare statement',
      isMet: rate / baseline >= 0.5,
    }

    await fillParties(database, accountId, listed!.id)
    const list: HttpRequest = { method: 'GET', path: `/admin/events/${listed!.slug}/guest_list`, token: office }
    await load(1, [list, list, list])
    const used = await openProcessorTimes(database, { Foyer: foyer.child.pid! })
    const { times } = await load(
      1,
      Array.from({ length: LIST_ROUNDS }, () => list),
    )
    used.tell(LIST_ROUNDS)
    const middle = round(percentile(times, 0.5), 1)
    yield {
      id: 'P7',
      what: 'the guest list of 5,000 parties, 15,000 admissions',
      figure: middle,
      unit: 'ms',
      target: '≤ 250 ms',
      isMet: middle <= 250,
    }
  } finally {
    await foyer.end()
  }
}

const fillParties = (database: BenchDatabase, accountId: number, eventId: number) =>
  database.query(
    `with made as (
       insert into orders (account_id, event_id, public_id, order_code, origin, status, customer_name, delivery_email, paid_at)
       select $1::bigint, $2::bigint, 'party' || n, 'P' || n, 'guest_list', 'paid', 'Guest ' || md5(n::text), n || '@guest.example', foyer_now()
       from generate_series(1, 5000) n returning id
     )
     insert into admissions (account_id, event_id, order_id, public_id, check_in_code, ticket_id, ticket_title, position, is_lead)
     select $1::bigint, $2::bigint, made.id, 'p' || made.id || '-' || n,
       translate(upper(substr(md5(made.id || '-' || n), 1, 8)), '01', 'XY'), t.id, t.title, n, n = 0
     from made, generate_series(0, 2) n, tickets t
     where t.account_id = $1::bigint and t.event_id = $2::bigint
     on conflict do nothing`,
    [accountId, eventId],
  )
