import { TICKET_COLORS } from '../kernel/public-ids.ts'
import { type JsonPath, faultAt, quote } from '../loading/fault.ts'
import { list } from '../loading/fields.ts'
import { type EventSection, type LoadedEvent, type LoadedTicket, findByKey, idsByKey } from '../loading/section.ts'
import {
  type PlaceInput,
  PlaceOfEvent,
  StandingArea,
  type StandingAreaInput,
  Ticket,
  type TicketInput,
} from './venue-inputs.ts'
import { insertPlaces, insertStandingAreas, insertTickets } from './venue-records.ts'

export const ticketsSection: EventSection<TicketInput[]> = {
  key: 'tickets',
  schema: (terms) => list(Ticket(terms), 'key'),
  load: async ({ tx }, event, tickets) => {
    const colored = tickets.map((ticket, n) => ({
      ...ticket,
      color: ticket.color ?? TICKET_COLORS[n % TICKET_COLORS.length]!,
    }))
    const ids = await insertTickets(tx, event.id, colored)
    for (const [n, ticket] of tickets.entries()) event.tickets.set(ticket.key, showTicket(ids[n]!, ticket))
    return idsByKey(event.tickets)
  },
}

const showTicket = (id: number, ticket: TicketInput): LoadedTicket => ({
  id,
  title: ticket.title,
  kind: ticket.kind,
  inventoryKind: ticket.inventory_kind,
  priceCents: ticket.price,
  groupSize: ticket.group_size,
})

export const standingAreasSection: EventSection<StandingAreaInput[]> = {
  key: 'standing_areas',
  schema: () => list(StandingArea, 'key'),
  load: async ({ tx, terms }, event, areas, place) => {
    const opened = areas.map((area, n) => ({
      ...area,
      closedAt: area.open ? null : terms.now,
      ticketIds: area.tickets.map((name, m) => ticketOf(event, 'standing', name, [...place, n, 'tickets', m])),
    }))
    const ids = await insertStandingAreas(tx, event.id, opened)
    for (const [n, { key: name, ...area }] of areas.entries()) event.standingAreas.set(name, { id: ids[n]!, ...area })
    return idsByKey(event.standingAreas)
  },
}

export const placesSection: EventSection<PlaceInput[]> = {
  key: 'places',
  schema: () => list(PlaceOfEvent, 'key'),
  load: async ({ tx, terms }, event, places, place) => {
    const byKey = new Map(places.map((each) => [each.key, each]))
    const sold = places.map((each, n) => {
      requirePair(byKey, each, [...place, n, 'pair'])
      return {
        ...each,
        blockedAt: each.blocked ? terms.now : null,
        ticketId: ticketOf(event, 'places', each.ticket, [...place, n, 'ticket']),
      }
    })
    const ids = await insertPlaces(tx, event.id, sold)
    for (const [n, { key: name, ...each }] of places.entries()) event.places.set(name, { id: ids[n]!, ...each })
    return idsByKey(event.places)
  },
}

/** A wheelchair place and the companion's beside it name each other. */
const requirePair = (places: Map<string, PlaceInput>, one: PlaceInput, place: JsonPath) => {
  if (one.pair === null) return
  const other = findByKey(places, one.pair, place, 'place')
  if (other.pair !== one.key) {
    throw faultAt(place, `the place ${quote(other.key)} does not name ${quote(one.key)} as its pair`)
  }
  if (one.accessibility === null || other.accessibility === null || one.accessibility === other.accessibility) {
    throw faultAt(place, 'a pair is one wheelchair place and one companion place')
  }
}

const ticketOf = (event: LoadedEvent, inventoryKind: LoadedTicket['inventoryKind'], name: string, place: JsonPath) => {
  const ticket = findByKey(event.tickets, name, place, 'ticket')
  if (ticket.inventoryKind !== inventoryKind) {
    throw faultAt(place, `the ticket ${quote(name)} is not of inventory_kind ${quote(inventoryKind)}`)
  }
  return ticket.id
}
