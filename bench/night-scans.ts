import { setTimeout as delay } from 'node:timers/promises'
import { takeTask } from './frame.ts'
import type { HttpRequest } from './http-load.ts'

/** Scans at an even pace, as a door makes them. */
export interface ScansTask {
  origin: string
  perSecond: number
  requests: HttpRequest[]
}

export interface ScansOutcome {
  /** When each was answered, by the clock of the machine, the first one first. */
  answeredAt: number[]
}

const scan = async ({ origin, perSecond, requests }: ScansTask): Promise<ScansOutcome> => {
  const ask = async ({ method, path, token, idempotencyKey }: HttpRequest) => {
    const headers = { authorization: `Bearer ${token}`, 'idempotency-key': idempotencyKey! }
    const answer = await fetch(`${origin}${path}`, { method, headers })
    await answer.arrayBuffer()
    if (answer.status !== 200) throw new Error(`A scan was refused: ${answer.status}`)
    return Date.now()
  }
  const started = performance.now()
  const asked: Promise<number>[] = []
  for (const [n, request] of requests.entries()) {
    await delay(Math.max(0, started + (n * 1_000) / perSecond - performance.now()))
    asked.push(ask(request))
  }
  const answeredAt = await Promise.all(asked)
  return { answeredAt: answeredAt.toSorted((one, other) => one - other) }
}

await takeTask(scan)
