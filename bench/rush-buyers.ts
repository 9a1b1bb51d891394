import { setTimeout as delay } from 'node:timers/promises'
import { takeTask } from './frame.ts'
import { openConnections } from './http-connections.ts'

/** Buyers who each want one ticket: they ask, wait as long as they are told, and ask again until they know. */
export interface RushTask {
  port: number
  host: string
  slug: string
  ticketId: number
  buyers: number
  /** They arrive spread over this time. */
  arrivalMs: number
  connections: number
}

export interface RushOutcome {
  bought: number
  soldOut: number
  /** Whoever still waited when the time was over. */
  waiting: number
  statuses: Record<number, number>
  /** Milliseconds, one for each answer. */
  times: number[]
  seconds: number
}

const PATIENCE_MS = 180_000

const rush = async (task: RushTask): Promise<RushOutcome> => {
  const statuses: Record<number, number> = {}
  const times: number[] = []
  const outcome = { bought: 0, soldOut: 0, waiting: 0 }
  const started = performance.now()
  const ask = openConnections(task)

  const buy = async (n: number) => {
    await delay((n / task.buyers) * task.arrivalMs)
    let token: string | null = null
    while (performance.now() - started < PATIENCE_MS) {
      const asked = performance.now()
      const { status, body } = await ask(requestOf(task, n, token))
      times.push(performance.now() - asked)
      statuses[status] = (statuses[status] ?? 0) + 1
      if (status === 201) {
        outcome.bought++
        return
      }
      if (status !== 202) {
        outcome.soldOut++
        return
      }
      const { queue } = JSON.parse(body) as { queue: { token: string; retry_after: number } }
      token = queue.token
      await delay(queue.retry_after * 1_000)
    }
    outcome.waiting++
  }
  await Promise.all(Array.from({ length: task.buyers }, (_, n) => buy(n)))
  return { ...outcome, statuses, times, seconds: (performance.now() - started) / 1_000 }
}

const requestOf = ({ host, slug, ticketId }: RushTask, n: number, token: string | null) => {
  const checkout = { event_slug: slug, items: [{ ticket_id: ticketId, quantity: 1 }] }
  const body = JSON.stringify({ checkout, queue_token: token })
  const address = `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`
  return (
    `POST /checkouts HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${address}\r\nAccept: application/json\r\n` +
    `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
}

await takeTask(rush)
