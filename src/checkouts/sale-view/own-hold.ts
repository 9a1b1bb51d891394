import type { CheckoutItem } from '../rules.ts'
import type { SaleView } from './records.ts'

type Held = Pick<CheckoutItem, 'ticketId' | 'quantity' | 'standingArea' | 'places'>

/** What a buyer holds already can be chosen again: nobody else has it. */
export const withOwnHold = (view: SaleView, items: readonly Held[]): SaleView => {
  const keys = new Set(items.flatMap(({ places }) => places.map(({ key }) => key)))
  const count = (held: readonly Held[]) => held.reduce((sum, { quantity }) => sum + quantity, 0)
  return {
    ...view,
    tickets: view.tickets.map((ticket) => {
      const own = items.filter(({ ticketId }) => ticketId === ticket.id)
      return {
        ...ticket,
        available: ticket.available === null ? null : ticket.available + count(own),
        standingAreas: ticket.standingAreas.map((area) => ({
          ...area,
          available: area.available + count(own.filter(({ standingArea }) => standingArea?.id === area.id)),
        })),
      }
    }),
    seats: view.seats.map((seat) => (keys.has(seat.key) ? { ...seat, isFree: true } : seat)),
  }
}
