import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { askAtHost } from '../kit/network/ask-at-host.ts'
import { openDatabaseWire, openFarDatabase } from '../kit/database/far-database.ts'
import { type FoyerProcess, isHealthy, runFoyer, startFoyer } from '../kit/process/foyer-process.ts'
import { type Night, loadNight, progressed, requireEverybodyIn, scanAll } from '../kit/venue/night.ts'

/** The full run waits until dead connections are found out without being told. */
const IS_FULL = process.env['FOYER_SILENCE'] === 'full'
/** A request that arrives while nobody answers is told so within this time. */
const TOLD_WITHIN_MS = 15_000
/** Five seconds, and as much again for a machine that is busy with other tests. */
const STOPPED_WITHIN_MS = 11_000
const BACK_WITHIN_MS = 6_000

let far: Awaited<ReturnType<typeof openFarDatabase>>
let foyer: FoyerProcess

beforeAll(async () => {
  far = await openFarDatabase('silent')
  foyer = await startFoyer(far.environment)
})

afterAll(async () => {
  await foyer.end()
  await far.close()
})

const mend = () => {
  if (!IS_FULL) far.proxy.reset()
  far.proxy.mend()
}

const timed = async (ask: () => Promise<Response>) => {
  const startedAt = performance.now()
  const reply = await ask()
  await reply.text()
  return { status: reply.status, retryAfter: reply.headers.get('retry-after'), ms: performance.now() - startedAt }
}

/** One of each kind: the door, the office that reads and writes, and the shop. */
const askEverywhere = (night: Night) => {
  const office = { authorization: `Bearer ${night.office}`, 'content-type': 'application/json' }
  return Promise.all([
    timed(() => fetch(`${foyer.origin}/healthz`)),
    timed(() => fetch(`${foyer.origin}/scanner/me`, { headers: { authorization: `Bearer ${night.token}` } })),
    timed(() => fetch(`${foyer.origin}/admin/events`, { headers: office })),
    timed(() =>
      fetch(`${foyer.origin}/admin/tasks`, { method: 'POST', headers: office, body: '{"task":{"title":"half done"}}' }),
    ),
    timed(() => askAtHost(foyer.origin, '/events', { method: 'GET', headers: { host: night.shopHost } })),
  ])
}

const halfDone = async () =>
  (await far.beside.query(`select count(*)::int as count from tasks where title = 'half done'`)).rows[0].count

test(
  'a wire that swallows everything lets nobody wait for ever, and nothing is half done',
  { timeout: 120_000 },
  async () => {
    const night = await loadNight(far.environment, 'swallowed', 40)
    expect((await askEverywhere(night)).map(({ status }) => status)).toEqual([200, 200, 200, 201, 200])
    expect(await halfDone()).toBe(1)

    far.proxy.swallow()
    for (const { status, retryAfter, ms } of await askEverywhere(night)) {
      expect([status, retryAfter]).toEqual([503, '2'])
      expect(ms).toBeLessThan(TOLD_WITHIN_MS)
    }
    mend()
    await vi.waitFor(async () => expect(await isHealthy(foyer.origin)).toBe(true), { timeout: BACK_WITHIN_MS })
    expect(await halfDone()).toBe(1)
    expect((await askEverywhere(night)).map(({ status }) => status)).toEqual([200, 200, 200, 201, 200])
    expect(foyer.child.exitCode).toBeNull()
  },
)

test('a night that meets a swallowing wire in the middle goes on by itself', { timeout: 150_000 }, async () => {
  const night = await loadNight(far.environment, 'silent-night', 240)
  const scanning = scanAll(() => foyer.origin, night)
  await progressed(scanning, 100)
  far.proxy.swallow()
  await delay(1_000)
  mend()
  await scanning.done
  // A statement that was under way is waited for a little longer than a statement may last.
  expect(scanning.slowestMs()).toBeLessThan(IS_FULL ? 45_000 : TOLD_WITHIN_MS)
  await requireEverybodyIn(foyer.origin, night, scanning.results)
})

test(
  'with a database that says nothing a stop is a stop, and a start ends with one sentence',
  { timeout: 120_000 },
  async () => {
    const deaf = await openDatabaseWire()
    const environment = { ...far.environment, DATABASE_URL: far.urlAt(deaf) }
    const server = await startFoyer(environment)
    // Its worker stands as well once it has introduced itself.
    await vi.waitFor(() => expect(server.said().stdout).not.toBe(''), { timeout: 10_000 })
    deaf.swallow()
    const stoppedAt = performance.now()
    const stopped = await server.end('SIGTERM')
    const stoppedWithinMs = performance.now() - stoppedAt
    const started = await runFoyer(['serve'], environment)
    const startedWithinMs = performance.now() - stoppedAt - stoppedWithinMs
    await deaf.close()

    expect(stopped.code, stopped.stderr).toBe(0)
    expect(stoppedWithinMs).toBeLessThan(STOPPED_WITHIN_MS)
    expect(startedWithinMs).toBeLessThan(2 * TOLD_WITHIN_MS)
    expect(started.code).toBe(1)
    expect(started.stderr).toMatch(/^The database of DATABASE_URL does not answer: .*\.\n$/)
  },
)
