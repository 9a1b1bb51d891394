import { hash } from 'node:crypto'
import { z } from 'zod'
import type { Caller } from '../access/callers.ts'
import type { CallerScope } from '../access/scopes.ts'
import { shopOrigin } from '../access/shop-address.ts'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import { imageUrl } from '../images/names.ts'
import { displayCode } from '../kernel/public-ids.ts'
import { type TicketValidityFacts, type TicketNames, blockedReason, greetedName, isInside } from './rules.ts'

export const ScannerMeAnswer = named(
  'ScannerMe',
  z.object({
    account: z.object({ id: z.int(), name: z.string(), subdomain: z.string() }),
    // A device has a name, a token a description and a permission.
    authentication: z.object({
      type: z.enum(['scanner_device', 'api_token']),
      name: z.string().optional(),
      description: z.string().optional(),
      permission: z.string().optional(),
    }),
  }),
  {
    account: { id: 1, name: 'Kaispeicher', subdomain: 'kaispeicher' },
    authentication: { type: 'scanner_device', name: 'Door 1' },
  },
)

export const showScannerMe = ({ account, credential }: Caller): z.output<typeof ScannerMeAnswer> => ({
  account: { id: account.id, name: account.name, subdomain: account.subdomain },
  authentication:
    credential.kind === 'scanner_device'
      ? { type: 'scanner_device', name: credential.description }
      : { type: 'api_token', description: credential.description, permission: credential.permission },
})

export const ScannerEvent = named(
  'ScannerEvent',
  z.object({
    slug: z.string(),
    title: z.string(),
    starts_at: Timestamp,
    ends_at: Timestamp,
    updated_at: Timestamp,
    snapshot_url: z.string(),
    image_url: z.string().nullable(),
    venue: z.object({ name: z.string().nullable(), city: z.string().nullable() }),
  }),
  {
    slug: 'winter-gala',
    title: 'Winter Gala of the Kaispeicher',
    starts_at: '2026-12-15T19:00:00.000Z',
    ends_at: '2026-12-16T00:00:00.000Z',
    updated_at: '2026-10-01T09:00:00.000Z',
    snapshot_url: 'https://foyer.example/scanner/events/winter-gala/snapshot',
    image_url: null,
    venue: { name: 'Kaispeicher, Great Hall', city: 'Hamburg' },
  },
)

export interface ScannableEvent {
  id: number
  slug: string
  title: string
  startsAt: Date
  endsAt: Date
  updatedAt: Date
  reentry: boolean
  image: string | null
  venueName: string | null
  venueCity: string | null
}

const THUMBNAIL_WIDTH = 640

export const showEvent = (event: ScannableEvent, { app, account }: CallerScope): z.output<typeof ScannerEvent> => ({
  slug: event.slug,
  title: event.title,
  starts_at: showTimestamp(event.startsAt),
  ends_at: showTimestamp(event.endsAt),
  updated_at: showTimestamp(event.updatedAt),
  snapshot_url: `${app.settings.baseUrl}/scanner/events/${event.slug}/snapshot`,
  // Pictures of the house's own hang in its shop.
  image_url: imageUrl(shopOrigin(app, account.subdomain), event.image, THUMBNAIL_WIDTH),
  venue: { name: event.venueName || null, city: event.venueCity || null },
})

export const ScannerEvents = named('ScannerEvents', z.object({ events: z.array(ScannerEvent) }), {
  events: [exampleOf(ScannerEvent)!],
})

const PlaceSnapshot = z.object({
  key: z.string().nullable(),
  label: z.string().nullable(),
  section: z.string().nullable(),
  row: z.string().nullable(),
  seat: z.string().nullable(),
  area: z.string().nullable(),
  accessibility: z.string().nullable(),
})

export const ScannerTicket = named(
  'ScannerTicket',
  z.object({
    public_id: z.string(),
    check_in_code: z.string(),
    display_check_in_code: z.string(),
    event_slug: z.string().nullable(),
    event_title: z.string(),
    ticket_title: z.string(),
    ticket_color: z.string().nullable(),
    buyer_name: z.string(),
    attendee_name: z.string(),
    guest_list: z.boolean(),
    staff_note: z.string().optional(),
    place_label: z.string().nullable(),
    place_snapshot: PlaceSnapshot.optional(),
    redeemed: z.boolean(),
    redeemable: z.boolean(),
    blocked_reason: z.string().nullable(),
    redeemed_at: Timestamp.nullable(),
    updated_at: Timestamp,
  }),
  {
    public_id: '7Jx3fYkq9TzW2bVn5sLcRd',
    check_in_code: 'K7QM2XTB',
    display_check_in_code: 'K7QM-2XTB',
    event_slug: 'winter-gala',
    event_title: 'Winter Gala of the Kaispeicher',
    ticket_title: 'General admission',
    ticket_color: '#2f6fed',
    buyer_name: 'Zoë Lindqvist',
    attendee_name: 'Guest of Zoë Lindqvist',
    guest_list: true,
    staff_note: 'Press table',
    place_label: null,
    redeemed: false,
    redeemable: true,
    blocked_reason: null,
    redeemed_at: null,
    updated_at: '2026-12-01T10:00:00.000Z',
  },
)

