import { type PackedTicket, PACKED_INDEX } from './ticket.ts'

/**
 * What is known of all tickets of a snapshot before any of them is read: fifty thousand are three texts, which a slow
 * phone opens at once. The tickets are in the order of their IDs.
 */
export interface TicketIndex {
  /** Public IDs and check-in codes, one after the other, each as long as all others. */
  ids: string
  codes: string
  /** One digit each: 1 where it is expected, 2 where it has arrived, 3 where both. */
  states: string
}

const ID_LENGTH = 22
const CODE_LENGTH = 8

export const isRedeemed = (ticket: PackedTicket): boolean => ticket[PACKED_INDEX.redeemedAt] !== null

/** As the server counts: expected are those that may come in, and those that did before that ended. */
export const stateOf = (ticket: PackedTicket): number =>
  (isRedeemed(ticket) || ticket[PACKED_INDEX.lastingReason] === null ? 1 : 0) + (isRedeemed(ticket) ? 2 : 0)

const idOf = (ticket: PackedTicket) => ticket[PACKED_INDEX.publicId] as string

export const inOrder = (tickets: readonly PackedTicket[]): PackedTicket[] =>
  tickets.toSorted((one, other) => (idOf(one) < idOf(other) ? -1 : 1))

export const makeIndex = (ordered: readonly PackedTicket[]): TicketIndex => ({
  ids: ordered.map((ticket) => idOf(ticket).padEnd(ID_LENGTH)).join(''),
  codes: ordered.map((ticket) => (ticket[PACKED_INDEX.code] as string).padEnd(CODE_LENGTH)).join(''),
  states: ordered.map(stateOf).join(''),
})

export const sizeOf = ({ states }: TicketIndex): number => states.length

/** The state of the ticket at a position. */
export const stateAt = ({ states }: TicketIndex, at: number): number => Number(states[at])

/** Where a ticket stands, or -1. */
export const positionOfId = ({ ids }: TicketIndex, id: string): number => {
  if (id.length !== ID_LENGTH) return -1
  let [low, high] = [0, ids.length / ID_LENGTH - 1]
  while (low <= high) {
    const middle = (low + high) >> 1
    const found = ids.slice(middle * ID_LENGTH, (middle + 1) * ID_LENGTH)
    if (found === id) return middle
    if (found < id) low = middle + 1
    else high = middle - 1
  }
  return -1
}

export const positionOfCode = ({ codes }: TicketIndex, code: string): number => {
  if (code.length !== CODE_LENGTH) return -1
  for (let at = codes.indexOf(code); at !== -1; at = codes.indexOf(code, at + 1)) {
    if (at % CODE_LENGTH === 0) return at / CODE_LENGTH
  }
  return -1
}
