import type { FeedEvent, FeedTicket } from './records.ts'

/** So many or fewer are told as few; how few they are is nobody's business. */
export const LOW_STOCK_MAX = 15

/** What is left of tickets by their ID; null when nothing bounds it. */
export type RemainingByTicket = ReadonlyMap<number, number | null>

/** A ticket that came up after the rooms were counted has none yet. */
export const remainingOf = (rooms: RemainingByTicket, ticketId: number): number | null => {
  const remaining = rooms.get(ticketId)
  return remaining === undefined ? 0 : remaining
}

export interface TicketStockState {
  available: boolean
  lowStock: boolean
}

export const ticketStockStateOf = (remaining: number | null, isCancelled: boolean): TicketStockState => ({
  available: !isCancelled && (remaining === null || remaining > 0),
  lowStock: remaining !== null && remaining <= LOW_STOCK_MAX,
})

/** Whether tickets can be had, in the order in which one reason outweighs another. */
export const SALES_STATUSES = ['cancelled', 'no_tickets', 'ended', 'sold_out', 'not_started', 'on_sale'] as const
export type SalesStatus = (typeof SALES_STATUSES)[number]

type SalesFacts = Pick<FeedEvent, 'cancelledAt' | 'salesStartsAt' | 'salesEndsAt' | 'endsAt'>

export const isEventOver = ({ endsAt }: Pick<FeedEvent, 'endsAt'>, now: Date): boolean => endsAt <= now

/** The one judgement that the feed, the pages, JSON-LD, calendars and link previews all repeat. */
export const salesStatusOf = (event: SalesFacts, tickets: readonly TicketStockState[], now: Date): SalesStatus => {
  const { cancelledAt, salesStartsAt, salesEndsAt } = event
  if (cancelledAt) return 'cancelled'
  if (tickets.length === 0) return 'no_tickets'
  if (isEventOver(event, now) || (salesEndsAt && salesEndsAt <= now)) return 'ended'
  if (!tickets.some((ticket) => ticket.available)) return 'sold_out'
  return salesStartsAt && salesStartsAt > now ? 'not_started' : 'on_sale'
}

export type OfferStatus = Exclude<SalesStatus, 'no_tickets'> | 'few_left'

/** The same for one ticket of an event: what is gone is gone, whether or not the others can still be had. */
export const offerStatusOf = (sales: SalesStatus, ticket: { sold_out: boolean; low_stock: boolean }): OfferStatus => {
  if (sales === 'cancelled') return sales
  if (ticket.sold_out) return 'sold_out'
  if (sales === 'ended' || sales === 'not_started') return sales
  return ticket.low_stock ? 'few_left' : 'on_sale'
}

const CODES_MAX = 100
const CODE_LENGTH_MAX = 255

/** The codes of a query as they are compared: `code` and `code[]` alike, as often as they come. */
export const readAccessCodes = (...sent: unknown[]): string[] => {
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
export const unlockedTicketIds = (
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

export const lowestAvailablePrice = (
  tickets: readonly FeedTicket[],
  rooms: RemainingByTicket,
  isCancelled: boolean,
): number | null => {
  const prices = tickets
    .filter((ticket) => ticketStockStateOf(remainingOf(rooms, ticket.id), isCancelled).available)
    .map((ticket) => ticket.priceCents)
  return prices.length === 0 ? null : Math.min(...prices)
}
