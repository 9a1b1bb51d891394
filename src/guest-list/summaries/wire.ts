import { z } from 'zod'
import { exampleOf, named } from '../../http/wire.ts'
import { displayCode } from '../../kernel/public-ids.ts'
import type { PartySummary } from './records.ts'

const GuestPartySummary = named(
  'GuestPartySummary',
  z.object({
    public_id: z.string(),
    display_number: z.string(),
    customer_name: z.string(),
    delivery_email: z.string().nullable(),
    customer_company: z.string().nullable(),
    staff_note: z.string().nullable(),
    ticket_id: z.int().nullable(),
    ticket_title: z.string().nullable(),
    arrival_state: z.enum(['expected', 'partially_arrived', 'arrived']),
    arrived_count: z.int(),
    party_size: z.int(),
    companion_names: z.array(z.string()),
    place_labels: z.array(z.string()),
  }),
  {
    public_id: 'Qm4Zr8uVtYp2LkNs6HdWcE',
    display_number: 'M3VW-8RTA',
    customer_name: 'Petra Press',
    delivery_email: 'petra@press.example',
    customer_company: 'Hafenkurier',
    staff_note: 'Side entrance',
    ticket_id: 3,
    ticket_title: 'General admission',
    arrival_state: 'expected',
    arrived_count: 0,
    party_size: 2,
    companion_names: ['Paul Photo'],
    place_labels: [],
  },
)

export const GuestPartySummaries = named(
  'GuestPartySummaries',
  z.object({
    expected_count: z.int(),
    arrived_count: z.int(),
    admission_count: z.int(),
    guest_parties: z.array(GuestPartySummary),
  }),
  { expected_count: 2, arrived_count: 0, admission_count: 2, guest_parties: [exampleOf(GuestPartySummary)!] },
)

const arrivalStateOf = ({ arrived, size }: PartySummary) => {
  if (arrived === 0) return 'expected'
  return arrived < size ? 'partially_arrived' : 'arrived'
}

const showSummary = (party: PartySummary): z.output<typeof GuestPartySummary> => ({
  public_id: party.publicId,
  display_number: displayCode(party.orderCode),
  customer_name: party.customerName,
  delivery_email: party.deliveryEmail,
  customer_company: party.customerCompany,
  staff_note: party.staffNote,
  ticket_id: party.ticketId,
  ticket_title: party.ticketTitle,
  arrival_state: arrivalStateOf(party),
  arrived_count: party.arrived,
  party_size: party.size,
  companion_names: party.companionNames,
  place_labels: [...new Set(party.placeLabels)],
})

/** The figures are those of the list, counted from the same rows. */
export const showSummaries = (parties: readonly PartySummary[]): z.output<typeof GuestPartySummaries> => {
  const admissions = parties.reduce((sum, { size }) => sum + size, 0)
  const arrived = parties.reduce((sum, party) => sum + party.arrived, 0)
  return {
    expected_count: admissions - arrived,
    arrived_count: arrived,
    admission_count: admissions,
    guest_parties: parties.map(showSummary),
  }
}
