import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { runFoyer } from '../process/foyer-process.ts'
import { neueHalle } from './neue-halle.ts'

const BATCH = 10

export interface Night {
  /** The door's. */
  token: string
  /** The office's, with which everything may be written. */
  office: string
  shopHost: string
  tickets: string[]
  // oxlint-disable-next-line typescript/no-explicit-any
  report: any
}

/** A venue of its own with tickets that nobody has used yet, loaded by the command line into whatever this environment names. */
export const loadNight = async (
  environment: Record<string, string>,
  subdomain: string,
  tickets: number,
  switches: string[] = [],
): Promise<Night> => {
  const file = neueHalle(subdomain)
  file['events'] = [
    {
      slug: 'winter-ball',
      title: 'Winter Ball',
      starts_at: '+PT2H',
      tickets: [{ key: 'ga', title: 'General admission' }],
      orders: Array.from({ length: tickets / 2 }, (_, n) => ({
        key: `order-${n}`,
        customer_name: `Guest ${n}`,
        items: [{ ticket: 'ga' }, { ticket: 'ga' }],
      })),
    },
  ]
  file['people'] = file['people'].filter((person: { role: string }) => person.role === 'owner')
  file['api_tokens'] = [{ description: 'office write', permission: 'write' }]
  const { stdout, stderr } = await runFoyer(['load', '-', ...switches], environment, JSON.stringify(file))
  expect(stderr).toBe('')
  const report = JSON.parse(stdout)
  const orders = Object.values(report.events['winter-ball'].orders) as { items: { public_id: string }[] }[]
  return {
    token: report.devices['Door 1'],
    office: report.api_tokens['office write'],
    shopHost: new URL(report.account.shop_url).host,
    tickets: orders.flatMap(({ items }) => items.map((item) => item.public_id)),
    report,
  }
}

export interface Scanning {
  results: Map<string, string>
  /** How long the slowest single request took, answered or not. */
  slowestMs(): number
  done: Promise<unknown>
}

/** A door that does not give up: what was not answered is sent again, under the same client_id. */
export const scanAll = (origin: () => string, { token, tickets }: Night): Scanning => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const results = new Map<string, string>()
  let slowestMs = 0

  const insist = async (ask: () => Promise<Response>): Promise<string> => {
    for (;;) {
      const startedAt = performance.now()
      try {
        const reply = await ask()
        const text = await reply.text()
        if (reply.status < 500) return text
        // Nothing but "try again" may be told while Foyer is in trouble.
        expect([reply.status, text]).toEqual([503, expect.stringContaining('temporarily unavailable')])
      } catch (error) {
        if (!(error instanceof TypeError)) throw error
        // The connection broke: whether anything was done, only asking again can tell.
      } finally {
        slowestMs = Math.max(slowestMs, performance.now() - startedAt)
      }
      await delay(20)
    }
  }

  const scanOnline = async (publicId: string) => {
    const text = await insist(() =>
      fetch(`${origin()}/scanner/events/winter-ball/tickets/${publicId}/redemption`, {
        method: 'POST',
        headers: { authorization: headers.authorization, 'idempotency-key': `scan-${publicId}` },
      }),
    )
    results.set(publicId, JSON.parse(text).error ?? 'accepted')
  }

  const scanOffline = async (batch: string[]) => {
    const attempts = batch.map((publicId) => ({
      client_id: `scan-${publicId}`,
      event_slug: 'winter-ball',
      public_id: publicId,
    }))
    const text = await insist(() =>
      fetch(`${origin()}/scanner/redemption_attempts`, { method: 'POST', headers, body: JSON.stringify({ attempts }) }),
    )
    const body = JSON.parse(text) as { redemption_attempts: { public_id: string; result: string }[] }
    for (const each of body.redemption_attempts) results.set(each.public_id, each.result)
  }

  const half = Math.floor(tickets.length / 2)
  const [online, offline] = [tickets.slice(0, half), tickets.slice(half)]
  const doors = Array.from({ length: 4 }, async () => {
    while (online.length > 0) await scanOnline(online.pop()!)
  })
  const phones = Array.from({ length: 2 }, async () => {
    while (offline.length > 0) await scanOffline(offline.splice(-BATCH))
  })
  const done = Promise.all([...doors, ...phones])
  // Whoever started it looks at it in the end; until then a failure must not pass for one that nobody handles.
  done.catch(() => {})
  return { results, slowestMs: () => slowestMs, done }
}

/** Everybody was let in exactly once, by what the doors were told and by what Foyer remembers. */
export const requireEverybodyIn = async (origin: string, night: Night, results: Map<string, string>) => {
  expect(new Set(results.values())).toEqual(new Set(['accepted']))
  const reply = await fetch(`${origin}/scanner/events/winter-ball/snapshot`, {
    headers: { authorization: `Bearer ${night.token}` },
  })
  const { tickets } = (await reply.json()) as { tickets: { public_id: string; redeemed: boolean }[] }
  const inside = tickets.filter((ticket) => ticket.redeemed).map((ticket) => ticket.public_id)
  expect(inside.toSorted()).toEqual(night.tickets.toSorted())
}

/** Comes back once so many have been told their result; fails when scanning does, or is over before. */
export const progressed = async ({ results, done }: Scanning, count: number) => {
  const over = done.then(() => true)
  while (results.size < count) {
    if ((await Promise.race([over, delay(2, false)])) && results.size < count)
      throw new Error(`Only ${results.size} were scanned where ${count} were waited for`)
  }
}
