import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { databaseFolder } from '../kit/database/folders.ts'
import { type ServerPair, startServerPair } from '../kit/database/server-pair.ts'
import { askAtHost } from '../kit/network/ask-at-host.ts'
import { type FoyerProcess, startFoyer } from '../kit/process/foyer-process.ts'
import { type Night, loadNight } from '../kit/venue/night.ts'

const PATIENCE = { timeout: 30_000, interval: 50 }
const TOKEN = 'whoever-reads-the-metrics'

let pair: ServerPair
let folder: string
let foyer: FoyerProcess
let night: Night

beforeAll(async () => {
  folder = await databaseFolder('replica')
  pair = await startServerPair({ isSynchronous: false })
  const environment = {
    FOYER_DATA: folder,
    FOYER_RATE_LIMITS: 'off',
    FOYER_METRICS_TOKEN: TOKEN,
    DATABASE_URL: pair.urlOf(pair.primary),
    DATABASE_READ_URL: pair.urlOf(pair.standby),
  }
  night = await loadNight(environment, 'replica', 40)
  foyer = await startFoyer(environment, ['--no-jobs'])
})

afterAll(async () => {
  await foyer.end()
  await pair.stop()
  await rm(folder, { recursive: true, force: true })
})

const title = async () => {
  const headers = { host: night.shopHost, accept: 'application/json' }
  const reply = await askAtHost(foyer.origin, '/events/winter-ball', { method: 'GET', headers })
  expect(reply.status).toBe(200)
  return ((await reply.json()) as { title: string }).title
}

const rename = (name: string) => pair.primary.ask(`update events set title = '${name}'`, 'foyer')

const redeemed = async () => {
  const headers = { authorization: `Bearer ${night.token}` }
  const reply = await fetch(`${foyer.origin}/scanner/events/winter-ball/snapshot`, { headers })
  const { tickets } = (await reply.json()) as { tickets: { redeemed: boolean }[] }
  expect(tickets).toHaveLength(40)
  return tickets.filter((ticket) => ticket.redeemed).length
}

const redeem = async (ticket: string) => {
  const reply = await fetch(`${foyer.origin}/scanner/events/winter-ball/tickets/${ticket}/redemption`, {
    method: 'POST',
    headers: { authorization: `Bearer ${night.token}` },
  })
  expect(reply.status).toBe(200)
}

const metrics = async () => {
  const reply = await fetch(`${foyer.origin}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })
  const text = await reply.text()
  const value = (name: string) =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${name} `))
        ?.split(' ')[1],
    )
  return {
    replica: value('foyer_replica_reads{server="replica"}'),
    primary: value('foyer_replica_reads{server="primary"}'),
    lag: value('foyer_replica_lag_seconds'),
  }
}

const warnings = async () =>
  ((await (await fetch(`${foyer.origin}/healthz?detail=1`)).json()) as { warnings: string[] }).warnings

const untilUsed = () =>
  vi.waitFor(async () => {
    const before = await metrics()
    await redeemed()
    expect((await metrics()).replica).toBe(before.replica + 1)
  }, PATIENCE)

test('what the standby answers is what was committed, at once and every time', async () => {
  await untilUsed()
  const before = await metrics()
  for (let n = 0; n < 20; n++) {
    await rename(`Ball ${n}`)
    expect(await title()).toBe(`Ball ${n}`)
    await redeem(night.tickets[n]!)
    expect(await redeemed()).toBe(n + 1)
  }
  const after = await metrics()
  // A standby that needs longer than a moment is passed over, which a busy machine may bring about; not every time.
  expect(after.replica - before.replica).toBeGreaterThan(0)
  expect(after.replica + after.primary - before.replica - before.primary).toBe(40)
  expect(await warnings()).toEqual([])
})

test('a standby that falls behind is passed over until it has caught up', async () => {
  await untilUsed()
  await pair.standby.ask('select pg_wal_replay_pause()')
  await rename('Late Ball')
  expect([await title(), await title()]).toEqual(['Late Ball', 'Late Ball'])
  await redeem(night.tickets[30]!)
  expect(await redeemed()).toBe(21)
  // Control: the standby itself, not asked whether it has caught up, would still say what was before.
  const [old] = await pair.standby.ask<{ title: string }>('select title from events', 'foyer')
  expect(old!.title).toBe('Ball 19')

  await vi.waitFor(async () => expect((await metrics()).lag).toBeGreaterThan(1), PATIENCE)
  const before = await metrics()
  await redeemed()
  expect((await metrics()).primary).toBe(before.primary + 1)
  await pair.standby.ask('select pg_wal_replay_resume()')
  await untilUsed()
  expect(await title()).toBe('Late Ball')
})

test('a standby that is killed is missed by nobody, and used again when it is back', async () => {
  await untilUsed()
  await pair.standby.kill()
  await rename('Lonely Ball')
  expect(await title()).toBe('Lonely Ball')
  expect(await redeemed()).toBe(21)
  await vi.waitFor(
    async () => expect(await warnings()).toEqual([expect.stringContaining('DATABASE_READ_URL does not answer')]),
    PATIENCE,
  )
  expect((await metrics()).lag).toBeNaN()
  await pair.standby.start()
  await untilUsed()
  expect(await warnings()).toEqual([])
})

test('a standby that was promoted is no longer asked', async () => {
  await untilUsed()
  await pair.promote()
  await rename('Own Ball')
  expect(await title()).toBe('Own Ball')
  const before = await metrics()
  await redeemed()
  expect(await metrics()).toMatchObject({ replica: before.replica, primary: before.primary + 1 })
})
