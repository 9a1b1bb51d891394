import { askAtHost } from '../test/kit/network/ask-at-host.ts'
import { openEventStream } from '../test/kit/network/event-stream.ts'
import type { FoyerProcess } from '../test/kit/process/foyer-process.ts'
import { fillVenue } from './filling.ts'
import { type Bench, type Figure, percentile, round, withClient } from './frame.ts'

const TARGET_MS = 1_000

/** Two processes on one database: what is changed at one, how much later it shows at the other. */
export async function* measure(bench: Bench): AsyncGenerator<Figure> {
  const database = await bench.makeDatabase('agreement')
  const venue = await withClient(database.connection, async (client) => {
    const filled = await fillVenue(client, { subdomain: 'agreement', devices: 0, events: [10] })
    await client.query('update accounts set shop_published_at = foyer_now() where id = $1', [filled.accountId])
    return filled
  })
  const [here, there] = [await database.startFoyer(), await database.startFoyer()]
  const rounds = bench.small ? 10 : 40
  try {
    yield figureOf('the feed', await feedDelays(here, there, rounds, (title) => retitle(title)))
    yield figureOf('the live board', await boardDelays(here, there, rounds, venue.office))
  } finally {
    await Promise.all([here.end(), there.end()])
  }

  function retitle(title: string) {
    return database.query('update events set title = $2 where account_id = $1', [venue.accountId, title])
  }
}

const figureOf = (what: string, delays: number[]): Figure => {
  const longest = Math.max(...delays)
  return {
    id: 'P15',
    what: `${what} of a second process agrees after (median ${round(percentile(delays, 0.5), 1)} ms), at most`,
    figure: round(longest, 1),
    unit: 'ms',
    target: '≤ 1 s',
    isMet: longest <= TARGET_MS,
  }
}

const titleAt = async ({ origin }: FoyerProcess) => {
  const { port } = new URL(origin)
  const headers = { host: `agreement.localhost:${port}`, accept: 'application/json' }
  const response = await askAtHost(origin, '/events/night-1', { method: 'GET', headers })
  return ((await response.json()) as { title: string }).title
}

const feedDelays = async (
  here: FoyerProcess,
  there: FoyerProcess,
  rounds: number,
  change: (title: string) => Promise<unknown>,
) => {
  const delays: number[] = []
  for (let n = 0; n < rounds; n++) {
    await Promise.all([titleAt(here), titleAt(there)])
    await change(`Night ${n}`)
    const started = performance.now()
    while ((await titleAt(here)) !== `Night ${n}` || (await titleAt(there)) !== `Night ${n}`)
      if (performance.now() - started > 10 * TARGET_MS) throw new Error('The feeds never agreed')
    delays.push(performance.now() - started)
  }
  return delays
}

/** From the answer to whoever added the task, to the message that reaches whoever looks at the board elsewhere. */
const boardDelays = async (here: FoyerProcess, there: FoyerProcess, rounds: number, token: string) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const board = await openEventStream(`${there.origin}/admin/tasks/stream`, headers)
  if (board.status !== 200) throw new Error(`The live board answered ${board.status}`)
  const delays: number[] = []
  for (let n = 0; n < rounds; n++) {
    const body = JSON.stringify({ task: { title: `Sweep the hall ${n}` } })
    const made = await fetch(`${here.origin}/admin/tasks`, { method: 'POST', headers, body })
    if (made.status !== 201) throw new Error(`A task was refused: ${made.status}`)
    const started = performance.now()
    const { id } = (await made.json()) as { id: number }
    while ((await board.next(10 * TARGET_MS)).data.task_id !== id);
    delays.push(performance.now() - started)
  }
  await board.close()
  return delays
}
