/** What a venue is expected to know, kept in plain lists. Rules are said again here, in the simplest way there is. */

export const EVENT_CAPACITY = 16
export const STOCK = { ga: 10, floor: null, seat: null } as const
export const FRONT_CAPACITY = 4
export const SEATS = ['A-1', 'A-2', 'A-3', 'A-4'] as const
export type TicketKey = keyof typeof STOCK
export type Column = 'open' | 'in_progress' | 'done'
export const COLUMNS: readonly Column[] = ['open', 'in_progress', 'done']

export interface Guest {
  id: string
  code: string
  isActive: boolean
  isIn: boolean
  seat: string | null
}

export interface Party {
  id: string
  ticket: TicketKey
  isLive: boolean
  isSold: boolean
  link: Link | null
  guests: Guest[]
}

export interface Link {
  id: string
  url: string
  isAutomatic: boolean
  isOpen: boolean
  capacity: number
  companionsMost: number
}

export interface Addition {
  companions: number
  state: 'waiting' | 'approved' | 'declined'
}

export interface Request {
  id: string
  page: string
  email: string
  link: Link
  companions: number
  state: 'pending' | 'approved' | 'rejected'
  party: Party | null
  additions: Addition[]
  /** What was decided last, for the request or for companions. */
  lastWasApproval: boolean
}

export interface Voucher {
  id: string
  code: string
  issued: number
  balance: number
  spent: number
  isBlocked: boolean
}

export interface Reservation {
  id: string
  voucher: Voucher
  checkout: string
  amount: number
  state: 'held' | 'captured' | 'released'
}

export interface Task {
  id: string
  title: string
  status: Column
  version: number
  isArchived: boolean
}

export interface Member {
  id: number
  role: string
  isActive: boolean
  /** The token from the beginning ends with the first change of role or state. */
  hasToken: boolean
}

export interface Model {
  parties: Party[]
  links: Link[]
  requests: Request[]
  /** What each device was told for each of its own numbers. */
  told: Map<string, string>
  vouchers: Voucher[]
  reservations: Reservation[]
  tasks: Map<string, Task>
  columns: Record<Column, string[]>
  members: Record<string, Member>
  /** Pending invitations by address, with the member who made them. */
  invited: Map<string, { id: number; by: Member }>
}

export const newModel = (): Model => ({
  parties: [],
  links: [],
  requests: [],
  told: new Map(),
  vouchers: [],
  reservations: [],
  tasks: new Map(),
  columns: { open: [], in_progress: [], done: [] },
  members: {},
  invited: new Map(),
})

export const liveGuests = (model: Model, of: (party: Party) => boolean = () => true): Guest[] =>
  model.parties.filter(of).flatMap(({ guests }) => guests.filter(({ isActive }) => isActive))

export const isSeatTaken = (model: Model, seat: string) => liveGuests(model).some((guest) => guest.seat === seat)

/** How many more of a ticket there are, by every bound it has. */
export const roomFor = (model: Model, ticket: TicketKey): number => {
  const rooms = [EVENT_CAPACITY - liveGuests(model).length]
  const ofTicket = liveGuests(model, (party) => party.ticket === ticket).length
  if (ticket === 'ga') rooms.push(STOCK.ga - ofTicket)
  if (ticket === 'floor') rooms.push(FRONT_CAPACITY - ofTicket)
  if (ticket === 'seat') rooms.push(SEATS.filter((seat) => !isSeatTaken(model, seat)).length)
  return Math.max(0, Math.min(...rooms))
}

export const takenOf = (model: Model, link: Link) => liveGuests(model, (party) => party.link === link).length

export const roomOf = (model: Model, link: Link, size: number) =>
  size <= link.capacity - takenOf(model, link) && size <= roomFor(model, 'ga')

export const isCancellable = ({ isLive, guests }: Party) => isLive && guests.every(({ isIn }) => !isIn)

export const verdictOf = (party: Party, guest: Guest): 'accepted' | 'blocked' | 'conflict' => {
  if (!party.isLive || !guest.isActive) return 'blocked'
  return guest.isIn ? 'conflict' : 'accepted'
}

export const companionsInAll = ({ companions, additions }: Request) =>
  additions.filter(({ state }) => state !== 'declined').reduce((sum, each) => sum + each.companions, companions)

export const waitingOf = ({ additions }: Request) => additions.find(({ state }) => state === 'waiting')

export const reservedOf = (model: Model, voucher: Voucher) =>
  model.reservations
    .filter((each) => each.voucher === voucher && each.state === 'held')
    .reduce((sum, { amount }) => sum + amount, 0)

export const activeOwners = (model: Model) =>
  Object.values(model.members).filter(({ role, isActive }) => role === 'owner' && isActive).length
