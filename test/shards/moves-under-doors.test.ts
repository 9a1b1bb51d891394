import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { checkConsistency } from '../../src/consistency/check-consistency.ts'
import { startWorker, type Worker } from '../../src/jobs/worker.ts'
import { worksOfServers } from '../../src/jobs/works-of-servers.ts'
import { type Mailer, openMailer } from '../../src/mail/mailer.ts'
import { JOBS } from '../../src/main.ts'
import { type MoveOptions, moveAccount } from '../../src/shards/move-account.ts'
import { mailbox } from '../kit/network/read-eml.ts'
import { pickBy, randomOf } from '../kit/seed.ts'
import { openClient } from '../kit/venue/client.ts'
import { readOutbox } from '../kit/venue/outbox.ts'
import { openSecondApp } from '../kit/venue/second-app.ts'
import { type OpenApp, type Venue, openTestApp, openVenueAt } from '../kit/venue/venue.ts'
import { type House, NO_FAULTS, addressOf, countRowsOf, findFaults, keepScanning } from './doors.ts'

/** A hundred and more in the long run: `npm run test:long -- --only R24`. */
const MOVES = Number(process.env['FOYER_MOVES'] ?? 3)
const NAMES = ['main', 'two', 'three'] as const
const FULL_RUN = { timeout: 60_000 + MOVES * 30_000 }

let house: OpenApp
/** Another process of the same installation, which hears of moves by itself. */
let second: Awaited<ReturnType<typeof openSecondApp>>
let mailer: Mailer
let workers: Worker[]

beforeAll(async () => {
  house = await openTestApp({ shards: ['two', 'three'] })
  second = await openSecondApp(house)
  const [main] = house.apps
  mailer = openMailer(main!.settings)
  const works = worksOfServers(main!, { connection: main!.database.pool.options, jobs: JOBS, mailer })
  workers = await Promise.all(works.map((work) => startWorker(work)))
})

afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()))
  mailer.close()
  await second.close()
  await house.close()
})

const openAt = (n: number) =>
  openVenueAt({ ...house, app: house.apps[n]! }, (file) => {
    file['events'][0].capacity = 1_000_000
    file['events'][0].tickets[0].stock = 1_000_000
  })

const houseOf = ({ report }: Venue): House => ({
  origins: [house.origin, second.origin],
  office: report.api_tokens['office write']!,
  doors: [report.devices['Door 1']!, report.devices['Door 2']!],
  ticketId: report.events['winter-ball']!.tickets['ga']!,
})

const move = (venue: Venue, to: string, onStep?: MoveOptions['onStep']) =>
  moveAccount(house.apps[0]!, { subdomain: venue.report.account.subdomain, to }, onStep ? { onStep } : {})

const poolOf = (name: string) => house.apps[NAMES.indexOf(name as 'main')]!.database.pool

test(
  'nobody is let in twice and nobody is forgotten while an account moves under doors that scan',
  FULL_RUN,
  async () => {
    const random = randomOf('moves')
    const venue = await openAt(0)
    const other = await openAt(1)
    const over = new AbortController()
    const evening = keepScanning(houseOf(venue), over.signal)
    /** Of an account that stays where it is: nothing of the moves is to be seen there. */
    const beside = keepScanning(houseOf(other), over.signal, 'Neighbour')
    const pauses: number[] = []
    let at = 'main'
    try {
      for (let n = 0; n < MOVES; n++) {
        const known = evening.parties.size
        at = pickBy(
          random,
          NAMES.filter((name) => name !== at),
        )
        const { rows, pausedMs } = await move(venue, at)
        expect(rows).toBeGreaterThan(known)
        pauses.push(pausedMs)
        await Promise.race([
          vi.waitFor(() => expect(evening.parties.size).toBeGreaterThan(known + 8), 30_000),
          evening.done,
        ])
      }
    } finally {
      over.abort()
    }
    await Promise.all([evening.done, beside.done])
    const { id } = venue.report.account
    expect(await findFaults(poolOf(at), id, evening)).toEqual(NO_FAULTS)
    expect(await findFaults(poolOf('two'), other.report.account.id, beside)).toEqual(NO_FAULTS)
    expect(evening.refusals()).toBeGreaterThan(0)
    const refusals = refusalsIn(house.logged).filter(({ account }) => account !== id)
    expect(refusals.filter((refusal) => !isOverload(refusal))).toEqual([])
    expect(beside.refusals()).toBeLessThanOrEqual(refusals.length)
    for (const name of NAMES) {
      const count = await countRowsOf(poolOf(name), id)
      if (name === at) expect(count).toBeGreaterThan(evening.parties.size)
      else expect([name, count]).toEqual([name, 0])
    }
    expect(await checkConsistency(house.app)).toEqual([])
    await requireOneMailEach([...evening.parties.keys(), ...beside.parties.keys()])
    const sorted = pauses.toSorted((a, b) => a - b).map(Math.round)
    const [median, longest] = [sorted[Math.floor(sorted.length / 2)]!, sorted.at(-1)!]
    console.log(
      `${MOVES} moves with ${evening.parties.size} guests: paused for ${median} ms, at most ${longest} ms; ` +
        `${evening.refusals()} times told to come again; beside it ${beside.parties.size} guests, ` +
        `${beside.refusals()} times, all of them by overload`,
    )
    expect(longest).toBeLessThan(35_000)
  },
)

