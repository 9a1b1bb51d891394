import type { FeedTicket } from './records.ts'

/** So many or fewer are told as few; how few they are is nobody's business. */
export const LOW_STOCK = 15

/** What is left of tickets by their ID; null when nothing bounds it. */
export type Rooms = ReadonlyMap<number, number | null>

/** A ticket that came up after the rooms were counted has none yet. */
export const remainingOf = (rooms: Rooms, ticketId: number): number | null => {
  const remaining = rooms.get(ticketId)
  return remaining === undefined ? 0 : remaining
}

export interface TicketState {
  available: boolean
  lowStock: boolean
}

export const stateOf = (remaining: number | null, isCancelled: boolean): TicketState => ({
  available: !isCancelled && (remaining === null || remaining > 0),
  lowStock: remaining !== null && remaining <= LOW_STOCK,
})

const CODES_MAX = 100
const CODE_LENGTH_MAX = 255

/** The codes of a query as they are compared: `code` and `code[]` alike, as often as they come. */
export const readCodes = (...sent: unknown[]): string[] => {
  if (sent.every((value) => value === undefined)) return []
  const codes = new Set<string>()
  for (const value of sent.flat()) {
    if (typeof value !== 'string' || value.length > CODE_LENGTH_MAX) continue
    const code = value.trim().toLowerCase()
    if (code !== '' && codes.size < CODES_MAX) codes.add(code)
  }
  return [...codes]
}

/** The hidden tickets that the codes open. Codes that open nothing leave no trace from here on. */
export const unlockedBy = (
  codes: readonly string[],
  opens: ReadonlyMap<string, readonly number[]>,
  tickets: readonly FeedTicket[],
): number[] => {
  if (codes.length === 0) return []
  const opened = new Set(codes.flatMap((code) => opens.get(code) ?? []))
  return tickets.filter((ticket) => ticket.hidden && opened.has(ticket.id)).map((ticket) => ticket.id)
}

export const visibleTickets = (tickets: readonly FeedTicket[], unlocked: readonly number[]) =>
  tickets.filter((ticket) => !ticket.hidden || unlocked.includes(ticket.id))

export const cheapestAvailable = (
  tickets: readonly FeedTicket[],
  rooms: Rooms,
  isCancelled: boolean,
): number | null => {
  const prices = tickets
    .filter((ticket) => stateOf(remainingOf(rooms, ticket.id), isCancelled).available)
    .map((ticket) => ticket.priceCents)
  return prices.length === 0 ? null : Math.min(...prices)
}
