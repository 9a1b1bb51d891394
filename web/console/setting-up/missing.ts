import type { EventDetails, Place, StandingArea, Ticket } from './queries.ts'

type Tab = 'details' | 'tickets' | 'areas' | 'seats'

/** Something that an event lacks, and where it is seen to. Weighty: without it the evening cannot be what it should. */
export type MissingPart = { isWeighty: boolean; tab: Tab | null } & (
  | { what: 'shop' | 'past' | 'tickets' | 'sales' | 'venue' | 'description' | 'image' | 'doors' }
  | { what: 'seats' | 'areas' | 'codes'; ticket: string }
  | { what: 'capacity'; stock: number; capacity: number }
)

export interface EventToCheck {
  event: EventDetails
  tickets: readonly Ticket[]
  areas: readonly StandingArea[]
  places: readonly Place[]
  isShopOpen: boolean
  now: Date
}

/** What is missing before others should see it, the weighty first. */
export const findMissingParts = ({ event, tickets, areas, places, isShopOpen, now }: EventToCheck): MissingPart[] => {
  const missing: (MissingPart | false)[] = [
    !isShopOpen && { what: 'shop', isWeighty: true, tab: null },
    new Date(event.starts_at) <= now && { what: 'past', isWeighty: true, tab: 'details' },
    tickets.length === 0 && { what: 'tickets', isWeighty: true, tab: 'tickets' },
    event.sales_ends_at !== null &&
      new Date(event.sales_ends_at) <= now && { what: 'sales', isWeighty: true, tab: 'details' },
    ...tickets.flatMap((ticket) => missingOf(ticket, areas, places)),
    event.venue_id === null && { what: 'venue', isWeighty: true, tab: 'details' },
    event.description === '' && { what: 'description', isWeighty: false, tab: 'details' },
    event.image === null && event.background_image === null && { what: 'image', isWeighty: false, tab: 'details' },
    event.doors_open_at === null && { what: 'doors', isWeighty: false, tab: 'details' },
    tooMany(event, tickets),
  ]
  return missing
    .filter((each) => each !== false)
    .toSorted((one, other) => Number(other.isWeighty) - Number(one.isWeighty))
}

const missingOf = (ticket: Ticket, areas: readonly StandingArea[], places: readonly Place[]): MissingPart[] => {
  const { id, title, inventory_kind: kind } = ticket
  const found: (MissingPart | false)[] = [
    kind === 'places' &&
      !places.some(({ ticket_id }) => ticket_id === id) && {
        what: 'seats',
        ticket: title,
        isWeighty: true,
        tab: 'seats',
      },
    kind === 'standing' &&
      !areas.some(({ ticket_ids }) => ticket_ids.includes(id)) && {
        what: 'areas',
        ticket: title,
        isWeighty: true,
        tab: 'areas',
      },
    ticket.hidden &&
      ticket.access_codes.length === 0 && { what: 'codes', ticket: title, isWeighty: false, tab: 'tickets' },
  ]
  return found.filter((each) => each !== false)
}

const tooMany = ({ capacity }: EventDetails, tickets: readonly Ticket[]): MissingPart | false => {
  const stock = tickets.reduce((sum, ticket) => sum + (ticket.stock ?? 0) * (ticket.group_size ?? 1), 0)
  return (
    capacity !== null && stock > capacity && { what: 'capacity', stock, capacity, isWeighty: false, tab: 'tickets' }
  )
}