/** A ticket with what its order, its type and its event say about it. */
export interface ScannableTicket extends TicketValidityFacts, TicketNames {
  publicId: string
  checkInCode: string
  eventSlug: string
  eventTitle: string
  ticketTitle: string
  ticketColor: string | null
  placeLabel: string | null
  placeSnapshot: Record<string, unknown> | null
  updatedAt: Date
  staffNote: string | null
}

export const showTicket = (ticket: ScannableTicket): z.output<typeof ScannerTicket> => {
  const reason = blockedReason(ticket)
  const isGuest = ticket.origin === 'guest_list'
  return {
    public_id: ticket.publicId,
    check_in_code: ticket.checkInCode,
    display_check_in_code: displayCode(ticket.checkInCode),
    event_slug: ticket.eventSlug,
    event_title: ticket.eventTitle,
    ticket_title: ticket.ticketTitle,
    ticket_color: ticket.ticketColor,
    buyer_name: ticket.customerName,
    attendee_name: greetedName(ticket),
    guest_list: isGuest,
    // What is undefined is not written.
    staff_note: (isGuest && ticket.staffNote) || undefined,
    place_label: ticket.placeLabel,
    place_snapshot: ticket.placeSnapshot ? showPlace(ticket.placeSnapshot) : undefined,
    redeemed: ticket.redeemedAt !== null,
    redeemable: reason === null,
    blocked_reason: reason,
    redeemed_at: showTimestampOrNull(ticket.redeemedAt),
    updated_at: showTimestamp(ticket.updatedAt),
  }
}

const showPlace = (place: Record<string, unknown>): z.output<typeof PlaceSnapshot> => ({
  key: textOf(place['key']),
  label: textOf(place['label']),
  section: textOf(place['section']),
  row: textOf(place['row']),
  seat: textOf(place['seat']),
  area: textOf(place['area']),
  accessibility: textOf(place['accessibility']),
})

const textOf = (value: unknown) => (typeof value === 'string' || typeof value === 'number' ? String(value) : null)

export const ScannerTickets = named(
  'ScannerTickets',
  z.object({ event: ScannerEvent.nullable(), tickets: z.array(ScannerTicket) }),
  { event: exampleOf(ScannerEvent)!, tickets: [exampleOf(ScannerTicket)!] },
)

const Snapshot = named(
  'ScannerSnapshot',
  z.object({
    generated_at: Timestamp,
    since: Timestamp.optional(),
    event: ScannerEvent,
    tickets: z.array(ScannerTicket),
  }),
  {
    generated_at: '2026-12-15T17:30:00.000Z',
    event: exampleOf(ScannerEvent)!,
    tickets: [exampleOf(ScannerTicket)!],
  },
)

/** What a door app asks for to show whole parties and who is inside. */
export const PartyEvent = named('PartyEvent', ScannerEvent.extend({ reentry: z.boolean() }), {
  ...exampleOf(ScannerEvent)!,
  reentry: false,
})

export const ScannerTicketWithParty = named(
  'PartyTicket',
  ScannerTicket.extend({ party_key: z.string(), pair_key: z.string().nullable(), inside: z.boolean() }),
  { ...exampleOf(ScannerTicket)!, party_key: 'kq3v9TzW2bVn5sLc', pair_key: null, inside: false },
)

const SnapshotWithParties = named(
  'ScannerSnapshotWithParties',
  Snapshot.extend({ event: PartyEvent, tickets: z.array(ScannerTicketWithParty) }),
  { ...exampleOf(Snapshot)!, event: exampleOf(PartyEvent)!, tickets: [exampleOf(ScannerTicketWithParty)!] },
)

export const AnySnapshot = named(
  'ScannerSnapshotOfEitherKind',
  z.union([Snapshot, SnapshotWithParties]),
  exampleOf(Snapshot)!,
)

/** A ticket with the order and the pair of places that it belongs to. */
export interface TicketWithParty extends ScannableTicket {
  orderPublicId: string
  /** The lower of the two IDs. */
  pairPlaceId: number | null
}

export const showPartyEvent = (event: ScannableEvent, scope: CallerScope): z.output<typeof PartyEvent> => ({
  ...showEvent(event, scope),
  reentry: event.reentry,
})

export const showTicketWithParty = (ticket: TicketWithParty): z.output<typeof ScannerTicketWithParty> => ({
  ...showTicket(ticket),
  party_key: opaqueKey(`party ${ticket.orderPublicId}`),
  pair_key: ticket.pairPlaceId === null ? null : opaqueKey(`pair ${ticket.pairPlaceId}`),
  inside: isInside(ticket),
})

const OPAQUE_KEY_LENGTH = 16

/** Tells what belongs together and nothing else. */
const opaqueKey = (name: string) => hash('sha256', name, 'base64url').slice(0, OPAQUE_KEY_LENGTH)
