import { z } from 'zod'
import { type Admission, attendeeNameOf, isReleasable, isSeatExchangeable } from '../admissions/rules.ts'
import { Timestamp, exampleOf, named, showTimestamp, showTimestampOrNull } from '../http/wire.ts'
import type { TicketAvailability } from '../inventory/rules.ts'
import { displayCode } from '../kernel/public-ids.ts'
import {
  type ArrivalCounts,
  type GuestFilter,
  type Party,
  arrivalStateOf,
  arrivedCount,
  isCancellable,
  partySize,
  shownAdmissionOf,
} from './rules.ts'

const Answers = z.record(z.string(), z.union([z.string(), z.boolean(), z.array(z.string())]))

export const AdmissionOnWire = named(
  'Admission',
  z.object({
    public_id: z.string(),
    attendee_name: z.string(),
    custom_field_answers: Answers,
    place_label: z.string().nullable(),
    check_in_code: z.string(),
    display_check_in_code: z.string(),
    redeemed: z.boolean(),
    redeemed_at: Timestamp.nullable(),
    admission_status: z.enum(['active', 'cancelled', 'refunded', 'refund_pending']),
    cancellable: z.boolean(),
    seat_exchangeable: z.boolean(),
  }),
  {
    public_id: '7sW2vqXz3nTdK9mPfBhRcG',
    attendee_name: 'Petra Press',
    custom_field_answers: { '12': 'vegetarian' },
    place_label: null,
    check_in_code: 'K7PDX2QM',
    display_check_in_code: 'K7PD-X2QM',
    redeemed: false,
    redeemed_at: null,
    admission_status: 'active',
    cancellable: true,
    seat_exchangeable: false,
  },
)

export const GuestParty = named(
  'GuestParty',
  z.object({
    public_id: z.string(),
    order_code: z.string(),
    display_number: z.string(),
    status: z.enum(['paid', 'booking_cancelled']),
    origin: z.literal('guest_list'),
    customer_name: z.string(),
    delivery_email: z.string().nullable(),
    staff_note: z.string().nullable(),
    customer_phone: z.string().nullable(),
    customer_company: z.string().nullable(),
    billing_address: z.object({
      street: z.string().nullable(),
      postal_code: z.string().nullable(),
      city: z.string().nullable(),
      country: z.string().nullable(),
      vat_id: z.string().nullable(),
    }),
    custom_field_answers: Answers,
    arrival_state: z.enum(['expected', 'partially_arrived', 'arrived']),
    arrived_count: z.int(),
    party_size: z.int(),
    cancellable: z.boolean(),
    ticket_id: z.int().nullable(),
    ticket_title: z.string().nullable(),
    creator_name: z.string().nullable(),
    paid_at: Timestamp.nullable(),
    created_at: Timestamp,
    admissions: z.array(AdmissionOnWire),
  }),
  {
    public_id: 'Qm4Zr8uVtYp2LkNs6HdWcE',
    order_code: 'M3VW8RTA',
    display_number: 'M3VW-8RTA',
    status: 'paid',
    origin: 'guest_list',
    customer_name: 'Petra Press',
    delivery_email: 'petra@press.example',
    staff_note: 'Side entrance',
    customer_phone: null,
    customer_company: 'Hafenkurier',
    billing_address: { street: null, postal_code: null, city: null, country: null, vat_id: null },
    custom_field_answers: {},
    arrival_state: 'expected',
    arrived_count: 0,
    party_size: 1,
    cancellable: true,
    ticket_id: 3,
    ticket_title: 'General admission',
    creator_name: 'Olga Owner',
    paid_at: '2026-11-20T10:00:00.000Z',
    created_at: '2026-11-20T10:00:00.000Z',
    admissions: [exampleOf(AdmissionOnWire)!],
  },
)

const AvailablePlace = z.object({ id: z.int(), key: z.string(), label: z.string() })

