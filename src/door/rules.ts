import { attendeeNameOf } from '../admissions/rules.ts'

/** The verdict of the door. Pure, so that the door app reaches the same one while it is offline. */

export const ALREADY_REDEEMED = 'Already redeemed'

export const ATTEMPTS_MAX = 10_000
export const CLIENT_ID_MAX = 255

export const RESULTS = ['accepted', 'conflict', 'blocked', 'not_found'] as const
export type Result = (typeof RESULTS)[number]

/** What is attempted: to come in, to go out, and to take an entry back that was a mistake. */
export const KINDS = ['entry', 'exit', 'annulment'] as const
export type AttemptKind = (typeof KINDS)[number]

export const REASON_MAX = 255

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

/** So long a device may take back what it did; counted from when the server accepted it, because its own clock may be wrong. */
export const ANNULMENT_MINUTES = 15

/** What the end of an entry is judged by. */
export interface EntryFacts extends Pick<TicketFacts, 'redeemedAt' | 'leftAt'> {
  /** Whether the event lets guests come back. */
  reentry: boolean
  /** Who let them in, and when the server accepted that; null where it came with the venue file. */
  entry: { credentialId: number; acceptedAt: Date } | null
}

export interface EntryEnd {
  kind: Exclude<AttemptKind, 'entry'>
  reason: string | null
  credentialId: number
  /** Whether the caller may annul what others did, and at any time. */
  annulsAny: boolean
  now: Date
}

/** Why an entry cannot be ended, or null. */
export const whyNotEnded = (facts: EntryFacts, end: EntryEnd): string | null =>
  end.kind === 'exit' ? whyNoExit(facts) : whyNotAnnulled(facts, end)

const whyNoExit = (facts: EntryFacts) => {
  if (!facts.reentry) return 'This event has no re-entry'
  return isInside(facts) ? null : 'Nobody is inside with this ticket'
}

const whyNotAnnulled = (facts: EntryFacts, { reason, credentialId, annulsAny, now }: EntryEnd) => {
  if (reason === null) return 'An annulment needs a reason of up to 255 characters'
  if (facts.redeemedAt === null) return 'Not redeemed'
  if (facts.leftAt !== null) return 'Nobody is inside with this ticket'
  if (annulsAny) return null
  if (facts.entry?.credentialId !== credentialId) return 'Redeemed by another device'
  const age = now.getTime() - facts.entry.acceptedAt.getTime()
  return age > ANNULMENT_MINUTES * 60_000 ? 'Too late: redeemed more than 15 minutes ago' : null
}
