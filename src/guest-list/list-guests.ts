import type { EventScope } from '../access/scopes.ts'
import { findAvailability } from '../inventory/availability.ts'
import { type TicketAvailability, availabilityOf } from '../inventory/rules.ts'
import { findGuestList } from './records.ts'
import { type GuestFilter, countExpectedAndArrived, matchesFilter } from './rules.ts'
import type { GuestListView } from './wire.ts'

export const listGuests = async (
  event: EventScope,
  { query, filter }: { query: string; filter: GuestFilter },
): Promise<GuestListView> => {
  const { parties, counts, tickets } = await findGuestList(event.rows, event.event.id, query)
  return {
    query,
    filter,
    // Without a search these are all parties, and counting them again in the database would take as long as reading them.
    counts: counts ?? countExpectedAndArrived(parties),
    tickets: standardOf(tickets.map(availabilityOf)),
    parties: parties.filter((party) => matchesFilter(party, filter)),
  }
}

/** What parties can be made of: every standard ticket, hidden, sold out or not. */
export const findTicketOptions = async (event: EventScope) =>
  standardOf(await findAvailability(event.rows, event.event.id, { listsPlaces: true }))

const standardOf = (tickets: readonly TicketAvailability[]) => tickets.filter(({ kind }) => kind === 'StandardTicket')
