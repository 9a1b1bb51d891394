import { attendeeNameOf } from '../admissions/rules.ts'

/** The verdict of the door. Pure, so that the door app reaches the same one while it is offline. */

export const ALREADY_REDEEMED = 'Already redeemed'

export const ATTEMPTS_MAX = 10_000
export const CLIENT_ID_MAX = 255

export const RESULTS = ['accepted', 'conflict', 'blocked', 'not_found'] as const
export type Result = (typeof RESULTS)[number]

/** The facts a ticket is judged by. */
export interface TicketFacts {
  orderStatus: string
  archivedAt: Date | null
  status: string
  redeemedAt: Date | null
  /** When whoever came in went out again; null while they are inside. */
  leftAt: Date | null
}

const ORDER_REASONS: Record<string, string> = {
  refunded: 'Order refunded',
  cancelled: 'Order cancelled',
  booking_cancelled: 'Order cancelled',
  disputed: 'Order disputed',
  unpaid: 'Order unpaid',
}

/** Why a ticket cannot be redeemed, or null. What is wrong with the order is said before what is wrong with the ticket. */
export const blockedReason = (ticket: TicketFacts): string | null => {
  if (ticket.archivedAt) return 'Order archived'
  if (ticket.orderStatus !== 'paid') return ORDER_REASONS[ticket.orderStatus] ?? 'Order unpaid'
  if (ticket.status === 'cancelled') return 'Ticket cancelled'
  if (ticket.status !== 'active') return 'Ticket refunded'
  return isInside(ticket) ? ALREADY_REDEEMED : null
}

/** Who came in and did not go out again. */
export const isInside = ({ redeemedAt, leftAt }: Pick<TicketFacts, 'redeemedAt' | 'leftAt'>): boolean =>
  redeemedAt !== null && leftAt === null

export interface TicketNames {
  origin: string
  isLead: boolean
  attendeeName: string | null
  customerName: string
}

/** The name to greet: a guest party names its lead and its companions, a bought ticket its attendee or its buyer. */
export const greetedName = (ticket: TicketNames): string =>
  ticket.origin === 'guest_list' ? attendeeNameOf(ticket, ticket) : (ticket.attendeeName ?? ticket.customerName)

const TIME = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}(:\d{2}([.,]\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?$/i

/** The device's time of a scan, or null for what is none: then the server's own counts. Without an offset it is UTC. */
export const scanTimeOf = (given: unknown): Date | null => {
  const [text, day, , , offset] = typeof given === 'string' ? (TIME.exec(given.trim()) ?? []) : []
  if (!text || !isDay(day!)) return null

  const time = new Date(
    text
      .toUpperCase()
      .replace(',', '.')
      .replace(/([+-]\d{2})(\d{2})$/, '$1:$2') + (offset ? '' : 'Z'),
  )
  const year = time.getUTCFullYear()
  return year >= 1 && year <= 9999 ? time : null
}

/** Date rolls the thirtieth of February over into March. */
const isDay = (day: string) => {
  const date = new Date(day)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day)
}
