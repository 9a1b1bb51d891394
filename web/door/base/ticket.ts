import { ALREADY_REDEEMED_MESSAGE } from '../../../src/door/rules.ts'
import type { Schemas } from '../../api/client.ts'

/** What the phone keeps of a ticket: what the door needs, and nothing else that an answer may bring. */
export interface Ticket {
  publicId: string
  code: string
  eventSlug: string
  ticketTitle: string
  color: string | null
  buyerName: string
  attendeeName: string
  isGuest: boolean
  staffNote: string | null
  placeLabel: string | null
  accessibility: string | null
  /** Why it lets nobody in, whoever is inside. */
  lastingReason: string | null
  redeemedAt: string | null
  isInside: boolean
  partyKey: string | null
  pairKey: string | null
  updatedAt: string
}

/** Fifty thousand of them are kept and opened as lists, which is several times quicker than as objects. */
export type PackedTicket = (string | boolean | null)[]

const FIELDS = [
  'publicId',
  'code',
  'eventSlug',
  'ticketTitle',
  'color',
  'buyerName',
  'attendeeName',
  'isGuest',
  'staffNote',
  'placeLabel',
  'accessibility',
  'lastingReason',
  'redeemedAt',
  'isInside',
  'partyKey',
  'pairKey',
  'updatedAt',
] as const satisfies (keyof Ticket)[]

export const packTicket = (ticket: Ticket): PackedTicket => FIELDS.map((field) => ticket[field])

export const unpackTicket = (packed: PackedTicket): Ticket =>
  Object.fromEntries(FIELDS.map((field, n) => [field, packed[n]])) as unknown as Ticket

/** Positions of what is looked up without unpacking. */
export const PACKED_INDEX = Object.fromEntries(FIELDS.map((field, n) => [field, n])) as Record<keyof Ticket, number>

type Answered = Schemas['ScannerTicket'] & Partial<Pick<Schemas['PartyTicket'], 'party_key' | 'pair_key' | 'inside'>>

/** As the server tells it; what only a snapshot tells is taken from what was known before. */
export const ticketOfAnswer = (given: Answered, before?: Ticket): Ticket => {
  const isBlockedByEntry = given.blocked_reason === ALREADY_REDEEMED_MESSAGE
  return {
    publicId: given.public_id,
    code: given.check_in_code,
    eventSlug: given.event_slug ?? '',
    ticketTitle: given.ticket_title,
    color: given.ticket_color,
    buyerName: given.buyer_name,
    attendeeName: given.attendee_name,
    isGuest: given.guest_list,
    staffNote: given.staff_note ?? null,
    placeLabel: given.place_label,
    accessibility: given.place_snapshot?.accessibility ?? null,
    lastingReason: isBlockedByEntry ? null : given.blocked_reason,
    redeemedAt: given.redeemed_at,
    isInside: given.inside ?? insideOf(given, before),
    partyKey: given.party_key ?? before?.partyKey ?? null,
    pairKey: given.pair_key ?? before?.pairKey ?? null,
    updatedAt: given.updated_at,
  }
}

const insideOf = (given: Answered, before: Ticket | undefined) => {
  if (!given.redeemed || given.redeemable) return false
  return given.blocked_reason === ALREADY_REDEEMED_MESSAGE || (before?.isInside ?? true)
}
