import { pickBy, shuffledBy } from '../kit/seed.ts'
import { type House, PHONES, type SeasonEvent } from './house.ts'

interface Attempt {
  client_id: string
  event_slug: string
  public_id: string
}

interface Phone {
  number: number
  token: string
  isOffline: boolean
  queue: Attempt[]
  /** Whom it has let in without asking. */
  letIn: Set<string>
}

interface Ticket {
  public_id: string
  redeemed: boolean
  blocked_reason: string | null
}

/** Ten phones at the doors of an evening. Lines are cut; what was scanned meanwhile is handed in later, some of it twice. */
export const openDoors = (house: House, random: () => number) => {
  const { insist, entries, attempts } = house
  let scans = 0

  const note = (ticket: string, scan: string) => entries.set(ticket, (entries.get(ticket) ?? new Set()).add(scan))

  const askOnline = async ({ number, token }: Phone, { slug }: SeasonEvent, ticket: string) => {
    const key = `online-${++scans}`
    const path = `/scanner/events/${slug}/tickets/${ticket}/redemption`
    const { status } = await insist(token, 'POST', path, { headers: { 'idempotency-key': key } })
    if (status === 200) note(ticket, `${number} ${key}`)
  }

  const decideAlone = (phone: Phone, { slug }: SeasonEvent, { public_id: id, blocked_reason: reason }: Ticket) => {
    if (reason !== null || phone.letIn.has(id)) return
    phone.letIn.add(id)
    phone.queue.push({ client_id: `phone-${phone.number}-${++scans}`, event_slug: slug, public_id: id })
  }

  const handIn = async (phone: Phone) => {
    const batch = phone.queue.splice(0)
    if (batch.length === 0) return
    const sent = shuffledBy(random, random() < 0.4 ? [...batch, ...batch.slice(0, 3)] : batch)
    for (let times = random() < 0.3 ? 2 : 1; times > 0; times--) {
      const body = { attempts: sent }
      const reply = await insist(phone.token, 'POST', '/scanner/redemption_attempts', { body })
      if (reply.status !== 200) {
        house.faults.push(`A batch was answered ${reply.status}: ${reply.text.slice(0, 200)}`)
        return
      }
      for (const { client_id: id, public_id: ticket, result } of reply.body.redemption_attempts)
        if (result === 'accepted') note(ticket, `${phone.number} ${id}`)
    }
    for (const { client_id: id } of batch) attempts.add(id)
  }

  const work = async (phone: Phone, event: SeasonEvent, line: Ticket[]) => {
    for (const ticket of line) {
      if (random() < 0.15) {
        phone.isOffline = !phone.isOffline
        if (!phone.isOffline) await handIn(phone)
      }
      if (phone.isOffline) decideAlone(phone, event, ticket)
      else await askOnline(phone, event, ticket.public_id)
    }
    await handIn(phone)
  }

  /** Everybody comes, and every eighth ticket is shown again somewhere. */
  return async (event: SeasonEvent): Promise<void> => {
    const path = `/scanner/events/${event.slug}/snapshot`
    const { tickets } = (await insist(house.phoneTokens[0]!, 'GET', path)).body as { tickets: Ticket[] }
    const lines = Array.from({ length: PHONES }, (): Ticket[] => [])
    for (const ticket of shuffledBy(random, tickets)) {
      pickBy(random, lines).push(ticket)
      if (random() < 1 / 8) pickBy(random, lines).push(ticket)
    }
    await Promise.all(
      lines.map((line, number) => {
        const token = house.phoneTokens[number]!
        return work({ number, token, isOffline: random() < 0.3, queue: [], letIn: new Set() }, event, line)
      }),
    )
  }
}
