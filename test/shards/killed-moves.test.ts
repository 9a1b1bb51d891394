import { setTimeout as delay } from 'node:timers/promises'
import type pg from 'pg'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type FoyerProcess, runFoyer, startCommand, startFoyer } from '../kit/process/foyer-process.ts'
import { pickBy, randomOf } from '../kit/seed.ts'
import { type Night, loadNight } from '../kit/venue/night.ts'
import { type FurtherServer, openFurtherServer } from '../kit/venue/sharded-app.ts'
import { type House, NO_FAULTS, countRowsOf, findFaults, keepScanning } from './doors.ts'

/** A hundred in the long run: `npm run test:long -- --only killed-moves`. */
const KILLS = Number(process.env['FOYER_KILLED_MOVES'] ?? 2)
const FULL_RUN = { timeout: 120_000 + KILLS * 120_000 }
/** Workers look once a minute. */
const SETTLED_WITHIN_MS = 60_000 + 30_000
const SUBDOMAIN = 'killed-moves'
const NAMES = ['main', 'two', 'three'] as const

let main: Awaited<ReturnType<typeof openFarDatabase>>
let others: FurtherServer[]
let environment: Record<string, string>
let foyer: FoyerProcess
let night: Night

beforeAll(async () => {
  main = await openFarDatabase(SUBDOMAIN)
  others = await Promise.all(NAMES.slice(1).map(openFurtherServer))
  environment = { ...main.environment, FOYER_SHARDS: others.map(({ name, url }) => `${name}=${url}`).join(',') }
  night = await loadNight(environment, SUBDOMAIN, 2)
  foyer = await startFoyer(environment)
})

afterAll(async () => {
  await foyer.end()
  for (const other of others) await other.close()
  await main.close()
})

const serverOf = (name: string): Pick<pg.Pool, 'query'> =>
  others.find((other) => other.name === name)?.beside ?? main.beside

const house = (): House => ({
  origins: [foyer.origin],
  office: night.office,
  doors: [night.token, night.report.devices['Door 2']],
  ticketId: night.report.events['winter-ball'].tickets.ga,
})

const MOVE = ['account', 'move', SUBDOMAIN, '--to']

const findMove = async () => {
  const { rows } = await main.beside.query<{ hasArrived: boolean }>(
    'select has_arrived as "hasArrived" from account_moves',
  )
  return rows[0] ?? null
}

const findHome = async () => {
  const { rows } = await main.beside.query<{ shard: string }>('select shard from account_shards')
  return rows[0]?.shard ?? 'main'
}

/** On which servers anything of the account stands. */
const findPlaces = async () => {
  const places = []
  for (const name of NAMES) if ((await countRowsOf(serverOf(name), night.report.account.id)) > 0) places.push(name)
  return places
}

/** A move in a process of its own, once it has written down that it moves, or is so far. */
const startMove = async (to: string, isThere: (move: { hasArrived: boolean }) => boolean = () => true) => {
  const { child, ended } = startCommand([...MOVE, to], environment)
  for (;;) {
    const move = await findMove()
    if (child.exitCode !== null || (move && isThere(move))) return { child, ended }
    await delay(2)
  }
}

/** Of a process that was killed the database server hears a moment later. */
const moveAgain = (to: string) =>
  vi.waitFor(async () => expect(await runFoyer([...MOVE, to], environment)).toMatchObject({ code: 0, stderr: '' }), {
    timeout: 120_000,
  })

test('a move that is killed at any moment leaves the account whole on one server', FULL_RUN, async () => {
  const random = randomOf('killed moves')
  const over = new AbortController()
  const evening = keepScanning(house(), over.signal)
  const outcomes: Record<string, number> = {}
  try {
    for (let n = 0; n < KILLS; n++) {
      const before = await findHome()
      const elsewhere = NAMES.filter((name) => name !== before)
      const { child, ended } = await startMove(pickBy(random, elsewhere))
      // Most of what it does is done in the first moments; then it waits before it takes away what it left.
      await delay(random() < 0.7 ? random() * 300 : random() * 2_500)
      child.kill('SIGKILL')
      await ended
      const left = await findMove()
      const outcome = left === null ? 'was over' : left.hasArrived ? 'is finished' : 'is undone'
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1

      if (n % 3 === 2) await vi.waitFor(async () => expect(await findMove()).toBeNull(), SETTLED_WITHIN_MS)
      else await moveAgain(pickBy(random, NAMES))
      expect(await findMove()).toBeNull()
      expect(await findPlaces()).toEqual([await findHome()])
      const known = evening.parties.size
      await Promise.race([
        vi.waitFor(() => expect(evening.parties.size).toBeGreaterThan(known + 8), 30_000),
        evening.done,
      ])
      expect(await findFaults(serverOf(await findHome()), night.report.account.id, entered(evening))).toEqual(NO_FAULTS)
    }
  } finally {
    over.abort()
  }
  await evening.done
  console.log(`${KILLS} moves were killed with ${evening.parties.size} guests`, outcomes)
  expect(await findFaults(serverOf(await findHome()), night.report.account.id, evening)).toEqual(NO_FAULTS)
  expect(await runFoyer(['audit'], environment)).toMatchObject({ code: 0, stdout: '', stderr: '' })
})

/** What was acknowledged by now. */
const entered = ({ parties, entries }: ReturnType<typeof keepScanning>) => ({
  parties: new Map(parties),
  entries: new Map(entries),
})

test('of two moves of one account at once the second is refused', FULL_RUN, async () => {
  const home = await findHome()
  const [to, elsewhere] = NAMES.filter((name) => name !== home)
  const first = await startMove(to!)
  first.child.kill('SIGSTOP')
  try {
    const second = await runFoyer([...MOVE, elsewhere!], environment)
    expect(second.code).not.toBe(0)
    expect(second.stderr).toContain(`The account "${SUBDOMAIN}" is being moved by somebody else.`)
  } finally {
    first.child.kill('SIGCONT')
  }
  expect(await first.ended).toMatchObject({ code: 0 })
  expect([await findHome(), await findPlaces()]).toEqual([to, [to]])
})

test('a command that needs a server that is away says so in one sentence, and nothing is moved', FULL_RUN, async () => {
  const home = await findHome()
  const away = others.find(({ name }) => name !== home)!
  away.wire.refuse()
  try {
    for (const command of [['audit'], [...MOVE, away.name]]) {
      const { code, stderr } = await runFoyer(command, { ...environment, LOG_LEVEL: 'error' })
      expect([code, stderr]).toEqual([1, expect.stringMatching(/^A database server does not answer: .+\.\n$/)])
    }
  } finally {
    away.wire.mend()
  }
  expect([await findHome(), await findPlaces(), await findMove()]).toEqual([home, [home], null])
})

test('control: what nobody settles stands on two servers', FULL_RUN, async () => {
  const home = await findHome()
  const to = NAMES.find((name) => name !== home)!
  const { child, ended } = await startMove(to, ({ hasArrived }) => hasArrived)
  child.kill('SIGSTOP')
  expect((await findPlaces()).toSorted()).toEqual([home, to].toSorted())
  child.kill('SIGKILL')
  await ended
  await moveAgain('main')
  expect(await findPlaces()).toEqual(['main'])
})
