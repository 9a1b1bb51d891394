import { csvOf } from '../../ui/csv.ts'
import { type Party, isUnnamed, liveAdmissions, placeLabelsOf } from './rules.ts'

/** As the import of guests reads them, so that a list can go from one event to another. */
const HEAD = [
  'Name',
  'Party size',
  'Companion names',
  'Ticket',
  'Seats',
  'E-mail',
  'Phone',
  'Company',
  'Note',
  'Arrived',
  'Code',
]

const rowOf = (party: Party): string[] => [
  party.customer_name,
  String(party.party_size),
  liveAdmissions(party)
    .slice(1)
    .filter((admission) => !isUnnamed(party, admission))
    .map(({ attendee_name }) => attendee_name)
    .join('; '),
  party.ticket_title ?? '',
  placeLabelsOf(party),
  party.delivery_email ?? '',
  party.customer_phone ?? '',
  party.customer_company ?? '',
  party.staff_note ?? '',
  String(party.arrived_count),
  party.display_number,
]

export const guestsAsCsv = (parties: readonly Party[]): string => csvOf([HEAD, ...parties.map(rowOf)])
