import { setTimeout as delay } from 'node:timers/promises'
import { askAtHost } from '../kit/network/ask-at-host.ts'
import { pickBy, randomOf } from '../kit/seed.ts'

export interface SoakedVenue {
  origin: string
  shopHost: string
  /** Tokens of the doors, and of the office. */
  doors: string[]
  office: string
  ticketId: number
  tickets: string[]
}

export interface SoakLoad {
  /** How often which kind of request was answered with what; 0: the connection broke. */
  tally: Map<string, number>
  /** Answers that no fault excuses. */
  faults: string[]
  stop(): Promise<void>
}

/** While Foyer is in trouble it may say so, and connections may break; nothing else may be told. */
const EXCUSED = new Set([200, 201, 304, 404, 409, 422, 503])
const PAUSE_MS = 15
const FAULTS_KEPT = 20

/** A night at the door and in the office, on and on. */
export const startLoad = (venue: SoakedVenue): SoakLoad => {
  const random = randomOf('soak')
  const tally = new Map<string, number>()
  const faults: string[] = []
  const over = new AbortController()
  let scans = 0

  const pick = <T>(list: readonly T[]): T => pickBy(random, list)
  const count = (name: string) => tally.set(name, (tally.get(name) ?? 0) + 1)

  const ask = async (kind: string, address: string, token: string, method = 'GET', body?: object) => {
    try {
      const reply = await fetch(venue.origin + address, {
        method,
        headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(60_000),
      })
      const text = await reply.text()
      count(`${kind} ${reply.status}`)
      if (!EXCUSED.has(reply.status) && faults.length < FAULTS_KEPT)
        faults.push(`${method} ${address}: ${reply.status} ${text}`)
      return reply.status < 300 && text ? JSON.parse(text) : null
    } catch (error) {
      count(`${kind} 0`)
      if ((error as Error).name === 'TimeoutError') faults.push(`${method} ${address}: no answer within a minute`)
      return null
    }
  }

  const scan = () =>
    ask('redeem', `/scanner/events/winter-ball/tickets/${pick(venue.tickets)}/redemption`, pick(venue.doors), 'POST')

  const sync = () => {
    const attempts = Array.from({ length: 20 }, () => ({
      client_id: `soak-${scans++}`,
      event_slug: 'winter-ball',
      public_id: pick(venue.tickets),
    }))
    return ask('sync', '/scanner/redemption_attempts', pick(venue.doors), 'POST', { attempts })
  }

  const party = async () => {
    const guest_party = { customer_name: 'Ada', ticket_id: venue.ticketId, party_size: 2 }
    const path = '/admin/events/winter-ball/guest_parties'
    const made = await ask('party', path, venue.office, 'POST', { guest_party })
    if (made) await ask('cancel', `${path}/${made.public_id}/cancellation`, venue.office, 'POST')
  }

  const feed = async () => {
    const headers = { host: venue.shopHost, accept: 'application/json' }
    const reply = await askAtHost(venue.origin, '/events/winter-ball', { method: 'GET', headers }).catch(() => null)
    count(`feed ${reply?.status ?? 0}`)
    if (reply && !EXCUSED.has(reply.status)) faults.push(`feed: ${reply.status}`)
  }

  const works: (() => Promise<unknown>)[] = [
    scan,
    scan,
    scan,
    sync,
    () => ask('search', '/scanner/search?q=Guest', pick(venue.doors)),
    () => ask('snapshot', '/scanner/events/winter-ball/snapshot', pick(venue.doors)),
    feed,
    feed,
    party,
    () => ask('list', '/admin/events/winter-ball/guest_list', venue.office),
  ]

  const keepGoing = async () => {
    while (!over.signal.aborted) {
      await pick(works)()
      await delay(PAUSE_MS)
    }
  }
  const going = Promise.all(Array.from({ length: 6 }, keepGoing))
  return {
    tally,
    faults,
    stop: async () => {
      over.abort()
      await going
    },
  }
}