export const TicketOption = named(
  'TicketOption',
  z.object({
    id: z.int(),
    title: z.string(),
    inventory_kind: z.enum(['ga', 'standing', 'places']),
    available_stock: z.int().nullable(),
    unlimited_stock: z.boolean(),
    standing_areas: z.array(
      z.object({ id: z.int(), name: z.string(), label: z.string(), available_stock: z.int().nullable() }),
    ),
    available_places: z.array(AvailablePlace),
  }),
  {
    id: 4,
    title: 'Standing',
    inventory_kind: 'standing',
    available_stock: 140,
    unlimited_stock: false,
    standing_areas: [{ id: 2, name: 'Front', label: 'Front', available_stock: 50 }],
    available_places: [],
  },
)

export const TicketOptions = named('TicketOptions', z.object({ ticket_options: z.array(TicketOption) }), {
  ticket_options: [exampleOf(TicketOption)!],
})

export const GuestList = named(
  'GuestList',
  z.object({
    query: z.string(),
    filter: z.enum(['all', 'expected', 'arrived']),
    expected_count: z.int(),
    arrived_count: z.int(),
    admission_count: z.int(),
    ticket_options: z.array(TicketOption),
    guest_parties: z.array(GuestParty),
  }),
  {
    query: '',
    filter: 'all',
    expected_count: 1,
    arrived_count: 0,
    admission_count: 1,
    ticket_options: [exampleOf(TicketOption)!],
    guest_parties: [exampleOf(GuestParty)!],
  },
)

const showAdmission = (party: Party, admission: Admission): z.output<typeof AdmissionOnWire> => ({
  public_id: admission.publicId,
  attendee_name: attendeeNameOf(party, admission),
  custom_field_answers: admission.answers,
  place_label: admission.placeLabel,
  check_in_code: admission.checkInCode,
  display_check_in_code: displayCode(admission.checkInCode),
  redeemed: admission.redeemedAt !== null,
  redeemed_at: showTimestampOrNull(admission.redeemedAt),
  admission_status: admission.status,
  cancellable: isReleasable(admission),
  seat_exchangeable: isSeatExchangeable(admission),
})

export const showParty = (party: Party): z.output<typeof GuestParty> => ({
  public_id: party.publicId,
  order_code: party.orderCode,
  display_number: displayCode(party.orderCode),
  status: party.status === 'paid' ? 'paid' : 'booking_cancelled',
  origin: 'guest_list',
  customer_name: party.customerName,
  delivery_email: party.deliveryEmail,
  staff_note: party.staffNote,
  customer_phone: party.customerPhone,
  customer_company: party.customerCompany,
  billing_address: {
    street: party.billing.street,
    postal_code: party.billing.postalCode,
    city: party.billing.city,
    country: party.billing.country,
    vat_id: party.billing.vatId,
  },
  custom_field_answers: party.answers,
  arrival_state: arrivalStateOf(party),
  arrived_count: arrivedCount(party),
  party_size: partySize(party),
  cancellable: isCancellable(party),
  ticket_id: shownAdmissionOf(party)?.ticketId ?? null,
  ticket_title: shownAdmissionOf(party)?.ticketTitle ?? null,
  creator_name: party.creatorName,
  paid_at: showTimestampOrNull(party.paidAt),
  created_at: showTimestamp(party.createdAt),
  admissions: party.admissions.map((admission) => showAdmission(party, admission)),
})

export const showTicketOption = (ticket: TicketAvailability): z.output<typeof TicketOption> => ({
  id: ticket.id,
  title: ticket.title,
  inventory_kind: ticket.inventoryKind,
  available_stock: ticket.available,
  unlimited_stock: ticket.available === null,
  standing_areas: ticket.standingAreas.map(({ id, name, available }) => ({
    id,
    name,
    label: name,
    available_stock: available,
  })),
  available_places: ticket.places,
})

export interface GuestListView {
  query: string
  filter: GuestFilter
  counts: ArrivalCounts
  tickets: TicketAvailability[]
  parties: Party[]
}

export const showGuestList = ({
  query,
  filter,
  counts,
  tickets,
  parties,
}: GuestListView): z.output<typeof GuestList> => ({
  query,
  filter,
  expected_count: counts.expected,
  arrived_count: counts.arrived,
  admission_count: counts.expected + counts.arrived,
  ticket_options: tickets.map(showTicketOption),
  guest_parties: parties.map(showParty),
})
