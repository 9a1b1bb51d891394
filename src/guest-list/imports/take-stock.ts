import { NO_ROOM_MESSAGE } from '../../admissions/rules.ts'
import type { TicketRemaining } from '../../inventory/rules.ts'
import { TAKEN_MESSAGE } from '../../kernel/messages.ts'
import type { PartyFromRow, RowFault } from './rules.ts'

export interface SimulatedClaim {
  ticket_id: number
  ticket_title: string
  standing_area_id: number | null
  standing_area_name: string | null
  quantity: number
  available_stock: number | null
}

/** Takes row by row from what is left, as the claim would: a row for which it is not enough is told. */
export const simulateClaims = (
  rows: readonly { line: number; party: PartyFromRow }[],
  tickets: readonly TicketRemaining[],
  faults: RowFault[],
): SimulatedClaim[] => {
  const left = new Map<string, number>()
  const taken = new Map<string, SimulatedClaim>()
  const places = new Map<number, number>()
  const leftOf = (key: string, start: number | null) => left.get(key) ?? start ?? Infinity

  for (const { line, party } of rows) {
    const ticket = tickets.find(({ id }) => id === party.ticket_id)
    if (!ticket) continue
    const area = ticket.areas.find(({ id }) => id === party.event_capacity_pool_id)
    const size = party.event_place_ids.length || party.party_size
    const bounds = [
      ['event', ticket.eventRemaining],
      [`ticket ${ticket.id}`, ticket.stockRemaining],
      [`area ${area?.id}`, area?.room ?? null],
    ] as const

    const twice = party.event_place_ids.find((id) => places.has(id))
    if (twice !== undefined)
      faults.push({ line, field: 'places', message: `${TAKEN_MESSAGE} on line ${places.get(twice)}` })
    for (const id of party.event_place_ids) if (!places.has(id)) places.set(id, line)

    const isShort = bounds.some(([key, start]) => leftOf(key, start) < size)
    if (isShort) faults.push({ line, field: area ? 'standing_area' : 'ticket', message: NO_ROOM_MESSAGE })
    else for (const [key, start] of bounds) left.set(key, leftOf(key, start) - size)

    const key = `${ticket.id}/${area?.id}`
    const sum = taken.get(key) ?? {
      ticket_id: ticket.id,
      ticket_title: ticket.title,
      standing_area_id: area?.id ?? null,
      standing_area_name: area?.name ?? null,
      quantity: 0,
      available_stock: availableOf(ticket, area?.room ?? null),
    }
    taken.set(key, { ...sum, quantity: sum.quantity + size })
  }
  return [...taken.values()]
}

const availableOf = (ticket: TicketRemaining, room: number | null): number | null => {
  const seats = ticket.inventoryKind === 'places' ? ticket.freePlaceCount : null
  const bounds = [ticket.eventRemaining, ticket.stockRemaining, room, seats].filter((each) => each !== null)
  return bounds.length === 0 ? null : Math.max(0, Math.min(...bounds))
}
