import { type Stage, askAll, redemptionOf, requireOnly } from './door-stage.ts'
import { type Bench, type Figure, middleOf, percentile, round } from './frame.ts'

type SearchKind = 'name part' | 'two letters' | 'e-mail part' | 'code'
type Texts = Record<SearchKind, string[]>

/** What is typed at the door of this event: parts of its guests' names and addresses, and codes of its tickets. */
const textsOf = async (bench: Bench, { database, venue }: Stage, event: number): Promise<Texts> => {
  const rows = await database.query<{ customer_name: string; delivery_email: string; check_in_code: string }>(
    `select o.customer_name, o.delivery_email, a.check_in_code from admissions a
     join orders o on o.account_id = a.account_id and o.id = a.order_id
     where a.account_id = $1 and a.event_id = $2 and o.status = 'paid' order by md5(a.public_id) limit $3`,
    [venue.accountId, venue.events[event]!.id, bench.small ? 100 : 400],
  )
  return {
    'name part': rows.map((row, n) => row.customer_name.slice(n % 4, (n % 4) + 3 + (n % 5)).trim()),
    'two letters': rows.map((row, n) => row.customer_name.slice(n % 6, (n % 6) + 2).trim() || 'a'),
    'e-mail part': rows.map((row, n) => row.delivery_email.slice(n % 6, (n % 6) + 6 + (n % 8))),
    code: rows.map((row) => row.check_in_code),
  }
}

/** How long searches of one kind take, one after the other. */
type Search = (kind: SearchKind) => Promise<number[]>

export const openSearch = async (bench: Bench, stage: Stage, event: number): Promise<Search> => {
  const texts = await textsOf(bench, stage, event)
  const { slug } = stage.venue.events[event]!
  const search: Search = async (kind) => {
    const outcome = await askAll(bench, {
      origins: [stage.foyer.origin],
      connections: 1,
      requests: texts[kind].map((q) => ({
        method: 'GET',
        path: `/scanner/search?event_slug=${slug}&q=${encodeURIComponent(q)}`,
        token: stage.venue.devices[0]!,
      })),
    })
    requireOnly(200, outcome)
    return outcome.times
  }
  // Once for each kind before it counts, so that it is not the first searches of the day that are measured; of what takes a
  // millisecond more often, because it takes thousands until Node has compiled its way.
  for (const kind of Object.keys(texts) as SearchKind[]) await search(kind)
  for (let round = 0; round < 5; round++) await search('code')
  return search
}

export async function* measureSearch(search: Search): AsyncGenerator<Figure> {
  for (const kind of ['name part', 'two letters', 'e-mail part', 'code'] as const) {
    const target = kind === 'code' ? 2 : 10
    const time = percentile(await search(kind), 0.95)
    yield {
      id: 'P4',
      what: `door search by ${kind}, 95th percentile`,
      figure: round(time, 1),
      unit: 'ms',
      target: `≤ ${target} ms`,
      isMet: time <= target,
    }
  }
}

const TURNS = 7

/** In turns too: two times of a few milliseconds, minutes apart, compare the minutes. */
const compare = async (what: string, among: { many: () => Promise<number[]>; few: () => Promise<number[]> }) => {
  const turns: { many: number; few: number; ratio: number }[] = []
  for (let turn = 0; turn < TURNS; turn++) {
    const [many, few] = [percentile(await among.many(), 0.5), percentile(await among.few(), 0.5)]
    turns.push({ many, few, ratio: many / few })
  }
  const ratio = middleOf(turns, 'ratio')
  return {
    id: 'P14',
    what: `${what}, many tickets against few`,
    figure: round(middleOf(turns, 'many'), 2),
    unit: 'ms',
    baseline: round(middleOf(turns, 'few'), 2),
    ratio: round(ratio, 2),
    target: '≤ 1.3 ×',
    isMet: ratio <= 1.3,
  } satisfies Figure
}

interface Grown {
  stage: Stage
  tickets: string[]
  search: Search
}

export async function* measureGrowth(bench: Bench, large: Grown, little: Grown): AsyncGenerator<Figure> {
  const count = Math.min(400, Math.floor(little.tickets.length / (TURNS + 1)))
  const redeem = async ({ stage, tickets }: Grown) => {
    const requests = tickets.splice(-count).map((id) => redemptionOf(stage, id))
    const outcome = await askAll(bench, { origins: [stage.foyer.origin], connections: 4, requests })
    requireOnly(200, outcome)
    return outcome.times
  }
  await redeem(little)
  yield compare('a redemption', { many: () => redeem(large), few: () => redeem(little) })
  for (const kind of ['code', 'name part', 'e-mail part'] as const) {
    const search = { many: () => large.search(kind), few: () => little.search(kind) }
    yield compare(`a search by ${kind}`, search)
  }
}
