import { rm } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findPostmaster } from '../../src/database/embedded-postmaster.ts'
import { databaseFolder } from '../kit/folders.ts'
import { type FoyerProcess, runFoyer, startFoyer } from '../kit/foyer-process.ts'
import { neueHalle } from '../kit/neue-halle.ts'

const TICKETS = 240
const BATCH = 10
const KILLS = 2
const BACK_WITHIN_MS = 5_000

let folder: string
let environment: { FOYER_DATA: string; FOYER_RATE_LIMITS: string; PORT?: string }

beforeAll(async () => {
  folder = await databaseFolder('door')
  environment = { FOYER_DATA: folder, FOYER_RATE_LIMITS: 'off' }
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

interface Night {
  token: string
  tickets: string[]
}

/** A venue of its own with tickets that nobody has used yet. */
const loadNight = async (subdomain: string): Promise<Night> => {
  const file = neueHalle(subdomain)
  file['events'] = [
    {
      slug: 'winter-ball',
      title: 'Winter Ball',
      starts_at: '+PT2H',
      tickets: [{ key: 'ga', title: 'General admission' }],
      orders: Array.from({ length: TICKETS / 2 }, (_, n) => ({
        key: `order-${n}`,
        customer_name: `Guest ${n}`,
        items: [{ ticket: 'ga' }, { ticket: 'ga' }],
      })),
    },
  ]
  file['people'] = file['people'].filter((person: { role: string }) => person.role === 'owner')
  file['api_tokens'] = []
  const { stdout, stderr } = await runFoyer(['load', '-'], environment, JSON.stringify(file))
  expect(stderr).toBe('')
  const report = JSON.parse(stdout)
  const orders = Object.values(report.events['winter-ball'].orders) as { items: { public_id: string }[] }[]
  return {
    token: report.devices['Door 1'],
    tickets: orders.flatMap(({ items }) => items.map((item) => item.public_id)),
  }
}

/** A door that does not give up: what was not answered is sent again, under the same client_id. */
const scanAll = (origin: () => string, { token, tickets }: Night) => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const results = new Map<string, string>()

  const insist = async (ask: () => Promise<Response>): Promise<Response> => {
    for (;;) {
      try {
        const reply = await ask()
        if (reply.status < 500) return reply
        await reply.body?.cancel()
      } catch {
        // The connection broke: whether anything was done, only asking again can tell.
      }
      await delay(20)
    }
  }

  const scanOnline = async (publicId: string) => {
    const reply = await insist(() =>
      fetch(`${origin()}/scanner/events/winter-ball/tickets/${publicId}/redemption`, {
        method: 'POST',
        headers: { authorization: headers.authorization, 'idempotency-key': `scan-${publicId}` },
      }),
    )
    const body = await reply.json()
    results.set(publicId, reply.status === 200 ? 'accepted' : JSON.stringify(body))
  }

  const scanOffline = async (batch: string[]) => {
    const attempts = batch.map((publicId) => ({
      client_id: `scan-${publicId}`,
      event_slug: 'winter-ball',
      public_id: publicId,
    }))
    const reply = await insist(() =>
      fetch(`${origin()}/scanner/redemption_attempts`, { method: 'POST', headers, body: JSON.stringify({ attempts }) }),
    )
    const body = (await reply.json()) as { redemption_attempts: { public_id: string; result: string }[] }
    for (const each of body.redemption_attempts) results.set(each.public_id, each.result)
  }

  const [online, offline] = [tickets.slice(0, TICKETS / 2), tickets.slice(TICKETS / 2)]
  const doors = Array.from({ length: 4 }, async () => {
    while (online.length > 0) await scanOnline(online.pop()!)
  })
  const phones = Array.from({ length: 2 }, async () => {
    while (offline.length > 0) await scanOffline(offline.splice(-BATCH))
  })
  return { results, done: Promise.all([...doors, ...phones]) }
}

const requireEverybodyIn = async (origin: string, night: Night, results: Map<string, string>) => {
  expect(new Set(results.values())).toEqual(new Set(['accepted']))
  const reply = await fetch(`${origin}/scanner/events/winter-ball/snapshot`, {
    headers: { authorization: `Bearer ${night.token}` },
  })
  const { tickets } = (await reply.json()) as { tickets: { public_id: string; redeemed: boolean }[] }
  const inside = tickets.filter((ticket) => ticket.redeemed).map((ticket) => ticket.public_id)
  expect(inside.toSorted()).toEqual(night.tickets.toSorted())
}

const progressed = async (results: Map<string, string>, count: number) => {
  while (results.size < count) await delay(2)
}

test(
  'the database is killed while a night is scanned: nothing is lost, and nobody is a false conflict',
  { timeout: 90_000 },
  async () => {
    const foyer = await startFoyer({ ...environment })
    try {
      const night = await loadNight('killed-database')
      const { results, done } = scanAll(() => foyer.origin, night)
      for (let kill = 1; kill <= KILLS; kill++) {
        await progressed(results, (TICKETS / (KILLS + 2)) * kill)
        const postmaster = await findPostmaster(path.join(folder, 'postgres'))
        const before = results.size
        process.kill(postmaster!.pid, 'SIGKILL')
        const killed = Date.now()
        await progressed(results, Math.min(TICKETS, before + BATCH * 4))
        expect(Date.now() - killed).toBeLessThan(BACK_WITHIN_MS + 2_000)
      }
      await done
      expect(foyer.child.exitCode).toBeNull()
      await requireEverybodyIn(foyer.origin, night, results)
    } finally {
      await foyer.end()
    }
  },
)

test(
  'the server is killed while a night is scanned: nothing is lost, nothing is done twice',
  { timeout: 90_000 },
  async () => {
    let foyer: FoyerProcess = await startFoyer({ ...environment })
    try {
      const night = await loadNight('killed-server')
      const { results, done } = scanAll(() => foyer.origin, night)
      for (let kill = 1; kill <= KILLS; kill++) {
        await progressed(results, (TICKETS / (KILLS + 2)) * kill)
        await foyer.end('SIGKILL')
        foyer = await startFoyer({ ...environment })
      }
      await done
      await requireEverybodyIn(foyer.origin, night, results)
    } finally {
      await foyer.end()
    }
  },
)

test('control: a door that asks again without a key meets its own redemption', { timeout: 60_000 }, async () => {
  const foyer = await startFoyer({ ...environment })
  try {
    const { token, tickets } = await loadNight('no-key')
    const redeem = () =>
      fetch(`${foyer.origin}/scanner/tickets/${tickets[0]}/redemption`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
      })
    expect([(await redeem()).status, (await redeem()).status]).toEqual([200, 422])
  } finally {
    await foyer.end()
  }
})
