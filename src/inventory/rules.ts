/** What can be short: the shared capacity, a ticket's stock, a standing area, or one of the places asked for. */
export type Shortage = 'event' | 'ticket' | 'area' | 'places'

/** What somebody wants to have, all of it or nothing. Places are one for each admission. */
export interface ClaimRequest {
  eventId: number
  ticketId: number
  quantity: number
  /** What is taken of the ticket's stock, where that is less: a group takes one, whatever its size. */
  stockQuantity?: number
  standingAreaId?: number | null
  placeIds?: readonly number[]
  /** The end of a checkout's hold; without it the claim lasts. */
  until?: Date | null
  /** What was sold elsewhere may be one half of a wheelchair pair; what is sold here never is. */
  takesHalfPairs?: boolean
}

/** All that one buyer wants to have held, item by item. */
export type HoldRequest = readonly Omit<ClaimRequest, 'eventId' | 'until'>[]

export type HoldOutcome =
  | { refused: null; refusedItem: null; holdIds: number[] }
  /** What was short, and for which of the items. */
  | { refused: Shortage; refusedItem: number; holdIds: number[] }

export interface FreePlace {
  id: number
  key: string
  label: string
}

interface OpenArea {
  id: number
  name: string
  available: number
}

export interface TicketAvailability {
  id: number
  title: string
  kind: 'StandardTicket' | 'GroupTicket'
  inventoryKind: 'ga' | 'standing' | 'places'
  hidden: boolean
  /** Null when nothing bounds it. */
  available: number | null
  /** The open ones of a standing ticket, full or not. */
  standingAreas: OpenArea[]
  /** The free ones of a numbered ticket. */
  places: FreePlace[]
}

/** What is left after every bound that there is; null when there is none. */
const leastOf = (...rooms: (number | null)[]): number | null => {
  const bounded = rooms.filter((room) => room !== null)
  return bounded.length === 0 ? null : Math.max(0, Math.min(...bounded))
}

/** The rooms of one ticket as they were counted. */
export interface TicketRemaining {
  id: number
  title: string
  kind: 'StandardTicket' | 'GroupTicket'
  inventoryKind: 'ga' | 'standing' | 'places'
  hidden: boolean
  /** How many come in with one of it. */
  groupSize: number
  eventRemaining: number | null
  stockRemaining: number | null
  areas: { id: number; name: string; room: number }[]
  freePlaceCount: number
  places: FreePlace[]
}

export const availabilityOf = (rooms: TicketRemaining): TicketAvailability => {
  const { groupSize } = rooms
  const shared = leastOf(inGroups(rooms.eventRemaining, groupSize), rooms.stockRemaining)
  return {
    id: rooms.id,
    title: rooms.title,
    kind: rooms.kind,
    inventoryKind: rooms.inventoryKind,
    hidden: rooms.hidden,
    available: leastOf(shared, inGroups(ownRoom(rooms), groupSize)),
    places: rooms.places,
    standingAreas: rooms.areas.map(({ id, name, room }) => ({
      id,
      name,
      available: leastOf(inGroups(room, groupSize), shared)!,
    })),
  }
}

const inGroups = (room: number | null, size: number) => (room === null ? null : Math.floor(room / size))

const ownRoom = ({ inventoryKind, areas, freePlaceCount }: TicketRemaining): number | null => {
  if (inventoryKind === 'standing') return areas.reduce((sum, area) => sum + Math.max(0, area.room), 0)
  return inventoryKind === 'places' ? freePlaceCount : null
}

/** Wheelchair and companion places are only taken together. */
export const isSplittingPair = (places: readonly { id: number; pairPlaceId: number | null }[]) => {
  const ids = new Set(places.map((place) => place.id))
  return places.some((place) => place.pairPlaceId !== null && !ids.has(place.pairPlaceId))
}