interface LoggedRefusal {
  message: string
  /** None where the server was too busy to be told whose request it was. */
  account?: number
  route?: string
  code?: string
  reason?: string
}

/** Why somebody was told to come again. */
const refusalsIn = (logged: readonly string[]) =>
  logged
    .map((line) => JSON.parse(line) as LoggedRefusal)
    .filter(({ message }) => message === 'the database is not available')
    .map(({ account, route, code, reason }) => ({ account, route, code, reason }))

/** A machine that is too busy: no connection was free for seconds, or a statement took half a minute. */
const isOverload = ({ code, reason }: Omit<LoggedRefusal, 'message'>) =>
  code === '57014' || (code === undefined && reason === 'timeout exceeded when trying to connect')

/** Jobs that waited while the account moved are done where it is, and none is done at two places. */
const requireOneMailEach = async (names: string[]) => {
  const counts = async () => {
    const found = new Map(names.map((name) => [addressOf(name), 0]))
    for (const mail of await readOutbox(house)) {
      const { address } = mailbox(mail, 'to')
      if (found.has(address)) found.set(address, found.get(address)! + 1)
    }
    return found
  }
  const timeout = 60_000 + names.length * 50
  await vi.waitFor(async () => expect([...(await counts()).values()].filter((n) => n === 0)).toEqual([]), {
    timeout,
    interval: 200,
  })
  expect([...(await counts())].filter(([, n]) => n !== 1)).toEqual([])
}

const addParty = (venue: Venue, name: string) =>
  venue.office.post('/admin/events/winter-ball/guest_parties', {
    guest_party: { customer_name: name, ticket_id: venue.report.events['winter-ball']!.tickets['ga'] },
  })

/** Somebody comes when the rows have been copied, and before the directory leads to them. */
const comeTooLate = async (venue: Venue) => {
  const [parties, entries] = [new Map<string, string>(), new Map<string, number>()]
  let status = 0
  await move(venue, 'three', async (step) => {
    if (step !== 'commit') return
    const reply = await addParty(venue, 'Lara Late')
    status = reply.status
    if (status === 201) parties.set('Lara Late', reply.body.admissions[0].public_id)
  })
  return { status, ...(await findFaults(poolOf('three'), venue.report.account.id, { parties, entries })) }
}

/** Somebody comes again where a process has not heard yet that the account was moved. */
const comeAgain = async (venue: Venue, whenArrived: () => Promise<unknown> = async () => {}) => {
  const party = await addParty(venue, 'Tom Twice')
  const ticket: string = party.body.admissions[0].public_id
  const path = `/scanner/events/winter-ball/tickets/${ticket}/redemption`
  const unaware = openClient(second.origin, { token: venue.report.devices['Door 2'] })
  expect((await unaware.get('/scanner/events')).status).toBe(200)
  const told: number[] = []
  await move(venue, 'three', async (step) => {
    if (step !== 'clear') return
    await whenArrived()
    told.push((await venue.door.post(path)).status)
    // What it will be told of the move must be behind it, or it would hear of it all the same.
    await vi.waitFor(() => expect(second.app.shards!.map.of(venue.report.account.id).name).toBe('three'), 30_000)
    second.app.shards!.map.learn(venue.report.account.id, 'two')
    told.push((await unaware.post(path)).status)
  })
  return told
}

/** The tables of a server without the guard against writing what moves. */
const withoutGuard = async (name: string, work: () => Promise<void>) => {
  const set = async (state: 'disable' | 'enable') => {
    const { rows } = await poolOf(name).query<{ table: string }>(
      `select tgrelid::regclass::text as table from pg_trigger where tgname = 'a_paused_account_is_not_written'`,
    )
    expect(rows.length).toBeGreaterThan(50)
    for (const { table } of rows) {
      await poolOf(name).query(`alter table ${table} ${state} trigger a_paused_account_is_not_written`)
    }
  }
  await set('disable')
  try {
    await work()
  } finally {
    await set('enable')
  }
}

test('whoever comes while rows are copied is told to come again, and so is who asks a process that has not heard', async () => {
  expect(await comeTooLate(await openAt(1))).toEqual({ status: 503, ...NO_FAULTS })
  expect(await comeAgain(await openAt(1))).toEqual([200, 503])
})

test('control: without the guard of paused accounts what is acknowledged meanwhile is lost', async () => {
  await withoutGuard('two', async () => {
    expect(await comeTooLate(await openAt(1))).toEqual({ status: 201, ...NO_FAULTS, lost: ['Lara Late'] })
  })
})

test('control: without the pause that stays behind somebody is let in twice', async () => {
  const venue = await openAt(1)
  const forget = () =>
    poolOf('two').query('delete from account_pauses where account_id = $1', [venue.report.account.id])
  expect(await comeAgain(venue, forget)).toEqual([200, 200])
})
