import { attendeeNameOf } from '../admissions/rules.ts'

/** The verdict of the door. Pure, so that the door app reaches the same one while it is offline. */

export const ALREADY_REDEEMED_MESSAGE = 'Already redeemed'

export const ATTEMPTS_PER_SYNC_MAX = 10_000
export const CLIENT_ID_MAX = 255

export const ATTEMPT_RESULTS = ['accepted', 'conflict', 'blocked', 'not_found'] as const
export type AttemptResult = (typeof ATTEMPT_RESULTS)[number]

/** What is attempted: to come in, to go out, and to take an entry back that was a mistake. */
export const ATTEMPT_KINDS = ['entry', 'exit', 'annulment'] as const
export type AttemptKind = (typeof ATTEMPT_KINDS)[number]

export const REASON_MAX = 255

/** Where a device let nobody in and does not say why. */
export const REFUSED_AT_THE_DOOR_MESSAGE = 'Refused at the door'

/** The facts a ticket is judged by. */
export interface TicketValidityFacts {
  orderStatus: string
  archivedAt: Date | null
  status: string
  redeemedAt: Date | null
  /** When whoever came in went out again; null while they are inside. */
  leftAt: Date | null
}

export const ORDER_UNPAID_MESSAGE = 'Order unpaid'

const ORDER_REASONS: Record<string, string> = {
  refunded: 'Order refunded',
  cancelled: 'Order cancelled',
  booking_cancelled: 'Order cancelled',
  disputed: 'Order disputed',
  unpaid: ORDER_UNPAID_MESSAGE,
}

/** Why a ticket cannot be redeemed, or null. What is wrong with the order is said before what is wrong with the ticket. */
export const blockedReason = (ticket: TicketValidityFacts): string | null =>
  entryRefusalReason({ lastingReason: lastingReason(ticket), redeemedAt: ticket.redeemedAt, leftAt: ticket.leftAt })

/** Why a ticket lets nobody in, whoever is inside. */
const lastingReason = (ticket: TicketValidityFacts): string | null => {
  if (ticket.archivedAt) return 'Order archived'
  if (ticket.orderStatus !== 'paid') return ORDER_REASONS[ticket.orderStatus] ?? ORDER_UNPAID_MESSAGE
  if (ticket.status === 'cancelled') return 'Ticket cancelled'
  return ticket.status === 'active' ? null : 'Ticket refunded'
}

/** What a snapshot tells of a ticket, and what has happened at the door since. */
export interface EntryDecisionFacts extends Pick<TicketValidityFacts, 'redeemedAt' | 'leftAt'> {
  lastingReason: string | null
}

/** The verdict on an entry: why not, or null. A phone without a line reaches it by the same few words. */
export const entryRefusalReason = (facts: EntryDecisionFacts): string | null =>
  facts.lastingReason ?? (isInside(facts) ? ALREADY_REDEEMED_MESSAGE : null)

/** Who came in and did not go out again. */
export const isInside = ({ redeemedAt, leftAt }: Pick<TicketValidityFacts, 'redeemedAt' | 'leftAt'>): boolean =>
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
export const parseScanTime = (given: unknown): Date | null => {
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
export interface EntryEndFacts extends Pick<TicketValidityFacts, 'redeemedAt' | 'leftAt'> {
  /** Whether the event lets guests come back. */
  reentry: boolean
  /** Who let them in, and when the server accepted that; null where it came with the venue file. */
  entry: { credentialId: number; acceptedAt: Date } | null
}

export interface EntryEndInput {
  kind: Exclude<AttemptKind, 'entry'>
  reason: string | null
  credentialId: number
  /** Whether the caller may annul what others did, and at any time. */
  annulsAny: boolean
  now: Date
}

/** Why an entry cannot be ended, or null. */
export const entryEndRefusalReason = (facts: EntryEndFacts, end: EntryEndInput): string | null =>
  end.kind === 'exit' ? whyNoExit(facts) : whyNotAnnulled(facts, end)

const whyNoExit = (facts: EntryEndFacts) => {
  if (!facts.reentry) return 'This event has no re-entry'
  return isInside(facts) ? null : 'Nobody is inside with this ticket'
}

const whyNotAnnulled = (facts: EntryEndFacts, { reason, credentialId, annulsAny, now }: EntryEndInput) => {
  if (reason === null) return 'An annulment needs a reason of up to 255 characters'
  if (facts.redeemedAt === null) return 'Not redeemed'
  if (facts.leftAt !== null) return 'Nobody is inside with this ticket'
  if (annulsAny) return null
  if (facts.entry?.credentialId !== credentialId) return 'Redeemed by another device'
  const age = now.getTime() - facts.entry.acceptedAt.getTime()
  return age > ANNULMENT_MINUTES * 60_000 ? 'Too late: redeemed more than 15 minutes ago' : null
}
