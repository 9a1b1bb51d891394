import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openFarDatabase } from '../kit/database/far-database.ts'
import { type FoyerProcess, startFoyer } from '../kit/process/foyer-process.ts'
import { type Night, loadNight } from '../kit/venue/night.ts'
import { openHandles, residentMegabytes } from '../kit/process/process-memory.ts'
import { type SlowClient, deafReader, slowBody, slowHead } from '../kit/network/slow-clients.ts'

/** The full run brings two thousand, and stays until the last of them has been cut off. */
const CLIENTS = Number(process.env['FOYER_SLOW_CLIENTS'] ?? 300)
const IS_FULL = process.env['FOYER_SLOW_CLIENTS'] !== undefined
/** What they ask for must be more than the kernel takes on their behalf. */
const TICKETS = IS_FULL ? 40_000 : 4_000
const READERS = 10
/** What the snapshots that nobody reads need for a moment, and a hundred kilobytes for each. */
const MORE_MEGABYTES_MAX = 150 + CLIENTS * 0.1

/** Who has to wait for the slow ones waits until they are cut off; a machine that is busy with other tests is quicker. */
const SERVED_MS = 5_000

/** When each kind is cut off at the latest; Node looks every five seconds. */
const HEADS_CUT_MS = 10_000 + 10_000
const BODIES_CUT_MS = 30_000 + 10_000
const READERS_CUT_MS = 60_000 + 10_000

let far: Awaited<ReturnType<typeof openFarDatabase>>
let foyer: FoyerProcess
let night: Night

beforeAll(async () => {
  far = await openFarDatabase('slow')
  night = await loadNight(far.environment, 'slow', TICKETS)
  foyer = await startFoyer(far.environment)
}, 120_000)

afterAll(async () => {
  await foyer.end()
  await far.close()
})

/** What a door does, one after the other for so long; the times are sorted. */
const normalTraffic = async (ms: number): Promise<number[]> => {
  const times: number[] = []
  const headers = { authorization: `Bearer ${night.token}` }
  const until = performance.now() + ms
  const door = async () => {
    while (performance.now() < until) {
      const startedAt = performance.now()
      const id = night.tickets[times.length % night.tickets.length]
      const reply = await fetch(`${foyer.origin}/scanner/tickets/${id}`, { headers })
      await reply.text()
      expect(reply.status).toBe(200)
      times.push(performance.now() - startedAt)
      await delay(5)
    }
  }
  await Promise.all([door(), door()])
  return times.toSorted((a, b) => a - b)
}

const p95 = (times: number[]) => times[Math.floor(times.length * 0.95)]!

const cutWithin = async (clients: SlowClient[], ms: number, since: number) => {
  while (!clients.every((client) => client.isCut()) && performance.now() - since < ms) await delay(100)
  return clients.filter((client) => !client.isCut()).length
}

test(
  'hundreds who talk byte by byte or never read leave everybody else served, and are cut off',
  { timeout: 150_000 },
  async () => {
    const port = Number(new URL(foyer.origin).port)
    const pid = foyer.child.pid!
    const alone = await normalTraffic(1_500)
    const before = { megabytes: residentMegabytes(pid), handles: openHandles(pid) }

    const clients: SlowClient[] = []
    /** In groups: the kernel lets only so many wait at the door. */
    const many = async (count: number, make: () => SlowClient) => {
      const made: SlowClient[] = []
      while (made.length < count) {
        const group = Array.from({ length: Math.min(100, count - made.length) }, make)
        clients.push(...group)
        made.push(...group)
        await Promise.all(group.map(({ socket }) => once(socket, 'connect')))
      }
      return made
    }
    try {
      await many(READERS, () => deafReader(port, night.token))
      // Until the deaf ones have got what the kernel takes for them, they are guests like all others.
      await delay(IS_FULL ? 15_000 : 2_000)
      const heads = await many(Math.floor(CLIENTS * 0.6), () => slowHead(port))
      const bodies = await many(CLIENTS - heads.length - READERS, () => slowBody(port, night.token))
      const startedAt = performance.now()
      await vi.waitFor(() => expect(openHandles(pid) - before.handles).toBeGreaterThan(CLIENTS * 0.9), {
        timeout: 5_000,
      })
      const beside = await normalTraffic(4_000)
      expect(p95(beside)).toBeLessThan(Math.max(SERVED_MS, p95(alone) * 10))
      expect(residentMegabytes(pid) - before.megabytes).toBeLessThan(MORE_MEGABYTES_MAX)

      expect(await cutWithin(heads, HEADS_CUT_MS, startedAt)).toBe(0)
      if (!IS_FULL) return
      expect(await cutWithin(bodies, BODIES_CUT_MS, startedAt)).toBe(0)
      // A reader who does not read notices nothing; the server's own list of open files tells.
      while (openHandles(pid) > before.handles + 10 && performance.now() - startedAt < READERS_CUT_MS) await delay(200)
      expect(openHandles(pid)).toBeLessThanOrEqual(before.handles + 10)
      expect(p95(await normalTraffic(1_500))).toBeLessThan(Math.max(SERVED_MS, p95(alone) * 10))
    } finally {
      for (const { socket } of clients) socket.destroy()
    }
  },
)
