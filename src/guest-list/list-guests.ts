import type { EventScope } from '../access/scopes.ts'
import { findAvailability } from '../inventory/availability.ts'
import { countAdmissions, findParties } from './records.ts'
import { type Filter, countGuests, matchesFilter } from './rules.ts'
import type { GuestListView } from './wire.ts'

export const listGuests = async (
  event: EventScope,
  { query, filter }: { query: string; filter: Filter },
): Promise<GuestListView> => {
  const [tickets, parties, counts] = await Promise.all([
    findTicketOptions(event),
    findParties(event.rows, event.event.id, query),
    query === '' ? null : countAdmissions(event.rows, event.event.id),
  ])
  return {
    query,
    filter,
    // Without a search these are all parties, and counting them again in the database would take as long as reading them.
    counts: counts ?? countGuests(parties),
    tickets,
    parties: parties.filter((party) => matchesFilter(party, filter)),
  }
}

/** What parties can be made of: every standard ticket, hidden, sold out or not. */
export const findTicketOptions = async (event: EventScope) => {
  const tickets = await findAvailability(event.rows, event.event.id, { listsPlaces: true })
  return tickets.filter((ticket) => ticket.kind === 'StandardTicket')
}
