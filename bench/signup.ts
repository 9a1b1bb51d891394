import { fillVenue } from './filling.ts'
import { type Bench, type BenchDatabase, type Figure, round, withClient } from './frame.ts'
import type { HttpLoad, HttpOutcome } from './http-load.ts'
import { openProcessorTimes } from './processor-times.ts'

const CLIENTS = 8
/** Every connection has planned its statements by then. */
const WARM_UP = 200

/** Guests who signed up and wait, written straight into the database. */
const FILL_REQUESTS = `
  insert into signup_requests (account_id, event_id, public_id, link_id, page_digest, sealed_page_token, name, email,
    companions)
  select l.account_id, l.event_id, md5('request' || n), l.id, sha256(('page' || n)::bytea), '', 'Guest ' || n,
    'guest' || n || '@bench.example', n % 2
  from signup_links l, generate_series(1, $2::int) n
  where l.account_id = $1
  returning public_id`

const FILL_LINK = `
  insert into signup_links (account_id, event_id, public_id, token_digest, sealed_token, ticket_id, max_companions, capacity)
  select account_id, event_id, 'bench-link', sha256('link'), '', id, 1, 1000000 from tickets where account_id = $1 order by id limit 1`

export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const count = bench.small ? 400 : 1_000
  const database = await bench.makeDatabase('signup')
  const venue = await withClient(database.connection, (client) =>
    fillVenue(client, { subdomain: 'signup', devices: 0, events: [2, 5_000] }),
  )
  await database.query('update accounts set shop_published_at = foyer_now() where id = $1', [venue.accountId])
  await database.query(FILL_LINK, [venue.accountId])
  const requests = await database.query<{ public_id: string }>(FILL_REQUESTS, [venue.accountId, WARM_UP + count])

  await database.query('analyze')

  const approve = (origin: string, some: typeof requests) =>
    bench.work<HttpOutcome>('http-load.ts', {
      origins: [origin],
      connections: CLIENTS,
      requests: some.map(({ public_id }) => ({
        method: 'POST',
        path: `/admin/events/${venue.events[0]!.slug}/guest_requests/${public_id}/approval`,
        token: venue.office,
        body: '',
      })),
    } satisfies HttpLoad)

  const web = await database.startFoyer({}, ['--no-jobs'])
  requireAll(WARM_UP, await approve(web.origin, requests.slice(0, WARM_UP)))
  const used = await openProcessorTimes(database, { Foyer: web.child.pid! })
  const outcome = await approve(web.origin, requests.slice(WARM_UP))
  used.tell(count)
  requireAll(count, outcome)
  await web.end()
  const approved = count / outcome.seconds
  yield {
    id: 'P8',
    what: `approvals by ${CLIENTS} clients`,
    figure: round(approved),
    unit: '/s',
    target: '≥ 400/s',
    isMet: approved >= 400,
  }

  const mailed = await mailsPerSecond(database)
  yield {
    id: 'P8',
    what: 'tickets mailed with their PDFs',
    figure: round(mailed),
    unit: '/s',
    target: '≥ 60/s',
    isMet: mailed >= 60,
  }
}

const requireAll = (count: number, { statuses }: HttpOutcome) => {
  if (statuses[200] !== count) throw new Error(`Not all were approved: ${JSON.stringify(statuses)}`)
}

/** By the worker of a Foyer that has nothing else to do, from its first mail to its last. */
const mailsPerSecond = async (database: BenchDatabase) => {
  const left = async () => {
    const [row] = await database.query<{ count: number }>(
      'select count(*)::int as count from lane_jobs where attempts = 0',
    )
    return row!.count
  }
  const all = await left()
  const worker = await database.startFoyer()
  while ((await left()) === all) await pause()
  const [before, started] = [await left(), performance.now()]
  while ((await left()) > 0) await pause()
  const seconds = (performance.now() - started) / 1000
  await worker.end()
  return before / seconds
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 50))
